/* oxlint-disable no-await-in-loop -- one look after another */
import { setTimeout as delay } from 'node:timers/promises';
import type { LogVerification } from '@courtledger/contracts/operations/operations.answers';
import { getLogVerification, verifyLog as verifyLogEndpoint } from '@courtledger/contracts/operations/operations.api';
import { parseArguments } from '../arguments.ts';
import { ask } from '../ask.ts';
import { barText, countText, secondsText } from '../figures.ts';
import type { ControlClient } from '../control-client.ts';
import type { Verb, VerbContext } from '../verb.ts';

const progressLine = ({ position, head, events, ratePerSecond, secondsLeft }: LogVerification): string =>
  `verifying   ${barText(Number(head) === 0 ? 1 : Number(position) / Number(head))} ${countText(events)} events, ${countText(ratePerSecond)}/s${secondsLeft === null ? '' : `, ${secondsText(secondsLeft)} left`}`;

const endLine = ({ state, events, erased, firstBreak, error }: LogVerification): string => {
  if (state === 'whole') return `The log is whole: ${countText(events)} events verified${erased === 0 ? '' : `, ${countText(erased)} of them erased`}.${error === null ? '' : ` ${error}.`}`;
  if (firstBreak !== null) return `THE LOG IS BROKEN at position ${firstBreak.position}: ${firstBreak.reason}. ${countText(events)} events before it are whole. Nothing is written any more, reads go on: restore a backup.`;
  return `The verification ${state}${error === null ? '' : `: ${error}`}.`;
};

/** Has the whole chain walked and waits for it. `afresh`: by a walk that begins now, also where one is under way. */
export const verifyLogNow = async (client: ControlClient, { terminal, interrupted }: Pick<VerbContext, 'terminal' | 'interrupted'>, afresh = false): Promise<LogVerification> => {
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

export const verifyLog: Verb = {
  name: 'verify-log',
  usage: '[--json]',
  summary: 'walk the hash chain of the whole log; exit code 1 on a break, after which nothing is written any more',
  async run({ reach, terminal, interrupted }, args) {
    const { values } = parseArguments(args, { json: { type: 'boolean' } });
    const { client } = await reach();
    const verification = await verifyLogNow(client, { terminal, interrupted });
    terminal.out(values.json === true ? JSON.stringify(verification, null, 1) : endLine(verification));
    return verification.state === 'whole' ? 0 : 1;
  },
};
