import type { OperationsStatus, ReadModelDiff, ReadModelJob } from '@courtledger/contracts/operations/operations.answers';
import { useQuery } from '@tanstack/react-query';
import { useId, type ReactElement } from 'react';
import { formatAmount, formatCount } from '../lib/format.rules.ts';
import { Banner } from '../ui/banner.tsx';
import { Ledger } from '../ui/ledger.tsx';
import { LockableButton } from '../ui/lockable-button.tsx';
import { cancelRebuild, getRebuild, startRebuild, switchBackReadModel } from './audit.data.ts';
import { CommandFailure } from './command-failure.tsx';
import { durationInWords, otherLogInWords } from './operations.rules.ts';
import { useJobCommand } from './use-job-command.ts';

const phases: Readonly<Record<ReadModelJob['phase'], string>> = {
  folding: 'Folding the log',
  'catching-up': 'Catching up',
  comparing: 'Comparing...',
  switching: 'Switching',
  ended: 'Ended',
};
const states: Readonly<Record<ReadModelJob['state'], string>> = {
  running: 'Running',
  switched: 'Done: the new read model is live',
  equal: 'Both read models are equal',
  different: 'The read models differ',
  cancelled: 'Cancelled: the live read model stayed',
  failed: 'Failed: the live read model stayed',
};
const kinds: Readonly<Record<ReadModelJob['kind'], string>> = { rebuild: 'Rebuild', verify: 'Verification', 'switch-back': 'Switch back' };

const columns = [
  { key: 'table', title: 'Table' },
  { key: 'live', title: 'Rows, live', className: 'num' },
  { key: 'next', title: 'Rows, next', className: 'num' },
  { key: 'differing', title: 'Differing', className: 'num' },
  { key: 'checksums', title: 'Checksums, live and next' },
] as const;

/** As much of a checksum as the command line shows. */
const shortChecksum = (checksum: string): string => checksum.slice(0, 12);

const TableOf = ({ tables }: { readonly tables: ReadModelDiff['tables'] }): ReactElement => (
  <Ledger caption="Differences by table" className="cards-m history tables" columns={columns}>
    {tables.map((table) => (
      <tr key={table.name}>
        <th scope="row">
          {table.name}
          {table.samples.length > 0 && (
            <ul className="sample">
              {table.samples.map((sample) => (
                <li key={`${sample.key} ${sample.at}`}>
                  <code>{sample.key}</code> <b>{sample.at}</b>
                  {`: ${sample.live ?? 'no such row'} → ${sample.next ?? 'no such row'}`}
                </li>
              ))}
            </ul>
          )}
        </th>
        <td data-l="Rows, live" className="num">
          {formatAmount(table.rows.live)}
        </td>
        <td data-l="Rows, next" className="num">
          {formatAmount(table.rows.next)}
        </td>
        <td data-l="Differing" className={table.differing === 0 ? 'num mute' : 'num neg'}>
          {formatAmount(table.differing)}
        </td>
        <td data-l="Checksums" className="sums nowrap-w">
          <code>{shortChecksum(table.checksum.live)}</code> {table.differing === 0 ? '=' : '≠'} <code>{shortChecksum(table.checksum.next)}</code>
        </td>
      </tr>
    ))}
  </Ledger>
);

/** What differs stands open; what is equal can be looked up. */
const Diff = ({ diff }: { readonly diff: ReadModelDiff }): ReactElement => {
  const differing = diff.tables.filter((table) => table.differing > 0);
  return (
    <>
      <p className="mute">{`Compared at position ${diff.position}: ${diff.equal ? 'equal in every row' : 'different'}.`}</p>
      {differing.length > 0 && <TableOf tables={differing} />}
      <details className="ids">
        <summary>{`All ${formatCount(diff.tables.length, 'table')}`}</summary>
        <TableOf tables={diff.tables} />
      </details>
    </>
  );
};

