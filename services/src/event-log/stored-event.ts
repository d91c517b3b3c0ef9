import type { EventMetadata, RecordedEvent } from '@courtledger/contracts/kernel/event';
import type { EventText } from './prepare-append.ts';

/** The data of an event is no JSON any more: damage on disk. */
export class DataDamaged extends Error {
  override readonly name = 'DataDamaged';
  readonly position: bigint;
  constructor(position: bigint, cause: unknown) {
    super(`The data of the event at position ${position} is damaged`, { cause });
    this.position = position;
  }
}

/** An event as it is stored. */
export type StoredFields = Pick<RecordedEvent, 'position' | 'stream' | 'revision' | 'id' | 'type' | 'version' | 'time'> & {
  /** JSON; null: erased. */
  readonly data: string | null;
  /** JSON. */
  readonly metadata: string;
};

/**
 * An event read back. `data` is parsed at once, `metadata` on first use (a rebuild never touches it).
 * Data that does not parse (damage on disk) throws where it is used, not where it is read: one damaged event must not hide the page it stands on.
 */
export class StoredEvent implements RecordedEvent {
  readonly position: bigint;
  readonly stream: string;
  readonly revision: number;
  readonly id: string;
  readonly type: string;
  readonly version: number;
  readonly time: string;
  readonly data: unknown;
  readonly metadataText: string;

  constructor({ position, stream, revision, id, type, version, time, data, metadata }: StoredFields) {
    this.position = position;
    this.stream = stream;
    this.revision = revision;
    this.id = id;
    this.type = type;
    this.version = version;
    this.time = time;
    this.metadataText = metadata;
    this.data = undefined;
    if (data === null) return;
    try {
      this.data = JSON.parse(data);
    } catch (cause) {
      const damage = new DataDamaged(position, cause);
      Object.defineProperty(this, 'data', {
        enumerable: true,
        get: () => {
          throw damage;
        },
      });
    }
  }

  get metadata(): EventMetadata {
    return JSON.parse(this.metadataText) as EventMetadata;
  }
}

/** An event that has just been stored, as a reader of the log would get it. */
export const recordedEvent = (position: bigint, stream: string, revision: number, event: EventText): StoredEvent =>
  new StoredEvent({ position, stream, revision, ...event });
