import type { RecordedEvent } from '@courtledger/contracts/kernel/event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { sampleEvent } from './testing/sample-event.ts';
import { LiveProjection } from './live-projection.ts';
import { prepareEvents } from './prepare-append.ts';
import type { Projected } from './projector-port.ts';
import { recordedEvent } from './stored-event.ts';

/** The whole log, and what the projector was given of it. */
let log: readonly RecordedEvent[] = [];
let given: bigint[][] = [];
/** How many batches the projector refuses from now on, or stands still at. */
let failures = 0;
let isStill = false;
let told: Projected[] = [];
let position = 0n;
let projection: LiveProjection;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  log = prepareEvents('match-1', [sampleEvent(), sampleEvent(), sampleEvent()]).map((event, revision) =>
    recordedEvent(BigInt(revision + 1), 'match-1', revision, event),
  );
  given = [];
  told = [];
  failures = 0;
  isStill = false;
  position = 0n;
  projection = new LiveProjection(
    {
      get position() {
        return position;
      },
      apply(events) {
        given.push(events.map((event) => event.position));
        failures -= 1;
        if (failures >= 0) throw new Error('the read model failed');
        if (!isStill) position = events.at(-1)?.position ?? position;
        return { position, parked: 0 };
      },
      command(_name, argument) {
        position = argument as bigint;
        return 'moved';
      },
    },
    (after, limit) => log.filter((event) => event.position > after).slice(0, limit),
    (projected) => void told.push(projected),
  );
});
afterEach(() => {
  projection.close();
  vi.useRealTimers();
});

const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 10; turn += 1)
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
};

it('takes a batch that comes next as it is, and reads nothing', async () => {
  expect(projection.project(log.slice(0, 2))).toMatchObject({ position: 2n });
  expect(projection.project([])).toMatchObject({ position: 2n });
  await turns();
  expect([given, told]).toEqual([[[1n, 2n]], []]);
});

it('passes over nothing: after a batch that failed the later ones wait, and all are read from the log in their order', async () => {
  failures = 1;
  expect(projection.project(log.slice(0, 1))).toEqual({ position: 0n, parked: 0, accountChanges: 0n, error: 'the read model failed' });
  expect(projection.project(log.slice(1))).toMatchObject({ position: 0n, error: 'the read model failed' });
  await turns();
  expect(given).toEqual([[1n]]);
  vi.runOnlyPendingTimers();
  await turns();
  expect([given, told.at(-1)]).toEqual([[[1n], [1n, 2n, 3n]], { position: 3n, parked: 0, accountChanges: 0n }]);
  expect(vi.getTimerCount()).toBe(0);
});

it('reads from the log at once what lies before a batch', async () => {
  expect(projection.project(log.slice(1))).toMatchObject({ position: 3n });
  await turns();
  expect([given, told]).toEqual([[[1n, 2n, 3n]], [{ position: 3n, parked: 0, accountChanges: 0n }]]);
});

it('takes a projector that stays where it is for one that fails, and tries it again later', async () => {
  isStill = true;
  await projection.catchUp();
  expect([given.length, projection.projected.error]).toEqual([1, 'The projector stayed at position 0']);
  isStill = false;
  vi.runOnlyPendingTimers();
  await turns();
  expect([given.length, projection.projected]).toEqual([2, { position: 3n, parked: 0, accountChanges: 0n }]);
});

it('goes on from where a command has moved the projector', async () => {
  await projection.catchUp();
  await expect(projection.command('switch', 1n)).resolves.toBe('moved');
  expect([given, told.at(-1)?.position]).toEqual([
    [
      [1n, 2n, 3n],
      [2n, 3n],
    ],
    3n,
  ]);
});

it('tries nothing again once it is closed', () => {
  failures = 1;
  projection.project(log);
  projection.close();
  expect(vi.getTimerCount()).toBe(0);
});
