import { z } from 'zod';
import { countOut, instantOut, positionOut } from '../kernel/answers.ts';

/** What operators and the super admin read of a running node. Byte counts and seconds are plain numbers; positions are texts. */

const seconds = z.number().min(0);
const nullable = <T extends z.ZodType>(of: T) => z.union([of, z.null()]);

/** One table of two read models at the same position. Checksums are SHA-256 (hex) over all rows in the order of their key. */
const tableDiff = z.strictObject({
  name: z.string(),
  rows: z.strictObject({ live: countOut, next: countOut }),
  checksum: z.strictObject({ live: z.string(), next: z.string() }),
  /** Rows that stand in one of them only, or differ. */
  differing: countOut,
  /** The first of those: where they differ, old and new; null where one has no such row. Personal and secret values are left out. */
  samples: z.array(z.strictObject({ key: z.string(), at: z.string(), live: nullable(z.string()), next: nullable(z.string()) })),
});
const readModelDiff = z.strictObject({ position: positionOut, equal: z.boolean(), seconds, tables: z.array(tableDiff) });
export type TableDiff = z.output<typeof tableDiff>;
export type ReadModelDiff = z.output<typeof readModelDiff>;

const readModelJob = z.strictObject({
  id: z.string(),
  kind: z.enum(['rebuild', 'verify', 'switch-back']),
  /** `switched`: the new file is the live one. `equal`, `different`: what a verification found. */
  state: z.enum(['running', 'switched', 'equal', 'different', 'cancelled', 'failed']),
  phase: z.enum(['folding', 'catching-up', 'comparing', 'switching', 'ended']),
  startedAt: instantOut,
  endedAt: nullable(instantOut),
  /** The file that is made, or switched back to. */
  file: z.string(),
  /** Taken up again after the process had ended. */
  resumed: z.boolean(),
  events: countOut,
  position: positionOut,
  /** Where the log was when the job began. */
  until: positionOut,
  ratePerSecond: z.number().min(0),
  secondsLeft: nullable(seconds),
  error: nullable(z.string()),
  diff: nullable(readModelDiff),
});
export type ReadModelJob = z.output<typeof readModelJob>;
/** The job that runs, or the last one of this process. */
export const readModelJobAnswer = z.strictObject({ job: nullable(readModelJob) });

const parkedStream = z.strictObject({ stream: z.string(), events: countOut, position: positionOut, type: z.string(), error: z.string(), time: z.string() });
export type ParkedStream = z.output<typeof parkedStream>;

export const logVerification = z.strictObject({
  state: z.enum(['running', 'whole', 'broken', 'stopped', 'failed']),
  startedAt: instantOut,
  endedAt: nullable(instantOut),
  /** Verified so far, `erased` among them. */
  events: countOut,
  erased: countOut,
  position: positionOut,
  head: positionOut,
  ratePerSecond: z.number().min(0),
  secondsLeft: nullable(seconds),
  firstBreak: nullable(z.strictObject({ position: positionOut, reason: z.string() })),
  error: nullable(z.string()),
});
export type LogVerification = z.output<typeof logVerification>;
export const logVerificationAnswer = z.strictObject({ verification: nullable(logVerification) });

export const backupRun = z.strictObject({
  state: z.enum(['running', 'done', 'failed']),
  startedAt: instantOut,
  endedAt: nullable(instantOut),
  folder: z.string(),
  /** Head of the chain in the backup. */
  head: nullable(positionOut),
  events: countOut,
  files: countOut,
  bytes: countOut,
  error: nullable(z.string()),
  /** Events of other programs in the same EventStoreDB; not there where there were none. */
  leftOut: countOut.optional(),
});
export type BackupRun = z.output<typeof backupRun>;
export const backupAnswer = z.strictObject({ backup: nullable(backupRun) });

/** How the backups stand that the server keeps in its own folder. */
const backupHealth = z.strictObject({
  folder: z.string(),
  /** Whatever was recorded is in a backup after so many minutes at the latest; 0: the server makes none by itself. */
  windowMinutes: countOut,
  kept: countOut,
  /**
   * The newest whole one that stands there: kept by the server, or made elsewhere because somebody asked for it (which keeps no change from being counted as
   * unsaved).
   */
  newest: nullable(z.strictObject({ folder: z.string(), madeAt: instantOut, head: positionOut })),
  /** Age of the oldest change that is in none of them; null when there is none. Not watched where the server makes none by itself. */
  unsavedSeconds: nullable(seconds),
  /** An alarm: there is a change that is older than the window and in none of them. */
  overdue: z.boolean(),
  /** An alarm: why the last try failed; null when it did not. */
  failure: nullable(z.string()),
  /** When that try failed; null where it did not, and where the reason is the one that stands now. */
  failedAt: nullable(instantOut),
});
export type BackupHealth = z.output<typeof backupHealth>;

export const replayAnswer = z.strictObject({ replayed: countOut, parked: countOut });

