import { closeSync, fstatSync, fsyncSync, ftruncateSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '@courtledger/contracts/kernel/errors';
import { actorRoles } from '@courtledger/contracts/kernel/event';
import type { PersonId } from '@courtledger/contracts/kernel/ids';
import { personKind } from '@courtledger/contracts/player/person.events';
import { z } from 'zod';
import { UnknownOutcome } from '../event-log/event-log.ts';
import { readIfThereSync } from './durable-file.ts';
import { makeFolderSync } from './folders.ts';

/**
 * Stands beside the log and not in it: a restored log or key file must not be able to forget an erasure (S33). Ids only, and who asked (an account, never a
 * phone or e-mail).
 */
export const erasureLedgerName = 'erasures.jsonl';

const erasure = z.object({
  personId: z.string(),
  kind: personKind,
  reason: z.string(),
  time: z.string(),
  by: z.object({ role: z.enum(actorRoles), id: z.string(), name: z.string() }).optional(),
  /** In which log somebody has asked for it at this folder (`LogPlace`). */ place: z.string().optional(),
});
export type Erasure = z.output<typeof erasure>;
const line = z.union([erasure, z.object({ done: z.string() }), z.object({ asked: z.string(), place: z.string() })]);

/** What cannot be noted is not, also for the next start; `UnknownOutcome` where the disk does not even take it back. */
export type ErasureLedger = {
  /** Notes erasures, durably, before anything is destroyed. Noted twice it stands once. */
  begin(...erasures: readonly Erasure[]): void;
  /** Somebody asks for one that is noted already, in the log of that place. */
  ask(personId: PersonId, place: string): void;
  /** Everything of them is destroyed and their facts are recorded. */
  finish(...personIds: readonly string[]): void;
  /** Every erasure that was ever begun, in order. */
  all(): readonly (Erasure & { readonly finished: boolean })[];
};

/** A line that a crash left half is none. */
const parsed = (one: string): unknown => {
  try {
    return JSON.parse(one);
  } catch {
    return undefined;
  }
};

/** Lines of a ledger file; a last line that a crash left half is passed over. */
export const readErasures = (text: string): readonly (Erasure & { readonly finished: boolean })[] => {
  const entries = new Map<string, Erasure & { finished: boolean }>();
  for (const one of text.split('\n')) {
    const { data } = line.safeParse(parsed(one));
    if (data === undefined) continue;
    if ('done' in data) {
      const entry = entries.get(data.done);
      if (entry !== undefined) entry.finished = true;
    } else if ('asked' in data) {
      const entry = entries.get(data.asked);
      if (entry !== undefined) entry.place = data.place;
    } else if (!entries.has(data.personId)) entries.set(data.personId, { ...data, finished: false });
  }
  return [...entries.values()];
};

/** A second ledger beside the backups, for a restore on a machine that has only those. Each line names its installation, as a backup does. */
export type LedgerCopy = {
  readonly folder: string;
  readonly owner: string;
  /** Told when it could not be written: that stops no erasure, and the next one, or start, makes up for it. */
  readonly failed: (error: unknown) => void;
};

/** The lines that one installation wrote beside its backups. */
export const linesOfOwner = (text: string, owner: string): readonly string[] =>
  text.split('\n').filter((one) => (parsed(one) as { readonly owner?: unknown } | null | undefined)?.owner === owner);

/**
 * Cuts the file back to what it was before a write that failed: what that left may be whole lines, and the next start would take them for noted.
 * @throws UnknownOutcome when it may stand there all the same
 */
const takeBack = (handle: number, length: number, failure: unknown): void => {
  try {
    ftruncateSync(handle, length);
    fsyncSync(handle);
  } catch {
    throw new UnknownOutcome(`It is not known whether this was noted: ${messageOf(failure)}`, { cause: failure });
  }
};

/** @param failed hears of a write that may have left a part, and of the length that the file had */
const appendLines = (folder: string, lines: readonly string[], failed?: (handle: number, length: number, failure: unknown) => void): void => {
  makeFolderSync(folder);
  const handle = openSync(join(folder, erasureLedgerName), 'a', 0o600);
  try {
    const { size } = fstatSync(handle);
    try {
      // The line break first: what a crash left half must not swallow this line. All of it or an error: a single write that finds no room may take a part, and
      // say so in a number only.
      writeFileSync(handle, lines.map((one) => `\n${one}\n`).join(''));
      fsyncSync(handle);
    } catch (error) {
      failed?.(handle, size, error);
      throw error;
    }
  } finally {
    closeSync(handle);
  }
};

/** Brings the ledger beside the backups up to date. */
const copyTo = ({ folder, owner, failed }: LedgerCopy, entries: Iterable<Erasure & { readonly finished: boolean }>): void => {
  try {
    const noted = new Map(
      readErasures(linesOfOwner(readIfThereSync(join(folder, erasureLedgerName))?.toString('utf8') ?? '', owner).join('\n')).map((entry) => [
        entry.personId,
        entry,
      ]),
    );
    const missing: string[] = [];
    for (const { finished, ...entry } of entries) {
      const known = noted.get(entry.personId);
      if (known === undefined) missing.push(JSON.stringify({ ...entry, owner }));
      if (finished && known?.finished !== true) missing.push(JSON.stringify({ done: entry.personId, owner }));
    }
    // Not cut back when it fails: others write there too, and what it left is noted in the ledger itself.
    if (missing.length > 0) appendLines(folder, missing);
  } catch (error) {
    failed(error);
  }
};

/** Opens `DATA_DIR/erasures.jsonl`. It only ever grows; a restore adds the lines of the backup to it and takes none away. */
export const openErasureLedger = (dataDir: string, copy?: LedgerCopy): ErasureLedger => {
  const path = join(dataDir, erasureLedgerName);
  const entries = new Map(readErasures(readIfThereSync(path)?.toString('utf8') ?? '').map((entry) => [entry.personId, entry]));
  const append = (values: readonly object[]): void =>
    appendLines(
      dataDir,
      values.map((value) => JSON.stringify(value)),
      takeBack,
    );
  const copied = (): void => {
    if (copy !== undefined) copyTo(copy, entries.values());
  };
  copied();
  return {
    begin(...erasures) {
      const unknown = erasures.filter(({ personId }) => !entries.has(personId));
      if (unknown.length === 0) return;
      append(unknown);
      for (const entry of unknown) if (!entries.has(entry.personId)) entries.set(entry.personId, { ...entry, finished: false });
      copied();
    },
    ask(personId, place) {
      const entry = entries.get(personId);
      if (entry === undefined || entry.place === place) return;
      append([{ asked: personId, place }]);
      entries.set(personId, { ...entry, place });
    },
    finish(...personIds) {
      const open = personIds.flatMap((personId) => entries.get(personId) ?? []).filter(({ finished }) => !finished);
      if (open.length === 0) return;
      append(open.map(({ personId }) => ({ done: personId })));
      for (const entry of open) entries.set(entry.personId, { ...entry, finished: true });
      copied();
    },
    all: () => [...entries.values()],
  };
};
