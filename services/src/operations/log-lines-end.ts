import { createHash } from 'node:crypto';
import { z } from 'zod';
import { countedText } from './figures.ts';
import { OperatorError } from './operator-error.ts';

/** The last line of an exported log: how many events stand before it, and what they say. Without it a file that was cut off looks like a shorter log. */
export const logEnd = z.strictObject({ end: z.literal('of the log'), events: z.int().min(0), head: z.string(), facts: z.string() });
export type LogEnd = z.output<typeof logEnd>;

/**
 * SHA-256 (hex) over the facts of a log in their order: stream, id, type, data and metadata of every event that is not erased. Positions, revisions, salts and
 * hashes are each store's own and left out, so that a log and what an import made of it have the same.
 */
export class FactsDigest {
  readonly #hash = createHash('sha256');
  #events = 0;

  add({
    stream,
    id,
    type,
    data,
    metadata,
  }: {
    readonly stream: string;
    readonly id: string;
    readonly type: string;
    readonly data?: unknown;
    readonly metadata: unknown;
  }): void {
    this.#events += 1;
    // JSON holds no line break of its own, nor do names.
    if (data !== undefined) this.#hash.update(`${stream}\n${id.toLowerCase()}\n${type}\n${JSON.stringify(data)}\n${JSON.stringify(metadata)}\n`);
  }

  /** The end line of what was added. Once. */
  end(head: bigint): LogEnd {
    return { end: 'of the log', events: this.#events, head: head.toString(), facts: this.#hash.digest('hex') };
  }
}

/**
 * @param end the last line of the file; undefined when there is none.
 * @param found what stands there.
 * @param partial a file without an end is taken as it is.
 * @throws OperatorError
 */
export const expectWholeFile = (path: string, end: LogEnd | undefined, found: LogEnd, partial: boolean): void => {
  if (end === undefined) {
    if (found.events === 0) throw new OperatorError(`${path} holds no event: nothing was imported`);
    if (partial) return;
    throw new OperatorError(
      `${path} is not whole: it ends after ${countedText(found.events, 'event')} without the line that says how many there should be. It was cut off, or an earlier release wrote it. Nothing was imported; --partial takes what is there`,
    );
  }
  if (end.events !== found.events)
    throw new OperatorError(`${path} is not whole: it holds ${countedText(found.events, 'event')} and should hold ${String(end.events)}. Nothing was imported`);
  if (end.facts !== found.facts)
    throw new OperatorError(`${path} is not what was exported: its events do not match the digest in its last line. Nothing was imported`);
};
