import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { conflict } from '@courtledger/contracts/kernel/errors';
import type { BackupRun } from '@courtledger/contracts/operations/operations.answers';
import type { Logger } from '../platform/logger.ts';
import type { Clock } from '../platform/ports.ts';
import { readManifest } from './backup-manifest.ts';
import { makeBackup, type BackupSource } from './backup.ts';
import type { StateFile } from './operations-state.ts';

export type BackupsDeps = Omit<BackupSource, 'now'> & { readonly state: StateFile; readonly clock: Clock; readonly logger: Logger };

/** Backups that the server itself keeps are removed after this: they may hold keys of persons who were erased since (S32). */
const keptMilliseconds = 30 * 24 * 3600 * 1000;

/** Backups of a running node, one at a time. */
export class Backups {
  readonly #deps: BackupsDeps;
  #latest: BackupRun | undefined;
  #running: Promise<void> | undefined;

  constructor(deps: BackupsDeps) {
    this.#deps = deps;
    this.#latest = deps.state.get().lastBackup;
  }

  /** The one that runs, or the last one, also of an earlier process. */
  get latest(): BackupRun | undefined {
    return this.#latest;
  }

  async ended(): Promise<BackupRun | undefined> {
    await this.#running;
    return this.#latest;
  }

  /** @param to the new folder; without it, one in `DATA_DIR/backups` named by the time. @throws DomainError `conflict` while one runs */
  start(to?: string): BackupRun {
    if (this.#running !== undefined) throw conflict('A backup is being made');
    const startedAt = new Date(this.#deps.clock.now()).toISOString();
    const folder = to ?? join(this.#own, startedAt.replaceAll(/[:.]/g, '-'));
    const begun: BackupRun = { state: 'running', startedAt, endedAt: null, folder, head: null, events: 0, files: 0, bytes: 0, error: null };
    this.#latest = begun;
    this.#running = this.#run(begun);
    return begun;
  }

  /** Removes backups in `DATA_DIR/backups` that are older than 30 days, and what a crash left half. Gives the names. Those that were made elsewhere are their keepers' to remove. */
  prune(): readonly string[] {
    if (!existsSync(this.#own) || this.#running !== undefined) return [];
    const now = this.#deps.clock.now();
    const isOver = (name: string): boolean => {
      if (name.endsWith('.partial')) return true;
      try {
        return now - Date.parse(readManifest(join(this.#own, name)).createdAt) > keptMilliseconds;
      } catch {
        // Not ours, or damaged: a person should look.
        return false;
      }
    };
    const over = readdirSync(this.#own).filter(isOver);
    for (const name of over) rmSync(join(this.#own, name), { recursive: true, force: true });
    return over;
  }

  async close(): Promise<void> {
    await this.#running;
  }

  get #own(): string {
    return join(this.#deps.dataDir, 'backups');
  }

  /** Never rejects. */
  async #run(begun: BackupRun): Promise<void> {
    const { clock, logger, state } = this.#deps;
    let ended: BackupRun;
    try {
      const { log, files } = await makeBackup({ ...this.#deps, now: clock.now() }, begun.folder);
      ended = { ...begun, state: 'done', head: log.head, events: log.events, files: files.length, bytes: files.reduce((sum, { bytes }) => sum + bytes, 0) };
      logger.info('a backup was made', { count: log.events, position: log.head });
    } catch (error) {
      logger.error('the backup failed', error);
      ended = { ...begun, state: 'failed', error: error instanceof Error ? error.message : String(error) };
    }
    ended = { ...ended, endedAt: new Date(clock.now()).toISOString() };
    this.#latest = ended;
    this.#running = undefined;
    try {
      if (ended.state === 'done') state.change({ lastBackup: ended });
    } catch (error) {
      logger.error('the backup was not noted', error);
    }
  }
}
