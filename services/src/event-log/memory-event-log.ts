import { LogUnavailable, WrongRevision, UnacceptableEvents, type After, type AppendResult, type EventLog, type ExpectedRevision } from './event-log.ts';
import { checkDeletable, checkStreamName, prepareEvents, type EventText } from './prepare-append.ts';
import { AppendSignal, pullSubscription } from './pull-subscription.ts';
import { recordedEvent, StoredEvent } from './stored-event.ts';

type MemoryStream = { readonly events: StoredEvent[]; firstLive: number };

const erased = ({ position, stream, revision, id, type, version, time, metadataText }: StoredEvent): StoredEvent =>
  new StoredEvent({ position, stream, revision, id, type, version, time, data: null, metadata: metadataText });

/** The log for tests: nothing survives the process. It keeps JSON, like the others, so that nobody shares an object with the log. */
export const openMemoryEventLog = (): EventLog => {
  const all: StoredEvent[] = [];
  const byId = new Map<string, StoredEvent>();
  const streams = new Map<string, MemoryStream>();
  const signal = new AppendSignal();
  let closed = false;

  const repeatedResult = (stream: string, expected: ExpectedRevision, events: readonly EventText[]): AppendResult | undefined => {
    const first = byId.get(events[0]?.id ?? '');
    if (first?.stream !== stream) return undefined;
    const before = streams.get(stream)?.events[first.revision - 1];
    const fits = expected === 'any' || (expected === 'no-stream' ? before === undefined || before.data === undefined : expected === first.revision - 1);
    const originals = events.map((event) => byId.get(event.id));
    const last = originals.at(-1);
    if (!fits || last === undefined || originals.some((original, index) => original?.stream !== stream || original.revision !== first.revision + index))
      return undefined;
    return { revision: last.revision, position: last.position, repeated: true };
  };

  const append = (stream: string, expected: ExpectedRevision, events: readonly EventText[]): AppendResult => {
    if (closed) throw new LogUnavailable('The log is closed');
    const entry = streams.get(stream) ?? { events: [], firstLive: 0 };
    const actual = entry.events.length > entry.firstLive ? entry.events.length - 1 : 'no-stream';
    const known = events.find((event) => byId.has(event.id));
    if (known !== undefined) {
      const repeated = repeatedResult(stream, expected, events);
      if (repeated !== undefined) return repeated;
    }
    if ((expected !== 'any' && expected !== actual) || (known !== undefined && expected === 'any')) throw new WrongRevision(stream, expected, actual);
    if (known !== undefined) throw new UnacceptableEvents(`The event id ${known.id} is already stored`);
    for (const event of events) {
      const stored = recordedEvent(BigInt(all.length + 1), stream, entry.events.length, event);
      all.push(stored);
      entry.events.push(stored);
      byId.set(event.id, stored);
    }
    streams.set(stream, entry);
    signal.notify();
    return { revision: entry.events.length - 1, position: BigInt(all.length) };
  };

  const readAll = async (after: After, limit: number): Promise<readonly StoredEvent[]> => {
    const from = after === 'start' ? 0 : Number(after);
    return all.slice(from, from + limit);
  };

  return {
    async append(stream, expected, events) {
      return append(stream, expected, prepareEvents(stream, events));
    },
    async readStream(stream, from = 0, limit = Infinity) {
      checkStreamName(stream);
      const entry = streams.get(stream);
      if (entry === undefined || entry.events.length === entry.firstLive) return undefined;
      const start = Math.max(from, entry.firstLive);
      return entry.events.slice(start, start + limit);
    },
    readAll,
    subscribe: (after) => pullSubscription(after, readAll, signal),
    async deleteStream(stream) {
      checkDeletable(stream);
      const entry = streams.get(stream);
      if (entry === undefined) return;
      for (let revision = entry.firstLive; revision < entry.events.length; revision += 1) {
        const event = entry.events[revision];
        if (event === undefined) continue;
        const blank = erased(event);
        entry.events[revision] = blank;
        all[Number(event.position) - 1] = blank;
        byId.set(blank.id, blank);
      }
      entry.firstLive = entry.events.length;
    },
    async head() {
      return all.at(-1)?.position ?? 'start';
    },
    async close() {
      closed = true;
    },
  };
};
