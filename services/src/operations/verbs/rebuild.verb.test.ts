import { messageOf } from '@courtledger/contracts/kernel/errors';
import type { ReadModelJob } from '@courtledger/contracts/operations/operations.answers';
import { expect, it } from 'vitest';
import { parseConfig } from '../../platform/config.ts';
import { ControlRefusal, type ControlAnswer } from '../control-client.ts';
import { failureCodeOf } from '../exit-code.ts';
import { OperatorError } from '../operator-error.ts';
import { UsageError, type Verb } from '../verb.ts';
import { verbContext } from '../../testing/verb-context.ts';
import { rebuild, verify } from './rebuild.verb.ts';

const job: ReadModelJob = {
  id: 'j',
  kind: 'rebuild',
  state: 'switched',
  phase: 'ended',
  startedAt: '2026-11-22T04:00:00.000Z',
  endedAt: '2026-11-22T04:00:01.000Z',
  file: 'read-model-2.sqlite',
  resumed: false,
  events: 9,
  position: '9',
  until: '9',
  ratePerSecond: 9,
  secondsLeft: null,
  error: null,
  diff: null,
};
const answer = (status: number, body: unknown): ControlAnswer => ({ status, headers: {}, bytes: Buffer.alloc(0), json: () => body });

/** What a verb says and ends with, as the command line ends, of a server that answers so. */
const ended = async (
  verb: Verb,
  args: readonly string[],
  started: ControlAnswer,
  roles: readonly string[] = [],
): Promise<readonly [code: number, said: string]> => {
  const said: string[] = [];
  const call = async (method: string, path: string): Promise<ControlAnswer> =>
    method === 'GET' && path === '/api/operations/status' ? answer(200, { readModel: { files: roles.map((role) => ({ role })) } }) : started;
  try {
    const code = await verb.run(
      verbContext({
        config: parseConfig({}, '/'),
        terminal: { out: (line) => void said.push(line) },
        reach: async () => ({ client: { call }, own: false, close: async () => {} }),
      }),
      args,
    );
    return [code, said.join('\n')];
  } catch (error) {
    return [failureCodeOf(verb, args, error), messageOf(error)];
  }
};
const done = (more: Partial<ReadModelJob>): ControlAnswer => answer(200, { job: { ...job, kind: 'verify', ...more } });
const damaged = 'The log is damaged at position 7: the data does not match its digest. No read model is made of it: restore a backup';

it.each<readonly [string, ControlAnswer, number, string]>([
  ['they are equal', done({ state: 'equal' }), 0, 'The live read model is what the log says.'],
  ['they differ', done({ state: 'different' }), 1, 'The live read model is NOT what the log says. "ops rebuild" puts a new one in its place.'],
  ['they differ, and the log is damaged', done({ state: 'different', error: damaged }), 1, `The live read model is NOT what the log says. ${damaged}.`],
  ['they are equal, and the log is damaged', done({ state: 'equal', error: damaged }), 2, `The live read model is what the log says, but: ${damaged}.`],
  ['it failed', done({ state: 'failed', error: 'The disk is full' }), 2, 'Failed: The disk is full. The live read model is untouched.'],
  ['it was stopped', done({ state: 'cancelled' }), 2, 'Stopped. The live read model is untouched.'],
  ['something else runs', answer(409, { message: 'A rebuild of the read model is running' }), 2, 'A rebuild of the read model is running'],
  ['the server refuses', answer(503, { message: 'The event log does not answer' }), 2, 'The event log does not answer'],
])('a comparison ends with 1 only when the two differ: %s', async (_, started, code, said) => {
  expect(await ended(verify, [], started)).toEqual([code, said]);
  expect(await ended(rebuild, ['--dry-run'], started)).toEqual([code, said]);
});

it('a rebuild ends with 1 whatever keeps it, and says that one can switch back only where one can', async () => {
  const made = 'read-model-2.sqlite is the live read model now (position 9, 9 events at 9/s';
  expect(await ended(rebuild, [], answer(200, { job }), ['previous', 'live'])).toEqual([0, `${made}; "ops switch-back" goes back).`]);
  expect(await ended(rebuild, [], answer(200, { job }), ['live'])).toEqual([0, `${made}).`]);
  expect((await ended(rebuild, [], answer(409, { message: 'A backup runs' })))[0]).toBe(1);
  expect((await ended(rebuild, [], answer(200, { job: { ...job, state: 'failed', error: 'x' } })))[0]).toBe(1);
});

const of = (verb: Pick<Verb, 'failureCode'>, error: unknown, args: readonly string[] = []): number => failureCodeOf(verb, args, error);
it('a wrong call is told apart from a verb that could not do its work', () => {
  expect([of({}, new UsageError('?')), of({}, new ControlRefusal(400, '?')), of({}, new ControlRefusal(404, '?')), of({}, new OperatorError('?'))]).toEqual([
    2, 2, 1, 1,
  ]);
  expect([of(verify, new OperatorError('?')), of(rebuild, new OperatorError('?'), ['--dry-run']), of(rebuild, new OperatorError('?'))]).toEqual([2, 2, 1]);
});
