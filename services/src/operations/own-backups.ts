import { existsSync, readdirSync, rmSync, statSync, type Dirent } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '@courtledger/contracts/kernel/errors';
import type { Clock } from '../platform/ports.ts';
import { manifestName, readManifest } from './backup-manifest.ts';
import { momentOfStamp } from './folder-stamp.ts';
import type { OwnBackup } from './unsaved-changes.ts';

const partialName = /^(?:auto-)?(.{24})\.partial$/;
/** Gateways may share the folder: one that was begun of late may be under way elsewhere. */
const youngMilliseconds = 3_600_000;
/** Whether a folder is what a server began and cannot be under way any more. */
const isCutOff = (name: string, now: number): boolean => Math.abs(now - momentOfStamp(partialName.exec(name)?.[1] ?? '')) >= youngMilliseconds;

/** What stands in the server's own folder of backups. Whoever made or removed one there, the next look counts it. */
export class OwnBackups {
  readonly #folder: string;
  readonly #clock: Clock;
  /** By name, as far as they were looked at. */
  #known: ReadonlyMap<string, OwnBackup> = new Map();
  #unreadable: string | undefined;

  constructor(folder: string, clock: Clock) {
    this.#folder = folder;
    this.#clock = clock;
  }

  /** Why the folder could not be read at the last look. */
  get unreadable(): string | undefined {
    return this.#unreadable;
  }

  pathOf(name: string): string {
    return join(this.#folder, name);
  }

  /**
   * The whole ones, oldest first. One that a clock dated which was ahead counts as the oldest: it is no newer than those that came after it. Each manifest is
   * read once.
   */
  list(): readonly OwnBackup[] {
    const known = this.#known;
    const names = this.#entries()
      .map(({ name }) => name)
      .filter((name) => !name.endsWith('.partial'));
    this.#known = new Map(
      names.flatMap((name): [string, OwnBackup][] => {
        try {
          const written = statSync(join(this.pathOf(name), manifestName)).mtimeMs;
          const found = known.get(name);
          if (found?.written === written) return [[name, found]];
          const { createdAt, log } = readManifest(this.pathOf(name));
          return [[name, { name, written, madeAt: Date.parse(createdAt), head: log.head, chainHead: log.chainHead }]];
        } catch {
          // Not ours, or damaged: a person should look.
          return [];
        }
      }),
    );
    const now = this.#clock.now();
    const isAhead = ({ madeAt }: OwnBackup): number => (madeAt > now ? 1 : 0);
    return [...this.#known.values()].toSorted((a, b) => isAhead(b) - isAhead(a) || a.madeAt - b.madeAt);
  }

  /** Names of what a process that was killed in the midst of one left: copies that nobody can restore. */
  cutOff(): readonly string[] {
    const now = this.#clock.now();
    return this.#entries()
      .filter((entry) => entry.isDirectory() && isCutOff(entry.name, now))
      .map(({ name }) => name);
  }

  remove(name: string): void {
    rmSync(this.pathOf(name), { recursive: true, force: true });
  }

  /** A folder that cannot be read holds nothing that could be counted on; backups into it fail, which is told. */
  #entries(): readonly Dirent[] {
    this.#unreadable = undefined;
    if (!existsSync(this.#folder)) return [];
    try {
      return readdirSync(this.#folder, { withFileTypes: true });
    } catch (error) {
      this.#unreadable = `${this.#folder} cannot be read: ${messageOf(error)}`;
      return [];
    }
  }
}