const Job = ({ job }: { readonly job: ReadModelJob }): ReactElement => {
  const isRunning = job.state === 'running';
  // How far it is can be said of the log only: rows are compared, and files switched, without a count.
  const share = job.phase === 'folding' || job.phase === 'catching-up' ? Math.min(1, Number(job.position) / Math.max(1, Number(job.until))) : undefined;
  return (
    <div className="card ops__job">
      <output>
        <b>{`${kinds[job.kind]}: ${isRunning ? phases[job.phase] : job.kind === 'switch-back' && job.state === 'switched' ? 'Done: the earlier read model is live' : states[job.state]}`}</b>
      </output>
      {isRunning && <progress className="ops__bar" aria-label={kinds[job.kind]} max={1} value={share} />}
      {isRunning && job.phase === 'comparing' && <p className="mute">Every event is in. Each row is compared with the live read model.</p>}
      {/* A switch back folds nothing. */}
      {job.kind !== 'switch-back' && (
        <p className="mute">{`${formatCount(job.events, 'event')}, ${formatAmount(Math.round(job.ratePerSecond))} a second${isRunning && job.secondsLeft !== null ? `, ${durationInWords(job.secondsLeft)} left` : ''}`}</p>
      )}
      {job.error !== null && <Banner kind="bad" text={job.error} />}
      {job.diff !== null && <Diff diff={job.diff} />}
    </div>
  );
};

/** Builds the next read model beside the live one while the site goes on; shows progress, what differs, and the way back. */
export const RebuildSection = ({ status }: { readonly status: Pick<OperationsStatus, 'log' | 'readModel'> }): ReactElement => {
  const { log, readModel } = status;
  const rebuild = useQuery(getRebuild());
  const job = rebuild.data?.job ?? undefined;
  const isRunning = job?.state === 'running';
  const command = useJobCommand(rebuild, rebuild.data && (job?.endedAt ?? null));
  const [why, runs, rests, none] = [useId(), useId(), useId(), useId()];
  const running = isRunning || command.busy ? runs : undefined;
  // A damaged log may be compared with; another one may not.
  const verifyLock = running ?? (log.otherLog ? why : undefined);
  // What there is to go back to may be no better than what is in doubt.
  const canSwitchBack = readModel.doubt === null && readModel.files.some(({ role }) => role === 'previous');
  return (
    <section className="ops__sec" aria-label="Rebuild the read model">
      <h2>Rebuild the read model</h2>
      <p>
        The next one is built beside the live one and compared with it, then the site switches. Reading and writing go on all the while, and the old file stays
        for switching back, until a person is erased.
      </p>
      {log.unfit !== null && <p id={why}>{log.otherLog ? otherLogInWords : `No read model is made now. ${log.unfit}.`}</p>}
      {/* Each keeps its place and its width when a job begins or ends: a second press must not meet another button, and the focus stays. */}
      <div className="ops__acts">
        <LockableButton
          className="btn btn--p btn--sm"
          lockedBy={running ?? (log.unfit === null ? undefined : why)}
          single
          onClick={() => void command.run(() => startRebuild(false))}
        >
          Rebuild
        </LockableButton>
        <LockableButton className="btn btn--s btn--sm" lockedBy={verifyLock} single onClick={() => void command.run(() => startRebuild(true))}>
          Verify only
        </LockableButton>
        <LockableButton className="btn btn--q btn--sm" lockedBy={isRunning ? undefined : rests} single onClick={() => void command.run(cancelRebuild)}>
          Cancel
        </LockableButton>
        <LockableButton
          className="btn btn--s btn--sm"
          lockedBy={verifyLock ?? (canSwitchBack ? undefined : none)}
          single
          onClick={() => void command.run(switchBackReadModel)}
        >
          Switch back
        </LockableButton>
      </div>
      <p id={runs} hidden>
        Not while another one runs.
      </p>
      <p id={rests} hidden>
        Nothing runs that could be cancelled.
      </p>
      <p id={none} hidden>
        There is no read model to switch back to.
      </p>
      <CommandFailure command={command} />
      {job && <Job job={job} />}
    </section>
  );
};
