import { startRebuild } from '@courtledger/contracts/operations/operations.api';
import { parseArguments } from '../arguments.ts';
import { ask } from '../ask.ts';
import { followJob } from '../follow-job.ts';
import { diffLines, jobEndLine } from '../read-model-lines.ts';
import type { Verb, VerbContext } from '../verb.ts';

/** Rebuilds, or with `verifyOnly` only compares: 0 when it went well, 1 when the two differ after a verification or the job failed. */
const rebuildOrVerify = async (context: VerbContext, verifyOnly: boolean, json: boolean): Promise<number> => {
  const { terminal } = context;
  const { client } = await context.reach();
  const job = await followJob(client, (await ask(client, startRebuild, { body: { verifyOnly } })).job, context);
  if (json) terminal.out(JSON.stringify(job, null, 1));
  else {
    for (const line of job.diff === null ? [] : diffLines(job.diff, !verifyOnly)) terminal.out(line);
    terminal.out(jobEndLine(job));
  }
  return (job.state === 'switched' || job.state === 'equal') && job.error === null ? 0 : 1;
};

export const rebuild: Verb = {
  name: 'rebuild',
  usage: '[--dry-run] [--json]',
  summary: 'build the next read model beside the live one, compare the two, switch; --dry-run is verify',
  async run(context, args) {
    const { values } = parseArguments(args, { 'dry-run': { type: 'boolean' }, json: { type: 'boolean' } });
    return rebuildOrVerify(context, values['dry-run'] === true, values.json === true);
  },
};

export const verify: Verb = {
  name: 'verify',
  usage: '[--json]',
  summary: 'rebuild without switching: exit code 1 when the live read model is not what the log says',
  async run(context, args) {
    const { values } = parseArguments(args, { json: { type: 'boolean' } });
    return rebuildOrVerify(context, true, values.json === true);
  },
};
