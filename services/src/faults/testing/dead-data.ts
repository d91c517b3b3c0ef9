import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import type { RecordedEvent } from '@courtledger/contracts/kernel/event';
import { dumpReadModel, type ReadModelDump } from '@courtledger/projections/kernel/dump';
import { rebuild } from '@courtledger/projections/kernel/rebuild';
import { openSqliteEventLog } from '../../event-log/sqlite-event-log.ts';
import { upcastEvent } from '../../event-log/upcast.ts';
import type { ChainReport } from '../../event-log/verify-chain.ts';
import { openPersonVault } from '../../platform/person-vault.ts';
import { liveReadModel } from '../../platform/store-read-model-files.ts';

/** What the data of a server hold that does not run: its events, whether their chain is whole, and its read model beside one made anew from the log. */
export type DeadData = {
  readonly events: readonly RecordedEvent[];
  readonly chain: ChainReport;
  readonly live: ReadModelDump;
  readonly rebuilt: ReadModelDump;
};

/** A folder that goes at the end of the block. */
export const scratchFolder = (): { readonly path: string; readonly [Symbol.dispose]: () => void } => {
  const path = mkdtempSync(join(tmpdir(), 'courtledger-faults-'));
  return {
    path,
    [Symbol.dispose]: () => {
      rmSync(path, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    },
  };
};

/** Makes a read model from the log of `dataDir`, up to its end or to `until`, and gives its content. Nothing may run on these data. */
const rebuiltFrom = async (dataDir: string, events: readonly RecordedEvent[], until: bigint): Promise<ReadModelDump> => {
  const path = join(dataDir, 'read-model-rebuilt.sqlite');
  const vault = openPersonVault(dataDir, { readonly: true });
  try {
    let from = 0;
    const readPage = (after: bigint, limit: number): readonly RecordedEvent[] => {
      while (from < events.length && (events[from]?.position ?? 0n) <= after) from += 1;
      return events.slice(from, from + limit).map((event) => upcastEvent(event));
    };
    await rebuild({ path, until, readPage, openPerson: (personId, sealed) => vault.open(personId, sealed) });
    return dumpReadModel(path);
  } finally {
    vault.close();
  }
};

/**
 * Looks at the data of a server that was killed, on a copy: what the next start finds is what the kill left, recovery and all.
 * The read model is compared at the position of its own checkpoint, which may be behind the log.
 */
export const inspectDead = async (dataDir: string): Promise<DeadData> => {
  using scratch = scratchFolder();
  const left = new Set(['media', 'documents', 'control.sock']);
  cpSync(dataDir, scratch.path, { recursive: true, filter: (source) => !left.has(relative(dataDir, source).split(sep)[0] ?? '') && !source.endsWith('-shm') });
  const log = openSqliteEventLog({ path: join(scratch.path, 'event-log.sqlite') });
  const events = await log.readAll('start', 10_000_000);
  const chain = await log.verifyChain();
  await log.close();
  const live = dumpReadModel(join(scratch.path, liveReadModel(scratch.path)));
  return { events, chain, live, rebuilt: await rebuiltFrom(scratch.path, events, BigInt(live.position)) };
};