export const operationsStatus = z.strictObject({
  time: instantOut,
  startedAt: instantOut,
  store: z.enum(['sqlite', 'eventstoredb', 'memory']),
  log: z.strictObject({
    head: positionOut,
    /** Why nothing can be written; null when all is well. */
    refusal: nullable(z.string()),
    /** Why neither a read model nor a backup is made of it; null when both are. */
    unfit: nullable(z.string()),
    /** It is because another log answers than the one that is followed: it is not compared with either, and there is no switching back meanwhile. */
    otherLog: z.boolean(),
    /** Of the SQLite log only. An alarm is due at 268,435,456 bytes. */
    writeAheadBytes: nullable(countOut),
    writeAheadAlarm: z.boolean(),
  }),
  /**
   * What is wrong with the keys of persons: they are not where the server opened them, or do not know everybody of the log: nobody is registered, corrected or
   * erased, and no backup is made; null when nothing is.
   */
  keys: nullable(z.string()),
  /**
   * Pictures and documents that the log refers to and that are not there: how many, which for example, and what to do; null when all are. Nothing else suffers
   * from it.
   */
  missingFiles: nullable(z.string()),
  readModel: z.strictObject({
    file: z.string(),
    position: positionOut,
    /** Events of the log that are not projected yet; `more` when there are more than were counted. */
    lagEvents: countOut,
    lagMore: z.boolean(),
    /** Age of the first of them. */
    lagSeconds: seconds,
    /**
     * The log does not tell now how far behind the read model is: the figures are those of when they were last measured (`asOf`; null where that was not since
     * the start, or where it is known to be behind since, and they say nothing). Null: they are of now.
     */
    lagUnknown: nullable(z.strictObject({ reason: z.string(), asOf: nullable(instantOut) })),
    /** Events projected a second, over the last minute. */
    ratePerSecond: z.number().min(0),
    error: nullable(z.string()),
    /** Why what it shows may be wrong (it may be of a log that was damaged), and what becomes of that; null when there is no doubt. */
    doubt: nullable(z.string()),
    parked: z.array(parkedStream),
    /** Version of the projections of this release, which the live file has. */
    version: z.string(),
    files: z.array(z.strictObject({ file: z.string(), bytes: countOut, role: z.enum(['live', 'previous', 'being made', 'other']) })),
  }),
  /** In bytes. `log`: of the SQLite log; null where the log is elsewhere. */
  sizes: z.strictObject({
    log: nullable(countOut),
    readModels: countOut,
    media: countOut,
    documents: countOut,
    keys: countOut,
    refusals: countOut,
    freeDisk: countOut,
  }),
  job: nullable(readModelJob),
  /** The one that runs, or the last one, wherever it was made. */
  lastBackup: nullable(backupRun),
  backups: backupHealth,
  /**
   * What stands in DATA_DIR and is used no more: folders with what a restore replaced, and read models that were set aside (`read-model-1.sqlite.lost-keys-1`
   * still has the names of persons whose keys were given up); each goes after 30 days.
   */
  setAside: z.array(z.string()),
  /**
   * Folders of DATA_DIR that hold a whole copy for a while: of a drill that runs, or of a drill or restore that was killed (the next start, erasure or night
   * removes those).
   */
  leftovers: z.array(z.string()),
  /** Persons whose erasure was begun and is not ended, because the log or the disk took no writes: tried again every minute. */
  pendingErasures: z.array(z.string()),
  /** Why the last attempt did not end one of them; null before the first one. */
  pendingErasuresWaitFor: nullable(z.string()),
  lastVerification: nullable(logVerification),
});
export type OperationsStatus = z.output<typeof operationsStatus>;

/** One event as the ledger of the read model shows it: no sealed details, no hashes of credentials. */
const logEvent = z.strictObject({
  position: positionOut,
  stream: z.string(),
  revision: countOut,
  type: z.string(),
  version: countOut,
  time: z.string(),
  /** What happened, as a sentence: the same as in the audit. */
  what: z.string(),
  /** Absent where the fact is parked: the read model does not have what it says. */
  data: z.unknown().optional(),
  metadata: z.unknown(),
});
export type LogEvent = z.output<typeof logEvent>;
/**
 * One event that somebody asked for by its position. `damage`: the log is damaged there, and what stands in it is not what was recorded; null where it fits its
 * hash, or where there is no chain of ours.
 */
export const logEventAnswer = z.strictObject({ ...logEvent.shape, damage: nullable(z.string()) });
export type LogEventAnswer = z.output<typeof logEventAnswer>;
export const logEventsAnswer = z.strictObject({
  /** In the order of the log. */
  events: z.array(logEvent),
  /** Where to go on from, in the direction that was asked; null at the end. */
  next: nullable(positionOut),
  /** The position of the read model that was searched. */
  position: positionOut,
});
export type LogEventsAnswer = z.output<typeof logEventsAnswer>;
