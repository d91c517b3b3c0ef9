import { REASON_MAX } from '@courtledger/contracts/kernel/limits';
import type { HistoryRow, MatchListItem } from '@courtledger/contracts/match/match.answers';
import { IconArrowBackUp } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState, type FormEvent, type ReactElement } from 'react';
import { formatInstant } from '../lib/format.rules.ts';
import { toastSuccess } from '../lib/toasts.ts';
import { Banner } from '../ui/banner.tsx';
import { BusyButton } from '../ui/busy-button.tsx';
import { Ledger } from '../ui/ledger.tsx';
import { ScriptText } from '../ui/script-text.tsx';
import { EmptyState, Spinner } from '../ui/states.tsx';
import { getMatchHistory, reverseStatEntry } from './admin.data.ts';
import { AdminModal } from './admin-modal.tsx';
import { canReverse, factInWords, totalsInWords } from './match-history.rules.ts';
import { useAttemptKey, useCommand } from './use-command.ts';

type ReverseFormProps = { readonly matchId: string; readonly row: HistoryRow; readonly onDone: () => void };

/** Takes one entry back, with a reason that everybody can read. */
const ReverseForm = ({ matchId, row, onDone }: ReverseFormProps): ReactElement => {
  const field = useRef<HTMLTextAreaElement>(null);
  const [reason, setReason] = useState('');
  const [empty, setEmpty] = useState(false);
  const command = useCommand();
  const keyFor = useAttemptKey();
  useEffect(() => {
    field.current?.focus();
  }, []);
  const send = async (): Promise<void> => {
    const said = reason.trim();
    setEmpty(said === '');
    if (said === '' || row.entryId === undefined) return;
    const { entryId } = row;
    if (await command.run(() => reverseStatEntry(matchId, entryId, said, keyFor(said)))) {
      toastSuccess('Entry taken back');
      onDone();
    }
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!command.busy) void send();
  };
  return (
    <form className="reverse" onSubmit={submit}>
      {(empty || command.failure) && <Banner kind="bad" text={empty ? 'reason is required' : command.failure?.message || 'Something went wrong'} />}
      <div className="field">
        <label htmlFor="reversal-reason">
          Why is “{factInWords(row)}” of {row.playerName} taken back? Everybody can read the reason.
        </label>
        <textarea
          id="reversal-reason"
          ref={field}
          className="input"
          maxLength={REASON_MAX}
          value={reason}
          onChange={(event) => {
            setReason(event.target.value);
          }}
        />
      </div>
      <div className="row-acts">
        <button type="button" className="btn btn--q btn--sm" onClick={onDone}>
          Keep it
        </button>
        <BusyButton type="submit" className="btn btn--p btn--sm" busy={command.busy} busyText="Saving...">
          Take back
        </BusyButton>
      </div>
    </form>
  );
};

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
  const [reversing, setReversing] = useState<string>();
  const rows = (history.data ?? []).toReversed();
  return (
    <AdminModal title="Match History" subtitle={<ScriptText text={`${match.team1Name}, ${match.team2Name}`} />} width={1040} onClose={onClose}>
      {history.isPending && <Spinner />}
      {history.isError && <Banner kind="bad" text={history.error.message || 'Internal Server Error'} />}
      {history.data && rows.length === 0 && <EmptyState text="Nothing has been recorded yet" />}
      {rows.length > 0 && (
        <Ledger caption="What was recorded, newest first" className="cards-m history" columns={columns}>
          {rows.map((row) => (
            <tr key={`${row.position}-${row.entryId ?? row.type}`}>
              <td data-l="When">
                <time dateTime={row.at}>{formatInstant(row.at)}</time>
              </td>
              <td data-l="Who">{row.actor.name || row.actor.role}</td>
              <th scope="row">
                <span className={row.reversed ? 'gone' : ''}>
                  {row.playerName !== undefined && (
                    <>
                      <ScriptText text={row.playerName} />
                      {': '}
                    </>
                  )}
                  {factInWords(row)}
                </span>
                {row.reversed && <small className="dim"> taken back</small>}
                {row.reason !== undefined && <small className="mute lines"> {row.reason}</small>}
                {reversing !== undefined && reversing === row.entryId && (
                  <ReverseForm
                    matchId={match.matchId}
                    row={row}
                    onDone={() => {
                      setReversing(undefined);
                    }}
                  />
                )}
              </th>
              <td data-l="Total after it" className="mute">
                {totalsInWords(row)}
              </td>
              <td>
                {canReverse(row) && reversing !== row.entryId && (
                  <span className="row-acts">
                    <button
                      type="button"
                      className="btn btn--s btn--sm"
                      aria-label={`Take back ${factInWords(row)}, ${row.playerName ?? ''}`}
                      onClick={() => {
                        setReversing(row.entryId);
                      }}
                    >
                      <IconArrowBackUp className="i i-s" stroke={1.75} aria-hidden="true" />
                      Take back
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
