import type { ReadModelDifference } from '@courtledger/projections/kernel/compare';
import type { ErasedPerson } from '@courtledger/projections/kernel/projector';
import { isLegible, type RecordedEvent } from '@courtledger/contracts/kernel/event';
import { StoredEvent, type StoredFields } from '../event-log/stored-event.ts';
import type { ChainBreak } from '../event-log/verify-chain.ts';

/** What the thread that makes a read model is started with. */
export type ReadModelWork = {
  readonly dataDir: string;
  /**
   * `rebuild`: fold, catch up, compare, catch up again. `verify`: the same without the last step, and the file is removed. `catch-up`: only bring the file to
   * the live one's position.
   */
  readonly kind: 'rebuild' | 'verify' | 'catch-up';
  readonly live: string;
  readonly file: string;
  /** Shown as erased in the live one while the log does not tell of it: what is compared with it shows them so as well. */
  readonly hidden: readonly ErasedPerson[];
  /** Where the SQLite log is; undefined: pages are asked of the main thread, which has the log. */
  readonly logPath: string | undefined;
  /** One Int32: not 0 means stop. A message would not be heard while the thread folds. */
  readonly cancel: SharedArrayBuffer;
};

export type WorkPhase = 'folding' | 'catching-up' | 'comparing';
export type FromReadModelWorker =
  | { readonly kind: 'progress'; readonly phase: WorkPhase; readonly events: number; readonly position: bigint }
  | { readonly kind: 'page'; readonly after: bigint; readonly limit: number }
  | {
      readonly kind: 'done';
      readonly events: number;
      readonly position: bigint;
      readonly diff: (ReadModelDifference & { readonly position: bigint; readonly seconds: number }) | undefined;
      /** Of a verification, which changes nothing and goes on. */
      readonly damage: ChainBreak | undefined;
    }
  /** The log is not what was written: nothing was made of it. */
  | { readonly kind: 'damaged'; readonly damage: ChainBreak }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'failed'; readonly reason: string; readonly damage: ChainBreak | undefined };

/** Events go between two threads as they are stored, since getters do not travel. */
export type ToReadModelWorker = { readonly events: readonly StoredFields[] } | { readonly failure: string };

/** What parses to nothing: the event was damaged where it was read, and is damaged where it arrives. */
const damaged = '{';

const dataText = (event: RecordedEvent): string | null => {
  try {
    return isLegible(event) ? JSON.stringify(event.data) : null;
  } catch {
    return damaged;
  }
};

/** The way to the other thread, and back. */
export const fieldsOf = (event: RecordedEvent): StoredFields => {
  const { position, stream, revision, id, type, version, time, metadataText } = event;
  return { position, stream, revision, id, type, version, time, data: dataText(event), metadata: metadataText };
};
export const eventOf = (fields: StoredFields): RecordedEvent => new StoredEvent(fields);
