import { eventLogContract, type LogUnderTest } from './event-log.contract.ts';
import { sampleEvent } from './testing/sample-event.ts';
import { openMemoryEventLog } from './memory-event-log.ts';
import { openSqliteEventLog } from './sqlite-event-log.ts';
import { temporaryFolder } from './testing/log-files.ts';
import { openWorkerEventLog } from './worker-event-log.ts';

eventLogContract('memory', {
  lasts: false,
  open: async () => {
    const log = openMemoryEventLog();
    return { log, close: () => log.close() };
  },
});

// As a server may be that is used by others too: the suite counts nothing of theirs.
eventLogContract('memory, beside another writer', {
  lasts: false,
  isShared: true,
  open: async () => {
    const log = openMemoryEventLog();
    const writing = setInterval(() => void log.append('order-1', 'any', [sampleEvent()]), 1);
    return {
      log,
      close: async () => {
        clearInterval(writing);
        await log.close();
      },
    };
  },
});

eventLogContract('SQLite', {
  open: async () => {
    const folder = temporaryFolder();
    const open = (): LogUnderTest => {
      const log = openSqliteEventLog({ path: folder.path('event-log.sqlite') });
      return {
        log,
        reopen: async () => {
          await log.close();
          return open();
        },
        close: async () => {
          await log.close();
          folder.remove();
        },
      };
    };
    return open();
  },
});

eventLogContract('SQLite behind its worker', {
  open: async () => {
    const folder = temporaryFolder();
    const open = async (): Promise<LogUnderTest> => {
      const log = await openWorkerEventLog({ path: folder.path('event-log.sqlite') });
      return {
        log,
        reopen: async () => {
          await log.close();
          return open();
        },
        close: async () => {
          await log.close();
          folder.remove();
        },
      };
    };
    return open();
  },
});
