import { getOperationsStatus, startRebuild } from '@courtledger/contracts/operations/operations.api';
import { parseArguments } from '../arguments.ts';
import { ask } from '../ask.ts';
import { followJob } from '../follow-job.ts';
import { diffLines, jobEndLine } from '../read-model-lines.ts';
import { jsonLines } from '../terminal-lines.ts';
import type { Verb, VerbContext } from '../verb.ts';

/** A comparison answers by its exit code: whatever kept it from one is another code than a difference. */
const notCompared = 2;

/**
 * Rebuilds, or with `verifyOnly` only compares. 0: it went well; a comparison ends with 1 only when the two differ, and with 2 when it was not made, or of a
 * log that is damaged or was.
 */
const rebuildOrVerify = async (context: VerbContext, verifyOnly: boolean, json: boolean): Promise<number> => {
  const { terminal } = context;
  const { client } = await context.reach();
  const job = await followJob(client, (await ask(client, startRebuild, { body: { verifyOnly } })).job, context);
  if (json) {
    for (const line of jsonLines(job)) terminal.out(line);
  } else {
    for (const line of job.diff === null ? [] : diffLines(job.diff, !verifyOnly)) terminal.out(line);
    const canSwitchBack = job.state === 'switched' && (await ask(client, getOperationsStatus)).readModel.files.some(({ role }) => role === 'previous');
    terminal.out(jobEndLine(job, canSwitchBack));
  }
  if ((job.state === 'switched' || job.state === 'equal') && job.error === null) return 0;
  return verifyOnly && job.state !== 'different' ? notCompared : 1;
};

export const rebuild: Verb = {
  name: 'rebuild',
  usage: '[--dry-run] [--json]',
  summary: 'build the next read model beside the live one, compare the two, switch; --dry-run is verify, with its exit codes',
  failureCode: (args) => (args.includes('--dry-run') ? notCompared : 1),
  async run(context, args) {
    const { values } = parseArguments(args, { 'dry-run': { type: 'boolean' }, json: { type: 'boolean' } });
    return rebuildOrVerify(context, values['dry-run'] === true, values.json === true);
  },
};

export const verify: Verb = {
  name: 'verify',
  usage: '[--json]',
  summary:
    'rebuild without switching: exit code 0 when the live read model is what the log says, 1 when it is not, 2 when they were not compared (something else runs, the log is away, …) or are equal and the log is damaged, or was under this server',
  failureCode: () => notCompared,
  async run(context, args) {
    const { values } = parseArguments(args, { json: { type: 'boolean' } });
    return rebuildOrVerify(context, true, values.json === true);
  },
};
