import type { BackupHealth } from '@courtledger/contracts/operations/operations.answers';
import type { GaugeSource } from '../platform/metrics.ts';
import { writeAheadAlarmBytes, type Operations } from './operations.ts';

const secondsSince = (instant: string | null | undefined, now: number): number => (instant === null || instant === undefined ? Number.NaN : Math.max(0, (now - Date.parse(instant)) / 1000));

const isBackupAlarm = (health: BackupHealth | undefined): boolean => health !== undefined && (health.overdue || health.failure !== null);

/** What Prometheus reads of the operators' side, beside position, head, lag and parked streams. NaN where there is nothing to tell. */
export const operationsGauges = (operations: () => Operations | undefined, now: () => number): readonly GaugeSource[] => [
  { name: 'courtledger_log_write_ahead_bytes', help: 'Bytes of the write-ahead log of the event log', value: () => operations()?.writeAheadBytes() ?? Number.NaN },
  { name: 'courtledger_log_write_ahead_alarm', help: `1 when the write-ahead log has reached ${String(writeAheadAlarmBytes)} bytes`, value: () => ((operations()?.writeAheadBytes() ?? 0) >= writeAheadAlarmBytes ? 1 : 0) },
  { name: 'courtledger_last_backup_age_seconds', help: 'Age of the newest whole backup, wherever it was made', value: () => secondsSince(operations()?.backups.health().newest?.madeAt, now()) },
  { name: 'courtledger_unsaved_seconds', help: 'Age of the oldest change that is in no backup of the server; 0 when there is none', value: () => operations()?.backups.health().unsavedSeconds ?? 0 },
  { name: 'courtledger_backup_alarm', help: '1 when a change is in no backup in time, or the last try to make one failed', value: () => (isBackupAlarm(operations()?.backups.health()) ? 1 : 0) },
  { name: 'courtledger_last_verification_age_seconds', help: 'Age of the last verification of the whole log', value: () => secondsSince(operations()?.verifications.latest?.endedAt, now()) },
  { name: 'courtledger_log_broken', help: '1 when the last verification found a break', value: () => (operations()?.verifications.latest?.state === 'broken' ? 1 : 0) },
  { name: 'courtledger_rebuild_running', help: '1 while a read model is rebuilt, verified or switched back', value: () => (operations()?.jobs.job?.state === 'running' ? 1 : 0) },
];
