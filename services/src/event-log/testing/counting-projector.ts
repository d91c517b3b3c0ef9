import type { RecordedEvent } from '@courtledger/contracts/kernel/event';
import Database from 'better-sqlite3';
import type { BatchProjector } from '../projector-port.ts';
import { sqliteError } from './failing-connection.ts';

/** A projector for the tests of the log worker: counts what it is given, and misbehaves on command. */
export type CountingOptions = { readonly failures?: number };
export type CountingState = { readonly positions: readonly bigint[]; readonly texts: readonly string[]; readonly calls: number };

/** From now on no commit of this thread succeeds, nor does opening a log again, until the thread ends. */
const failWrites = (): void => {
  // oxlint-disable-next-line typescript/unbound-method -- called with its connection below
  const { exec, pragma } = Database.prototype;
  Database.prototype.exec = function failing(sql) {
    if (sql === 'COMMIT') throw sqliteError('SQLITE_IOERR_FSYNC');
    return exec.call(this, sql);
  };
  Database.prototype.pragma = function failing(source, options) {
    if (source.startsWith('wal_checkpoint')) throw sqliteError('SQLITE_IOERR_FSYNC');
    return pragma.call(this, source, options);
  };
};

export const createProjector = (options: unknown): BatchProjector => {
  let failures = (options as CountingOptions | undefined)?.failures ?? 0;
  let crashing = false;
  let calls = 0;
  const seen: RecordedEvent[] = [];
  return {
    get position() {
      return seen.at(-1)?.position ?? 0n;
    },
    apply(events) {
      calls += 1;
      if (crashing) process.exit(3);
      if (failures > 0) {
        failures -= 1;
        throw new Error('the read model failed');
      }
      seen.push(...events);
      return { position: events.at(-1)?.position ?? 0n, parked: 0 };
    },
    command(name, argument) {
      if (name === 'die') process.exit(3);
      if (name === 'fail') failures = Number(argument);
      else if (name === 'fail-writes') failWrites();
      else if (name === 'crash') crashing = true;
      else if (name === 'state')
        return {
          positions: seen.map((event) => event.position),
          texts: seen.map((event) => `${event.stream}@${event.revision} ${JSON.stringify(event.data)}`),
          calls,
        } satisfies CountingState;
      else throw new Error(`Unknown command ${name}`);
      return undefined;
    },
  };
};
