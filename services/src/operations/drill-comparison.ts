/* oxlint-disable no-await-in-loop -- pages come one after another */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import { compareReadModels, openSnapshot, type Snapshot } from '@courtledger/projections/kernel/compare';
import { createProjector, type ErasedPerson } from '@courtledger/projections/kernel/projector';
import { inspectReadModel, openReader } from '@courtledger/projections/kernel/read-model';
import { personKindOf } from '@courtledger/projections/operations/retention.queries';
import { openLogConnection } from '../event-log/sqlite-connection.ts';
import { logReader } from '../event-log/sqlite-log-reader.ts';
import { openPersonVault } from '../platform/person-vault.ts';
import type { PersonVault } from '../platform/ports.ts';
import { current } from '../platform/store-projector.ts';
import { liveReadModel } from '../platform/store-read-model-files.ts';
import type { BackupManifest } from './backup-manifest.ts';
import { isBackupOf } from './installation.ts';
import { hashAt } from './log-hash.ts';
import { OperatorError } from './operator-error.ts';
import { diffLines } from './read-model-lines.ts';

/** What the read model of a restored backup was held against: the live one at this position, so many rows. `forgotten`: persons whose keys the backup has and this installation has not any more, given up or destroyed since. */
export type LiveComparison = { readonly position: string; readonly rows: number; readonly forgotten: number };

/** Why a backup cannot be held against what is live on this machine; undefined when it can. */
const whyNot = (dataDir: string, manifest: BackupManifest): string | undefined => {
  const logPath = join(dataDir, 'event-log.sqlite');
  if (manifest.log.kind !== 'sqlite') return 'the log is elsewhere, and its events have other positions there';
  if (!existsSync(logPath) || !isBackupOf(manifest, dataDir)) return 'the installation that it was made of is not on this machine';
  const head = BigInt(manifest.log.head);
  if (head > 0n && hashAt(logPath, head) !== manifest.log.chainHead) return 'the log here has gone another way since, by a restore';
  const live = inspectReadModel(join(dataDir, liveReadModel(dataDir)), 'quick');
  return live === 'good' ? undefined : `the live read model is ${live}`;
};

/** The live read model, held fast where it has come to the head of the backup at least: it may be a moment behind its log. */
const liveSnapshot = async (dataDir: string, head: bigint, signal: AbortSignal | undefined): Promise<Snapshot> => {
  for (let patience = 300; patience > 0; patience -= 1) {
    const live = openSnapshot(join(dataDir, liveReadModel(dataDir)));
    if (live.position >= head) return live;
    live.close();
    await delay(100, undefined, { ...(signal !== undefined && { signal }) });
  }
  throw new OperatorError(`The live read model does not come to position ${head.toString()}, where the backup ends`);
};

/** `persons`: whose details the restored keys opened. */
export type DrilledModel = { readonly path: string; readonly vault: PersonVault; readonly manifest: BackupManifest; readonly persons: ReadonlySet<string> };

/** Those of them whom this installation can only show as erased, with what they are: their keys were destroyed since the backup, or given up. */
const forgottenSince = (path: string, persons: ReadonlySet<string>, liveVault: PersonVault): readonly ErasedPerson[] => {
  const gone = [...persons].filter((personId) => liveVault.state(personId) === 'destroyed');
  if (gone.length === 0) return [];
  const reader = openReader(path);
  try {
    return gone.flatMap((personId) => {
      const kind = personKindOf(reader, personId);
      return kind === undefined ? [] : [{ personId, kind }];
    });
  } finally {
    reader.close();
  }
};

/**
 * Holds the read model that was rebuilt from a restored backup against the live one, row by row: what the live log has recorded since is applied to it first, so that both stand at one position,
 * and persons whose keys were given up or destroyed here since are taken out of it.
 * Gives why it cannot be done, as text, where there is nothing to compare with. The rebuilt file is changed by it.
 * @throws OperatorError saying what differs
 */
export const compareWithLive = async ({ path, vault, manifest, persons }: DrilledModel, dataDir: string, signal?: AbortSignal): Promise<LiveComparison | string> => {
  const reason = whyNot(dataDir, manifest);
  if (reason !== undefined) return reason;
  const live = await liveSnapshot(dataDir, BigInt(manifest.log.head), signal);
  const connection = openLogConnection(join(dataDir, 'event-log.sqlite'), { readonly: true });
  const liveVault = openPersonVault(dataDir, { readonly: true });
  const forgotten = forgottenSince(path, persons, liveVault);
  // Whoever came after the backup has a key only here, and whoever was forgotten since is not to be shown by the backup's.
  const projector = createProjector({ path, openPerson: (personId, sealed) => (vault.state(personId) === 'absent' || liveVault.state(personId) === 'destroyed' ? liveVault : vault).open(personId, sealed) });
  try {
    // What follows from their keys alone is no difference: details that nobody can open are the rows of an erasure.
    projector.erase(forgotten);
    const reader = logReader(connection);
    while (projector.position < live.position) {
      signal?.throwIfAborted();
      await nextTurn();
      const events = reader.readAll(projector.position === 0n ? 'start' : projector.position, 1000).filter(({ position }) => position <= live.position).map(current);
      if (events.length === 0) throw new OperatorError(`The live log ends before position ${live.position.toString()}, which its read model has reached`);
      projector.apply(events);
    }
    const next = openSnapshot(path);
    try {
      const { equal, tables } = compareReadModels(live, next, { onTable: () => signal?.throwIfAborted() });
      if (!equal) throw new OperatorError(['The read model of the restored backup is NOT the live one.', ...diffLines({ position: live.position.toString(), equal, seconds: 0, tables: tables.map((table) => ({ ...table, samples: [...table.samples] })) }, false)].join('\n'));
      return { position: live.position.toString(), rows: tables.reduce((sum, { rows }) => sum + rows.live, 0), forgotten: forgotten.length };
    } finally {
      next.close();
    }
  } finally {
    projector.close();
    liveVault.close();
    connection.close();
    live.close();
  }
};
