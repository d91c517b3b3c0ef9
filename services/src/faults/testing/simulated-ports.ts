import type { PersonDetails } from '@courtledger/contracts/player/person.events';
import { LogUnavailable, UnknownOutcome, type EventLog } from '../../event-log/event-log.ts';
import { openMemoryEventLog } from '../../event-log/memory-event-log.ts';
import type { DocumentStore } from '../../platform/documents.ts';
import type { Erasure, ErasureLedger } from '../../platform/erasure-ledger.ts';
import type { MediaStore } from '../../platform/media.ts';
import { orphanMilliseconds, type SweptAges } from '../../platform/media.ts';
import { erased, type Clock, type PersonVault } from '../../platform/ports.ts';

/** 0 <= n < below, from the seed of the run. */
export type Dice = (below: number) => number;

export const hour = 3_600_000;

const sweepOrphans = async (files: Map<string, number>, referenced: ReadonlySet<string>, { since, now }: SweptAges): Promise<readonly string[]> => {
  const orphans = [...files].filter(([name, at]) => !referenced.has(name) && now - at >= orphanMilliseconds && at >= since).map(([name]) => name);
  for (const name of orphans) files.delete(name);
  return orphans;
};

/**
 * Whatever waits for the world outside (the log, a file, the projection) waits here, and the dice say who goes on next: every order of things that the product
 * could meet. What a crash drops never goes on.
 */
export class Scheduler {
  #waiting: (() => void)[] = [];
  readonly #dice: Dice;
  constructor(dice: Dice) {
    this.#dice = dice;
  }
  get isIdle(): boolean {
    return this.#waiting.length === 0;
  }
  /** Waits for its turn. */
  async turn(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }
  /** Lets one of those that wait go on, until all there is waits again. */
  async step(): Promise<void> {
    const [next] = this.#waiting.splice(this.#dice(this.#waiting.length), 1);
    next?.();
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
  drop(): void {
    this.#waiting = [];
  }
}

/** How often what goes wrong, of a thousand. */
export type Faults = {
  readonly refused: number;
  readonly lostBefore: number;
  readonly lostAfter: number;
  readonly file: number;
  readonly late: number;
  readonly projection: number;
};
export const noFaults: Faults = { refused: 0, lostBefore: 0, lostAfter: 0, file: 0, late: 0, projection: 0 };
export const someFaults: Faults = { refused: 15, lostBefore: 15, lostAfter: 20, file: 15, late: 40, projection: 25 };

/** What outlives a crash: the log, keys, files, the list of erasures; with the clock and the ids, so that the same seed makes the same run. */
export class SimulatedDisk {
  readonly log = openMemoryEventLog();
  readonly dice: Dice;
  faults: Faults = noFaults;
  now = Date.parse('2026-11-01T06:00:00.000Z');
  readonly clock: Clock = { now: () => this.now, monotonic: () => this.now };
  /** Addresses of images and ids of documents, with the time at which they were stored. */
  readonly media = new Map<string, number>();
  readonly documents = new Map<string, number>();
  readonly #keys = new Map<string, boolean>();
  readonly #erasures = new Map<string, Erasure & { finished: boolean }>();
  #made = 0;

  constructor(dice: Dice) {
    this.dice = dice;
  }

  /** Rising UUIDs. */
  readonly newId = (): string => {
    this.#made += 1;
    return `00000000-0000-7000-8000-${this.#made.toString(16).padStart(12, '0')}`;
  };

  hits(perThousand: number): boolean {
    return perThousand > 0 && this.dice(1000) < perThousand;
  }

  /** Sealing is salted: the same details never look the same. */
  readonly vault: PersonVault = {
    seal: (personId, details) => this.#sealed(personId, Buffer.from(JSON.stringify(details))).toString('base64'),
    open: (personId, sealed) => {
      const plain = this.#opened(personId, Buffer.from(sealed, 'base64'));
      return plain === null ? null : (JSON.parse(plain.toString()) as PersonDetails);
    },
    sealBytes: (personId, plain) => this.#sealed(personId, plain),
    openBytes: (personId, sealed) => this.#opened(personId, sealed),
    refusal: () => undefined,
    mustKnow: () => undefined,
    settle: () => undefined,
    keysDurable: async () => undefined,
    destroy: (personId) => this.#keys.set(personId, false),
    state: (personId) => ({ true: 'active', false: 'destroyed', undefined: 'absent' } as const)[`${this.#keys.get(personId) ?? 'undefined'}`],
    close() {
      // Keys are kept until the end of the run.
    },
  };

