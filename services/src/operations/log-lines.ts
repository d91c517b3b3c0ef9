import { createReadStream } from 'node:fs';
import type { EventMetadata, RecordedEvent } from '@courtledger/contracts/kernel/event';
import { z } from 'zod';
import type { EventLog } from '../event-log/event-log.ts';
import type { EventSeal } from '../event-log/sealed-reader.ts';
import { refusalOf } from '../event-log/prepare-append.ts';
import { DataDamaged } from '../event-log/stored-event.ts';
import { amountText } from './figures.ts';
import { ChainBroken, LineChain } from './line-chain.ts';
import { expectWholeFile, FactsDigest, logEnd, type LogEnd } from './log-lines-end.ts';
import { writeNewFile } from './new-file.ts';
import { OperatorError } from './operator-error.ts';

/**
 * The log as JSON lines, one event a line in the order of the log, and an end line (`LogEnd`): what every store can give and take. Personal details stay
 * sealed; an erased event has no `data`. `seal`: from a log of our own, what its hash chain keeps of the event.
 */
const lineSchema = z.object({
  position: z.string(),
  stream: z.string(),
  revision: z.int().min(0),
  id: z.string(),
  type: z.string(),
  data: z.unknown().optional(),
  metadata: z.record(z.string(), z.unknown()),
  seal: z.object({ salt: z.union([z.string(), z.null()]), digest: z.string(), hash: z.string() }).optional(),
});
export type LogLine = z.output<typeof lineSchema>;

/** Events to read from: a log, or the pages of one. */
export type LogPages = Pick<EventLog, 'readAll'>;
/** What a log of our own can tell beside its events. */
export type Seals = {
  readSeals(after: bigint, until: bigint): ReadonlyMap<bigint, EventSeal>;
  /** The last position that was ever given, as far as anybody knows. */ lastGiven(): bigint;
};
/** `chainHead`: hash of the last event of the chain that was walked along the lines; null where the lines carry none. `facts`: `FactsDigest` of the lines. */
export type LinesReport = {
  readonly events: number;
  readonly streams: number;
  readonly head: bigint;
  readonly chainHead: string | null;
  readonly facts: string;
};
/** `leftOut`: events of other programs, which no store of ours would take. */
export type ExportReport = LinesReport & { readonly leftOut: number };

export const leftOutText = (events: number): string =>
  `${amountText(events)} ${events === 1 ? 'event of another program was' : 'events of other programs were'} left out`;

/** Whether an event is of another program that writes into the same EventStoreDB. What is erased has no data. */
export const isOfAnother = (event: RecordedEvent): boolean => event.data !== undefined && refusalOf(event.stream, event) !== undefined;

const lineOf = (event: RecordedEvent, seal: EventSeal | undefined): LogLine => {
  const { position, stream, revision, id, type, data, metadata } = event;
  return {
    position: position.toString(),
    stream,
    revision,
    id,
    type,
    ...(data !== undefined && { data }),
    metadata: { ...metadata },
    ...(seal !== undefined && { seal }),
  };
};

/** Events of one read. */
export const page = 1000;

/**
 * Writes the log, as far as it reaches now, to a file that must not exist. With seals its hash chain is walked along every line that is written; of a log
 * without them, events of other programs are left out. The file has its name only when it is whole (`writeNewFile`).
 * @param onProgress events so far
 * @throws ChainBroken naming the position where the log is not what was written; no file is left then
 */
export const exportLog = async (
  log: LogPages & Pick<EventLog, 'head'> & { readonly seals?: Seals },
  path: string,
  onProgress?: (events: number) => void,
): Promise<ExportReport> => {
  try {
    return await writeLines(log, path, onProgress);
  } catch (error) {
    throw error instanceof DataDamaged ? new ChainBroken(`Broken at position ${error.position.toString()}: the data cannot be read`, { cause: error }) : error;
  }
};

const writeLines = async (
  log: LogPages & Pick<EventLog, 'head'> & { readonly seals?: Seals },
  path: string,
  onProgress?: (events: number) => void,
): Promise<ExportReport> => {
  const found = await log.head();
  const head = found === 'start' ? 0n : found;
  const given = log.seals?.lastGiven() ?? head;
  if (given > head) throw new ChainBroken(`Broken at position ${(head + 1n).toString()}: the log ends before position ${given.toString()}: events are missing`);
  const streams = new Set<string>();
  const chain = new LineChain();
  const digest = new FactsDigest();
  let facts = '';
  let [events, leftOut] = [0, 0];
  /** Of the last event that was read, and of the last one that was written. */
  let [position, written] = [0n, 0n];
  const texts = async function* texts(): AsyncGenerator<string> {
    while (position < head) {
      const some = (await log.readAll(position === 0n ? 'start' : position, page)).filter((event) => event.position <= head);
      const last = some.at(-1);
      if (last === undefined) break;
      const seals = log.seals?.readSeals(position, last.position);
      const lines: string[] = [];
      for (const event of some) {
        // What stands in a chain is ours, and a gap would break it.
        if (log.seals === undefined && isOfAnother(event)) {
          leftOut += 1;
          continue;
        }
        const line = lineOf(event, seals?.get(event.position));
        chain.add({ ...line, version: event.version, time: event.time });
        digest.add(line);
        lines.push(`${JSON.stringify(line)}\n`);
        streams.add(event.stream);
        written = event.position;
      }
      yield lines.join('');
      events += lines.length;
      ({ position } = last);
      onProgress?.(events);
    }
    const end = digest.end(written);
    ({ facts } = end);
    yield `${JSON.stringify(end)}\n`;
  };
  await writeNewFile(path, texts());
  return { events, streams: streams.size, head: written, chainHead: chain.hash ?? null, facts, leftOut };
};

