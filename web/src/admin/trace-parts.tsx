import type { TraceAnswer, TracePart } from '@courtledger/contracts/operations/audit.answers';
import type { ReactElement } from 'react';
import { formatDate, formatDifference, formatNumber } from '../lib/format.rules.ts';
import { Ledger } from '../ui/ledger.tsx';
import { ScriptText } from '../ui/script-text.tsx';
import type { TraceQuestion } from './audit.data.ts';
import { partColumns, sumOf, valueInWords } from './trace.rules.ts';
import './why.css';

/** A part by its name, and a match by its day as well. */
export const partName = ({ label, date }: TracePart): string => (date === undefined ? label : `${label}, ${formatDate(date)}`);

type TracePartsProps = {
  readonly question: TraceQuestion;
  readonly answer: TraceAnswer;
  /** Opens the entries behind a part. */
  readonly onTrace: (question: TraceQuestion) => void;
};

/** What a number is made of, part by part, down to the sum; each part opens its own entries. */
export const TraceParts = ({ question, answer, onTrace }: TracePartsProps): ReactElement => {
  const { parts } = answer;
  const titles = partColumns(question, parts);
  const counted = question.stat === 'difference' ? formatDifference : formatNumber;
  const columns = [
    { key: 'part', title: titles.part },
    ...(titles.value === undefined ? [] : [{ key: 'value', title: titles.value, className: 'num' }]),
    ...(titles.counts === undefined ? [] : [{ key: 'counts', title: titles.counts, className: 'num' }]),
  ];
  const total = sumOf(parts.map(({ counts }) => counts));
  const sums = [
    { name: 'Sum', text: counted(total) },
    ...(question.of === 'player-average' ? [{ name: 'Average', text: valueInWords(question, answer.value) }] : []),
  ];
  const foot = sums.map(({ name, text }) => (
    <tr key={name}>
      <th scope="row" colSpan={columns.length - 1}>
        {name}
      </th>
      <td className="num">
        <span>{text}</span>
      </td>
    </tr>
  ));
  return (
    <Ledger caption={`What it is made of: ${answer.title}`} className="trace__parts" columns={columns} foot={titles.counts === undefined ? undefined : foot}>
      {parts.map((part, index) => {
        const { trace } = part;
        return (
          <tr key={`${part.match_id ?? ''}-${part.player_id ?? ''}-${String(index)}`}>
            <th scope="row">
              {trace === undefined || JSON.stringify(trace) === JSON.stringify(question) ? (
                <ScriptText text={partName(part)} />
              ) : (
                <button
                  type="button"
                  className="whybtn"
                  onClick={() => {
                    onTrace(trace);
                  }}
                >
                  <ScriptText text={partName(part)} />
                </button>
              )}
            </th>
            {titles.value !== undefined && <td className="num">{part.value}</td>}
            {titles.counts !== undefined && <td className="num">{counted(part.counts)}</td>}
          </tr>
        );
      })}
    </Ledger>
  );
};
