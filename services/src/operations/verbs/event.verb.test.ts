import { expect, it } from 'vitest';
import { testConfig } from '../../testing/site.ts';
import { UsageError } from '../verb.ts';
import { verbContext } from '../../testing/verb-context.ts';
import { event } from './event.verb.ts';

it.each([
  [null, 0, []],
  ['The log is damaged at position 7: x', 1, ['The log is damaged at position 7: x.']],
] as const)('shows the event, and where the log is damaged there (%s) says so and ends with 1', async (damage, code, notes) => {
  const answer = {
    position: '7',
    stream: 'match-m1',
    revision: 0,
    type: 'MatchAssigned',
    version: 1,
    time: '2026-11-21T10:11:00.000Z',
    what: 'Assigned',
    data: { points: 3 },
    metadata: {},
    damage,
  };
  const said: string[] = [];
  const noted: string[] = [];
  const client = { call: async () => ({ status: 200, headers: {}, bytes: Buffer.alloc(0), json: (): unknown => answer }) };
  const context = verbContext({
    config: testConfig('nowhere'),
    terminal: { out: (line: string) => void said.push(line), note: (line: string) => void noted.push(line) },
    reach: async () => ({ client, own: false, close: async () => {} }),
  });
  expect([await event.run(context, ['7', '--json']), noted, JSON.parse(said.join(''))]).toEqual([code, notes, answer]);
});

it('shows no data of a fact that is parked, and why', async () => {
  const answer = {
    position: '7',
    stream: 'note-1',
    revision: 0,
    type: 'NoteTaken',
    version: 1,
    time: '2026-11-21T10:11:00.000Z',
    what: 'Parked: it cannot be applied, no projection knows it',
    metadata: { commandId: 'c' },
    damage: null,
  };
  const said: string[] = [];
  const client = { call: async () => ({ status: 200, headers: {}, bytes: Buffer.alloc(0), json: (): unknown => answer }) };
  const context = verbContext({
    config: testConfig('nowhere'),
    terminal: { out: (line: string) => void said.push(line) },
    reach: async () => ({ client, own: false, close: async () => {} }),
  });
  expect([await event.run(context, ['7']), said.shift(), JSON.parse(said.join('')) as unknown]).toEqual([
    0,
    '       7  2026-11-21T10:11:00.000Z  note-1@0  NoteTaken  by nobody known  Parked: it cannot be applied, no projection knows it',
    { metadata: { commandId: 'c' } },
  ]);
});

it.each(['abc', '1e3', '0x10', '1.5', '12345678901234567890'])('says that %s is no position, before anybody is asked', async (word) => {
  const context = verbContext({ config: testConfig('nowhere') });
  const refusal: unknown = await event.run(context, [word]).catch((error: unknown) => error);
  expect([refusal instanceof UsageError, String(refusal)]).toEqual([true, expect.stringContaining(`${word} is no position`)]);
});
