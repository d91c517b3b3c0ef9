import { eventLogContract } from './event-log.contract.ts';
import { openMemoryEventLog } from './memory-event-log.ts';

eventLogContract('memory', {
  lasts: false,
  open: async () => {
    const log = openMemoryEventLog();
    return { log, close: () => log.close() };
  },
});
