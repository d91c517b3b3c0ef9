import type { MatchListItem } from '@courtledger/contracts/match/match.answers';
import { IconArrowBackUp, IconArrowsExchange } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState, type ReactElement } from 'react';
import { formatInstant } from '../lib/format.rules.ts';
import { Ledger } from '../ui/ledger.tsx';
import { ScriptText } from '../ui/script-text.tsx';
import { EmptyState } from '../ui/states.tsx';
import { getMatchHistory } from './admin.data.ts';
import { AdminModal } from './admin-modal.tsx';
import { CorrectionForm } from './correction-form.tsx';
import { canReverse, factInWords, linesOf, totalsInWords } from './match-history.rules.ts';
import './operations.css';
import { QueryState } from './query-state.tsx';

const columns = [
  { key: 'when', title: 'When' },
  { key: 'who', title: 'Who' },
  { key: 'what', title: 'What' },
  { key: 'total', title: 'Total after it' },
  { key: 'acts', title: 'Actions', className: 'num' },
] as const;

type MatchHistoryModalProps = { readonly match: MatchListItem; readonly onClose: () => void };

/** Every fact of a match, newest first: who, when, what; entries can be taken back with a reason. */
export const MatchHistoryModal = ({ match, onClose }: MatchHistoryModalProps): ReactElement => {
  const history = useQuery(getMatchHistory(match.matchId));
  const [correcting, setCorrecting] = useState<{ readonly entryId: string | undefined; /** The player who gets the entry; empty: nobody does. */ readonly to: string }>();
  const corrected = useRef<HTMLTableCellElement>(null);
  const rows = linesOf(history.data ?? []).toReversed();
  return (
    <AdminModal title="Match History" subtitle={<ScriptText text={`${match.team1Name}, ${match.team2Name}`} />} width={1040} onClose={onClose}>
      <QueryState query={history} />
      {history.data && rows.length === 0 && <EmptyState text="Nothing has been recorded yet" />}
      {rows.length > 0 && (
        <Ledger caption="What was recorded, newest first" className="cards-m history" columns={columns}>
          {rows.map((row) => (
            <tr key={`${row.position}-${row.entryId ?? row.type}`}>
              <td data-l="When">
                <time dateTime={row.at}>{formatInstant(row.at)}</time>
              </td>
              <td data-l="Who">{row.actor.name || row.actor.role}</td>
              <th scope="row" tabIndex={-1} ref={correcting?.entryId === row.entryId ? corrected : undefined}>
                <span className={row.reversed ? 'gone' : ''}>
                  {row.playerName !== undefined && (
                    <>
                      <ScriptText text={row.playerName} />
                      {': '}
                    </>
                  )}
                  {factInWords(row)}
                </span>
                {row.movedFrom !== undefined && <small className="mute"> moved from {row.movedFrom}</small>}
                {row.reversed && <small className="dim"> taken back</small>}
                {row.reason !== undefined && <small className="mute lines"> {row.reason}</small>}
                {correcting !== undefined && correcting.entryId === row.entryId && (
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
                )}
              </th>
              <td data-l="Total after it" className="mute">
                {totalsInWords(row)}
              </td>
              <td>
                {/* One at a time: another one would drop what was typed, or sent without an answer. */}
                {canReverse(row) && correcting === undefined && (
                  <span className="row-acts">
                    {row.movedFromId !== undefined && (
                      <button
                        type="button"
                        className="btn btn--s btn--sm"
                        aria-label={`Move back ${factInWords(row)}, from ${row.playerName ?? ''} to ${row.movedFrom ?? ''}`}
                        onClick={() => {
                          setCorrecting({ entryId: row.entryId, to: row.movedFromId ?? '' });
                        }}
                      >
                        <IconArrowsExchange className="i i-s" stroke={1.75} aria-hidden="true" />
                        Move back
                      </button>
                    )}
                    <button
                      type="button"
                      className="btn btn--s btn--sm"
                      aria-label={`Correct ${factInWords(row)}, ${row.playerName ?? ''}`}
                      onClick={() => {
                        setCorrecting({ entryId: row.entryId, to: '' });
                      }}
                    >
                      <IconArrowBackUp className="i i-s" stroke={1.75} aria-hidden="true" />
                      Correct
                    </button>
                  </span>
                )}
              </td>
            </tr>
          ))}
        </Ledger>
      )}
    </AdminModal>
  );
};