/** A line holds an event that no store of ours takes. */
export class LineOfAnother extends OperatorError {}

/** @throws LineOfAnother, which names the line and why no store takes it */
const expectOurs = ({ stream, position, ...event }: LogLine, place: string): void => {
  const reason = event.data === undefined ? undefined : refusalOf(stream, { ...event, data: event.data, metadata: event.metadata as unknown as EventMetadata });
  if (reason !== undefined)
    throw new LineOfAnother(
      `${place} is an event of another program, which no store of ours takes (position ${position}): ${reason}. An earlier release wrote it; this one leaves such events out: make the export or the backup again. Nothing was imported`,
    );
};

/** Characters of a line, many times those of an event: what is longer is of a foreign file, and is no event in pieces either. */
const longestLine = 67_108_864;

/**
 * The texts between line feeds. Not by `readline`, which takes the separators U+2028 and U+2029 for ends of lines as well: inside a text of JSON they stand as
 * they are.
 */
async function* linesOf(path: string): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of createReadStream(path, { encoding: 'utf8', highWaterMark: 1_048_576 })) {
    const lines = `${rest}${String(chunk)}`.split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
    if (rest.length <= longestLine) continue;
    yield rest;
    rest = '';
  }
  if (rest !== '') yield rest;
}

/**
 * The events of a file, line by line.
 * @param onEnd hears of its end line.
 * @param check hears of each event and its place.
 * @throws OperatorError naming the first line that is no event, or stands behind the end
 */
export async function* readLines(path: string, onEnd?: (end: LogEnd) => void, check?: (line: LogLine, place: string) => void): AsyncGenerator<LogLine> {
  let number = 0;
  let hasEnded = false;
  /** A line that is cut off ends a file whose copy stopped in its midst: such a file has no end line, and is refused or taken as one without. */
  let cut: number | undefined;
  const noEvent = (): OperatorError => new OperatorError(`Line ${String(cut ?? number)} of ${path} is no event`);
  for await (const line of linesOf(path)) {
    if (cut !== undefined) throw noEvent();
    number += 1;
    // Also one of a file that went through a system which ends lines otherwise.
    if (line.trim() === '') continue;
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      if (number === 1 || hasEnded || !line.startsWith('{')) throw noEvent();
      cut = number;
      continue;
    }
    const parsed = lineSchema.safeParse(value);
    const end = parsed.success ? undefined : logEnd.safeParse(value);
    if (end?.success === true && !hasEnded) {
      hasEnded = true;
      onEnd?.(end.data);
      continue;
    }
    if (!parsed.success || hasEnded) throw noEvent();
    check?.(parsed.data, `Line ${String(number)} of ${path}`);
    yield parsed.data;
  }
}

/** `events`: erased ones among them. `whole`: the file ends with the line that an export ends with. */
export type LinesFound = { readonly events: number; readonly chainHead: string | null; readonly facts: string; readonly whole: boolean };

/**
 * Reads a whole file as an import does before it appends anything: its end line, its digest, and the chain that its lines carry.
 * @param options.partial a file without an end line is taken as far as it goes
 * @throws ChainBroken when the file does not hold what was written, OperatorError when not all of it is there, or a line is of another program; the signal's
 * reason
 */
export const verifyLines = async (
  path: string,
  { partial = false, signal }: { readonly partial?: boolean; readonly signal?: AbortSignal | undefined } = {},
): Promise<LinesFound> => {
  const chain = new LineChain();
  const digest = new FactsDigest();
  let end: LogEnd | undefined;
  let last = 0n;
  for await (const line of readLines(path, (told) => (end = told), expectOurs)) {
    signal?.throwIfAborted();
    chain.add(line);
    digest.add(line);
    last = BigInt(line.position);
  }
  const found = digest.end(last);
  expectWholeFile(path, end, found, partial);
  return { events: found.events, chainHead: chain.hash ?? null, facts: found.facts, whole: end !== undefined };
};
