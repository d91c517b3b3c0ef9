import { randomUUID } from 'node:crypto';
import fs, { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import Database from 'better-sqlite3';
import type { NewEvent } from '@courtledger/contracts/kernel/event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { EventLog } from '../event-log/event-log.ts';
import { openEventStoreDbLog } from '../event-log/eventstoredb-event-log.ts';
import { openMemoryEventLog } from '../event-log/memory-event-log.ts';
import { openSqliteEventLog } from '../event-log/sqlite-event-log.ts';
import { EventStoreStandIn } from '../event-log/testing/eventstoredb-stand-in.ts';
import { temporaryFolder } from '../event-log/testing/log-files.ts';
import { openConfiguredLog } from './configured-log.ts';
import { FactsDigest } from './log-lines-end.ts';
import { importLog, ImportDiffers } from './log-lines-import.ts';
import { exportLog, LineOfAnother, readLines } from './log-lines.ts';

let folder: ReturnType<typeof temporaryFolder>;
const closers: (() => Promise<void>)[] = [];
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(async () => {
  // The log goes before its server.
  for (const close of closers.splice(0).toReversed()) await close();
  folder.remove();
});

const event = (text: string): NewEvent => ({
  id: randomUUID(),
  type: 'StatIncrementRecorded',
  data: { text, nested: { b: 1, a: ['é', null] } },
  metadata: {
    commandId: text,
    correlationId: 'c',
    causationId: 'c',
    actor: { role: 'admin', id: 'a', name: 'Asha' },
    time: '2026-11-21T10:00:00.000Z',
    schemaVersion: 1,
  },
});

const expected = (revision: number) => (revision < 0 ? ('no-stream' as const) : revision);

/** Interleaved streams, appends of several events, an erased person and one that began again. */
const filled = async (): Promise<EventLog> => {
  const log = openSqliteEventLog({ path: folder.path('from.sqlite') });
  closers.push(async () => log.close());
  for (let round = 0; round < 120; round += 1) {
    await log.append('match-1', expected(round * 2 - 1), [event(`one ${round}`), event(`two ${round}`)]);
    await log.append(`team-${round % 7}`, expected(Math.floor(round / 7) - 1), [event(`team ${round}`)]);
  }
  await log.append('person-1', 'no-stream', [event('sealed')]);
  await log.append('person-2', 'no-stream', [event('sealed'), event('sealed again')]);
  await log.deleteStream('person-1');
  await log.deleteStream('person-2');
  await log.append('person-2', 'no-stream', [event('anew')]);
  return log;
};

const targets: readonly { readonly name: string; readonly open: () => Promise<EventLog> }[] = [
  { name: 'memory', open: async () => openMemoryEventLog() },
  { name: 'SQLite', open: async () => openSqliteEventLog({ path: folder.path('to.sqlite') }) },
  {
    name: 'EventStoreDB (its stand-in)',
    async open() {
      const standIn = await EventStoreStandIn.start();
      closers.push(async () => standIn.close());
      return openEventStoreDbLog({ url: standIn.url });
    },
  },
];

/** A file as it is when its end is lost. */
const withoutEnd = (text: string): string => text.replace(/\{"end":.*\n$/, '');

describe.each(targets)('from SQLite to $name', ({ open }) => {
  const target = async (): Promise<EventLog> => {
    const log = await open();
    closers.push(async () => log.close());
    return log;
  };

  it('every event comes over once, in the order of the log, and a second import finds it there', async () => {
    const from = await filled();
    const path = folder.path('log.jsonl');
    expect(await exportLog(from, path)).toEqual({
      events: 364,
      streams: 10,
      head: 364n,
      chainHead: null,
      facts: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      leftOut: 0,
    });
    const to = await target();
    const { events, streams, erased, repeated, whole } = await importLog(path, to);
    expect({ events, streams, erased, repeated, whole }).toEqual({ events: 361, streams: 9, erased: 3, repeated: 0, whole: true });
    const copied = await to.readAll('start', 1000);
    const originals = (await from.readAll('start', 1000)).filter(({ data }) => data !== undefined);
    expect(copied.map(({ stream, id, type, data, metadata }) => ({ stream, id, type, data, metadata }))).toEqual(
      originals.map(({ stream, id, type, data, metadata }) => ({ stream, id, type, data, metadata })),
    );
    expect(await to.readStream('person-1')).toBeUndefined();
    const told: number[] = [];
    expect((await importLog(path, to, { onProgress: (count) => void told.push(count) })).repeated).toBe(361);
    expect(told).toEqual([100, 200, 300]);
    expect((await to.readAll('start', 1000)).length).toBe(361);
    // What stands in the other store says the same, whatever its positions.
    const back = folder.path('back.jsonl');
    expect((await exportLog(to, back)).facts).toBe((await importLog(path, to)).facts);
  });

  it('an import that was cut off is taken up where it stands', async () => {
    const from = await filled();
    const path = folder.path('log.jsonl');
    await exportLog(from, path);
    const to = await target();
    const cut = openCut(to, 40);
    await expect(importLog(path, cut)).rejects.toThrow('cut off');
    const there = (await to.readAll('start', 1000)).length;
    const { events, repeated } = await importLog(path, to);
    expect([events, repeated, there > 0]).toEqual([361, there, true]);
    expect(new Set((await to.readAll('start', 1000)).map(({ id }) => id)).size).toBe(361);
  });

  it.each([
    ['a stream that the file has not', 'team-other', 'team-other is in the log and not in the file'],
    ['other events in a stream', 'team-5', 'team-5 has other events in the log: event 0 is not the one of the file'],
  ])('nothing is brought to a log with %s', async (_, stream, text) => {
    const path = folder.path('log.jsonl');
    await exportLog(await filled(), path);
    const to = await target();
    await to.append(stream, 'no-stream', [event('not of the file')]);
    await expect(importLog(path, to)).rejects.toThrow(new ImportDiffers(text));
    expect((await to.readAll('start', 1000)).length).toBe(1);
  });

  it('a log that ends in the midst of events of one stream is taken up there', async () => {
    const from = openSqliteEventLog({ path: folder.path('run.sqlite') });
    closers.push(async () => from.close());
    const events = Array.from({ length: 9 }, (_, index) => event(`tap ${String(index)}`));
    await from.append('match-1', 'no-stream', events);
    await from.append('match-2', 'no-stream', [event('another')]);
    const path = folder.path('log.jsonl');
    await exportLog(from, path);
    const to = await target();
    await to.append('match-1', 'no-stream', events.slice(0, 4));
    const begun: boolean[] = [];
    const onBegin = (goesOn: boolean): void => void begun.push(goesOn);
    expect(await importLog(path, to, { onBegin })).toMatchObject({ events: 10, repeated: 4 });
    expect([begun, (await to.readStream('match-1'))?.map(({ id }) => id)]).toEqual([[true], events.map(({ id }) => id)]);
    expect([(await importLog(path, to, { onBegin })).repeated, begun]).toEqual([10, [true]]);
  });

  it('of two imports at once neither stores twice what the other has brought', async () => {
    const from = openSqliteEventLog({ path: folder.path('run.sqlite') });
    closers.push(async () => from.close());
    const events = Array.from({ length: 9 }, (_, index) => event(`tap ${String(index)}`));
    await from.append('match-1', 'no-stream', events);
    const path = folder.path('log.jsonl');
    await exportLog(from, path);
    const to = await target();
    await to.append('match-1', 'no-stream', events.slice(0, 4));
    // The other one brings more as soon as this one has read what is there.
    let left: readonly NewEvent[] = events.slice(4, 6);
    const shared: EventLog = {
      ...to,
      async readAll(...range) {
        const found = await to.readAll(...range);
        if (found.length === 0 && left.length > 0) await to.append('match-1', 3, left);
        if (found.length === 0) left = [];
        return found;
      },
    };
    await expect(importLog(path, shared)).rejects.toThrow(
      new ImportDiffers('match-1 has other events in the log: Stream match-1 was expected at 3 and is at 5'),
    );
    expect((await to.readStream('match-1'))?.map(({ id }) => id)).toEqual(events.slice(0, 6).map(({ id }) => id));
    expect(await importLog(path, to)).toMatchObject({ events: 9, repeated: 6 });
  });

  it('what differs is found', async () => {
    const path = folder.path('log.jsonl');
    await exportLog(await filled(), path);
    const to = await target();
    await importLog(path, to);
    const changed = readFileSync(path, 'utf8').replace('"text":"team 5"', '"text":"team 6"');
    writeFileSync(path, changed);
    await expect(importLog(path, to)).rejects.toThrow('its events do not match the digest in its last line');
    writeFileSync(path, withoutEnd(changed));
    await expect(importLog(path, to, { partial: true })).rejects.toThrow(/team-5: event 0/);
  });
});

/** A log that ends after some appends. */
const openCut = (log: EventLog, after: number): EventLog => {
  let left = after;
  return {
    ...log,
    async append(...given) {
      left -= 1;
      if (left < 0) throw new Error('cut off');
      return log.append(...given);
    },
  };
};

const bytes = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value));

