import type { EventMetadata, NewEvent, RecordedEvent } from '@courtledger/contracts/kernel/event';
import { WrongRevision, type EventLog, type ExpectedRevision } from '../event-log/event-log.ts';
import { countedText } from './figures.ts';
import { isOfAnother, page, readLines, verifyLines, type LinesFound, type LinesReport, type LogPages } from './log-lines.ts';

/** What was brought over does not equal what it was brought from. */
export class ImportDiffers extends Error {
  override readonly name = 'ImportDiffers';
}

/** `erased`: left out. `repeated`: were in the log before. `whole`: the file ends with the line that an export ends with. */
export type ImportReport = Omit<LinesReport, 'head'> & { readonly erased: number; readonly repeated: number; readonly whole: boolean };

/**
 * Events, and about how many characters, of one append: an import in the middle of which the process ended is taken up where it stands, since the ids are the
 * same.
 */
const group = 100;
const groupCharacters = 250_000;

/**
 * Appends what a file holds to a log, stream by stream in the order of the log, and then compares every stream with the file. The log must be empty, or hold
 * nothing but what an earlier import of the same file brought: then the rest is appended. Erased events are not brought (their streams begin with what was
 * recorded after the erasure); positions are the new store's own. What other programs have written there is passed over. Every append goes on from what the log
 * held when the import began: of two at once, neither stores again what the other has brought, nor adds to a part of it. A chain that the lines carry is walked
 * first: a file that was changed since, or damaged, brings nothing. A file without one can only be compared with what came of it.
 * @param options.partial a file without an end line is taken as far as it goes
 * @param options.found what `verifyLines` has found in the file, where the caller has had it read already
 * @param options.onBegin called before the first event is appended: the file is whole, and whether it goes on from some of its events that the log holds
 * @throws ImportDiffers when the log holds something else, ChainBroken when the file does not hold what was written, OperatorError when not all of it is there
 */
export const importLog = async (
  path: string,
  log: EventLog,
  {
    found,
    onBegin,
    onProgress,
    partial = false,
  }: {
    readonly found?: LinesFound;
    readonly onBegin?: (goesOn: boolean) => void;
    readonly onProgress?: (events: number) => void;
    readonly partial?: boolean;
  } = {},
): Promise<ImportReport> => {
  const { chainHead, facts, whole } = found ?? (await verifyLines(path, { partial }));
  const known = new Map<string, number>();
  /** What is there already, by stream. */
  const present: ReadonlyMap<string, Present> = (await log.head()) === 'start' ? new Map<string, Present>() : await expectBeginning(path, log);
  let hasBegun = false;
  const streams = new Map<string, string[]>();
  let [events, erased, repeated] = [0, 0, 0];
  let waiting: { readonly stream: string; readonly events: NewEvent[]; characters: number } | undefined;

  const flush = async (): Promise<void> => {
    if (waiting === undefined) return;
    const { stream, events: batch } = waiting;
    waiting = undefined;
    if (!hasBegun) onBegin?.([...present.values()].some(({ events: some }) => some > 0));
    hasBegun = true;
    const expected: ExpectedRevision = known.get(stream) ?? present.get(stream)?.revision ?? 'no-stream';
    const result = await log.append(stream, expected, batch).catch((error: unknown) => {
      throw error instanceof WrongRevision ? new ImportDiffers(`${stream} has other events in the log: ${error.message}`, { cause: error }) : error;
    });
    known.set(stream, result.revision);
    events += batch.length;
    onProgress?.(events);
  };

  for await (const line of readLines(path)) {
    if (line.data === undefined) {
      erased += 1;
      continue;
    }
    const ids = streams.get(line.stream);
    if (ids === undefined) streams.set(line.stream, [line.id]);
    else ids.push(line.id);
    if ((ids?.length ?? 1) <= (present.get(line.stream)?.events ?? 0)) {
      repeated += 1;
      events += 1;
      if (repeated % group === 0) onProgress?.(events);
      continue;
    }
    const characters = JSON.stringify(line.data).length;
    if (waiting !== undefined && (waiting.stream !== line.stream || waiting.events.length >= group || waiting.characters + characters > groupCharacters))
      await flush();
    waiting ??= { stream: line.stream, events: [], characters: 0 };
    waiting.characters += characters;
    waiting.events.push({ id: line.id, type: line.type, data: line.data, metadata: line.metadata as unknown as EventMetadata });
  }
  await flush();
  await compareStreams(path, log, streams);
  return { events, streams: streams.size, chainHead, facts, erased, repeated, whole };
};

