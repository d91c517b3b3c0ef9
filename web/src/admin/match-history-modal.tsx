import type { HistoryRow, MatchListItem } from '@courtledger/contracts/match/match.answers';
import { IconArrowBackUp, IconArrowForwardUp, IconArrowsExchange } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Fragment, useRef, useState, type ReactElement } from 'react';
import { Instant } from '../ui/instant.tsx';
import { Ledger } from '../ui/ledger.tsx';
import { ScriptText } from '../ui/script-text.tsx';
import { EmptyState } from '../ui/states.tsx';
import { getMatchHistory } from './admin.data.ts';
import { AdminModal } from './admin-modal.tsx';
import { CorrectionForm } from './correction-form.tsx';
import { playerNamed } from './erased-person.rules.ts';
import { canReverse, entryInWords, factInWords, isRestoring, linesOf, totalsInWords, undoneInWords, type HistoryLine } from './match-history.rules.ts';
import './operations.css';
import { QueryState } from './query-state.tsx';

const columns = [
  { key: 'when', title: 'When' },
  { key: 'who', title: 'Who' },
  { key: 'what', title: 'What' },
  { key: 'total', title: 'Total after it' },
  { key: 'acts', title: 'Actions', className: 'num' },
] as const;

const What = ({ row }: { readonly row: HistoryLine }): ReactElement => (
  <>
    <span className={row.reversed ? 'gone' : ''}>
      {row.playerName !== undefined && (
        <>
          <ScriptText text={row.playerName} />
          {': '}
        </>
      )}
      {factInWords(row)}
    </span>
    {row.movedFrom !== undefined && (
      <small className="mute">
        {' moved from '}
        <ScriptText text={row.movedFrom} />
      </small>
    )}
    {row.reversed && (
      <small className="dim">
        {row.movedFrom !== undefined && ','}
        {row.movedTo === undefined || isRestoring(row) ? (
          ` ${undoneInWords(row)}`
        ) : (
          <>
            {' moved to '}
            <ScriptText text={row.movedTo} />
          </>
        )}
      </small>
    )}
    {row.reason !== undefined && <small className="mute lines"> {row.reason}</small>}
  </>
);

/** An entry is corrected: taken back or moved. A reversal can only be taken back, which is called by what it does to the entry. */
const Acts = ({ row, onCorrect }: { readonly row: HistoryLine; readonly onCorrect: (to: string) => void }): ReactElement => {
  const [title, Icon] = isRestoring(row) ? (['Restore', IconArrowForwardUp] as const) : [row.restores === true ? 'Take back' : 'Correct', IconArrowBackUp];
  return (
    <span className="row-acts">
      {row.movedFromId !== undefined && (
        <button
          type="button"
          className="btn btn--s btn--sm"
          aria-label={`Move back ${entryInWords(row)}, from ${row.playerName ?? ''} to ${row.movedFrom ?? ''}`}
          onClick={() => {
            onCorrect(row.movedFromId ?? '');
          }}
        >
          <IconArrowsExchange className="i i-s" stroke={1.75} aria-hidden="true" />
          Move back
        </button>
      )}
      <button
        type="button"
        className="btn btn--s btn--sm"
        aria-label={`${title} ${entryInWords(row)}, ${row.playerName ?? ''}`}
        onClick={() => {
          onCorrect('');
        }}
      >
        <Icon className="i i-s" stroke={1.75} aria-hidden="true" />
        {title}
      </button>
    </span>
  );
};

type MatchHistoryModalProps = { readonly match: MatchListItem; readonly onClose: () => void };

/** Every fact of a match, newest first: who, when, what; entries can be taken back, restored and moved with a reason. */
export const MatchHistoryModal = ({ match, onClose }: MatchHistoryModalProps): ReactElement => {
  const history = useQuery(getMatchHistory(match.matchId));
  const [correcting, setCorrecting] = useState<{
    readonly entryId: string | undefined;
    /** The player who gets the entry; empty: nobody does. */
    readonly to: string;
  }>();
  const corrected = useRef<HTMLTableCellElement>(null);
  const players = [...match.team1Players, ...match.team2Players];
  const named = (row: HistoryRow): HistoryRow => {
    const player = players.find(({ _id }) => _id === row.player_id);
    return player === undefined || row.playerName === undefined
      ? row
      : { ...row, playerName: playerNamed({ name: row.playerName, jerseyNumber: player.jerseyNumber }, players) };
  };
  const rows = linesOf((history.data ?? []).map(named)).toReversed();
  return (
    <AdminModal title="Match History" subtitle={<ScriptText text={`${match.team1Name}, ${match.team2Name}`} />} width={1040} onClose={onClose}>
      <QueryState query={history} />
      {history.data && rows.length === 0 && <EmptyState text="Nothing has been recorded yet" />}
      {rows.length > 0 && (
        <Ledger caption="What was recorded, newest first" className="cards-m history" columns={columns}>
          {rows.map((row) => {
            const isCorrected = correcting !== undefined && correcting.entryId === row.entryId;
            return (
              <Fragment key={`${row.position}-${row.entryId ?? row.type}`}>
                <tr>
                  <td data-l="When">
                    <Instant at={row.at} />
                  </td>
                  <td data-l="Who">{row.actor.name || row.actor.role}</td>
                  <th scope="row" tabIndex={-1} ref={isCorrected ? corrected : undefined}>
                    <What row={row} />
                  </th>
                  <td className="mute" {...(row.runningTotal && { 'data-l': 'Total after it' })}>
                    {totalsInWords(row)}
                  </td>
                  {/* One at a time: another one would drop what was typed, or sent without an answer. */}
                  <td>
                    {canReverse(row) && correcting === undefined && (
                      <Acts
                        row={row}
                        onCorrect={(to) => {
                          setCorrecting({ entryId: row.entryId, to });
                        }}
                      />
                    )}
                  </td>
                </tr>
                {isCorrected && (
                  <tr className="under">
                    <td colSpan={columns.length}>
                      <CorrectionForm
                        match={match}
                        row={row}
                        to={correcting.to}
                        onDone={() => {
                          // The form goes, and with it what had the focus: the next Tab goes on from its row.
                          corrected.current?.focus();
                          setCorrecting(undefined);
                        }}
                      />
                    </td>
                  </tr>
                )}
              </Fragment>
            );
          })}
        </Ledger>
      )}
    </AdminModal>
  );
};
