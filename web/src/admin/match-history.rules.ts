import type { HistoryRow } from '@courtledger/contracts/match/match.answers';
import { formatCount, formatDate } from '../lib/format.rules.ts';

const signed = (value: number): string => (value > 0 ? `+${String(value)}` : `−${String(-value)}`);
const numbers = ({ points, assists, rebounds }: Pick<HistoryRow, 'points' | 'assists' | 'rebounds'>): string =>
  [
    ['Points', points],
    ['Assists', assists],
    ['Rebounds', rebounds],
  ]
    .filter(([, value]) => value !== 0)
    .map(([title, value]) => `${String(title)} ${signed(Number(value))}`)
    .join(', ');

/** `movedFrom`, `movedFromId`: the player from whom a move brought the entry. `restores`: this reversal takes another one back. `restoredBy`: the reversal by which this entry, taken back before, counts again. `before`: when the match was, until it was moved. */
export type HistoryLine = HistoryRow & { readonly movedFrom?: string; readonly movedFromId?: string; readonly restores?: true; readonly restoredBy?: string; readonly before?: string };

const when = ({ date, time }: Pick<HistoryRow, 'date' | 'time'>): string => `${formatDate(date)} ${time ?? ''}`.trim();

/** What one fact of a match says, in words. */
export const factInWords = (row: HistoryLine): string => {
  switch (row.type) {
    case 'StatIncrementRecorded':
      return numbers(row);
    case 'StatEntryReversed':
      return `${row.restores === true ? 'Restored' : 'Taken back'}: ${numbers(row)}`;
    case 'PlayerParticipationRecorded':
      return row.notplayed ?? 'played';
    case 'MatchAssigned':
      return `Match assigned: ${when(row)}`;
    case 'MatchRescheduled':
      return `Match rescheduled: ${row.before ?? ''} → ${when(row)}`;
    case 'MatchMvpNamed':
      return row.player_id === undefined ? 'MVP withdrawn' : 'MVP named';
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
export const entryInWords = (row: HistoryLine): string => numbers(isRestoring(row) ? { points: -row.points, assists: -row.assists, rebounds: -row.rebounds } : row);

/** What was done since to a row that counts no more. */
export const undoneInWords = (row: HistoryLine): string => (isRestoring(row) ? 'restored' : 'taken back');

/** What a reversal has to name so that the row's entry is taken back, or restored: the row, or what restored it last. */
export const reversedBy = ({ entryId = '', restoredBy = entryId }: HistoryLine): string => restoredBy;

/** Entries and reversals that still stand can be taken back; a status has no numbers to take back. */
export const canReverse = (row: HistoryRow): boolean => row.entryId !== undefined && row.notplayed === undefined && !row.reversed;

/** The totals that stood after a fact: `37 points, 9 assists, 6 rebounds`. */
export const totalsInWords = (row: HistoryRow): string =>
  row.runningTotal ? [formatCount(row.runningTotal.points, 'point'), formatCount(row.runningTotal.assists, 'assist'), formatCount(row.runningTotal.rebounds, 'rebound')].join(', ') : '';

/** Reversals that give back what an earlier one took: those of a reversal that is not itself such a one. Rows come oldest first. */
const restoringOf = (rows: readonly HistoryRow[]): ReadonlySet<string | undefined> => {
  const taking = new Set<string>();
  const restoring = new Set<string>();
  for (const { entryId, targetEntryId } of rows) if (entryId !== undefined && targetEntryId !== undefined) (taking.has(targetEntryId) ? restoring : taking).add(entryId);
  return restoring;
};

/** The last reversal of each entry, which all others hang on, by the entry. Rows come oldest first. */
const lastReversals = (rows: readonly HistoryRow[]): ReadonlyMap<string, string> => {
  const roots = new Map<string, string>();
  const last = new Map<string, string>();
  for (const { entryId, targetEntryId } of rows) {
    if (entryId === undefined || targetEntryId === undefined) continue;
    const root = roots.get(targetEntryId) ?? targetEntryId;
    roots.set(entryId, root);
    last.set(root, entryId);
  }
  return last;
};

/** When the match was, by the position of the fact that moved it from there. */
const timesBefore = (rows: readonly HistoryRow[]): ReadonlyMap<string, string> => {
  const timed = rows.filter(({ date }) => date !== undefined);
  return new Map(timed.flatMap((row, index) => (row.type === 'MatchRescheduled' ? [[row.position, when(timed[index - 1] ?? {})] as const] : [])));
};

/** A move is two facts of one command, shown as one line: the new entry with the reason and the player that it came from. */
export const linesOf = (rows: readonly HistoryRow[]): HistoryLine[] => {
  const entries = new Set(rows.filter(({ type }) => type === 'StatIncrementRecorded').map(({ commandId }) => commandId));
  const reversals = new Map(rows.filter(({ type }) => type === 'StatEntryReversed').map((row) => [row.commandId, row]));
  const restoring = restoringOf(rows);
  const last = lastReversals(rows);
  const times = timesBefore(rows);
  return rows.flatMap((row): HistoryLine[] => {
    if (row.type === 'StatEntryReversed' && entries.has(row.commandId)) return [];
    const before = times.get(row.position);
    if (before !== undefined) return [{ ...row, before }];
    if (row.type !== 'StatIncrementRecorded') return [restoring.has(row.entryId) ? { ...row, restores: true } : row];
    const [from, restoredBy] = [reversals.get(row.commandId), row.reversed ? undefined : last.get(row.entryId ?? '')];
    return [
      {
        ...row,
        ...(restoredBy !== undefined && { restoredBy }),
        ...(from && { movedFrom: from.playerName ?? '', ...(from.player_id !== undefined && { movedFromId: from.player_id }), ...(from.reason !== undefined && { reason: from.reason }) }),
      },
    ];
  });
};
