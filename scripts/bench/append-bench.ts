import { closeSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { NewEvent } from '@courtledger/contracts/kernel/event';
import { createEventIds } from '@courtledger/services/platform/event-ids';
import { openWorkerEventLog, type WorkerEventLog } from '@courtledger/services/event-log/worker-event-log';
import { figure, type Figure } from './figure.ts';
import { scratchFolder } from './scratch.ts';

const rounds = 7;
const milliseconds = 800;
/** What a row holds beside data and metadata: digest and hash, stream, type, id, time. */
const besideTexts = 2 * 64 + 110;

/** A statistic as the product stores it. */
const statistic = (newId: () => string, count: number): NewEvent => {
  const id = newId();
  const time = '2026-11-10T09:30:00.000Z';
  return {
    id,
    type: 'StatIncrementRecorded',
    data: {
      matchId: `0198f000-0000-7000-8000-${String(count % 8).padStart(12, '0')}`,
      entryId: `bench-${String(count).padStart(12, '0')}`,
      playerId: '0198f000-0000-7000-8000-000000000001',
      teamId: '0198f000-0000-7000-8000-000000000002',
      points: 2,
      assists: 0,
      rebounds: 0,
    },
    metadata: {
      commandId: id,
      correlationId: id,
      causationId: id,
      actor: { role: 'admin', id: '0198f000-0000-7000-8000-000000000003', name: 'Bench' },
      time,
      schemaVersion: 1,
    },
  };
};

/** Appends a second by one loop of write and fsync, each of the bytes of one event, on a file that grows. */
const rawLoop = (folder: string, bytes: Buffer): number => {
  const file = openSync(join(folder, 'raw'), 'w');
  const started = performance.now();
  let count = 0;
  while (performance.now() - started < milliseconds) {
    writeSync(file, bytes);
    fsyncSync(file);
    count += 1;
  }
  const seconds = (performance.now() - started) / 1000;
  closeSync(file);
  return count / seconds;
};

/** How many writes of about an event's size, each with its fsync, this disk takes in a second: what bounds one client that waits for each answer. */
export function fsyncRate(): number {
  const folder = scratchFolder();
  try {
    return rawLoop(folder, Buffer.alloc(750, 'x'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Appends a second by so many writers, each with a stream of its own, each waiting for its answer before the next one. */
const product = async (log: WorkerEventLog, writers: number, next: () => NewEvent, revisions: Map<string, number>): Promise<number> => {
  const started = performance.now();
  let count = 0;
  await Promise.all(
    Array.from({ length: writers }, async (_, writer) => {
      const stream = `match-${String(writers)}-${String(writer)}`;
      while (performance.now() - started < milliseconds) {
        const { revision } = await log.append(stream, revisions.get(stream) ?? 'no-stream', [next()]);
        revisions.set(stream, revision);
        count += 1;
      }
    }),
  );
  return count / ((performance.now() - started) / 1000);
};

/** (a) The product's log, through its worker, against one loop that writes the same bytes and calls fsync for each: one writer, and 64 that share commits. */
export async function appendFigures(): Promise<readonly Figure[]> {
  const folder = scratchFolder();
  const newId = createEventIds({ now: () => Date.now() });
  let count = 0;
  const next = (): NewEvent => statistic(newId, (count += 1));
  const sample = next();
  const bytes = Buffer.alloc(JSON.stringify(sample.data).length + JSON.stringify(sample.metadata).length + besideTexts, 'x');
  const log = await openWorkerEventLog({ path: join(folder, 'event-log.sqlite') });
  const revisions = new Map<string, number>();
  try {
    await product(log, 64, next, revisions);
    const figures: Figure[] = [];
    for (const [writers, atLeast] of [
      [1, 0.7],
      [64, 5],
    ] as const) {
      const ratios: number[] = [];
      let note = '';
      for (let round = 0; round < rounds; round += 1) {
        const before = rawLoop(folder, bytes);
        const ours = await product(log, writers, next, revisions);
        const after = rawLoop(folder, bytes);
        ratios.push(ours / ((before + after) / 2));
        note = `${ours.toFixed(0)} appends/s; the raw loop ${((before + after) / 2).toFixed(0)}/s of ${String(bytes.length)} bytes`;
      }
      figures.push(
        figure('a', `durable appends, ${String(writers)} writer${writers === 1 ? '' : 's'}, to a raw write-and-fsync loop`, ratios, { atLeast }, note),
      );
    }
    return figures;
  } finally {
    await log.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
