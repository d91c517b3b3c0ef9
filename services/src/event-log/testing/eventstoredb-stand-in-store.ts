import { closeSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { randomUUID } from 'node:crypto';

/** What an append, a delete or a tombstone asks of its stream. */
export type Expectation = 'any' | 'no_stream' | 'stream_exists' | bigint;

/** An event as a client proposes it. */
export type Proposed = { readonly id: string; readonly type: string; readonly contentType: string; readonly data: Uint8Array; readonly metadata: Uint8Array };

/** An event as it stands in the log. `position` is a byte offset; commit and prepare are always the same. */
export type Stored = Proposed & { readonly stream: string; readonly revision: bigint; readonly created: bigint; readonly position: bigint };

/** What came of an append. `position` is missing when the original events are hidden by a soft delete. */
export type Outcome =
  | { readonly kind: 'stored'; readonly revision: bigint | 'no_stream'; readonly position: bigint | undefined }
  | { readonly kind: 'wrong-version'; readonly actual: bigint | 'no_stream' }
  | { readonly kind: 'stream-deleted' };

/** The revision that a tombstone is written at. */
export const TOMBSTONE_REVISION = 9_223_372_036_854_775_807n;

/** As many ids as the server was seen to remember for `any` (between 100,000 and 200,000 events). */
const REMEMBERED_IDS = 150_000;

type Stream = { events: Stored[]; first: bigint; last: bigint; tombstoned: boolean };
type Remembered = { readonly stream: string; readonly revision: bigint };
/** One line of the file: what one append wrote (all of it or nothing), with the log space it took. */
type Line = {
  readonly end: string;
  readonly events: readonly (Omit<Stored, 'revision' | 'created' | 'position' | 'data' | 'metadata'> & {
    revision: string;
    created: string;
    position: string;
    data: string;
    metadata: string;
  })[];
  readonly hide?: string;
};

const encoder = new TextEncoder();
const ticks = (): bigint => BigInt(Date.now()) * 10_000n;

/**
 * The log of the stand-in: what an EventStoreDB 23.10.8 was recorded to store and refuse, in memory or in a file.
 * Every call is synchronous, so that appends are decided one after the other, as the server's one writer does.
 */
export class StandInStore {
  /** In the order of their positions; an empty append takes space but leaves nothing here. */
  readonly log: Stored[] = [];
  private readonly streams = new Map<string, Stream>();
  private readonly boundaries = new Set<bigint>();
  private readonly listeners = new Set<() => void>();
  private ids = new Map<string, Remembered>();
  private end = 0n;
  private readonly file: number | undefined;

  constructor(path?: string) {
    if (path !== undefined) {
      this.file = openSync(path, 'a+');
      const kept = this.load(readFileSync(path, 'utf8'));
      ftruncateSync(this.file, kept);
    }
    // The one event that a server writes at its own first start.
    if (this.end === 0n)
      this.write('$$$scavenges', 0n, [
        { id: randomUUID(), type: '$metadata', contentType: 'application/json', data: encoder.encode('{}'), metadata: new Uint8Array() },
      ]);
  }

  /** The position after the last record: where the next one will stand. */
  get endPosition(): bigint {
    return this.end;
  }

  /** Is called after every write; returns the way to stop that. */
  onWrite(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** What a restart does to `any` and `stream_exists`: they no longer know which ids they have stored. */
  forgetIds(): void {
    this.ids = new Map();
  }

  close(): void {
    if (this.file !== undefined) closeSync(this.file);
  }

  /** Decides and stores. All events or none. */
  append(name: string, expected: Expectation, events: readonly Proposed[]): Outcome {
    const stream = this.streams.get(name);
    if (stream?.tombstoned) return { kind: 'stream-deleted' };
    const last = stream?.last ?? -1n;
    const softDeleted = stream !== undefined && stream.first > stream.last;
    const actual = last < 0n ? 'no_stream' : last;

    if (expected === 'stream_exists') {
      if (softDeleted) return { kind: 'stream-deleted' };
      if (last < 0n) return { kind: 'wrong-version', actual };
    }
    if (expected === 'any' || expected === 'stream_exists') {
      const known = this.knownIds(name, events);
      if (known === 'some') return { kind: 'wrong-version', actual };
      if (known !== 'none') return this.repeated(stream, known);
      return this.store(name, last, events);
    }
    const wanted = expected === 'no_stream' ? -1n : expected;
    if (wanted > last) return { kind: 'wrong-version', actual };
    if (wanted < last) {
      const same = this.sameAt(stream, wanted, events);
      if (same === events.length && same > 0) return this.repeated(stream, wanted + BigInt(same));
      if (same > 0 || expected !== 'no_stream' || !softDeleted) return { kind: 'wrong-version', actual };
    }
    return this.store(name, last, events);
  }

  /** Soft delete: hides the events and writes the metadata that says so. Revisions go on afterwards. */
  delete(name: string, expected: Expectation): Outcome {
    const refusal = this.refusal(name, expected);
    if (refusal) return refusal;
    const stream = this.streams.get(name);
    if (!stream) return { kind: 'wrong-version', actual: 'no_stream' };
    const meta = `$$${name}`;
    const [record] = this.write(
      meta,
      (this.streams.get(meta)?.last ?? -1n) + 1n,
      [
        {
          id: randomUUID(),
          type: '$metadata',
          contentType: 'application/json',
          data: encoder.encode(`{"$tb":${TOMBSTONE_REVISION}}`),
          metadata: new Uint8Array(),
        },
      ],
      name,
    );
    return { kind: 'stored', revision: stream.last, position: record?.position };
  }

  /** Hard delete: nothing can be read from or written to the stream again. */
  tombstone(name: string, expected: Expectation): Outcome {
    const unknown = !this.streams.has(name);
    if (unknown && (expected === 'stream_exists' || typeof expected === 'bigint')) return { kind: 'wrong-version', actual: 'no_stream' };
    const refusal = unknown ? undefined : this.refusal(name, expected);
    if (refusal) return refusal;
    const [record] = this.write(name, TOMBSTONE_REVISION, [
      { id: randomUUID(), type: '$streamDeleted', contentType: 'application/octet-stream', data: new Uint8Array(), metadata: new Uint8Array() },
    ]);
    return { kind: 'stored', revision: TOMBSTONE_REVISION, position: record?.position };
  }

  /** What can be read of a stream, oldest first. */
  visible(name: string): readonly Stored[] | 'not-found' | 'deleted' {
    const stream = this.streams.get(name);
    if (!stream) return 'not-found';
    if (stream.tombstoned) return 'deleted';
    if (stream.first > stream.last) return 'not-found';
    const from = stream.events.findIndex((event) => event.revision >= stream.first);
    return from === 0 ? stream.events : stream.events.slice(from);
  }

  /** Whether a record begins here (or could come to begin here): everything else is answered with an error. */
  isBoundary(position: bigint): boolean {
    return position >= this.end || this.boundaries.has(position);
  }

  /** The index in `log` of the first event at or after a position. */
  indexFrom(position: bigint): number {
    let low = 0;
    let high = this.log.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.log[middle]?.position ?? 0n) < position) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  private refusal(name: string, expected: Expectation): Outcome | undefined {
    const stream = this.streams.get(name);
    if (stream?.tombstoned) return { kind: 'stream-deleted' };
    const last = stream?.last ?? -1n;
    const gone = stream === undefined || stream.first > last;
    const fits = expected === 'any' || (expected === 'no_stream' ? gone : expected === 'stream_exists' ? !gone : expected === last);
    return fits ? undefined : { kind: 'wrong-version', actual: last < 0n ? 'no_stream' : last };
  }

  /** The revision of the last given id when all are known, 'none' when the first is not, 'some' otherwise. */
  private knownIds(stream: string, events: readonly Proposed[]): bigint | 'none' | 'some' {
    let revision: bigint | undefined;
    for (const event of events) {
      const known = this.ids.get(event.id);
      if (known?.stream !== stream) return revision === undefined ? 'none' : 'some';
      revision = known.revision;
    }
    return revision ?? 'none';
  }

  /** How many of the ids stand in the stream one after the other from a revision on. */
  private sameAt(stream: Stream | undefined, after: bigint, events: readonly Proposed[]): number {
    let same = 0;
    for (const event of events) {
      const at = after + BigInt(same) + 1n;
      // Revisions of a stream have no holes here, so the index is the revision.
      if (stream?.events[Number(at)]?.id !== event.id) break;
      same += 1;
    }
    return same;
  }

  private repeated(stream: Stream | undefined, revision: bigint): Outcome {
    const original = stream?.events[Number(revision)];
    return { kind: 'stored', revision, position: stream && original && revision >= stream.first ? original.position : undefined };
  }

  private store(name: string, last: bigint, events: readonly Proposed[]): Outcome {
    if (events.length === 0) {
      const position = this.take(100n);
      this.persist([], undefined);
      return { kind: 'stored', revision: last < 0n ? 'no_stream' : last, position };
    }
    const stored = this.write(name, last + 1n, events);
    return { kind: 'stored', revision: last + BigInt(events.length), position: stored.at(-1)?.position };
  }

  private write(name: string, revision: bigint, events: readonly Proposed[], hide?: string): Stored[] {
    const created = ticks();
    const stored = events.map((event, i): Stored => {
      const size = 120n + BigInt(encoder.encode(name).length + encoder.encode(event.type).length + event.data.length + event.metadata.length);
      return { ...event, stream: name, revision: revision + BigInt(i), created, position: this.take(size) };
    });
    this.apply(stored, hide);
    this.persist(stored, hide);
    for (const listener of this.listeners) listener();
    return stored;
  }

  private take(size: bigint): bigint {
    const position = this.end;
    this.boundaries.add(position);
    this.end += size;
    return position;
  }

  private apply(events: readonly Stored[], hide: string | undefined): void {
    for (const event of events) {
      const stream = this.streams.get(event.stream) ?? { events: [], first: 0n, last: -1n, tombstoned: false };
      this.streams.set(event.stream, stream);
      this.log.push(event);
      if (event.revision === TOMBSTONE_REVISION) {
        stream.tombstoned = true;
        continue;
      }
      // The first event after a soft delete is the first that can be read.
      if (stream.first > stream.last && stream.last >= 0n) stream.first = event.revision;
      stream.events.push(event);
      stream.last = event.revision;
      this.ids.delete(event.id);
      this.ids.set(event.id, { stream: event.stream, revision: event.revision });
      if (this.ids.size > REMEMBERED_IDS) this.ids.delete(this.ids.keys().next().value ?? '');
    }
    const hidden = hide === undefined ? undefined : this.streams.get(hide);
    if (hidden) hidden.first = TOMBSTONE_REVISION;
  }

  private persist(events: readonly Stored[], hide: string | undefined): void {
    if (this.file === undefined) return;
    const line: Line = {
      end: String(this.end),
      events: events.map((event) => ({
        ...event,
        revision: String(event.revision),
        created: String(event.created),
        position: String(event.position),
        data: Buffer.from(event.data).toString('base64'),
        metadata: Buffer.from(event.metadata).toString('base64'),
      })),
      ...(hide === undefined ? {} : { hide }),
    };
    writeSync(this.file, `${JSON.stringify(line)}\n`);
  }

  /** Reads whole lines; gives the bytes they take, so that a torn last line is cut off. */
  private load(text: string): number {
    const kept = text.slice(0, text.lastIndexOf('\n') + 1);
    for (const row of kept.split('\n')) {
      if (row === '') continue;
      const line = JSON.parse(row) as Line;
      const events = line.events.map((event): Stored => ({
        ...event,
        revision: BigInt(event.revision),
        created: BigInt(event.created),
        position: BigInt(event.position),
        data: Buffer.from(event.data, 'base64'),
        metadata: Buffer.from(event.metadata, 'base64'),
      }));
      if (events.length === 0) this.boundaries.add(this.end);
      for (const event of events) this.boundaries.add(event.position);
      this.apply(events, line.hide);
      this.end = BigInt(line.end);
    }
    // Only what stands in the log is known after a start.
    this.ids = new Map();
    return Buffer.byteLength(kept);
  }
}
