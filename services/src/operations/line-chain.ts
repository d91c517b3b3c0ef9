import { chainHash, chainRoot, digestOf } from '../event-log/hash-chain.ts';
import { personStreamPrefix } from '../event-log/prepare-append.ts';
import type { EventSeal } from '../event-log/sealed-reader.ts';

/** An event is not what was written; the message names its position and what is wrong. */
export class ChainBroken extends Error {
  override readonly name = 'ChainBroken';
}

/** An event as a line tells of it: values, not texts. What was parsed and written again gives the same text, so the hashes can be worked out from it. */
export type ChainedEvent = {
  readonly position: string;
  readonly stream: string;
  readonly revision: number;
  readonly id: string;
  readonly type: string;
  readonly data?: unknown;
  readonly metadata: unknown;
  /** Where the log keeps them a second time. */
  readonly version?: number;
  readonly time?: string;
  readonly seal?: EventSeal | undefined;
};

/** Walks the hash chain along lines, from the first event of the log on. */
export class LineChain {
  #before = chainRoot;
  #position = 0n;
  #sealed: boolean | undefined;

  /** Hash of the last event; undefined when the lines carry no chain (their log keeps none), or there are no lines. */
  get hash(): string | undefined {
    return this.#sealed === true ? this.#before : undefined;
  }

  /** @throws ChainBroken */
  add({ position, stream, revision, id, type, data, metadata, seal, ...kept }: ChainedEvent): void {
    const broken = (reason: string): never => {
      throw new ChainBroken(`Broken at position ${position}: ${reason}`);
    };
    this.#sealed ??= seal !== undefined;
    if (this.#sealed !== (seal !== undefined)) broken('some events carry their hash and others do not');
    if (seal === undefined) return;
    const expected = this.#position + 1n;
    if (position !== expected.toString()) broken(`expected position ${expected.toString()}: events are missing`);
    const isErased = data === undefined;
    if (isErased ? seal.salt !== null || !stream.startsWith(personStreamPrefix) : digestOf(seal.salt, JSON.stringify(data)) !== seal.digest)
      broken('the data does not match its digest');
    const { schemaVersion, time } = metadata as { readonly schemaVersion: number; readonly time: string };
    if (
      chainHash(
        this.#before,
        Number(expected),
        stream,
        revision,
        { id, type, version: kept.version ?? schemaVersion, time: kept.time ?? time, metadata: JSON.stringify(metadata) },
        seal.digest,
      ) !== seal.hash
    )
      broken('the event does not match its hash');
    this.#before = seal.hash;
    this.#position = expected;
  }
}
