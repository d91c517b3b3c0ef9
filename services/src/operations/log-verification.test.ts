import { mkdirSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { LogAdministration } from '../event-log/log-administration.ts';
import { temporaryFolder } from '../event-log/testing/log-files.ts';
import { silentLogger } from '../platform/testing/silent-logger.ts';
import { LogVerifications } from './log-verification.ts';
import { openOperationsState, recordedBreakOf, type StateFile } from './operations-state.ts';

/** What stands on record of a break that was met, whatever becomes of the verification after it. */

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

const clock = { now: () => Date.parse('2026-11-22T04:00:00.000Z'), monotonic: () => 0 };
const refusedOnes: unknown[] = [];
const refuse: LogAdministration['refuse'] = async (damage) => void refusedOnes.push(damage);
const over = (verifyChain: LogAdministration['verifyChain'], damage?: { readonly position: bigint; readonly reason: string }): LogVerifications =>
  new LogVerifications({
    administration: { verifyChain, refuse, health: () => ({ walBytes: 0, ...(damage !== undefined && { damage }) }) },
    state: openOperationsState(folder.path('.')),
    clock,
    logger: silentLogger,
  });
const recorded = (): unknown => recordedBreakOf(openOperationsState(folder.path('.')).get());
const found = { position: 7n, reason: 'the data does not match its digest' };
const walked: LogAdministration['verifyChain'] = async (_, onProgress) => {
  onProgress?.({ events: 9, position: 9n, head: 9n });
  return { events: 9, erased: 0 };
};
const withGoneDetails: LogAdministration['verifyChain'] = async () => ({
  events: 9,
  erased: 3,
  untold: [
    { personId: 'under-way', position: 4n },
    { personId: 'taken', position: 6n },
  ],
});
const broken: LogAdministration['verifyChain'] = async () => ({ events: 6, erased: 0, firstBreak: found });

it('a break that somebody met is on record before the walk of the whole chain has ended, and when that is killed', async () => {
  const verifications = over(async (from = 1n, _, signal) =>
    from === 7n
      ? broken()
      : new Promise((_resolve, reject) => {
          signal?.addEventListener('abort', () => reject(new Error('stopped')));
        }),
  );
  await verifications.look(7n);
  expect([recorded(), verifications.latest?.state]).toEqual([found, 'running']);
  await verifications.close();
  expect([recorded(), openOperationsState(folder.path('.')).get().lastVerification]).toEqual([found, undefined]);
});

it('a break that the opening met is on record at once', () => {
  over(broken, found);
  expect(recorded()).toEqual(found);
});

it('a verification that fails leaves the record, and one that finds the chain whole clears it', async () => {
  const first = over(broken);
  first.start();
  expect((await first.ended())?.state).toBe('broken');
  const failing = over(() => Promise.reject(new Error('the disk does not answer')));
  failing.start();
  expect([(await failing.ended())?.state, recorded()]).toEqual(['failed', found]);
  const whole = over(walked);
  whole.start();
  expect([(await whole.ended())?.state, recorded()]).toEqual(['whole', undefined]);
});

it('a walk that passes the place of a known break says that it is gone, and tells who makes anew what was made of it; one beyond the end, or of the file itself, it cannot pass', async () => {
  let healed = 0;
  const after = async (position: bigint) => {
    const state = openOperationsState(folder.path('.'));
    const verifications = new LogVerifications({
      administration: { verifyChain: walked, refuse, health: () => ({ walBytes: 0, damage: { ...found, position } }) },
      state,
      clock,
      logger: silentLogger,
      onHealed: () => void (healed += 1),
    });
    verifications.start();
    const ended = await verifications.ended();
    return [ended?.state, ended?.firstBreak?.position, ended?.error, state.get().damage === undefined, healed];
  };
  expect(await after(7n)).toEqual(['whole', undefined, 'Position 7 of the log was damaged and fits now: a restart of the server takes writes again', true, 1]);
  expect(await after(10n)).toEqual(['broken', '10', null, false, 1]);
  expect(await after(0n)).toEqual(['broken', '0', null, false, 1]);
});

it('one write clears the record and puts the debt of a new read model on it: whoever kills the process leaves both or neither', async () => {
  const state = openOperationsState(folder.path('.'));
  state.change({ damage: { position: '7', reason: found.reason } });
  const writes: unknown[] = [];
  const watched: StateFile = {
    get: state.get,
    change(change) {
      state.change(change);
      const { damage, owedRemake } = openOperationsState(folder.path('.')).get();
      writes.push([damage?.position, owedRemake]);
    },
  };
  let told = 0;
  const verifications = new LogVerifications({
    administration: { verifyChain: walked, refuse, health: () => ({ walBytes: 0 }) },
    state: watched,
    clock,
    logger: silentLogger,
    onHealed: () => void (told += 1),
  });
  verifications.start();
  expect([(await verifications.ended())?.state, writes, told]).toEqual(['whole', [[undefined, { position: '7' }]], 1]);
});

it('after a break was put right under the process everything is refused for that reason, until the log is damaged anew', async () => {
  let chain = broken;
  const verifications = over(async (...walk) => chain(...walk));
  const walk = async (): Promise<unknown> => {
    verifications.start();
    return (await verifications.ended())?.state;
  };
  const refused = async (): Promise<unknown> =>
    verifications.expectWhole(1n, 'nothing of it is signed').catch((error: unknown) => (error instanceof Error ? error.message : error));
  expect([await walk(), await refused()]).toEqual(['broken', 'The log is damaged at position 7: nothing of it is signed. Restore a backup.']);
  chain = walked;
  expect([await walk(), await refused()]).toEqual([
    'whole',
    'Position 7 of the log was damaged and fits now: a restart of the server takes writes again. Until then nothing of it is signed.',
  ]);
  chain = broken;
  await verifications.look(7n);
  expect(await refused()).toBe('The log is damaged at position 7: nothing of it is signed. Restore a backup.');
  await verifications.ended();
});

it('details that are gone while their key stands, and of whose erasure no fact tells, end writes; those that an erasure under way has taken do not', async () => {
  const outcomes = [];
  for (const keys of [['somebody-else'], ['taken']]) {
    const verifications = new LogVerifications({
      administration: { verifyChain: withGoneDetails, refuse, health: () => ({ walBytes: 0 }) },
      state: openOperationsState(folder.path('.')),
      clock,
      logger: silentLogger,
      hasKey: (personId) => keys.includes(personId),
    });
    verifications.start();
    const ended = await verifications.ended();
    outcomes.push([ended?.state, ended?.events, ended?.firstBreak, recorded()]);
  }
  const taken = { position: 6n, reason: 'the details of person-taken are gone, and nobody has erased them' };
  expect([outcomes, refusedOnes.splice(0)]).toEqual([
    [
      ['whole', 9, null, undefined],
      ['broken', 5, { ...taken, position: '6' }, taken],
    ],
    [taken],
  ]);
});

it('what cannot be put on record ends writes all the same', async () => {
  const verifications = over(broken);
  // No file can take the place of a folder.
  mkdirSync(folder.path('operations.json'));
  verifications.start();
  expect([(await verifications.ended())?.state, verifications.damage]).toEqual(['broken', found]);
});