describe('events of other programs in a shared EventStoreDB', () => {
  const ours = event('ours').metadata;

  it("are left out of an export, and in nobody's way when it is imported, there or elsewhere", async () => {
    const standIn = await EventStoreStandIn.start();
    closers.push(async () => standIn.close());
    const from = openEventStoreDbLog({ url: standIn.url });
    closers.push(async () => from.close());
    const other = (stream: string, data: unknown, metadata?: unknown): void =>
      void standIn.store.append(stream, 'any', [
        {
          id: randomUUID(),
          type: 'Shipped',
          contentType: 'application/json',
          data: bytes(data),
          metadata: metadata === undefined ? new Uint8Array() : bytes(metadata),
        },
      ]);
    await from.append('match-1', 'no-stream', [event('one'), event('two')]);
    other('order-1', { parcel: 1 });
    other('order-2', { parcel: 2 }, { user: 'somebody' });
    other('order-3', { parcel: 3 }, 'a text');
    other('order-4', null, ours);
    other(`order-${'5'.repeat(200)}`, { parcel: 5 }, ours);
    // In a stream of ours as well: revisions go on behind it.
    other('match-1', { parcel: 6 });
    await from.append('match-1', 2, [event('three')]);
    other('order-1', { parcel: 7 });
    const facts = (await from.readAll('start', 100)).filter(({ type }) => type !== 'Shipped');
    const path = folder.path('log.jsonl');
    const exported = await exportLog(from, path);
    expect(exported).toMatchObject({ events: 3, streams: 1, head: facts.at(-1)?.position, leftOut: 7 });
    for (const { open } of targets) {
      const to = await open();
      closers.push(async () => to.close());
      expect(await importLog(path, to)).toMatchObject({ events: 3, facts: exported.facts });
      expect((await to.readAll('start', 100)).map(({ id }) => id)).toEqual(facts.map(({ id }) => id));
    }
    expect(await importLog(path, from)).toMatchObject({ events: 3, repeated: 3 });
    // What is brought behind one goes on from it.
    const more = openMemoryEventLog();
    await importLog(path, more);
    const four = event('four');
    await more.append('match-1', 2, [four]);
    await exportLog(more, folder.path('more.jsonl'));
    expect(await importLog(folder.path('more.jsonl'), from)).toMatchObject({ events: 4, repeated: 3 });
    expect((await from.readStream('match-1'))?.at(-1)?.id).toBe(four.id);
  });

  it.each([
    ['data that is null', { data: null }, 'Shipped: data is null'],
    ['no schema version', { metadata: {} }, 'Shipped: schemaVersion is not a whole number'],
    ['a stream of no name of ours', { stream: 'o'.repeat(201) }, 'A stream name is 1 to 200 characters without control characters and does not start with $'],
  ])('are refused by their line in a file of an earlier release, before anything is brought: %s', async (_, change, reason) => {
    const first = { position: '7', stream: 'order-1', revision: 0, id: randomUUID(), type: 'Shipped', data: {}, metadata: ours };
    const lines = [first, { ...first, position: '8', revision: 1, id: randomUUID(), ...change }];
    const digest = new FactsDigest();
    for (const line of lines) digest.add(line);
    const path = folder.path('old.jsonl');
    writeFileSync(path, [...lines, digest.end(8n)].map((line) => `${JSON.stringify(line)}\n`).join(''));
    const to = openMemoryEventLog();
    await expect(importLog(path, to)).rejects.toThrow(
      new LineOfAnother(
        `Line 2 of ${path} is an event of another program, which no store of ours takes (position 8): ${reason}. An earlier release wrote it; this one leaves such events out: make the export or the backup again. Nothing was imported`,
      ),
    );
    expect(await to.head()).toBe('start');
  });
});

