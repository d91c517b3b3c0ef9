import type { BackupHealth, OperationsStatus } from '@courtledger/contracts/operations/operations.answers';
import type { KnownBreak } from '../event-log/verify-chain.ts';
import type { GaugeFamily, GaugeSource } from '../platform/metrics.ts';
import { writeAheadAlarmBytes } from './node-status.ts';
import type { Operations } from './operations.ts';

const secondsSince = (instant: string | null | undefined, now: number): number =>
  instant === null || instant === undefined ? Number.NaN : Math.max(0, (now - Date.parse(instant)) / 1000);

const isBackupAlarm = (health: BackupHealth | undefined): boolean => health !== undefined && (health.overdue || health.failure !== null);

/** A walk that runs says nothing yet: what was found before stays found. */
const isBroken = (damage: KnownBreak | undefined): boolean => damage !== undefined && damage.isMended !== true;

/** What Prometheus reads of the operators' side, beside position, head, lag and parked streams. NaN where there is nothing to tell. */
export const operationsGauges = (operations: () => Operations | undefined, now: () => number): readonly GaugeSource[] => [
  {
    name: 'courtledger_log_write_ahead_bytes',
    help: 'Bytes of the write-ahead log of the event log',
    value: () => operations()?.writeAheadBytes() ?? Number.NaN,
  },
  {
    name: 'courtledger_log_write_ahead_alarm',
    help: `1 when the write-ahead log has reached ${String(writeAheadAlarmBytes)} bytes`,
    value: () => ((operations()?.writeAheadBytes() ?? 0) >= writeAheadAlarmBytes ? 1 : 0),
  },
  {
    name: 'courtledger_last_backup_age_seconds',
    help: 'Age of the newest whole backup, wherever it was made',
    value: () => secondsSince(operations()?.backups.health().newest?.madeAt, now()),
  },
  {
    name: 'courtledger_unsaved_seconds',
    help: 'Age of the oldest change that is in no backup of the server; 0 when there is none',
    value: () => operations()?.backups.health().unsavedSeconds ?? 0,
  },
  {
    name: 'courtledger_backup_alarm',
    help: '1 when a change is in no backup in time, or the last try to make one failed',
    value: () => (isBackupAlarm(operations()?.backups.health()) ? 1 : 0),
  },
  {
    name: 'courtledger_last_verification_age_seconds',
    help: 'Age of the last verification of the whole log',
    value: () => secondsSince(operations()?.verifications.latest?.endedAt, now()),
  },
  {
    name: 'courtledger_log_broken',
    help: '1 while a break of the log is known that nobody has put right',
    value: () => (isBroken(operations()?.verifications.damage) ? 1 : 0),
  },
  {
    name: 'courtledger_read_model_doubtful',
    help: '1 while the read model may show what a damaged log said, and is to be made anew',
    value: () => (operations()?.jobs.doubt === undefined ? 0 : 1),
  },
  {
    name: 'courtledger_rebuild_running',
    help: '1 while a read model is rebuilt, verified or switched back',
    value: () => (operations()?.jobs.job?.state === 'running' ? 1 : 0),
  },
];

/** Parked streams that are told by name at most, and characters of why: each is a series of its own. */
const mostParked = 20;
const mostReason = 120;

/**
 * The same that `status` says, for alarms: lag in time, rate, sizes, version of the projections, and why streams are parked. One look for each time that
 * somebody reads; nothing while there is nothing to tell.
 */
export const statusGauges = (status: () => Promise<OperationsStatus | undefined>): readonly GaugeFamily[] => {
  let looking: Promise<OperationsStatus | undefined> | undefined;
  const look = async (): Promise<OperationsStatus | undefined> => {
    // All of them are asked at once. What cannot be told must not hide what can.
    looking ??= status()
      .catch(() => undefined)
      .finally(() => {
        looking = undefined;
      });
    return looking;
  };
  const number = (name: string, help: string, of: (found: OperationsStatus) => number): GaugeFamily => ({
    name,
    help,
    labels: [],
    async values() {
      const found = await look();
      return found === undefined ? [] : [{ labels: {}, value: of(found) }];
    },
  });
  return [
    number('courtledger_read_model_lag_seconds', 'Age of the first event that is not projected yet', ({ readModel }) =>
      readModel.lagUnknown === null ? readModel.lagSeconds : Number.NaN,
    ),
    number('courtledger_read_model_lag_events', 'Events that are not projected yet, as far as they are counted', ({ readModel }) =>
      readModel.lagUnknown === null ? readModel.lagEvents : Number.NaN,
    ),
    number('courtledger_read_model_events_per_second', 'Events projected a second, over the last minute', ({ readModel }) => readModel.ratePerSecond),
    number('courtledger_free_disk_bytes', 'Free bytes of the disk of DATA_DIR', ({ sizes }) => sizes.freeDisk),
    {
      name: 'courtledger_size_bytes',
      help: 'Bytes of what stands in DATA_DIR',
      labels: ['part'],
      async values() {
        const sizes = (await look())?.sizes;
        return sizes === undefined
          ? []
          : Object.entries({
              ...(sizes.log !== null && { log: sizes.log }),
              read_models: sizes.readModels,
              media: sizes.media,
              documents: sizes.documents,
              keys: sizes.keys,
              refusals: sizes.refusals,
            }).map(([part, value]) => ({ labels: { part }, value }));
      },
    },
    {
      name: 'courtledger_projections_info',
      help: '1, with the version of the projections',
      labels: ['version'],
      async values() {
        const version = (await look())?.readModel.version;
        return version === undefined ? [] : [{ labels: { version }, value: 1 }];
      },
    },
    {
      name: 'courtledger_parked_stream_events',
      help: `Events of a parked stream that wait for a fix, with the first of them and why; ${String(mostParked)} streams at most`,
      labels: ['stream', 'type', 'reason'],
      values: async () =>
        ((await look())?.readModel.parked ?? [])
          .slice(0, mostParked)
          .map(({ stream, type, error, events }) => ({ labels: { stream, type, reason: error.slice(0, mostReason) }, value: events })),
    },
  ];
};