  #sealed(personId: string, plain: Buffer): Buffer {
    if (this.#keys.get(personId) === false) throw erased();
    this.#keys.set(personId, true);
    return Buffer.from(JSON.stringify([personId, this.newId(), plain.toString('latin1')]));
  }

  #opened(personId: string, sealed: Buffer): Buffer | null {
    const key = this.#keys.get(personId);
    if (key === undefined) throw new Error(`The key of person ${personId} is missing`);
    const [owner, , plain] = JSON.parse(sealed.toString()) as [string, string, string];
    if (owner !== personId) throw new Error(`This was sealed for person ${owner}, not ${personId}`);
    return key ? Buffer.from(plain, 'latin1') : null;
  }

  readonly erasures: ErasureLedger = {
    begin: (...erasures) => {
      for (const entry of erasures) if (!this.#erasures.has(entry.personId)) this.#erasures.set(entry.personId, { ...entry, finished: false });
    },
    ask: (personId, place) => {
      const entry = this.#erasures.get(personId);
      if (entry !== undefined) this.#erasures.set(personId, { ...entry, place });
    },
    finish: (...personIds) => {
      for (const personId of personIds) {
        const entry = this.#erasures.get(personId);
        if (entry !== undefined) entry.finished = true;
      }
    },
    all: () => structuredClone([...this.#erasures.values()]),
  };

  /** The stores of files as one life of the product sees them. */
  stores(scheduler: Scheduler): {
    readonly media: Pick<MediaStore, 'remove' | 'sweepOrphans'> & { keep(): Promise<string> };
    readonly documents: Omit<DocumentStore, 'put'> & { keep(): Promise<string> };
  } {
    const keep = async (files: Map<string, number>, name: (id: string) => string): Promise<string> => {
      await scheduler.turn();
      if (this.hits(this.faults.file)) throw new Error('simulated: no space left on device');
      const made = name(this.newId());
      files.set(made, this.now);
      await scheduler.turn();
      return made;
    };
    const remove = async (files: Map<string, number>, name: string): Promise<void> => {
      await scheduler.turn();
      files.delete(name);
      await scheduler.turn();
    };
    return {
      media: {
        keep: async () => keep(this.media, (id) => `/media/${id.replaceAll('-', '').slice(8)}.png`),
        remove: async (url) => remove(this.media, url),
        sweepOrphans: async (referenced, ages) => sweepOrphans(this.media, referenced, ages),
      },
      documents: {
        keep: async () => keep(this.documents, (id) => id),
        remove: async (documentId) => remove(this.documents, documentId),
        sweepOrphans: async (referenced, ages) => sweepOrphans(this.documents, referenced, ages),
        open: async () => undefined,
      },
    };
  }

  /**
   * The log as one life of the product sees it. An append may be refused, be lost on its way there, or be stored with its answer lost on the way back.
   * @param onStored something was stored
   */
  logOf(scheduler: Scheduler, onStored: () => void): EventLog {
    const { log } = this;
    return {
      ...log,
      append: async (stream, expected, events) => {
        await scheduler.turn();
        if (this.hits(this.faults.refused)) throw new LogUnavailable('simulated: the disk takes nothing');
        if (this.hits(this.faults.lostBefore)) throw new UnknownOutcome('simulated: lost on the way');
        const result = await log.append(stream, expected, events);
        onStored();
        await scheduler.turn();
        if (this.hits(this.faults.lostAfter)) throw new UnknownOutcome('simulated: the answer was lost');
        return result;
      },
      readStream: async (stream, from, limit) => {
        await scheduler.turn();
        return log.readStream(stream, from, limit);
      },
      readAll: async (after, limit) => {
        await scheduler.turn();
        return log.readAll(after, limit);
      },
      deleteStream: async (stream) => {
        await scheduler.turn();
        await log.deleteStream(stream);
        await scheduler.turn();
      },
    };
  }
}
