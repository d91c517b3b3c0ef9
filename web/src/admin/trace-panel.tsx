import type { TraceAnswer, TraceEntry } from '@courtledger/contracts/operations/audit.answers';
import { IconArrowLeft, IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Fragment, useState, type ReactElement } from 'react';
import { formatCount, formatDifference, formatNumber } from '../lib/format.rules.ts';
import { Banner } from '../ui/banner.tsx';
import { Instant } from '../ui/instant.tsx';
import { Ledger } from '../ui/ledger.tsx';
import { ScriptText } from '../ui/script-text.tsx';
import './admin.css';
import { getTrace, type TraceQuestion } from './audit.data.ts';
import './operations.css';
import { QueryState } from './query-state.tsx';
import { partName, TraceParts } from './trace-parts.tsx';
import { entriesByMatch, isOfSeveralMatches, isSumOfEntries, sumOf, valueInWords } from './trace.rules.ts';

const columns = [
  { key: 'when', title: 'When' },
  { key: 'who', title: 'Recorded by' },
  { key: 'player', title: 'Player' },
  { key: 'amount', title: 'Entry', className: 'num' },
  { key: 'total', title: 'Player’s total', className: 'num' },
] as const;

const Moved = ({ way, player }: { readonly way: 'from' | 'to'; readonly player: TraceEntry['movedTo'] }): ReactElement | undefined =>
  player && (
    <small className="mute">
      {` moved ${way} `}
      <ScriptText text={player.playerName} />
    </small>
  );

const Entry = ({ entry }: { readonly entry: TraceEntry }): ReactElement => (
  <tr>
    <td data-l="When">
      <Instant at={entry.at} />
    </td>
    <td data-l="Recorded by">{entry.actor.name || entry.actor.role}</td>
    <th scope="row">
      <span className={entry.reversed ? 'gone' : ''}>
        <ScriptText text={entry.playerName} />
      </span>
      <Moved way="from" player={entry.movedFrom} />
      <Moved way="to" player={entry.movedTo} />
      {entry.type !== 'StatEntryReversed' && entry.reversed && entry.movedTo === undefined && <small className="mute"> taken back</small>}
      {entry.type === 'StatEntryReversed' && <small className="mute">{entry.restores ? ' restored' : ' taken back'}</small>}
      {entry.reason !== undefined && <small className="mute lines"> {entry.reason}</small>}
    </th>
    <td data-l="Entry" className="num">
      {formatDifference(entry.amount)}
    </td>
    <td data-l="Player’s total" className="num">
      {formatNumber(entry.runningTotal)}
    </td>
  </tr>
);

/** Every entry, by match where there are several: each match with what it adds, and what all add up to at the end. */
const Entries = ({ question, answer }: { readonly question: TraceQuestion; readonly answer: TraceAnswer }): ReactElement => {
  const isSum = isSumOfEntries(question);
  const foot = (
    <tr>
      <th scope="row" colSpan={3}>
        Sum of the entries
      </th>
      <td className="num" colSpan={2}>
        <span>{formatNumber(sumOf(answer.entries.map(({ amount }) => amount)))}</span>
      </td>
    </tr>
  );
  return (
    <Ledger caption={`Entries behind ${answer.title}`} className="cards-m history" columns={columns} foot={isSum ? foot : undefined}>
      {entriesByMatch(answer).map(({ part, entries, sum }) => (
        <Fragment key={part?.match_id ?? ''}>
          {part !== undefined && (
            <tr className="trace__match">
              <th scope="rowgroup" colSpan={3}>
                <ScriptText text={partName(part)} />
              </th>
              <td data-l={isSum ? 'Sum' : 'Score'} className="num" colSpan={2}>
                <b>{isSum ? formatNumber(sum) : part.value}</b>
              </td>
            </tr>
          )}
          {entries.map((entry) => (
            <Entry key={entry.position} entry={entry} />
          ))}
        </Fragment>
      ))}
    </Ledger>
  );
};

/** The entries of several matches are many: folded, and not laid out until they are wanted, so that what was clicked stays in reach. */
const FoldedEntries = ({ question, answer }: { readonly question: TraceQuestion; readonly answer: TraceAnswer }): ReactElement => {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details
      className="trace__all"
      onToggle={(event) => {
        setIsOpen(event.currentTarget.open);
      }}
    >
      <summary>{`All ${formatCount(answer.entries.length, 'entry', 'entries')}, by match`}</summary>
      {isOpen && <Entries question={question} answer={answer} />}
    </details>
  );
};

/** A rank is told by teams: each opens its own matches, this one among them. */
const EntriesOf = ({ question, answer }: { readonly question: TraceQuestion; readonly answer: TraceAnswer }): ReactElement | null => {
  if (answer.entries.length === 0) return <p>No entries: nothing was recorded for it.</p>;
  if (question.stat === 'rank') return null;
  return isOfSeveralMatches(answer) ? <FoldedEntries question={question} answer={answer} /> : <Entries question={question} answer={answer} />;
};

/** Each question that is opened is read out from its heading on. */
const focusOn = (heading: HTMLElement | null): void => heading?.focus();

type TracePanelProps = { readonly question: TraceQuestion; readonly onClose: () => void };

/**
 * Give it a key of its question: another one is another panel. 'Why is this 27?': the parts of a number, each of which opens its own, the entries behind it,
 * who recorded them, and what was taken back.
 */
export const TracePanel = ({ question, onClose }: TracePanelProps): ReactElement => {
  /** The question, and the parts that were opened one in another. */
  const [path, setPath] = useState<readonly TraceQuestion[]>([question]);
  const asked = path.at(-1) ?? question;
  const trace = useQuery(getTrace(asked));
  const answer = trace.data;
  return (
    <section className="card trace" aria-label="Entries behind a number">
      <div className="trace__h">
        <h4 key={path.length} ref={focusOn} tabIndex={-1}>
          {answer ? <ScriptText text={`Why ${valueInWords(asked, answer.value)}? ${answer.title}`} /> : 'Why this number?'}
        </h4>
        <span className="row-acts">
          {path.length > 1 && (
            <button
              type="button"
              className="btn btn--s btn--sm"
              onClick={() => {
                setPath(path.slice(0, -1));
              }}
            >
              <IconArrowLeft className="i i-s" stroke={1.75} aria-hidden="true" />
              Back
            </button>
          )}
          <button type="button" className="iconbtn" aria-label="Close the entries" onClick={onClose}>
            <IconX className="i" stroke={1.75} aria-hidden="true" />
          </button>
        </span>
      </div>
      <QueryState query={trace} />
      {answer && (
        <>
          {answer.damage !== undefined && <Banner kind="bad" text={`${answer.damage}.`} />}
          <p className="mute">{answer.rule}</p>
          {answer.parts.length > 0 && (
            <TraceParts
              question={asked}
              answer={answer}
              onTrace={(part) => {
                setPath([...path, part]);
              }}
            />
          )}
          <EntriesOf key={JSON.stringify(asked)} question={asked} answer={answer} />
        </>
      )}
    </section>
  );
};
