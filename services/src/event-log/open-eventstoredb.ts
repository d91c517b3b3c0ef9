import type { EventStoreDbLog, EventStoreDbOptions } from './eventstoredb-event-log.ts';

/** Opens a log on EventStoreDB. Its client is loaded only now: that takes a tenth of a second, and few need it. */
export const openEventStoreDb = async (options: EventStoreDbOptions): Promise<EventStoreDbLog> => {
  const { openEventStoreDbLog } = await import('./eventstoredb-event-log.ts');
  return openEventStoreDbLog(options);
};
