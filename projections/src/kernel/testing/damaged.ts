import type { RecordedEvent } from '@courtledger/contracts/kernel/event';

/** An event whose data does not parse: it throws where it is used, as the log's events do. */
export const withBadJson = (event: RecordedEvent): RecordedEvent => ({
  ...event,
  get data(): unknown {
    throw new SyntaxError(`The data of the event at position ${event.position.toString()} is damaged`);
  },
});
