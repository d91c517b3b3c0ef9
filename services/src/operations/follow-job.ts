import { setTimeout as delay } from 'node:timers/promises';
import { cancelRebuild, getRebuild } from '@courtledger/contracts/operations/operations.api';
import type { ReadModelJob } from '@courtledger/contracts/operations/operations.answers';
import { ask } from './ask.ts';
import { ControlRefusal, type ControlClient } from './control-client.ts';
import { OperatorError } from './operator-error.ts';
import { jobProgressLine } from './read-model-lines.ts';
import type { VerbContext } from './verb.ts';

/** Shows a job until it has ended, and gives it. Ctrl+C stops the job itself. */
export const followJob = async (
  client: ControlClient,
  begun: ReadModelJob | null,
  { terminal, interrupted }: Pick<VerbContext, 'terminal' | 'interrupted'>,
): Promise<ReadModelJob> => {
  let job = begun;
  let stopping = false;
  while (job?.state === 'running') {
    terminal.progress(jobProgressLine(job));
    if (interrupted.aborted && !stopping) {
      stopping = true;
      await ask(client, cancelRebuild).catch((error: unknown) => {
        if (!(error instanceof ControlRefusal)) throw error;
      });
    }
    await delay(100);
    ({ job } = await ask(client, getRebuild));
    // Another one's end is no answer, and another one is not stopped.
    if (job !== null && job.id !== begun?.id) {
      terminal.progress(undefined);
      throw new OperatorError(`Another ${job.kind} of the read model has begun since. What came of this one stands in the server's log.`);
    }
  }
  terminal.progress(undefined);
  if (job === null) throw new Error('The server knows of no rebuild');
  return job;
};
