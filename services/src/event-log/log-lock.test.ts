import { mkdirSync, writeFileSync } from 'node:fs';
import { afterAll, expect, it } from 'vitest';
import { LogUnavailable } from './event-log.ts';
import { takeDataLock, takeLogLock } from './log-lock.ts';
import { temporaryFolder } from './testing/log-files.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

it('names a lock that holds what a repaired disk has put there, which is in the way of everybody', () => {
  const [dataDir, path] = [folder.path('.'), folder.path('event-log.sqlite.lock')];
  takeDataLock(dataDir).release();
  writeFileSync(path, 'what was somewhere else on the disk');
  expect(() => takeDataLock(dataDir)).toThrow(
    new LogUnavailable(
      `${path} holds something, and should be empty: remove it when neither a server nor a tool runs on ${dataDir}, and try again. Nothing of CourtLedger is in it.`,
    ),
  );
});

it('names the file that cannot be opened as a lock', () => {
  const logPath = folder.path('other.sqlite');
  mkdirSync(`${logPath}.lock`);
  expect(() => takeLogLock(logPath)).toThrow(expect.objectContaining({ code: 'SQLITE_CANTOPEN', path: `${logPath}.lock` }));
});
