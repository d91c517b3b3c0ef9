import { closeSync, fsyncSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { personKind } from '@courtledger/contracts/player/person.events';
import { z } from 'zod';
import { readIfThereSync } from './durable-file.ts';

/** Stands beside the log and not in it: a restored log or key file must not be able to forget an erasure (S33). Ids only. */
export const erasureLedgerName = 'erasures.jsonl';

const erasure = z.object({ personId: z.string(), kind: personKind, reason: z.string(), time: z.string() });
export type Erasure = z.output<typeof erasure>;
const line = z.union([erasure, z.object({ done: z.string() })]);

export type ErasureLedger = {
  /** Notes an erasure, durably, before anything is destroyed. Noted twice it stands once. */
  begin(entry: Erasure): void;
  /** Everything of it is destroyed and its fact is recorded. */
  finish(personId: string): void;
  /** Every erasure that was ever begun, in order. */
  all(): readonly (Erasure & { readonly finished: boolean })[];
};

/** Lines of a ledger file; a last line that a crash left half is passed over. */
export const readErasures = (text: string): readonly (Erasure & { readonly finished: boolean })[] => {
  const entries = new Map<string, Erasure & { finished: boolean }>();
  for (const one of text.split('\n')) {
    let json: unknown;
    try {
      json = JSON.parse(one);
    } catch {
      continue;
    }
    const { data } = line.safeParse(json);
    if (data === undefined) continue;
    if ('done' in data) {
      const entry = entries.get(data.done);
      if (entry !== undefined) entry.finished = true;
    } else if (!entries.has(data.personId)) entries.set(data.personId, { ...data, finished: false });
  }
  return [...entries.values()];
};

/** Opens `DATA_DIR/erasures.jsonl`. It only ever grows; a restore adds the lines of the backup to it and takes none away. */
export const openErasureLedger = (dataDir: string): ErasureLedger => {
  const path = join(dataDir, erasureLedgerName);
  const entries = new Map(readErasures(readIfThereSync(path)?.toString('utf8') ?? '').map((entry) => [entry.personId, entry]));
  const append = (value: object): void => {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    const handle = openSync(path, 'a', 0o600);
    try {
      // The line break first: what a crash left half must not swallow this line.
      writeSync(handle, `\n${JSON.stringify(value)}\n`);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
  };
  return {
    begin(entry) {
      if (entries.has(entry.personId)) return;
      append(entry);
      entries.set(entry.personId, { ...entry, finished: false });
    },
    finish(personId) {
      const entry = entries.get(personId);
      if (entry === undefined || entry.finished) return;
      append({ done: personId });
      entries.set(personId, { ...entry, finished: true });
    },
    all: () => [...entries.values()],
  };
};
