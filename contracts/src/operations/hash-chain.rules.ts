import type { OperationsStatus } from './operations.answers.ts';

const absences = {
  sqlite: undefined,
  eventstoredb:
    'EventStoreDB keeps no hash chain of ours, so there is nothing to walk. In its place: EventStoreDB checks its own files when it starts, a verification of the read model ("verify") folds the whole log again and compares every row, and each backup and export carries a digest of all facts, which a restore and an import check',
  memory: 'A log in memory keeps no hash chain: it is gone when the server stops',
} as const;

/** Why a log has no hash chain that could be verified, and what stands in its place: one sentence for everybody who asks. Undefined where it has one. */
export const chainAbsence = (store: OperationsStatus['store']): string | undefined => absences[store];
