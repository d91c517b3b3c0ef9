import { join } from 'node:path';
import { backupRun, logVerification } from '@courtledger/contracts/operations/operations.answers';
import { z } from 'zod';
import type { ChainBreak } from '../event-log/verify-chain.ts';
import { readIfThereSync, replaceFileSync } from '../platform/durable-file.ts';

/** What operators' work leaves behind for the next process. Nothing here is a fact: without the file a node has only forgotten. */
const stateSchema = z.object({
  /** The read model before the last switch. */
  previousReadModel: z.string().optional(),
  /** A rebuild that was begun and not ended. */
  pendingRebuild: z.object({ id: z.string(), file: z.string(), startedAt: z.string() }).optional(),
  /**
   * An import that was begun and not ended: nothing else may be recorded in between. `adds`: facts of the file were there before, and what was made of them
   * still holds. `facts`: digest of what the file holds, wherever it stands now; marks of earlier releases have none.
   */
  pendingImport: z
    .object({
      file: z.string(),
      store: z.enum(['sqlite', 'eventstoredb']),
      startedAt: z.string(),
      adds: z.literal(true).optional(),
      facts: z.string().optional(),
    })
    .optional(),
  /** The log was in EventStoreDB at the last start, or was brought there since. */
  logElsewhere: z.literal(true).optional(),
  /** Where the log was when this folder opened it, and until when what is only learned there of erasures waits (`log-elsewhere.ts`). */
  logAddresses: z.record(z.string(), z.iso.datetime()).optional(),
  /** Which of them was opened last; undefined where one was brought since. */
  lastLogAddress: z.string().optional(),
  lastBackup: backupRun.optional(),
  lastVerification: logVerification.optional(),
  /** Fingerprints of keys by their file, and the log that they were noted for (`kept-keys.ts`). */
  keys: z.object({ log: z.string(), fingerprints: z.record(z.string(), z.string()) }).optional(),
  /**
   * Where the log is damaged, until it is known to be whole again. The last verification alone would not do: one that fails, or that is killed, comes after it.
   */
  damage: z
    .object({
      position: z.string().regex(/^\d{1,15}$/),
      reason: z.string(),
      seen: z
        .string()
        .regex(/^\d{1,15}$/)
        .optional(),
    })
    .optional(),
  /**
   * The log was damaged at this position and is whole: the read model is owed a remake, from the write on that clears the damage until another one than the
   * doubtful is live. `file`: what the last attempt makes.
   */
  owedRemake: z.object({ position: z.string(), file: z.string().optional() }).optional(),
});
export type OperationsState = z.output<typeof stateSchema>;

export type StateFile = {
  readonly get: () => OperationsState;
  /** Undefined forgets a part. */
  readonly change: (change: { readonly [Name in keyof OperationsState]?: OperationsState[Name] | undefined }) => void;
};

/** The break of the log that is on record: it is looked for again at every start, before the first write. */
export const recordedBreakOf = ({ damage, lastVerification }: OperationsState): ChainBreak | undefined => {
  const found: { readonly position: string; readonly reason: string; readonly seen?: string | undefined } | undefined =
    damage ?? lastVerification?.firstBreak ?? undefined;
  return found === undefined
    ? undefined
    : { position: BigInt(found.position), reason: found.reason, ...(found.seen !== undefined && { seen: BigInt(found.seen) }) };
};

export const operationsStateName = 'operations.json';

/** Opens `DATA_DIR/operations.json`; one that cannot be read is begun anew. */
export const openOperationsState = (dataDir: string): StateFile => {
  const path = join(dataDir, operationsStateName);
  const read = (): OperationsState => {
    try {
      return stateSchema.parse(JSON.parse(readIfThereSync(path)?.toString('utf8') ?? '{}'));
    } catch {
      return {};
    }
  };
  let state = read();
  return {
    get: () => state,
    change(change) {
      const next = stateSchema.parse({ ...state, ...change });
      replaceFileSync(path, `${JSON.stringify(next, null, 1)}\n`);
      // What could not be written is not so for this process either: the next one would know nothing of it.
      state = next;
    },
  };
};