it('an append of an import holds up to 100 events of one stream, and up to 250,000 characters', async () => {
  const from = openMemoryEventLog();
  const small = Array.from({ length: 201 }, (_, index) => event(String(index)));
  const long = event('');
  const half = 125_000 - JSON.stringify(long.data).length;
  await from.append('match-1', 'no-stream', small);
  for (const [index, text] of ['x'.repeat(half), 'x'.repeat(half), 'x'.repeat(half), 'x'.repeat(half + 1)].entries())
    await from.append('match-2', expected(index - 1), [event(text)]);
  const path = folder.path('log.jsonl');
  await exportLog(from, path);
  const to = openMemoryEventLog();
  const appends: [string, number][] = [];
  const begun: boolean[] = [];
  const append: EventLog['append'] = async (stream, at, events) => {
    appends.push([stream, events.length]);
    return to.append(stream, at, events);
  };
  await importLog(path, { ...to, append }, { onBegin: (goesOn) => void begun.push(goesOn) });
  expect([appends, begun]).toEqual([
    [
      ['match-1', 100],
      ['match-1', 100],
      ['match-1', 1],
      ['match-2', 2],
      ['match-2', 1],
      ['match-2', 1],
    ],
    [false],
  ]);
});

it('a text with the separators of lines and paragraphs, which JSON lets stand, comes over as any other; so does a file whose lines were ended otherwise', async () => {
  const log = openMemoryEventLog();
  await log.append('match-1', 'no-stream', [event('one\u2028two\u2029three\u0085four'), event('é\r\n')]);
  const path = folder.path('log.jsonl');
  const { facts } = await exportLog(log, path);
  expect(await importLog(path, openMemoryEventLog())).toMatchObject({ events: 2, facts, whole: true });
  writeFileSync(path, readFileSync(path, 'utf8').replaceAll('\n', '\r\n'));
  expect(await importLog(path, openMemoryEventLog())).toMatchObject({ events: 2, facts, whole: true });
});

