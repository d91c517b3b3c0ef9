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
  lastBackup: backupRun.optional(),
  /** Since when an installation without any backup of its own waits for one. */
  unsavedSince: z.string().optional(),
  lastVerification: logVerification.optional(),
  /** Where the log is damaged, until it is known to be whole again. The last verification alone would not do: one that fails, or that is killed, comes after it. */
  damage: z.object({ position: z.string().regex(/^\d{1,15}$/), reason: z.string() }).optional(),
});
export type OperationsState = z.output<typeof stateSchema>;

export type StateFile = { readonly get: () => OperationsState; /** Undefined forgets a part. */ readonly change: (change: { readonly [Name in keyof OperationsState]?: OperationsState[Name] | undefined }) => void };

/** The break of the log that is on record: it is looked for again at every start, before the first write. */
export const recordedBreakOf = ({ damage, lastVerification }: OperationsState): ChainBreak | undefined => {
  const found = damage ?? lastVerification?.firstBreak ?? undefined;
  return found === undefined ? undefined : { position: BigInt(found.position), reason: found.reason };
};

/** Opens `DATA_DIR/operations.json`; one that cannot be read is begun anew. */
export const openOperationsState = (dataDir: string): StateFile => {
  const path = join(dataDir, 'operations.json');
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
      state = stateSchema.parse({ ...state, ...change });
      replaceFileSync(path, `${JSON.stringify(state, null, 1)}\n`);
    },
  };
};
