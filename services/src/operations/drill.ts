import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dumpReadModel } from '@courtledger/projections/kernel/dump';
import { inspectReadModel } from '@courtledger/projections/kernel/read-model';
import { rebuild } from '@courtledger/projections/kernel/rebuild';
import { openLogConnection } from '../event-log/sqlite-connection.ts';
import { logReader } from '../event-log/sqlite-log-reader.ts';
import { openPersonVault } from '../platform/person-vault.ts';
import { current } from '../platform/store-projector.ts';
import { filesBelow, readManifest } from './backup-manifest.ts';
import { restoreBackup } from './restore.ts';
import { OperatorError } from './operator-error.ts';

export type DrillReport = { readonly events: number; readonly head: string; readonly files: number; readonly readModel: string; readonly seconds: number };

/**
 * Shows that a backup can be restored: restores it into a folder of its own, folds its log into a read model, finds every file that the restored facts refer to,
 * and removes the folder again. @throws BackupDamaged or OperatorError saying what is wrong
 */
export const drillBackup = async (folder: string, { now, onStep = () => {} }: { readonly now: number; readonly onStep?: (step: string) => void }): Promise<DrillReport> => {
  const started = performance.now();
  const place = mkdtempSync(join(tmpdir(), 'courtledger-drill-'));
  try {
    const { manifest } = await restoreBackup({ folder, dataDir: place, now, onStep });
    onStep('Rebuilding the read model');
    const path = join(place, 'read-model-1.sqlite');
    const vault = openPersonVault(place);
    const connection = openLogConnection(join(place, 'event-log.sqlite'));
    const details: { readonly photo?: string | undefined; readonly documentId?: string | undefined }[] = [];
    try {
      const reader = logReader(connection);
      const { events, position } = await rebuild({
        path,
        readPage: (after, limit) => reader.readAll(after === 0n ? 'start' : after, limit).map(current),
        openPerson(personId, sealed) {
          const opened = vault.open(personId, sealed);
          if (opened !== null) details.push({ photo: opened.photo, documentId: opened.document?.documentId });
          return opened;
        },
      });
      if (events !== manifest.log.events && manifest.log.kind === 'sqlite') throw new OperatorError(`The restored log gave ${String(events)} events, the backup holds ${String(manifest.log.events)}`);
      if (manifest.log.kind === 'sqlite' && position.toString() !== manifest.log.head) throw new OperatorError(`The restored log ends at ${position.toString()}, the backup at ${manifest.log.head}`);
      onStep('Comparing');
      const state = inspectReadModel(path, 'full');
      if (state !== 'good') throw new OperatorError(`The read model of the restored log is ${state}`);
      const files = await filesBelow(place);
      expectFiles(new Set(files), details);
      if (readManifest(folder).createdAt !== manifest.createdAt) throw new OperatorError('The backup changed during the drill');
      return { events, head: position.toString(), files: manifest.files.length, readModel: dumpReadModel(path).sha256, seconds: Math.round(performance.now() - started) / 1000 };
    } finally {
      connection.close();
      vault.close();
    }
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
};

/** Every photo and document of the restored persons is there. */
const expectFiles = (files: ReadonlySet<string>, details: readonly { readonly photo?: string | undefined; readonly documentId?: string | undefined }[]): void => {
  for (const { photo, documentId } of details) {
    if (photo?.startsWith('/media/') === true && !files.has(photo.slice(1))) throw new OperatorError(`${photo} is missing from the backup`);
    if (documentId !== undefined && !files.has(`documents/${documentId}`)) throw new OperatorError(`A document is missing from the backup: ${documentId}`);
  }
};
