import { bytesText } from '@courtledger/contracts/kernel/figures';
import { chainAbsence } from '@courtledger/contracts/operations/hash-chain.rules';
import type { OperationsStatus } from '@courtledger/contracts/operations/operations.answers';
import { useQuery } from '@tanstack/react-query';
import { useId, type ReactElement } from 'react';
import { formatAmount, formatCount, formatInstant } from '../lib/format.rules.ts';
import { useNow } from '../lib/use-now.ts';
import { Banner } from '../ui/banner.tsx';
import { BusyButton } from '../ui/busy-button.tsx';
import { backUp, getBackup, getLogVerification, verifyLog } from './audit.data.ts';
import { CommandFailure } from './command-failure.tsx';
import { asOfThen, otherLogInWords } from './operations.rules.ts';
import { useJobCommand } from './use-job-command.ts';

/** Walks the hash chain of the log, where it has one. */
export const VerifySection = ({ store }: { readonly store: OperationsStatus['store'] }): ReactElement => {
  const absence = chainAbsence(store);
  if (absence === undefined) return <ChainSection />;
  return (
    <section className="ops__sec" aria-label="Verify the log">
      <h2>Verify the log</h2>
      <p>{`${absence}.`}</p>
    </section>
  );
};

const ChainSection = (): ReactElement => {
  const now = useNow();
  const query = useQuery(getLogVerification());
  const run = query.data?.verification ?? undefined;
  const command = useJobCommand(query, query.data && (run?.endedAt ?? null));
  const outcome = {
    running: 'Running',
    whole: 'The chain is whole',
    broken: 'The chain is broken: writes are refused',
    stopped: 'Stopped',
    failed: 'Failed',
  } as const;
  return (
    <section className="ops__sec" aria-label="Verify the log">
      <h2>Verify the log</h2>
      <p>Every fact carries a hash over the one before it. A break refuses writes, names its position, and leaves reading as it is.</p>
      <div className="ops__acts">
        <BusyButton
          className="btn btn--s btn--sm"
          busy={run?.state === 'running' || command.busy}
          busyText="Verifying..."
          onClick={() => void command.run(verifyLog)}
        >
          Verify log
        </BusyButton>
      </div>
      <CommandFailure command={command} />
      {run && (
        <div className="card ops__job">
          <output>
            <b>{outcome[run.state]}</b>
          </output>
          {run.state === 'running' && (
            <progress className="ops__bar" aria-label="Verification" max={1} value={Math.min(1, Number(run.position) / Math.max(1, Number(run.head)))} />
          )}
          <p className="mute">{`${formatCount(run.events, 'fact')} up to position ${run.position}, ${formatAmount(run.erased)} of them erased${run.endedAt === null ? '' : `, ${formatInstant(run.endedAt, now)}`}`}</p>
          {run.firstBreak !== null && <Banner kind="bad" text={`Position ${run.firstBreak.position}: ${run.firstBreak.reason}`} />}
          {run.error !== null && <Banner kind="bad" text={run.error} />}
        </div>
      )}
    </section>
  );
};

/** Copies log, keys and files as they stand at one moment. */
export const BackupSection = ({ log: { unfit, otherLog } }: { readonly log: Pick<OperationsStatus['log'], 'unfit' | 'otherLog'> }): ReactElement => {
  const why = useId();
  const now = useNow();
  const query = useQuery(getBackup());
  const run = query.data?.backup ?? undefined;
  const command = useJobCommand(query, query.data && (run?.endedAt ?? null));
  const outcome = { running: 'Running', done: 'Done and verified', failed: 'Failed' } as const;
  return (
    <section className="ops__sec" aria-label="Backup">
      <h2>Backup</h2>
      <p>Log, keys, media and documents as they stand at one moment, with a manifest of hashes. The command line restores it.</p>
      {unfit !== null && <p id={why}>{otherLog ? otherLogInWords : `No backup is made now. ${unfit}.`}</p>}
      <div className="ops__acts">
        <BusyButton
          className="btn btn--s btn--sm"
          busy={run?.state === 'running' || command.busy}
          busyText="Backing up..."
          lockedBy={unfit === null ? undefined : why}
          onClick={() => void command.run(backUp)}
        >
          Back up now
        </BusyButton>
      </div>
      <CommandFailure command={command} />
      {run && (
        <div className="card ops__job">
          <output>
            <b>{outcome[run.state]}</b>
          </output>
          {/* Of one that failed nothing is kept. */}
          {run.state !== 'failed' && (
            <p className="mute">{`${formatCount(run.events, 'event')}, ${formatCount(run.files, 'file')}, ${bytesText(run.bytes)}${run.endedAt === null ? '' : `, ${formatInstant(run.endedAt, now)}`}`}</p>
          )}
          {run.error !== null && <Banner kind="bad" text={asOfThen(run.error, run.endedAt, now)} />}
        </div>
      )}
    </section>
  );
};
