import Database from 'better-sqlite3';
import { afterEach, beforeEach } from 'vitest';
import { sampleEvent } from './sample-event.ts';
import type { BatchedAppend } from '../log-inserts.ts';
import { prepareEvents } from '../prepare-append.ts';
import { SqliteLogFile } from '../sqlite-log-file.ts';
import type { ChainReport } from '../verify-chain.ts';
import { failingConnections, type FaultPlan } from './failing-connection.ts';
import { temporaryFolder } from './log-files.ts';

/** One append of a batch, of a sample event where none is named. */
export const appendOf = (stream: string, expected: BatchedAppend['expected'], ...events: readonly ReturnType<typeof sampleEvent>[]): BatchedAppend => ({
  stream,
  expected,
  events: prepareEvents(stream, events.length === 0 ? [sampleEvent()] : events),
});

/** Walks the whole chain of a log, and has the log conclude from it. */
export const wholeReport = (file: SqliteLogFile): ChainReport => {
  const walk = file.startWalk(1n);
  while (!walk.step(7));
  file.concludeWalk(walk.report);
  return walk.report;
};

/**
 * A log file of its own for each test of the file that calls this. What is opened by hand goes into `opened`, and is closed with the rest after the test.
 * @param makeFolder where the file lies
 */
export const logFileOfEachTest = (makeFolder: () => ReturnType<typeof temporaryFolder> = temporaryFolder) => {
  let folder: ReturnType<typeof temporaryFolder> | undefined;
  const opened: SqliteLogFile[] = [];
  beforeEach(() => {
    folder = makeFolder();
  });
  afterEach(() => {
    for (const file of opened.splice(0)) file.close();
    folder?.remove();
  });

  const path = (): string => {
    if (folder === undefined) throw new Error('There is a log file only within a test');
    return folder.path('event-log.sqlite');
  };
  /** Opens the file; `statements`: what SQLite was asked. */
  const openFile = (plan?: FaultPlan): { readonly file: SqliteLogFile; readonly statements: readonly string[] } => {
    const { connect, statements } = failingConnections(plan ?? {});
    const file = new SqliteLogFile({ path: path(), connect });
    opened.push(file);
    return { file, statements };
  };
  /** The file, opened, with so many events in it, every third one of a person. */
  const filled = (count: number): SqliteLogFile => {
    const { file } = openFile();
    file.append(
      Array.from({ length: count }, (_, index) =>
        appendOf(index % 3 === 2 ? `person-${index}` : `match-${index}`, 'no-stream', sampleEvent({ text: `payload ${index}` })),
      ),
    );
    return file;
  };
  /** What somebody else does to the file. */
  const tamper = (sql: string): void => {
    const connection = new Database(path());
    connection.exec(sql);
    connection.close();
  };
  return {
    opened,
    /** Where the file lies, whether it is there or not. */
    get path(): string {
      return path();
    },
    openFile,
    filled,
    tamper,
  };
};
