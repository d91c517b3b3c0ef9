import type { RecordedEvent } from '@courtledger/contracts/kernel/event';

/** An event of which a reader of the whole log could make nothing, and went on. Says where it stands, and nothing of what it holds; `cause` says why. */
export class EventNotRead extends Error {
  override readonly name = 'EventNotRead';
  readonly position: bigint;
  constructor({ position, stream, type }: Pick<RecordedEvent, 'position' | 'stream' | 'type'>, cause: unknown) {
    super(`The event at position ${position.toString()} (${type} of ${stream}) cannot be read`, { cause });
    this.position = position;
  }
}

/** Several read the same log, and fail at the same events: each event is told once. */
export const onceForEachEvent = (failed: (error: unknown) => void): ((error: unknown) => void) => {
  const told = new Set<bigint>();
  return (error) => {
    if (error instanceof EventNotRead) {
      if (told.has(error.position)) return;
      told.add(error.position);
    }
    failed(error);
  };
};
