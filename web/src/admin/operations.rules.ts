import type { PersonAnswer } from '@courtledger/contracts/operations/audit.answers';
import type { BackupHealth, LogEvent, OperationsStatus } from '@courtledger/contracts/operations/operations.answers';
import { formatAmount, formatCount, formatInstant } from '../lib/format.rules.ts';

/** `12 seconds`, `3 minutes`, `2 hours`: rounded up, so that it never says nothing is left. */
export const durationInWords = (seconds: number): string => {
  if (seconds < 90) return formatCount(Math.ceil(seconds), 'second');
  if (seconds < 5400) return formatCount(Math.ceil(seconds / 60), 'minute');
  return formatCount(Math.ceil(seconds / 3600), 'hour');
};

/** A reason that may hold no more, with when it did: `At 21 Nov, 15:57: the disk was full`. */
export const asOfThen = (reason: string, at: string | null, now: number): string => (at === null ? reason : `At ${formatInstant(at, now)}: ${reason}`);

/** Backups as they stand: that the last one failed is of its moment, and stays true until there is another one. */
export const backupFailure = (reason: string, at: string | null, now: number): string =>
  `${at === null ? 'Backups fail' : 'The last backup failed'}. ${asOfThen(reason, at, now)}`;

/** Why nothing is made of the log or compared with it; what is the matter is said where the log is told of. */
export const otherLogInWords = 'Not while another event log answers.';

type Lag = Pick<OperationsStatus['readModel'], 'lagEvents' | 'lagMore' | 'lagSeconds' | 'lagUnknown'>;

/** The read model at a glance: `May be wrong` before how far behind it is. */
export const readModelInWords = (readModel: Lag & Pick<OperationsStatus['readModel'], 'doubt'>): string =>
  readModel.doubt !== null ? 'May be wrong' : readModel.lagUnknown === null ? lagInWords(readModel) : 'Lag unknown';

/** `Up to date`, `12 behind`, `1,000+ behind`; of when the log last told. */
export const lagInWords = ({ lagEvents, lagMore }: Pick<Lag, 'lagEvents' | 'lagMore'>): string =>
  lagEvents === 0 && !lagMore ? 'Up to date' : `${formatAmount(lagEvents)}${lagMore ? '+' : ''} behind`;

/** How far behind in time, or that nobody knows: `how far behind is unknown (as last measured, 21 Nov, 15:57: up to date)`. */
export const lagDetail = (lag: Lag, now: number): string => {
  if (lag.lagUnknown === null) return `${durationInWords(lag.lagSeconds)} behind`;
  const { asOf } = lag.lagUnknown;
  return `how far behind is unknown${asOf === null ? '' : ` (as last measured, ${formatInstant(asOf, now)}: ${lagInWords(lag).toLowerCase()})`}`;
};

/**
 * What the backups of the server hold, and whether one is due: `3 kept, within 15 minutes of a change. Everything is in it.`
 * @param unfit why none is made of the log; what "everything" is nobody knows then
 */
export const backupInWords = (
  { kept, newest, windowMinutes, unsavedSeconds, overdue }: Pick<BackupHealth, 'kept' | 'newest' | 'windowMinutes' | 'unsavedSeconds' | 'overdue'>,
  unfit: string | null,
): string => {
  if (windowMinutes === 0) return `${formatAmount(kept)} kept. None is made by itself (BACKUP_MINUTES=0).`;
  const rule =
    newest === null
      ? `The server makes one within ${formatCount(windowMinutes, 'minute')} of a change.`
      : `${formatAmount(kept)} kept, within ${formatCount(windowMinutes, 'minute')} of a change.`;
  const now = unfit === null ? '' : ' None is made now.';
  if (unsavedSeconds === null) return unfit !== null || newest === null ? `${rule}${now}` : `${rule} Everything is in it.`;
  return `${rule} ${overdue ? 'Overdue: a' : 'A'} change of ${durationInWords(unsavedSeconds)} ago is in none.${now}`;
};

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null;
/** Who recorded an event: the name of the account, or the role. */
export const actorInWords = ({ metadata }: Pick<LogEvent, 'metadata'>): string => {
  const actor = isRecord(metadata) ? metadata['actor'] : undefined;
  if (!isRecord(actor)) return '-';
  const { name, role } = actor;
  return [name, role].find((word): word is string => typeof word === 'string' && word !== '') ?? '-';
};

const kinds: Readonly<Record<PersonAnswer['kind'], string>> = { player: 'Player', coach: 'Coach', 'team-contact': 'Team contact', requester: 'Requester' };
export const kindInWords = (kind: PersonAnswer['kind']): string => kinds[kind];

const details: Readonly<Record<PersonAnswer['goes']['details'][number], string>> = {
  name: 'the name',
  phone: 'the phone number',
  phone2: 'the second phone number',
  email: 'the e-mail address',
  age: 'the age',
  height: 'the height',
  weight: 'the weight',
};

/** What an erasure takes, a line each. */
export const goesInWords = ({ goes, unreadable }: Pick<PersonAnswer, 'goes' | 'unreadable'>): readonly string[] => [
  ...(goes.details.length === 0 ? [] : [goes.details.map((name) => details[name]).join(', ')]),
  ...(unreadable === true ? ['whatever is recorded of the person: this release cannot read it'] : []),
  ...(goes.photo ? ['every photo'] : []),
  ...(goes.document ? ['the ID document'] : []),
  'the key that opens them: backups made before hold it until they are removed, and a restore of one erases again, where the record of erasures (erasures.jsonl) or a newer backup is at hand',
  'the same in what restores set aside on this server',
];

/** What stays, a line each. */
export const staysInWords = ({ kind, stays }: Pick<PersonAnswer, 'kind' | 'stays'>): readonly string[] => [
  ...(kind === 'player' ? [`the jersey number and the entries in ${formatCount(stays.matches, 'match', 'matches')}: scores and standings do not change`] : []),
  `the place, under the name “${stays.as}”`,
  'that it was erased, when, by whom and why: the audit shows it',
];
