import { LogUnavailable, UnacceptableEvents, UnknownOutcome, type ExpectedRevision } from './event-log.ts';
import type { EventText } from './prepare-append.ts';
import type { Projected } from './projector-port.ts';
import type { AppendOutcome, BatchedAppend } from './log-inserts.ts';
import type { ChainBreak, ChainProgress, KnownBreak } from './verify-chain.ts';

/** What a log worker is started with. `projectorModule` is the URL of a `ProjectorModule`. */
export type WorkerStart = {
  readonly path: string;
  readonly verifyAtOpen?: number;
  /** As of `LogFileOptions`. */
  readonly recordedBreak?: ChainBreak;
  readonly projectorModule?: string;
  readonly projectorOptions?: unknown;
};

/** What an operator may ask of the worker beside appends. */
export type LogOperation =
  | { readonly name: 'delete-stream'; readonly stream: string }
  | { readonly name: 'verify-chain'; readonly from: bigint }
  | { readonly name: 'refuse'; readonly damage: ChainBreak }
  | { readonly name: 'backup'; readonly destination: string }
  | { readonly name: 'checkpoint' }
  | { readonly name: 'project'; readonly command: string; readonly argument: unknown };

export type ToLogWorker =
  | { readonly kind: 'append'; readonly batch: string }
  | { readonly kind: 'operation'; readonly id: number; readonly operation: LogOperation }
  | { readonly kind: 'abort'; readonly id: number }
  | { readonly kind: 'close' };

/** The log's part of an answered batch: outcomes (`decodeOutcomes`), or why the whole batch failed. */
export type Appended =
  | { readonly outcomes: string }
  | { readonly failure: 'unknown' | 'unavailable'; readonly reason: string; /** The disk had no room for it. */ readonly full: boolean };

/** An error of an operation by its class, and by the code of the system or of SQLite, as far as callers tell them apart. */
export type OperationError = { readonly name: string; readonly message: string; readonly code?: string };

/** The error as it was thrown at the other end. */
export const operationError = ({ name, message, code }: OperationError): Error => {
  if (name === 'UnknownOutcome') return new UnknownOutcome(message);
  if (name === 'LogUnavailable') return new LogUnavailable(message);
  if (name === 'UnacceptableEvents') return new UnacceptableEvents(message);
  return Object.assign(new Error(message), code !== undefined && { code });
};

export type FromLogWorker =
  // The log's and the projection's part travel together and stay separate types, so that either could move to a thread of its own.
  | { readonly kind: 'batch'; readonly appended: Appended; readonly projected: Projected }
  | { readonly kind: 'projected'; readonly projected: Projected }
  | { readonly kind: 'opened' }
  | { readonly kind: 'ready'; readonly projected: Projected }
  | { readonly kind: 'refused'; readonly reason: string }
  | {
      readonly kind: 'health';
      readonly refusal?: string;
      /** It outlives this worker: only another process takes writes again. */
      readonly lasts?: true;
      readonly damage?: KnownBreak;
    }
  | { readonly kind: 'progress'; readonly id: number; readonly progress: ChainProgress }
  | { readonly kind: 'done'; readonly id: number; readonly answer: unknown }
  | { readonly kind: 'failed'; readonly id: number; readonly error: OperationError };

// JSON texts and checked names hold no control characters, so these two cut a batch apart without escapes. One string is what a batch costs least as.
const record = '\u001e';
const field = '\u001f';

/** One append as text. */
export const encodeAppend = (stream: string, expected: ExpectedRevision, events: readonly EventText[]): string => {
  let text = stream + field + String(expected);
  for (const event of events)
    text += field + event.id + field + event.type + field + String(event.version) + field + event.time + field + event.data + field + event.metadata;
  return text;
};

export const joinBatch = (appends: readonly string[]): string => appends.join(record);

export const decodeBatch = (batch: string): readonly BatchedAppend[] =>
  batch.split(record).map((append) => {
    const [stream = '', expected = '', ...fields] = append.split(field);
    const events: EventText[] = [];
    for (let at = 0; at + 5 < fields.length; at += 6) {
      const [id = '', type = '', version = '', time = '', data = '', metadata = ''] = fields.slice(at, at + 6);
      events.push({ id, type, version: Number(version), time, data, metadata });
    }
    return { stream, expected: expected === 'no-stream' || expected === 'any' ? expected : Number(expected), events };
  });

const encodeOutcome = (outcome: AppendOutcome): string => {
  if (outcome.kind === 'stored') return `${outcome.repeated ? 'r' : 's'}${outcome.revision}${field}${outcome.position}`;
  return outcome.kind === 'wrong-revision' ? `w${outcome.actual}` : `u${outcome.reason}`;
};

const decodeOutcome = (text: string): AppendOutcome => {
  const rest = text.slice(1);
  if (text.startsWith('u')) return { kind: 'unacceptable', reason: rest };
  if (text.startsWith('w')) return { kind: 'wrong-revision', actual: rest === 'no-stream' ? rest : Number(rest) };
  const [revision, position] = rest.split(field);
  return { kind: 'stored', revision: Number(revision), position: Number(position), repeated: text.startsWith('r') };
};

export const encodeOutcomes = (outcomes: readonly AppendOutcome[]): string => outcomes.map(encodeOutcome).join(record);
export const decodeOutcomes = (text: string): readonly AppendOutcome[] => text.split(record).map(decodeOutcome);
