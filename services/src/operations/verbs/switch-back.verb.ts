import { switchBackReadModel } from '@courtledger/contracts/operations/operations.api';
import { parseArguments } from '../arguments.ts';
import { ask } from '../ask.ts';
import { followJob } from '../follow-job.ts';
import { jobEndLine } from '../read-model-lines.ts';
import type { Verb } from '../verb.ts';

export const switchBack: Verb = {
  name: 'switch-back',
  usage: '',
  summary: 'make the read model before the last rebuild the live one again, brought up to date',
  async run(context, args) {
    parseArguments(args, {});
    const { client } = await context.reach();
    const job = await followJob(client, (await ask(client, switchBackReadModel)).job, context);
    context.terminal.out(jobEndLine(job));
    return job.state === 'switched' ? 0 : 1;
  },
};
