import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { formatInstant } from '../lib/format.rules.ts';
import { Banner } from '../ui/banner.tsx';
import { BusyButton } from '../ui/busy-button.tsx';
import { backUp, getBackup, getLogVerification, verifyLog } from './audit.data.ts';
import { CommandFailure } from './command-failure.tsx';
import { bytesInWords, countInWords } from './operations.rules.ts';
import { useCommand } from './use-command.ts';
import { useFreshStatus } from './use-fresh-status.ts';

/** Walks the hash chain of the log. */
export const VerifySection = (): ReactElement => {
  const query = useQuery(getLogVerification());
  const command = useCommand();
  const run = query.data?.verification ?? undefined;
  useFreshStatus(query.data && (run?.endedAt ?? null));
  const outcome = { running: 'Running', whole: 'The chain is whole', broken: 'The chain is broken: writes are refused', stopped: 'Stopped', failed: 'Failed' } as const;
  return (
    <section className="ops__sec" aria-label="Verify the log">
      <h2>Verify the log</h2>
      <p>Every fact carries a hash over the one before it. A break refuses writes, names its position, and leaves reading as it is.</p>
      <div className="ops__acts">
        <BusyButton type="button" className="btn btn--s btn--sm" busy={run?.state === 'running'} busyText="Verifying..." onClick={() => void command.run(verifyLog)}>
          Verify log
        </BusyButton>
      </div>
      <CommandFailure command={command} />
      {run && (
        <div className="card ops__job">
          <output>
            <b>{outcome[run.state]}</b>
          </output>
          {run.state === 'running' && <progress className="ops__bar" aria-label="Verification" max={1} value={Math.min(1, Number(run.position) / Math.max(1, Number(run.head)))} />}
          <p className="mute">{`${countInWords(run.events)} facts up to position ${run.position}, ${countInWords(run.erased)} of them erased${run.endedAt === null ? '' : `, ${formatInstant(run.endedAt)}`}`}</p>
          {run.firstBreak !== null && <Banner kind="bad" text={`Position ${run.firstBreak.position}: ${run.firstBreak.reason}`} />}
          {run.error !== null && <Banner kind="bad" text={run.error} />}
        </div>
      )}
    </section>
  );
};

/** Copies log, keys and files as they stand at one moment. */
export const BackupSection = (): ReactElement => {
  const query = useQuery(getBackup());
  const command = useCommand();
  const run = query.data?.backup ?? undefined;
  useFreshStatus(query.data && (run?.endedAt ?? null));
  const outcome = { running: 'Running', done: 'Done and verified', failed: 'Failed' } as const;
  return (
    <section className="ops__sec" aria-label="Backup">
      <h2>Backup</h2>
      <p>Log, keys, media and documents as they stand at one moment, with a manifest of hashes. The command line restores it.</p>
      <div className="ops__acts">
        <BusyButton type="button" className="btn btn--s btn--sm" busy={run?.state === 'running'} busyText="Backing up..." onClick={() => void command.run(backUp)}>
          Back up now
        </BusyButton>
      </div>
      <CommandFailure command={command} />
      {run && (
        <div className="card ops__job">
          <output>
            <b>{outcome[run.state]}</b>
          </output>
          <p className="mute">{`${countInWords(run.events)} events, ${countInWords(run.files)} files, ${bytesInWords(run.bytes)}${run.endedAt === null ? '' : `, ${formatInstant(run.endedAt)}`}`}</p>
          {run.error !== null && <Banner kind="bad" text={run.error} />}
        </div>
      )}
    </section>
  );
};
