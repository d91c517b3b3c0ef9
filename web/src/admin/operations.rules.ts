import type { PersonAnswer } from '@courtledger/contracts/operations/audit.answers';
import type { BackupHealth, LogEvent } from '@courtledger/contracts/operations/operations.answers';
import { formatCount } from '../lib/format.rules.ts';

const units = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/** `1.4 MB`: decimal units, one digit after the point from kB on. */
export const bytesInWords = (bytes: number): string => {
  let [value, unit] = [bytes, 0];
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${unit === 0 ? String(value) : value.toFixed(1)} ${units[unit] ?? 'B'}`;
};

/** `12 seconds`, `3 minutes`, `2 hours`: rounded up, so that it never says nothing is left. */
export const durationInWords = (seconds: number): string => {
  if (seconds < 90) return formatCount(Math.ceil(seconds), 'second');
  if (seconds < 5400) return formatCount(Math.ceil(seconds / 60), 'minute');
  return formatCount(Math.ceil(seconds / 3600), 'hour');
};

/** `48,213` with the digits grouped as on the rest of the site. */
export const countInWords = (count: number): string => count.toLocaleString('en-IN');

/** What the backups of the server hold, and whether one is due: `3 kept, within 15 minutes of a change. Everything is in it.` */
export const backupInWords = ({ kept, newest, windowMinutes, unsavedSeconds, overdue }: Pick<BackupHealth, 'kept' | 'newest' | 'windowMinutes' | 'unsavedSeconds' | 'overdue'>): string => {
  if (windowMinutes === 0) return `${String(kept)} kept. None is made by itself (BACKUP_MINUTES=0).`;
  const rule = newest === null ? `The server makes one within ${formatCount(windowMinutes, 'minute')} of a change.` : `${String(kept)} kept, within ${formatCount(windowMinutes, 'minute')} of a change.`;
  if (unsavedSeconds === null) return newest === null ? rule : `${rule} Everything is in it.`;
  return `${rule} ${overdue ? 'Overdue: a' : 'A'} change of ${durationInWords(unsavedSeconds)} ago is in none.`;
};

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null;
/** Who recorded an event: the name of the account, or the role. */
export const actorInWords = ({ metadata }: Pick<LogEvent, 'metadata'>): string => {
  const actor = isRecord(metadata) ? metadata['actor'] : undefined;
  if (!isRecord(actor)) return '-';
  const { name, role } = actor;
  return typeof name === 'string' && name !== '' ? name : String(role);
};

const kinds: Readonly<Record<PersonAnswer['kind'], string>> = { player: 'Player', coach: 'Coach', 'team-contact': 'Team contact', requester: 'Requester' };
export const kindInWords = (kind: PersonAnswer['kind']): string => kinds[kind];

const details: Readonly<Record<PersonAnswer['goes']['details'][number], string>> = { name: 'the name', phone: 'the phone number', phone2: 'the second phone number', email: 'the e-mail address', age: 'the age', height: 'the height', weight: 'the weight' };

/** What an erasure takes, a line each. */
export const goesInWords = ({ goes }: Pick<PersonAnswer, 'goes'>): readonly string[] => [
  ...(goes.details.length === 0 ? [] : [goes.details.map((name) => details[name]).join(', ')]),
  ...(goes.photo ? ['every photo'] : []),
  ...(goes.document ? ['the ID document'] : []),
  'the key that opens them: backups made before hold it until they are removed, and a restore of one erases again',
  'the same in what restores set aside on this server',
];

/** What stays, a line each. */
export const staysInWords = ({ kind, stays }: Pick<PersonAnswer, 'kind' | 'stays'>): readonly string[] => [
  ...(kind === 'player' ? [`the jersey number and the entries in ${formatCount(stays.matches, 'match', 'matches')}: scores and standings do not change`] : []),
  `the place, under the name “${stays.as}”`,
  'that it was erased, when, by whom and why: the audit shows it',
];
