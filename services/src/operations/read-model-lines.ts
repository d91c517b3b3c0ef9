import type { ReadModelDiff, ReadModelJob, TableDiff } from '@courtledger/contracts/operations/operations.answers';
import { amountText, barText, countedText, secondsText } from './figures.ts';

/** A job of the read model as lines at a terminal. */

export const jobProgressLine = (job: ReadModelJob): string => {
  const until = Number(job.until);
  const part = job.phase === 'folding' ? (until === 0 ? 1 : Number(job.position) / until) : 1;
  return `${job.phase.padEnd(11)} ${barText(part)} ${countedText(job.events, 'event')}, ${amountText(job.ratePerSecond)}/s${job.secondsLeft === null ? '' : `, ${secondsText(job.secondsLeft)} left`}`;
};

const tableLines = ({ name, rows, checksum, differing, samples }: TableDiff, width: number): string[] => {
  const line = `  ${name.padEnd(width)}  ${amountText(rows.live).padStart(9)} -> ${amountText(rows.next).padStart(9)} rows  ${checksum.live.slice(0, 12)} ${differing === 0 ? '=' : '≠'} ${checksum.next.slice(0, 12)}`;
  return [differing === 0 ? line : `${line}  ${amountText(differing)} ${differing === 1 ? 'differs' : 'differ'}`].concat(
    samples.map(({ key, at, live, next }) => `    ${key} ${at}: ${live ?? '(no row)'} -> ${next ?? '(no row)'}`),
  );
};

/** What a comparison has found. @param all also the tables that are equal */
export const diffLines = (diff: ReadModelDiff, all: boolean): readonly string[] => {
  const tables = diff.tables.filter(({ differing }) => all || differing > 0);
  const width = Math.max(0, ...tables.map(({ name }) => name.length));
  return [
    `Compared at position ${diff.position} in ${secondsText(diff.seconds)}: ${diff.equal ? 'equal' : 'DIFFERENT'} (${countedText(
      diff.tables.reduce((sum, { rows }) => sum + rows.next, 0),
      'row',
    )} in ${countedText(diff.tables.length, 'table')})`,
    ...tables.flatMap((table) => tableLines(table, width)),
  ];
};

/** @param canSwitchBack whether the read model before is kept */
export const jobEndLine = (job: ReadModelJob, canSwitchBack = false): string => {
  switch (job.state) {
    case 'switched':
      return `${job.file} is the live read model now (position ${job.position}${job.kind === 'rebuild' ? `, ${countedText(job.events, 'event')} at ${amountText(job.ratePerSecond)}/s${canSwitchBack ? '; "ops switch-back" goes back' : ''}` : ''}).`;
    case 'equal':
      return job.error === null ? 'The live read model is what the log says.' : `The live read model is what the log says, but: ${job.error}.`;
    case 'different':
      return job.error === null
        ? 'The live read model is NOT what the log says. "ops rebuild" puts a new one in its place.'
        : `The live read model is NOT what the log says. ${job.error}.`;
    case 'cancelled':
      return 'Stopped. The live read model is untouched.';
    case 'failed':
      return `Failed: ${job.error ?? 'for no known reason'}. The live read model is untouched.`;
    case 'running':
      return 'Running.';
    default:
      return job.state satisfies never;
  }
};
