import { IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, type ReactElement } from 'react';
import { formatDifference, formatInstant, formatNumber } from '../lib/format.rules.ts';
import { Ledger } from '../ui/ledger.tsx';
import { ScriptText } from '../ui/script-text.tsx';
import './admin.css';
import { getTrace, type TraceQuestion } from './audit.data.ts';
import './operations.css';
import { QueryState } from './query-state.tsx';

const columns = [
  { key: 'when', title: 'When' },
  { key: 'who', title: 'Recorded by' },
  { key: 'player', title: 'Player' },
  { key: 'amount', title: 'Entry', className: 'num' },
  { key: 'total', title: 'Total', className: 'num' },
] as const;

type TracePanelProps = { readonly question: TraceQuestion; readonly onClose: () => void };

/** Give it a key of its question: another one is another panel. 'Why is this 27?': the entries behind a number, who recorded them, and what was taken back. */
export const TracePanel = ({ question, onClose }: TracePanelProps): ReactElement => {
  const trace = useQuery(getTrace(question));
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus();
  }, []);
  const answer = trace.data;
  return (
    <section className="card trace" aria-label="Entries behind a number">
      <div className="trace__h">
        <h4 ref={heading} tabIndex={-1}>
          {answer ? <ScriptText text={`Why ${formatNumber(answer.value)}? ${answer.title}`} /> : 'Why this number?'}
        </h4>
        <button type="button" className="iconbtn" aria-label="Close the entries" onClick={onClose}>
          <IconX className="i" stroke={1.75} aria-hidden="true" />
        </button>
      </div>
      <QueryState query={trace} />
      {answer && (
        <>
          <p className="mute">{answer.rule}</p>
          {answer.parts.length > 0 && (
            <p className="trace__parts">
              {answer.parts.map((part, index) => (
                <span key={`${part.match_id ?? ''}-${part.player_id ?? ''}-${String(index)}`}>
                  <ScriptText text={part.label} /> <b>{part.value}</b>
                </span>
              ))}
            </p>
          )}
          {answer.entries.length === 0 && question.stat !== 'rank' && <p>No entries: nothing was recorded for it.</p>}
          {answer.entries.length > 0 && (
            <Ledger caption={`Entries behind ${answer.title}`} className="cards-m history" columns={columns}>
              {answer.entries.map((entry) => (
                <tr key={entry.position}>
                  <td data-l="When">
                    <time dateTime={entry.at}>{formatInstant(entry.at)}</time>
                  </td>
                  <td data-l="Recorded by">{entry.actor.name || entry.actor.role}</td>
                  <th scope="row">
                    <span className={entry.reversed ? 'gone' : ''}>
                      <ScriptText text={entry.playerName} />
                    </span>
                    {entry.type === 'StatEntryMoved' && <small className="mute"> moved</small>}
                    {entry.type === 'StatEntryReversed' && <small className="mute"> taken back</small>}
                    {entry.reason !== undefined && <small className="mute lines"> {entry.reason}</small>}
                  </th>
                  <td data-l="Entry" className="num">
                    {formatDifference(entry.amount)}
                  </td>
                  <td data-l="Total" className="num">
                    {formatNumber(entry.runningTotal)}
                  </td>
                </tr>
              ))}
            </Ledger>
          )}
        </>
      )}
    </section>
  );
};