it('a file that cannot be made is an error, not a wait for ever', async () => {
  const log = await filled();
  await expect(exportLog(log, folder.path('nowhere/log.jsonl'))).rejects.toThrow('ENOENT');
});

it('a disk that takes no more while the next page is read is an error of the export, and of nobody else; no file is left', async () => {
  const log = openMemoryEventLog();
  await log.append(
    'match-1',
    'no-stream',
    Array.from({ length: 30 }, (_, index) => event(String(index))),
  );
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  vi.spyOn(fs, 'write').mockImplementation((...told: readonly unknown[]) => process.nextTick(told.at(-1) as (error: Error) => void, full));
  // Short pages, as of a log that is mostly other programs': the file waits for none of them.
  const readAll: EventLog['readAll'] = async (after) => delay(20).then(async () => log.readAll(after, 10));
  try {
    await expect(exportLog({ head: async () => log.head(), readAll }, folder.path('log.jsonl'))).rejects.toBe(full);
  } finally {
    vi.restoreAllMocks();
  }
  expect(readdirSync(folder.path('.'))).toEqual([]);
});

it('a file that was cut off, is empty, lacks a line or goes on behind its end brings nothing, unless what is there is asked for', async () => {
  const from = await filled();
  const path = folder.path('log.jsonl');
  await exportLog(from, path);
  const whole = readFileSync(path, 'utf8');
  const lines = whole.trimEnd().split('\n');
  const refusals: readonly (readonly [text: string, message: string])[] = [
    [`${lines.slice(0, 300).join('\n')}\n`, 'is not whole: it ends after 300 events without the line'],
    // In the midst of a line, as a copy stops.
    [whole.slice(0, lines.slice(0, 300).join('\n').length - 20), 'is not whole: it ends after 299 events without the line'],
    ['', 'holds no event: nothing was imported'],
    [lines.toSpliced(20, 1).join('\n'), 'is not whole: it holds 363 events and should hold 364'],
    [`${whole}${lines[0] ?? ''}\n`, 'Line 366 of'],
  ];
  for (const [text, message] of refusals) {
    writeFileSync(path, text);
    const to = openMemoryEventLog();
    await expect(importLog(path, to)).rejects.toThrow(message);
    expect(await to.head()).toBe('start');
  }
  writeFileSync(path, lines.slice(0, 300).join('\n'));
  expect(await importLog(path, openMemoryEventLog(), { partial: true })).toMatchObject({ events: 300, whole: false });
  writeFileSync(path, whole.slice(0, lines.slice(0, 300).join('\n').length - 20));
  expect((await importLog(path, openMemoryEventLog(), { partial: true })).events).toBe(299);
  writeFileSync(path, '');
  await expect(importLog(path, openMemoryEventLog(), { partial: true })).rejects.toThrow('holds no event: nothing was imported');
});

