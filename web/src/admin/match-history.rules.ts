import type { HistoryRow } from '@courtledger/contracts/match/match.answers';
import { formatCount, formatDate, formatDifference } from '../lib/format.rules.ts';

const numbers = ({ points, assists, rebounds }: Pick<HistoryRow, 'points' | 'assists' | 'rebounds'>): string =>
  (
    [
      ['Points', points],
      ['Assists', assists],
      ['Rebounds', rebounds],
    ] as const
  )
    .filter(([, value]) => value !== 0)
    .map(([title, value]) => `${title} ${formatDifference(value)}`)
    .join(', ');

/**
 * `movedFrom`, `movedFromId`: the player from whom a move brought the entry. `movedTo`: the player to whom one took it since. `restores`: this reversal takes
 * another one back. `chainEnd`: the last of the reversals that hang on the entry of this row, where that is another row: the server reverses only that one.
 * `before`: what stood until then, of what is no number: when the match was, the player's status, the MVP.
 */
export type HistoryLine = HistoryRow & {
  readonly movedFrom?: string;
  readonly movedFromId?: string;
  readonly movedTo?: string;
  readonly restores?: true;
  readonly chainEnd?: string;
  readonly before?: string;
};

const when = ({ date, time }: Pick<HistoryRow, 'date' | 'time'>): string => `${formatDate(date)} ${time ?? ''}`.trim();

/** What one fact of a match says, in words. */
export const factInWords = (row: HistoryLine): string => {
  switch (row.type) {
    case 'StatIncrementRecorded':
      return numbers(row);
    case 'StatEntryReversed':
      return `${row.restores === true ? 'Restored' : 'Taken back'}: ${numbers(row)}`;
    case 'PlayerParticipationRecorded':
      return `${row.before === undefined ? '' : `${row.before} → `}${row.notplayed ?? 'played'}${row.impliedBy === undefined ? '' : ', followed from the entries'}`;
    case 'MatchAssigned':
      return `Match assigned: ${when(row)}`;
    case 'MatchRescheduled':
      return `Match rescheduled: ${row.before ?? ''} → ${when(row)}`;
    case 'MatchMvpNamed':
      return row.player_id === undefined
        ? `MVP withdrawn${row.before === undefined ? '' : `: ${row.before}`}`
        : `MVP named${row.before === undefined ? '' : `, instead of ${row.before}`}`;
    case 'MatchCancelled':
      return 'Match cancelled';
    default:
      // A fact that is newer than this page: its name split into words says enough.
      return row.type.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
  }
};

/** What taking a row back does: reversing a reversal restores the entry, and reversing that takes it back again. */
export const isRestoring = ({ type, restores }: HistoryLine): boolean => type === 'StatEntryReversed' && restores !== true;

/** The entry that a row is about, by its own numbers: those of a reversal are the other way round. */
export const entryInWords = (row: HistoryLine): string =>
  numbers(isRestoring(row) ? { points: -row.points, assists: -row.assists, rebounds: -row.rebounds } : row);

/** What was done since to a row that counts no more. */
export const undoneInWords = (row: HistoryLine): string => (isRestoring(row) ? 'restored' : 'taken back');

/** What a reversal has to name so that the row's entry is taken back, or restored: the row, or the last reversal of its entry. */
export const reversedBy = ({ entryId = '', chainEnd = entryId }: HistoryLine): string => chainEnd;

/** Entries that still stand can be taken back, and of their reversals the last one; a status has no numbers to take back. */
export const canReverse = (row: HistoryLine): boolean =>
  row.entryId !== undefined && row.notplayed === undefined && !row.reversed && (row.type === 'StatIncrementRecorded' || row.chainEnd === undefined);

/** The totals that stood after a fact: `37 points, 9 assists, 6 rebounds`. */
export const totalsInWords = (row: HistoryRow): string =>
  row.runningTotal
    ? [formatCount(row.runningTotal.points, 'point'), formatCount(row.runningTotal.assists, 'assist'), formatCount(row.runningTotal.rebounds, 'rebound')].join(
        ', ',
      )
    : '';

