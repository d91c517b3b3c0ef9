import { INCREMENT_MAX } from '@courtledger/contracts/kernel/limits';
import { fieldTexts } from '@courtledger/contracts/kernel/texts';
import type { MatchListItem, RosterPlayer, StatRow } from '@courtledger/contracts/match/match.answers';
import { formatDifference, formatNumber } from '../lib/format.rules.ts';

/** Rules of the 'Update Match' modal (specification sections 2, 4 and 5). */

export const statistics = ['points', 'assists', 'rebounds'] as const;
export type Statistic = (typeof statistics)[number];
export const statisticTitles: Readonly<Record<Statistic, string>> = { points: 'Points', assists: 'Assists', rebounds: 'Rebounds' };

/** What the admin typed for one player; `played` only once the checkbox was touched. */
export type LineEdit = Readonly<Record<Statistic, string>> & { readonly played?: boolean };
export type Edits = Readonly<Record<string, LineEdit>>;
export const emptyLine: LineEdit = { points: '', assists: '', rebounds: '' };

/** One line as it is sent: increments and a status. */
export type StatLineSent = {
  readonly playerId: string;
  readonly points: number;
  readonly assists: number;
  readonly rebounds: number;
  readonly notplayed: string;
};

/** Parsed as an integer, anything else is 0; a real minus sign counts as one. */
export const parseIncrement = (typed: string): number => Number.parseInt(typed.trim().replace(/^[−–]/, '-'), 10) || 0;

/** Why a typed increment cannot be sent; undefined when it can. */
export const incrementFault = (statistic: Statistic, typed: string): string | undefined =>
  Math.abs(parseIncrement(typed)) > INCREMENT_MAX ? fieldTexts.increment.replace('{field}', statisticTitles[statistic]) : undefined;

/** A player in the editor, with what is stored. */
export type EditorRow = RosterPlayer & Readonly<Record<Statistic, number>> & { readonly stored: StatRow['notplayed'] | undefined };

/** Rows of one team: everybody on it; unknown statistics are 0. */
export const editorRows = (match: Pick<MatchListItem, 'team1Players' | 'team2Players' | 'team1Id' | 'playerStats'>, teamId: string): readonly EditorRow[] =>
  (teamId === match.team1Id ? match.team1Players : match.team2Players).map((player) => {
    const stat = match.playerStats.find((row) => row.player_id === player._id && row.team_id === teamId);
    return {
      _id: player._id,
      name: player.name,
      jerseyNumber: player.jerseyNumber,
      image: player.image,
      points: stat?.points ?? 0,
      assists: stat?.assists ?? 0,
      rebounds: stat?.rebounds ?? 0,
      stored: stat?.notplayed,
    };
  });

const addsSomething = (line: LineEdit): boolean => statistics.some((statistic) => parseIncrement(line[statistic]) !== 0);

/** Whether the checkbox is ticked: a stored 'DNP' is shown as played (specification section 4); a player without an entry plays once a number is typed. */
export const isShownAsPlayed = (row: Pick<EditorRow, 'stored'>, line: LineEdit): boolean =>
  line.played ?? (row.stored === undefined ? addsSomething(line) : row.stored !== 'Not Played');

/**
 * The status that is sent: what the admin ticked, else the stored one as it is, so that a 'DNP' is never turned into 'played' unseen. Of a stored 'played'
 * nothing: numbers mean it, and said by nobody it would stay when they are taken back (docs/decisions/entries-imply-played.md).
 */
export const statusToSend = ({ stored }: Pick<EditorRow, 'stored'>, { played }: LineEdit): string => {
  if (played !== undefined) return played ? 'played' : 'Not Played';
  return stored === undefined || stored === 'played' ? '' : stored;
};

/** The total that would stand. */
export const totalAfter = (row: EditorRow, line: LineEdit, statistic: Statistic): number => row[statistic] + parseIncrement(line[statistic]);

/** A status that changes something; a player without an entry does not play yet. */
const saysStatus = (row: EditorRow, line: LineEdit): boolean => line.played !== undefined && statusToSend(row, line) !== (row.stored ?? 'Not Played');
const isTouched = (row: EditorRow, line: LineEdit): boolean => addsSomething(line) || saysStatus(row, line);

/** Whether anything was typed or ticked, be it only half a number: it must not be lost unasked. */
export const isTyped = (rows: readonly EditorRow[], edits: Edits): boolean =>
  rows.some((row) => {
    const line = edits[row._id];
    return line !== undefined && (saysStatus(row, line) || statistics.some((statistic) => line[statistic].trim() !== ''));
  });

/** Whether other statistics stand now than before: two who have the same sheet of paper would count it twice. */
export const isOvertaken = (before: readonly EditorRow[], now: readonly EditorRow[]): boolean =>
  now.some((row) => {
    const stood = before.find(({ _id }) => _id === row._id);
    return row.stored !== stood?.stored || statistics.some((statistic) => row[statistic] !== (stood?.[statistic] ?? 0));
  });

/** The lines that say something: only they are sent. */
export const linesToSend = (rows: readonly EditorRow[], edits: Edits): readonly StatLineSent[] =>
  rows.flatMap((row) => {
    const line = edits[row._id];
    if (!line || !isTouched(row, line)) return [];
    return [
      {
        playerId: row._id,
        points: parseIncrement(line.points),
        assists: parseIncrement(line.assists),
        rebounds: parseIncrement(line.rebounds),
        notplayed: statusToSend(row, line),
      },
    ];
  });

/** Both teams may have a number 7: where something is typed for both, each is told by the name as well. */
const tag = (row: EditorRow, rows: readonly EditorRow[], edits: Edits): string => {
  const isAlone = rows.every((other) => other._id === row._id || other.jerseyNumber !== row.jerseyNumber || !isTyped([other], edits));
  return `#${row.jerseyNumber || row.name}${row.jerseyNumber === '' || isAlone ? '' : ` ${row.name}`}`;
};

/** The first increment that cannot be sent, and whose it is: `#7 Points must be between -999 and 999`; undefined when all can. */
export const firstFault = (rows: readonly EditorRow[], edits: Edits): string | undefined =>
  rows.flatMap((row) =>
    statistics
      .flatMap((statistic) => incrementFault(statistic, (edits[row._id] ?? emptyLine)[statistic]) ?? [])
      .map((text) => `${tag(row, rows, edits)} ${text}`),
  )[0];

/** What will be sent, in words: `#7 Points +3`, `#00 Assists −3`, `#9 Not Played`. */
export const changesInWords = (rows: readonly EditorRow[], edits: Edits): readonly string[] =>
  linesToSend(rows, edits).flatMap((line) => {
    const row = rows.find((candidate) => candidate._id === line.playerId);
    if (!row) return [];
    const who = tag(row, rows, edits);
    const numbers = statistics
      .filter((statistic) => line[statistic] !== 0)
      .map((statistic) => `${who} ${statisticTitles[statistic]} ${formatDifference(line[statistic])}`);
    const edit = edits[row._id];
    return edit && saysStatus(row, edit) ? numbers.concat(`${who} ${line.notplayed}`) : numbers;
  });

/** Totals that would fall below 0: allowed, but said. */
export const belowZero = (rows: readonly EditorRow[], edits: Edits): readonly string[] =>
  rows.flatMap((row) => {
    const line = edits[row._id];
    if (!line) return [];
    return statistics
      .filter((statistic) => parseIncrement(line[statistic]) !== 0 && totalAfter(row, line, statistic) < 0)
      .map((statistic) => `${tag(row, rows, edits)} ${statisticTitles[statistic]} ${formatNumber(totalAfter(row, line, statistic))}`);
  });