/** `events`: of the file. `revision`: of the last event of the stream, whoever wrote it. */
type Present = { readonly events: number; readonly revision: number };

/**
 * What stands in a log already must be what the file begins its streams with: nothing is added to another one. By ids alone, since every stream is compared at
 * the end. Gives what is there of each stream.
 */
const expectBeginning = async (path: string, log: LogPages): Promise<ReadonlyMap<string, Present>> => {
  const streams = new Map<string, string[]>();
  for await (const { stream, id, data } of readLines(path)) {
    if (data === undefined) continue;
    const ids = streams.get(stream);
    if (ids === undefined) streams.set(stream, [id.toLowerCase()]);
    else ids.push(id.toLowerCase());
  }
  const present = new Map<string, Present>();
  for await (const event of everyEvent(log)) {
    const { stream, id, data, revision } = event;
    // A stream that was erased to its end begins again.
    if (data === undefined) continue;
    const at = present.get(stream)?.events ?? 0;
    const ids = streams.get(stream);
    const isOfFile = ids?.[at] === id.toLowerCase();
    present.set(stream, { events: isOfFile ? at + 1 : at, revision });
    if (isOfFile || isOfAnother(event)) continue;
    throw new ImportDiffers(
      ids === undefined
        ? `${stream} is in the log and not in the file`
        : `${stream} has other events in the log: event ${String(at)} is not the one of the file`,
    );
  }
  return present;
};

async function* everyEvent(log: LogPages): AsyncGenerator<RecordedEvent> {
  for (let after: bigint | 'start' = 'start'; ;) {
    const found: readonly RecordedEvent[] = await log.readAll(after, page);
    const last = found.at(-1);
    if (last === undefined) return;
    yield* found;
    after = last.position;
  }
}

const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );

/** Every stream of the file, event by event, and nothing else in the log. */
const compareStreams = async (path: string, log: EventLog, streams: ReadonlyMap<string, readonly string[]>): Promise<void> => {
  const seen = new Map<string, number>();
  const pages = new Map<string, readonly RecordedEvent[]>();
  for await (const line of readLines(path)) {
    if (line.data === undefined) continue;
    const at = seen.get(line.stream) ?? 0;
    seen.set(line.stream, at + 1);
    let found = pages.get(line.stream);
    if (found === undefined) {
      found = (await log.readStream(line.stream)) ?? [];
      if (found.length !== streams.get(line.stream)?.length) found = found.filter((event) => !isOfAnother(event));
      if (found.length !== streams.get(line.stream)?.length)
        throw new ImportDiffers(`${line.stream} has ${countedText(found.length, 'event')}, not ${String(streams.get(line.stream)?.length)}`);
      pages.set(line.stream, found);
    }
    const event = found[at];
    if (
      event === undefined ||
      event.id.toLowerCase() !== line.id.toLowerCase() ||
      event.type !== line.type ||
      canonical(event.data) !== canonical(line.data) ||
      canonical(event.metadata) !== canonical(line.metadata)
    )
      throw new ImportDiffers(`${line.stream}: event ${String(at)} is not the one of the file`);
    if (at + 1 === found.length) pages.delete(line.stream);
  }
  for await (const event of everyEvent(log))
    if (event.data !== undefined && !streams.has(event.stream) && !isOfAnother(event))
      throw new ImportDiffers(`${event.stream} is in the log and not in the file`);
};
