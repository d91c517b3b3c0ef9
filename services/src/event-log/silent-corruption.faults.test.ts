import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { LogUnavailable } from './event-log.ts';
import { sampleEvent } from './testing/sample-event.ts';
import { prepareEvents } from './prepare-append.ts';
import { SqliteLogFile } from './sqlite-log-file.ts';
import { temporaryFolder } from './testing/log-files.ts';
import { runSeed, seededRandom } from './testing/random.ts';

const flips = process.env['FAULTS'] === 'full' ? 300 : 30;

let folder: ReturnType<typeof temporaryFolder>;
beforeAll(() => {
  folder = temporaryFolder();
});
afterAll(() => {
  folder.remove();
});

const append = (file: SqliteLogFile, stream: string, data: unknown): void => {
  file.append([{ stream, expected: 'any', events: prepareEvents(stream, [sampleEvent(data)]) }]);
};

/** Every event of a file as SQLite gives it, one by one; 'unreadable' for those it cannot give. Knows nothing of the chain. */
const storedRows = (path: string, count: number): readonly string[] => {
  const connection = new Database(path, { readonly: true });
  try {
    const inOrder = connection.prepare('SELECT * FROM events ORDER BY position LIMIT 1 OFFSET ?').raw();
    return Array.from({ length: count }, (_, index) => {
      try {
        return JSON.stringify(inOrder.all(index));
      } catch {
        return 'unreadable';
      }
    });
  } finally {
    connection.close();
  }
};

/**
 * Whether a position, looked up by its key, still gives the event that was stored: with a damaged inner page it may not, although a scan of all pages meets the
 * event.
 */
const isFound = (path: string, position: number, row: string | undefined): boolean => {
  const connection = new Database(path, { readonly: true });
  try {
    return JSON.stringify(connection.prepare('SELECT * FROM events WHERE position = ?').raw().all(position)) === row;
  } catch {
    return false;
  } finally {
    connection.close();
  }
};

type Finding = 'altered' | 'unusable' | 'harmless' | { readonly missed: string };

/**
 * Opens a damaged copy as a log and says whether it was found out. `altered`: the first event that is not what it was, -1 for none, undefined when SQLite gives
 * none at all; `before`: the rows as they were.
 */
const findingOf = (path: string, altered: number | undefined, before: readonly string[]): Finding => {
  let log: SqliteLogFile;
  try {
    log = new SqliteLogFile({ path });
  } catch (error) {
    // The file can no longer be opened as a log: it is refused as a whole.
    return error instanceof LogUnavailable ? 'unusable' : { missed: `open threw ${String(error)}` };
  }
  try {
    if (altered !== undefined && altered < 0) return 'harmless';
    const walk = log.startWalk(1n);
    while (!walk.step(100));
    const named = Number(walk.report.firstBreak?.position ?? -1n);
    // SQLite gives none of it, but to whoever is about to repair it: known from the opening on, at the file itself (0) or at the first event that even so is
    // not to be had.
    if (altered === undefined && (named < 0 || log.damage?.position !== BigInt(named))) return { missed: 'a file that SQLite does not read passed for a log' };
    // The first altered event, or one before it that can no longer be looked up.
    if (altered !== undefined && named !== altered + 1 && !(named >= 1 && named <= altered && !isFound(path, named, before[named - 1])))
      return { missed: `position ${altered + 1} was reported as ${JSON.stringify(walk.report.firstBreak?.reason)}` };
    try {
      append(log, 'match-new', {});
      return { missed: 'a write was accepted' };
    } catch (error) {
      if (error instanceof LogUnavailable) return altered === undefined ? 'unusable' : 'altered';
      return { missed: `a write threw ${String(error)}` };
    }
  } finally {
    log.close();
  }
};

const firstDifference = (path: string, before: readonly string[]): number | undefined => {
  try {
    return storedRows(path, before.length).findIndex((row, index) => row !== before[index]);
  } catch {
    return undefined;
  }
};

it(`shows every one of ${flips} flipped bits that altered an event, with its position, and refuses writes`, { timeout: 300_000 }, () => {
  const original = folder.path('original.sqlite');
  const file = new SqliteLogFile({ path: original });
  const count = 150;
  for (let index = 0; index < count; index += 1)
    append(file, index % 5 === 4 ? `person-${index}` : `match-${index % 7}`, { text: `काठमाडौं ${index}`, points: index });
  for (let index = 4; index < 60; index += 5) file.deleteStream(`person-${index}`);
  file.close();
  const before = storedRows(original, count);
  const bytes = readFileSync(original);

  const random = seededRandom(runSeed('bit flips'));
  const tally = { altered: 0, unusable: 0, harmless: 0 };
  const missed: string[] = [];
  while (tally.altered < flips && missed.length === 0) {
    const bit = Math.floor(random() * bytes.length * 8);
    const path = folder.path('flipped.sqlite');
    const flipped = Buffer.from(bytes);
    flipped.writeUInt8(flipped.readUInt8(bit >>> 3) ^ (1 << (bit & 7)), bit >>> 3);
    writeFileSync(path, flipped);
    const finding = findingOf(path, firstDifference(path, before), before);
    if (typeof finding === 'string') tally[finding] += 1;
    else missed.push(`bit ${bit}: ${finding.missed}`);
    for (const suffix of ['', '-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true });
  }
  process.stderr.write(`bit flips: ${JSON.stringify(tally)}\n`);
  // As a text: of a list only its length would be told.
  expect(missed.join('; ')).toBe('');
  expect(tally.altered).toBe(flips);
});