it('a file that is no log is refused by the number of the line', async () => {
  const path = folder.path('bad.jsonl');
  writeFileSync(path, `${JSON.stringify({ position: '1', stream: 's', revision: 0, id: randomUUID(), type: 'T', data: {}, metadata: {} })}\nnot json\n`);
  const read = async (): Promise<number> => {
    let count = 0;
    for await (const line of readLines(path)) count += line.revision + 1;
    return count;
  };
  await expect(read()).rejects.toThrow('Line 2 of');
});

const sealed = async () => {
  const log = await openConfiguredLog({ store: { kind: 'sqlite' }, dataDir: folder.path('') });
  closers.push(async () => log.close());
  return log;
};
/** The filled log under the name it has in an installation. */
const kept = async (): Promise<void> => {
  const log = openSqliteEventLog({ path: folder.path('event-log.sqlite') });
  await log.append('match-1', 'no-stream', [event('one'), event('two')]);
  await log.append('person-1', 'no-stream', [event('sealed')]);
  await log.append('person-2', 'no-stream', [event('kept')]);
  await log.append('match-1', 1, [event('three')]);
  await log.deleteStream('person-1');
  await log.close();
};
const change = (sql: string): void => {
  const database = new Database(folder.path('event-log.sqlite'));
  database.exec(sql);
  database.close();
};

describe('the hash chain of a log of our own', () => {
  it('goes with the lines, erased events included, and is walked before anything is imported', async () => {
    await kept();
    const path = folder.path('log.jsonl');
    const exported = await exportLog(await sealed(), path);
    expect([exported.events, exported.chainHead?.length]).toEqual([5, 64]);
    const to = openMemoryEventLog();
    expect(await importLog(path, to)).toMatchObject({ events: 4, erased: 1, chainHead: exported.chainHead });
    const whole = readFileSync(path, 'utf8');
    const lines = whole.trimEnd().split('\n');
    const changes: readonly (readonly [changed: string, message: string])[] = [
      [whole.replace('"text":"two"', '"text":"2"'), 'Broken at position 2: the data does not match its digest'],
      [whole.replaceAll('"commandId":"three"', '"commandId":"3"'), 'Broken at position 5: the event does not match its hash'],
      [lines.toSpliced(1, 1).join('\n'), 'Broken at position 3: expected position 2: events are missing'],
      [whole.replace(/,"seal":\{[^}]*\}\}(\n\{"end".*\n)$/, '}$1'), 'Broken at position 5: some events carry their hash and others do not'],
    ];
    for (const [changed, message] of changes) {
      writeFileSync(path, changed);
      const empty = openMemoryEventLog();
      await expect(importLog(path, empty)).rejects.toThrow(message);
      expect(await empty.head()).toBe('start');
    }
  });

  it.each([
    ['changed data', `UPDATE events SET data = replace(data, 'two', '2') WHERE position = 2`, 'Broken at position 2: the data'],
    ['data that does not parse', `UPDATE events SET data = '{' WHERE position = 2`, 'Broken at position 2: the data cannot be read'],
    ['a changed actor', `UPDATE events SET metadata = replace(metadata, 'Asha', 'Maya') WHERE position = 4`, 'Broken at position 4: the event'],
    ['data taken away', 'UPDATE events SET data = NULL WHERE position = 1', 'Broken at position 1'],
    ['a changed time', `UPDATE events SET time = '2020-01-01T00:00:00.000Z' WHERE position = 4`, 'Broken at position 4: the event'],
    ['events missing at the end', 'DELETE FROM events WHERE position = 5', 'Broken at position 5: the log ends before position 5'],
  ])('%s behind the back of the log stops an export by its position, and leaves no file', async (_, sql, message) => {
    await kept();
    change(sql);
    const path = folder.path('log.jsonl');
    await expect(exportLog(await sealed(), path)).rejects.toThrow(message);
    expect([existsSync(path), existsSync(`${path}.partial`)]).toEqual([false, false]);
  });
});
