import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { LogUnavailable } from './event-log.ts';
import { SqliteLogFile } from './sqlite-log-file.ts';
import { appendOf, logFileOfEachTest, wholeReport } from './testing/log-file-of-each-test.ts';

const its = logFileOfEachTest();
const { filled, openFile } = its;

describe('what stands beside an open log file', () => {
  it.each([['-wal'], ['-shm']])(
    'keeps what was recorded where somebody removes %s under it, writes nothing more, and does so again after it was opened anew',
    (suffix) => {
      const log = filled(9);
      rmSync(its.path + suffix);
      const removed = `Somebody removed what belongs to the event log ${its.path} while it is open (-wal, -shm). What was recorded is in the file: restart the server`;
      expect(() => log.append([appendOf('match-1', 'any')])).toThrow(new LogUnavailable(`${removed}.`));
      expect(() => log.startWalk(1n)).toThrow(new LogUnavailable(removed));
      expect([log.damage, log.isRecoverable, log.reader.readAll('start', 100).length]).toEqual([undefined, false, 9]);
      // As after a kill: nothing of the process that had it open is left.
      const killed = `${its.path}.killed`;
      writeFileSync(killed, readFileSync(its.path));
      const again = new SqliteLogFile({ path: killed });
      its.opened.push(again);
      expect([again.refusal, wholeReport(again)]).toEqual([undefined, { events: 9, erased: 0 }]);
      log.close();
      const { file } = openFile();
      expect([file.append([appendOf('match-1', 'any')]), file.refusal]).toMatchObject([[{ kind: 'stored', position: 10 }], undefined]);
    },
  );
});