/** Reversals that give back what an earlier one took: those of a reversal that is not itself such a one. Rows come oldest first. */
const restoringOf = (rows: readonly HistoryRow[]): ReadonlySet<string | undefined> => {
  const taking = new Set<string>();
  const restoring = new Set<string>();
  for (const { entryId, targetEntryId } of rows)
    if (entryId !== undefined && targetEntryId !== undefined) (taking.has(targetEntryId) ? restoring : taking).add(entryId);
  return restoring;
};

/** The last of the reversals that hang on one entry, by that entry and each of them. Each is reversed once at most: they are a line. Rows come oldest first. */
const chainEndsOf = (rows: readonly HistoryRow[]): ReadonlyMap<string, string> => {
  const targets = new Map<string, string>();
  const ends = new Map<string, string>();
  for (const { entryId, targetEntryId } of rows) {
    if (entryId === undefined || targetEntryId === undefined) continue;
    targets.set(entryId, targetEntryId);
    for (let id: string | undefined = entryId; id !== undefined; id = targets.get(id)) ends.set(id, entryId);
  }
  return ends;
};

/**
 * What stood before a fact that is no number, by its position: when the match was, the MVP, a player's status ('played' by the entries that stand, where none
 * was recorded). Rows come oldest first.
 */
const stoodBefore = (rows: readonly HistoryRow[], restoring: ReadonlySet<string | undefined>): ReadonlyMap<string, string> => {
  const before = new Map<string, string>();
  const statuses = new Map<string, string>();
  const standing = new Map<string, number>();
  let [time, mvp]: (string | undefined)[] = [];
  const note = ({ position }: HistoryRow, stood: string | undefined): void => {
    if (stood !== undefined) before.set(position, stood);
  };
  for (const row of rows) {
    const { type, entryId, player_id: player = '' } = row;
    if (type === 'MatchRescheduled') note(row, time);
    if (row.date !== undefined) time = when(row);
    if (type === 'MatchMvpNamed') {
      note(row, mvp);
      mvp = row.playerName;
    }
    const entries = standing.get(player) ?? 0;
    if (type === 'PlayerParticipationRecorded') {
      note(row, statuses.get(player) ?? (entries > 0 ? 'played' : undefined));
      statuses.set(player, row.notplayed ?? 'played');
    }
    if (type === 'StatIncrementRecorded' || restoring.has(entryId)) standing.set(player, entries + 1);
    else if (type === 'StatEntryReversed') standing.set(player, entries - 1);
  }
  return before;
};

/** A move is two facts of one command, shown as one line: the new entry with the reason and the player that it came from. */
export const linesOf = (rows: readonly HistoryRow[]): HistoryLine[] => {
  const entries = new Map(rows.filter(({ type }) => type === 'StatIncrementRecorded').map((row) => [row.commandId, row]));
  const byEntry = new Map(rows.map((row) => [row.entryId, row]));
  const reversals = new Map(rows.filter(({ type }) => type === 'StatEntryReversed').map((row) => [row.commandId, row]));
  const restoring = restoringOf(rows);
  const ends = chainEndsOf(rows);
  const stood = stoodBefore(rows, restoring);
  return rows.flatMap((row): HistoryLine[] => {
    if (row.type === 'StatEntryReversed' && entries.has(row.commandId)) return [];
    const [before, end] = [stood.get(row.position), ends.get(row.entryId ?? '')];
    const takenBy = row.reversed && end !== row.entryId ? byEntry.get(end) : undefined;
    const given = takenBy?.type === 'StatEntryReversed' ? entries.get(takenBy.commandId) : undefined;
    const from = row.type === 'StatIncrementRecorded' ? reversals.get(row.commandId) : undefined;
    return [
      {
        ...row,
        ...(before !== undefined && { before }),
        ...(restoring.has(row.entryId) && { restores: true }),
        ...(end !== undefined && end !== row.entryId && { chainEnd: end }),
        ...(given && { movedTo: given.playerName ?? '' }),
        ...(from && {
          movedFrom: from.playerName ?? '',
          ...(from.player_id !== undefined && { movedFromId: from.player_id }),
          ...(from.reason !== undefined && { reason: from.reason }),
        }),
      },
    ];
  });
};
