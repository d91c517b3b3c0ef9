import { setTimeout as delay } from 'node:timers/promises';
import { chainAbsence } from '@courtledger/contracts/operations/hash-chain.rules';
import type { LogVerification } from '@courtledger/contracts/operations/operations.answers';
import { getLogVerification, getOperationsStatus, verifyLog as verifyLogEndpoint } from '@courtledger/contracts/operations/operations.api';
import { parseArguments } from '../arguments.ts';
import { ask } from '../ask.ts';
import { amountText, barText, countedText, secondsText } from '../figures.ts';
import type { ControlClient } from '../control-client.ts';
import { jsonLines } from '../terminal-lines.ts';
import type { Verb, VerbContext } from '../verb.ts';

const progressLine = ({ position, head, events, ratePerSecond, secondsLeft }: LogVerification): string =>
  `verifying   ${barText(Number(head) === 0 ? 1 : Number(position) / Number(head))} ${countedText(events, 'event')}, ${amountText(ratePerSecond)}/s${secondsLeft === null ? '' : `, ${secondsText(secondsLeft)} left`}`;

const endLine = ({ state, events, erased, firstBreak, error }: LogVerification): string => {
  if (state === 'whole')
    return `The log is whole: ${countedText(events, 'event')} verified${erased === 0 ? '' : `, ${amountText(erased)} of them erased`}.${error === null ? '' : ` ${error}.`}`;
  if (firstBreak !== null)
    return `THE LOG IS BROKEN at position ${firstBreak.position}: ${firstBreak.reason}. ${countedText(events, 'event')} before it ${events === 1 ? 'is' : 'are'} whole. Nothing is written any more, reads go on: restore a backup.`;
  return `The verification ${state}${error === null ? '' : `: ${error}`}.`;
};

/** Has the whole chain walked and waits for it. `afresh`: by a walk that begins now, also where one is under way. */
export const verifyLogNow = async (
  client: ControlClient,
  { terminal, interrupted }: Pick<VerbContext, 'terminal' | 'interrupted'>,
  afresh = false,
): Promise<LogVerification> => {
  const latest = async (): Promise<LogVerification | null> => (await ask(client, getLogVerification)).verification;
  const ended = async (of: LogVerification | null): Promise<LogVerification | null> => {
    let verification = of;
    while (verification?.state === 'running') {
      terminal.progress(progressLine(verification));
      await delay(100, undefined, { signal: interrupted });
      verification = await latest();
    }
    terminal.progress(undefined);
    return verification;
  };
  const running = await latest();
  const isUnderWay = running?.state === 'running';
  if (afresh && isUnderWay) await ended(running);
  // The server's own verification will do as well.
  const verification = await ended(isUnderWay && !afresh ? running : (await ask(client, verifyLogEndpoint)).verification);
  if (verification === null) throw new Error('The server knows of no verification');
  return verification;
};

/** 1 is an answer: the chain is broken. Whatever kept it from being walked to its end is another code. */
const notVerified = 2;

export const verifyLog: Verb = {
  name: 'verify-log',
  usage: '[--json]',
  summary:
    'walk the hash chain of the whole log; exit code 1 on a break, after which nothing is written any more, 2 when it was not walked to its end, or there is none (EventStoreDB keeps none of ours)',
  failureCode: () => notVerified,
  async run({ reach, terminal, interrupted }, args) {
    const { values } = parseArguments(args, { json: { type: 'boolean' } });
    const { client } = await reach();
    const absence = chainAbsence((await ask(client, getOperationsStatus)).store);
    if (absence !== undefined) {
      for (const line of values.json === true ? jsonLines({ state: 'none', reason: absence }) : [`${absence}.`]) terminal.out(line);
      return notVerified;
    }
    const verification = await verifyLogNow(client, { terminal, interrupted });
    for (const line of values.json === true ? jsonLines(verification) : [endLine(verification)]) terminal.out(line);
    return verification.state === 'whole' ? 0 : verification.state === 'broken' ? 1 : notVerified;
  },
};
