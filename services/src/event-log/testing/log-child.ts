import { randomUUID } from 'node:crypto';
import { readFileSync, writeSync } from 'node:fs';
import type { NewEvent } from '@courtledger/contracts/kernel/event';
import { LogUnavailable, UnknownOutcome, type EventLog, type ExpectedRevision } from '../event-log.ts';
import { prepareEvents } from '../prepare-append.ts';
import { openLogConnection } from '../sqlite-connection.ts';
import { openSqliteEventLog } from '../sqlite-event-log.ts';
import { SqliteLogFile } from '../sqlite-log-file.ts';
import { openWorkerEventLog } from '../worker-event-log.ts';

/**
 * The process that the fault tests kill, race and starve: `node log-child.ts <mode> <path> [argument]`. It tells its parent one line at a time, each written
 * before it goes on.
 * `worker`, `in-process`: appends on four streams until it is killed, or until each writer has done `argument.appends`. Says `try <append>` before and `ack
 * <append>` after each; first repeats the appends of `argument.unknown`. `unsynced`: as `in-process`, on a connection at synchronous=NORMAL, which is not what
 * the product does: it acknowledges what a loss of power may take. `shared`: appends `argument.appends` events on one stream beside other processes, without
 * the lock; says `done`.
 * `own`: takes the log and stays; says `open`.
 */

export type ChildArgument = { readonly appends?: number; readonly unknown?: readonly ChildAppend[] };
/** One append as parent and child speak of it. */
export type ChildAppend = {
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly ids: readonly string[];
  readonly revision?: number;
  readonly position?: string;
};

/** Writes a line before it goes on, whether or not the parent reads: a full pipe that does not block answers EAGAIN. */
const say = (line: string): void => {
  let rest = Buffer.from(`${line}\n`);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(1, rest));
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    }
  }
};

const eventOf = (id: string): NewEvent => ({
  id,
  type: 'StatIncrementRecorded',
  data: { marker: id, points: 2 },
  metadata: {
    commandId: id,
    correlationId: 'child',
    causationId: id,
    actor: { role: 'system', id: 'child', name: 'Child' },
    time: '2026-11-01T10:00:00.000Z',
    schemaVersion: 1,
  },
});

/** Appends until the outcome is known: the same ids at the same expectation. */
const appendSurely = async (log: EventLog, append: ChildAppend): Promise<number> => {
  for (;;) {
    try {
      const { revision, position } = await log.append(append.stream, append.expected, append.ids.map(eventOf));
      say(`ack ${JSON.stringify({ ...append, revision, position: String(position) } satisfies ChildAppend)}`);
      return revision;
    } catch (error) {
      if (error instanceof UnknownOutcome) say('unknown');
      else if (!(error instanceof LogUnavailable)) throw error;
      // Lets the log open again.
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
};

const write = async (log: EventLog, argument: ChildArgument): Promise<void> => {
  for (const append of argument.unknown ?? []) {
    await appendSurely(log, append);
  }
  const writer = async (stream: string): Promise<void> => {
    let expected: ExpectedRevision = (await log.readStream(stream))?.at(-1)?.revision ?? 'no-stream';
    for (let count = 0; count < (argument.appends ?? Infinity); count += 1) {
      const append: ChildAppend = { stream, expected, ids: Array.from({ length: 1 + (count % 3) }, () => randomUUID()) };
      say(`try ${JSON.stringify(append)}`);
      expected = await appendSurely(log, append);
    }
  };
  await Promise.all(['match-1', 'match-2', 'match-3', 'person-1'].map(writer));
};

const appendShared = (path: string, appends: number): void => {
  const file = new SqliteLogFile({ path, connect: (of) => openLogConnection(of, { timeout: 60_000 }) });
  let stored = 0;
  while (stored < appends) {
    const expected = file.reader.readStream('match-shared', 0, Infinity)?.at(-1)?.revision ?? 'no-stream';
    const [outcome] = file.append([{ stream: 'match-shared', expected, events: prepareEvents('match-shared', [eventOf(randomUUID())]) }]);
    if (outcome?.kind === 'stored') stored += 1;
  }
  file.close();
  say('done');
};

const connectUnsynced = (path: string): ReturnType<typeof openLogConnection> => {
  const connection = openLogConnection(path);
  connection.pragma('synchronous = NORMAL');
  return connection;
};

if (import.meta.main) {
  const [mode = '', path = '', argumentFile] = process.argv.slice(2);
  const argument = argumentFile === undefined ? {} : (JSON.parse(readFileSync(argumentFile, 'utf8')) as ChildArgument);
  if (mode === 'shared') appendShared(path, argument.appends ?? 0);
  else {
    const log =
      mode === 'worker' || mode === 'own'
        ? await openWorkerEventLog({ path })
        : openSqliteEventLog({ path, ...(mode === 'unsynced' && { connect: connectUnsynced }) });
    say('open');
    // A process that only owns the log is kept alive by its worker.
    if (mode !== 'own') {
      await write(log, argument);
      await log.close();
      say('done');
    }
  }
}
