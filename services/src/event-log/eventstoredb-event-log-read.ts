import type { AllStreamResolvedEvent, AllStreamSubscription, ResolvedEvent, StreamingRead } from '@eventstore/db-client';
import type { EventMetadata, RecordedEvent } from '@courtledger/contracts/kernel/event';

import { NoAnswer } from './eventstoredb-event-log-errors.ts';

/** Settles with a promise, or with NoAnswer after `milliseconds`. What comes later is dropped. */
export const answered = async <T>(promise: Promise<T>, milliseconds: number): Promise<T> => {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    late.reject(new NoAnswer(`no answer within ${milliseconds} ms`));
  }, milliseconds);
  try {
    return await Promise.race([promise, late.promise]);
  } finally {
    clearTimeout(timer);
    // The loser of the race must not end as an unhandled rejection.
    promise.catch(() => undefined);
  }
};

type Cancellable = Pick<StreamingRead<unknown>, 'cancel'> | Pick<AllStreamSubscription, 'unsubscribe'>;

/** Frees the call, which `destroy()` or leaving a loop would not. Never throws and is not waited for: on a dead connection it may take its time. */
export const release = (stream: Cancellable): void => {
  const ended = 'unsubscribe' in stream ? stream.unsubscribe() : stream.cancel();
  void ended.catch(() => undefined);
};

/**
 * All that a read gives, taken off with a plain listener. Throws what the read ends with, or NoAnswer when nothing came for `silence` ms.
 * @param read gives the stream; its errors come by event only
 */
export const collect = async <E extends ResolvedEvent | AllStreamResolvedEvent>(read: StreamingRead<E>, silence: number): Promise<readonly E[]> => {
  const events: E[] = [];
  let watch: NodeJS.Timeout | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      watch = setTimeout(() => {
        reject(new NoAnswer(`no answer within ${silence} ms`));
      }, silence);
      read.on('data', (event: E) => {
        events.push(event);
        watch?.refresh();
      });
      // Stays after the first: a second error without a listener would end the process.
      read.on('error', reject);
      read.on('end', () => {
        resolve();
      });
    });
    return events;
  } catch (error) {
    release(read);
    throw error;
  } finally {
    clearTimeout(watch);
  }
};

/** The server writes its own events into the same log; their types begin with `$`. */
export const isSystemEvent = (type: string): boolean => type.startsWith('$');

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array);

class EventStoreDbEvent implements RecordedEvent {
  readonly position: bigint;
  readonly stream: string;
  readonly revision: number;
  readonly id: string;
  readonly type: string;
  readonly version: number;
  readonly time: string;
  readonly data: unknown;
  readonly metadata: EventMetadata;

  constructor(position: bigint, event: NonNullable<ResolvedEvent['event']>) {
    this.position = position;
    this.stream = event.streamId;
    this.revision = Number(event.revision);
    this.id = event.id;
    this.type = event.type;
    this.data = event.data;
    // Always ours in a log of our own; another program's event in a shared one, with a text, bytes or nothing, must not stop the readers.
    this.metadata = (isObject(event.metadata) ? event.metadata : {}) as EventMetadata;
    const { schemaVersion, time } = this.metadata as Readonly<Record<string, unknown>>;
    this.version = typeof schemaVersion === 'number' && Number.isSafeInteger(schemaVersion) ? schemaVersion : 0;
    this.time = typeof time === 'string' ? time : event.created.toISOString();
  }

  /** JSON of JSON: the same text that was stored. */
  get metadataText(): string {
    return JSON.stringify(this.metadata);
  }
}

/** The events of a page that are ours, in order. */
export const recordedEvents = (events: readonly (ResolvedEvent | AllStreamResolvedEvent)[]): readonly RecordedEvent[] =>
  events.flatMap(({ event }) => {
    if (event === undefined || isSystemEvent(event.type)) return [];
    if (event.position === undefined) throw new Error('This EventStoreDB gives events of a stream without their positions: 23.10 or later is needed');
    return [new EventStoreDbEvent(event.position.commit, event)];
  });
