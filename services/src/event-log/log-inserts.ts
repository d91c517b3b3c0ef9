import type Database from 'better-sqlite3';
import type { ExpectedRevision } from './event-log.ts';
import { chainHash, chainRoot, digestOf, saltFor } from './hash-chain.ts';
import type { EventText } from './prepare-append.ts';
import type { Place } from './verify-chain.ts';

/** One append of a batch; its events are checked and serialised (`prepareEvents`). */
export type BatchedAppend = { readonly stream: string; readonly expected: ExpectedRevision; readonly events: readonly EventText[] };

/** What became of one append of a batch. `position` and `revision` are those of its last event. */
export type AppendOutcome =
  | { readonly kind: 'stored'; readonly revision: number; readonly position: number; readonly repeated: boolean }
  | { readonly kind: 'wrong-revision'; readonly actual: number | 'no-stream' }
  | { readonly kind: 'unacceptable'; readonly reason: string };

type LastOfStream = { readonly revision: number; readonly erased: 0 | 1 };
type Stored = { readonly stream: string; readonly revision: number; readonly position: number };

export const eventsSchema = `
  CREATE TABLE IF NOT EXISTS events (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    stream TEXT NOT NULL, revision INTEGER NOT NULL, id TEXT NOT NULL, type TEXT NOT NULL, version INTEGER NOT NULL, time TEXT NOT NULL,
    data TEXT, metadata TEXT NOT NULL, salt TEXT, digest TEXT NOT NULL, hash TEXT NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX IF NOT EXISTS events_by_stream ON events (stream, revision);
  CREATE UNIQUE INDEX IF NOT EXISTS events_by_id ON events (id);
`;

/** What the writer of a log file asks and does, prepared. */
export const logStatements = (connection: Database.Database) => ({
  last: connection.prepare<[], Place>('SELECT position, hash FROM events ORDER BY position DESC LIMIT 1'),
  at: connection.prepare<[number], Place>('SELECT position, hash FROM events WHERE position = ?'),
  // `(SELECT ?)`: where a plain parameter could decide the order or a join, SQLite compiles the statement anew for each value, which takes four times as long
  // as the look-up.
  lastOfStream: connection.prepare<[string], LastOfStream>(
    'SELECT revision, data IS NULL AS erased FROM events WHERE stream = (SELECT ?) ORDER BY revision DESC LIMIT 1',
  ),
  byId: connection.prepare<[string], Stored>('SELECT stream, revision, position FROM events WHERE id = ?'),
  isErased: connection.prepare<[string, number], 0 | 1>('SELECT data IS NULL FROM events WHERE stream = ? AND revision = ?').pluck(),
  insert: connection.prepare<[number, string, number, string, string, number, string, string, string, string | null, string, string]>(
    'INSERT INTO events (position, stream, revision, id, type, version, time, data, metadata, salt, digest, hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
  ),
  blank: connection.prepare<[string]>('UPDATE events SET data = NULL, salt = NULL WHERE stream = ? AND data IS NOT NULL'),
});

export type LogStatements = ReturnType<typeof logStatements>;

/** Whether an append was stored before (all ids, one after another, at the same expectation), or some of its ids were. */
const knownIds = (
  statements: LogStatements,
  { stream, expected, events }: BatchedAppend,
): { kind: 'new' } | { kind: 'taken'; id: string } | { kind: 'repeated'; outcome: AppendOutcome } => {
  const places = events.map((event) => statements.byId.get(event.id));
  const taken = events.find((_, index) => places[index] !== undefined);
  if (taken === undefined) return { kind: 'new' };
  const [first] = places;
  const last = places.at(-1);
  const inSequence = first !== undefined && places.every((place, index) => place?.stream === stream && place.revision === first.revision + index);
  if (first === undefined || last === undefined || !inSequence) return { kind: 'taken', id: taken.id };
  const began = first.revision === 0 || statements.isErased.get(stream, first.revision - 1) === 1;
  const sameExpectation = expected === 'any' || (expected === 'no-stream' ? began : expected === first.revision - 1);
  if (!sameExpectation) return { kind: 'taken', id: taken.id };
  return { kind: 'repeated', outcome: { kind: 'stored', revision: last.revision, position: last.position, repeated: true } };
};

/**
 * Stores all appends of a batch after the last event of the log, within the transaction of the caller; an append at a wrong revision does not touch the others.
 * @param lookUpIds whether each id is looked for first: too dear for the ordinary case, in which SQLite refuses one that is stored already
 */
export const insertAll = (statements: LogStatements, batch: readonly BatchedAppend[], end: Place | undefined, lookUpIds: boolean): readonly AppendOutcome[] => {
  let last = end ?? { position: 0, hash: chainRoot };
  return batch.map((append): AppendOutcome => {
    const { stream, expected, events } = append;
    const found = statements.lastOfStream.get(stream);
    const actual = found === undefined || found.erased === 1 ? 'no-stream' : found.revision;
    const fits = expected === 'any' || expected === actual;
    if (!fits || lookUpIds || expected === 'any') {
      const known = knownIds(statements, append);
      if (known.kind === 'repeated') return known.outcome;
      if (!fits) return { kind: 'wrong-revision', actual };
      if (known.kind === 'taken')
        return expected === 'any' ? { kind: 'wrong-revision', actual } : { kind: 'unacceptable', reason: `The event id ${known.id} is already stored` };
    }
    let revision = found?.revision ?? -1;
    for (const event of events) {
      revision += 1;
      const position = last.position + 1;
      const salt = saltFor(stream);
      const digest = digestOf(salt, event.data);
      const hash = chainHash(last.hash, position, stream, revision, event, digest);
      const { changes } = statements.insert.run(
        position,
        stream,
        revision,
        event.id,
        event.type,
        event.version,
        event.time,
        event.data,
        event.metadata,
        salt,
        digest,
        hash,
      );
      // A trigger of somebody else's may swallow it.
      if (changes !== 1) throw new Error('the file does not take the event');
      last = { position, hash };
    }
    return { kind: 'stored', revision, position: last.position, repeated: false };
  });
};
