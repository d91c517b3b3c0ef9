import { mkdirSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LogUnavailable } from './event-log.ts';
import { openLogConnection } from './sqlite-connection.ts';
import { openSqliteEventLog } from './sqlite-event-log.ts';
import { startLogChild } from './testing/child-process.ts';
import { canTrace, readTrace, TracedDisk, tracing, type DiskStep } from './testing/disk-trace.ts';
import type { ChildAppend } from './testing/log-child.ts';
import { temporaryFolder } from './testing/log-files.ts';
import { runSeed, seededRandom } from './testing/random.ts';

const full = process.env['FAULTS'] === 'full';
// Needs strace, which a developer's machine may not have: the full run does, and fails without it.
const traces = full || canTrace();
if (!traces) process.stderr.write('power loss (R2): no strace here, so this row is shown by the full run only\n');

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => {
  folder.remove();
});

type Mode = 'worker' | 'in-process' | 'unsynced';
type Trace = { readonly steps: readonly DiskStep[]; readonly path: string };

/** Lets a process append until it has done its work, and gives all that it did to its disk and said to us. */
const traceAppends = async (mode: Mode, appends: number): Promise<Trace> => {
  const path = folder.path('event-log.sqlite');
  const file = folder.path('trace');
  const child = startLogChild(mode, path, { appends }, tracing(file));
  expect({ ...(await child.ended), errors: child.errors() }).toEqual({ code: 0, signal: null, errors: '' });
  return { steps: readTrace(file), path };
};

const appendsIn = (text: string, verb: 'try' | 'ack'): readonly ChildAppend[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith(`${verb} `))
    .map((line) => JSON.parse(line.slice(4)) as ChildAppend);

type Finding = { readonly lost: number; readonly malformed: readonly string[]; readonly events: number };

/** Opens what the loss of power left with the product's log, and compares it with what had been acknowledged by then. */
const inspect = async (image: ReadonlyMap<string, Buffer>, said: string, place: string): Promise<Finding> => {
  mkdirSync(place);
  for (const [path, bytes] of image) writeFileSync(`${place}/${basename(path)}`, bytes);
  const acknowledged = appendsIn(said, 'ack');
  const malformed: string[] = [];
  try {
    const log = openSqliteEventLog({ path: `${place}/event-log.sqlite` });
    const events = await log.readAll('start', 1_000_000);
    const { firstBreak } = await log.verifyChain();
    const { refusal } = log.health();
    await log.close();
    if (firstBreak !== undefined) malformed.push(`broken at ${firstBreak.position}: ${firstBreak.reason}`);
    if (refusal !== undefined) malformed.push(refusal);
    const tried = new Set(appendsIn(said, 'try').flatMap(({ ids }) => ids));
    const next = new Map<string, number>();
    for (const { id, stream, revision, position, data } of events) {
      if (!tried.has(id) || (data as { marker: string }).marker !== id) malformed.push(`${position} was never sent`);
      if (revision !== (next.get(stream) ?? 0)) malformed.push(`${stream} has a gap at ${revision}`);
      next.set(stream, revision + 1);
    }
    const places = new Map(events.map((event) => [event.id, event]));
    const lost = acknowledged.filter(({ ids, stream, revision, position }) => {
      const last = places.get(ids.at(-1) ?? '');
      return last?.stream !== stream || last.revision !== revision || String(last.position) !== position || !ids.every((id) => places.has(id));
    });
    return { lost: lost.length, malformed, events: events.length };
  } catch (error) {
    if (!(error instanceof LogUnavailable)) throw error;
    return { lost: acknowledged.length, malformed: [error.message], events: 0 };
  }
};

type Losses = { readonly images: number; readonly losing: number; readonly malformed: readonly string[]; readonly events: number };

/** Takes the power away at `images` moments of a trace. */
const losePower = async ({ steps }: Trace, images: number, random: () => number): Promise<Losses> => {
  const disk = new TracedDisk((path) => /\/event-log\.sqlite(?:-wal|-journal)?$/.test(path));
  const moments = Array.from({ length: images }, () => Math.floor(random() * (steps.length + 1))).toSorted((a, b) => a - b);
  const malformed: string[] = [];
  let [losing, events, at, said] = [0, 0, 0, ''];
  for (const [index, moment] of moments.entries()) {
    for (; at < moment; at += 1) {
      const step = steps[at];
      if (step?.kind === 'said') said += step.text;
      else if (step !== undefined) disk.take(step);
    }
    // Nothing of what was under way, all of it, and the worse things between.
    const kept = [0, 0.1, 0.5, 0.9, 1][index % 5] ?? 0;
    const found = await inspect(disk.image(random, kept), said, folder.path(`image-${index}`));
    if (found.lost > 0) losing += 1;
    malformed.push(...found.malformed.map((what) => `image ${index} at step ${moment}: ${what}`));
    events = Math.max(events, found.events);
  }
  return { images, losing, malformed, events };
};

describe.runIf(traces)('a log whose machine loses its power (R2)', () => {
  const images = full ? 400 : 15;
  // At full figures the write-ahead log comes round several times; the end of the process moves it into the file in any case.
  const appends = full ? 500 : 12;
  it.each<Mode>(['worker', 'in-process'])(
    `loses nothing acknowledged in ${images / (full ? 2 : 1)} images of its disk (%s)`,
    { timeout: 900_000 },
    async (mode) => {
      const random = seededRandom(runSeed(`power loss, ${mode}`));
      const trace = await traceAppends(mode, appends);
      const found = await losePower(trace, full ? images / 2 : images, random);
      process.stderr.write(`power loss, ${mode}: ${found.images} images of ${trace.steps.length} steps, ${found.events} events at most\n`);
      expect({ losing: found.losing, malformed: found.malformed }).toEqual({ losing: 0, malformed: [] });
      expect(found.events).toBeGreaterThan(appends);
    },
  );

  it('would be seen to lose: at synchronous=NORMAL it does', { timeout: 900_000 }, async () => {
    const random = seededRandom(runSeed('power loss, unsynced'));
    const found = await losePower(await traceAppends('unsynced', appends), images, random);
    expect(found.malformed).toEqual([]);
    expect(found.losing).toBeGreaterThan(0);
  });
});

it('has no connection that is not at synchronous=FULL, neither the second nor one after a restart', async () => {
  const path = folder.path('event-log.sqlite');
  const first = openSqliteEventLog({ path });
  const second = openLogConnection(path);
  const reading = openLogConnection(path, { readonly: true });
  expect([second, reading].map((connection) => connection.pragma('synchronous', { simple: true }))).toEqual([2, 2]);
  second.close();
  reading.close();
  await first.close();
  const again = openLogConnection(path);
  expect(again.pragma('synchronous', { simple: true })).toBe(2);
  again.close();
});
