import { cancelRebuild } from '@courtledger/contracts/operations/operations.api';
import { parseArguments } from '../arguments.ts';
import { ask } from '../ask.ts';
import { followJob } from '../follow-job.ts';
import { jobEndLine } from '../read-model-lines.ts';
import type { Verb } from '../verb.ts';

export const cancel: Verb = {
  name: 'cancel',
  usage: '',
  summary: 'stop the rebuild, verification or switch-back that runs, wherever it was started; the live read model stays as it is',
  async run(context, args) {
    parseArguments(args, {});
    const { client } = await context.reach();
    const job = await followJob(client, (await ask(client, cancelRebuild)).job, context);
    context.terminal.out(jobEndLine(job));
    return job.state === 'cancelled' ? 0 : 1;
  },
};
