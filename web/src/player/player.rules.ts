import type { PlayerAnswer, PlayerMatch } from '@courtledger/contracts/player/player.answers';
import type { TeamResult } from '@courtledger/contracts/team/team.answers';

/** Rules of the player's profile (specification sections 2, 4 and 9). */

const isPlayed = (match: Pick<PlayerMatch, 'notplayed'>): boolean => match.notplayed === 'played';

/** 'NA' when 0 (specification section 2). */
export const measure = (value: number, unit: string): string => (value === 0 ? 'NA' : `${String(value)}${unit === '' ? '' : ` ${unit}`}`);

/** Total divided by the matches played, to one decimal; 0 without any (specification section 9). */
export const average = (total: number, played: number): number => (played === 0 ? 0 : Math.round((total * 10) / played) / 10);

/** Matches played and not played. */
export const countMatches = (history: readonly PlayerMatch[]): { readonly played: number; readonly notPlayed: number } => {
  const played = history.filter(isPlayed).length;
  return { played, notPlayed: history.length - played };
};

export type GameRow = {
  readonly matchId: string;
  readonly date: string;
  readonly opponent: { readonly id: string; readonly name: string };
  readonly played: boolean;
  readonly points: number;
  readonly assists: number;
  readonly rebounds: number;
  /** Own and other score, where the team's results hold them. */
  readonly score: readonly [number, number] | undefined;
};

/** Whether a match has numbers of the player: they count in the averages whatever the status says, so they are shown whatever it says. */
export const hasNumbers = ({ points, assists, rebounds }: Pick<GameRow, 'points' | 'assists' | 'rebounds'>): boolean =>
  points !== 0 || assists !== 0 || rebounds !== 0;

const byDateNewestFirst = (a: { readonly date: string }, b: { readonly date: string }): number => (a.date < b.date ? 1 : a.date > b.date ? -1 : 0);

/** The game log, newest first, with the scores that the team's results hold. */
export const gameLog = (player: Pick<PlayerAnswer, 'match_history'>, results: readonly TeamResult[]): readonly GameRow[] => {
  const resultOf = new Map(results.map((result) => [result._id, result]));
  return player.match_history
    .map((entry): GameRow => {
      const { match_id: match, team_id: own } = entry;
      const other = match.team_1._id === own ? match.team_2 : match.team_1;
      const result = resultOf.get(match._id);
      return {
        matchId: match._id,
        date: match.date,
        opponent: { id: other._id, name: other.team_details.name },
        played: isPlayed(entry),
        points: entry.points,
        assists: entry.assists,
        rebounds: entry.rebounds,
        score: result?.hasStats ? (result.team_1._id === own ? [result.score_1, result.score_2] : [result.score_2, result.score_1]) : undefined,
      };
    })
    .toSorted(byDateNewestFirst);
};

export type TournamentRow = {
  readonly id: string;
  readonly name: string;
  readonly played: number;
  readonly points: number;
  readonly assists: number;
  readonly rebounds: number;
};

/** Averages by tournament, in the order of the newest match: as the server's, every number counts, and only matches played divide. */
export const byTournament = (history: readonly PlayerMatch[]): readonly TournamentRow[] => {
  const groups = new Map<string, { readonly name: string; readonly entries: PlayerMatch[] }>();
  for (const entry of history.toSorted((a, b) => byDateNewestFirst(a.match_id, b.match_id))) {
    const { tournament_id: tournament } = entry.match_id;
    const group = groups.get(tournament._id) ?? { name: tournament.name, entries: [] };
    group.entries.push(entry);
    groups.set(tournament._id, group);
  }
  return [...groups].map(([id, { name, entries }]) => {
    const { played } = countMatches(entries);
    const averageOf = (statistic: 'points' | 'assists' | 'rebounds'): number =>
      average(
        entries.reduce((sum, entry) => sum + entry[statistic], 0),
        played,
      );
    return { id, name, played, points: averageOf('points'), assists: averageOf('assists'), rebounds: averageOf('rebounds') };
  });
};

const barsShown = 6;
const tallestBar = 52;

/** The last matches played, oldest first, as bars: the highest is 52 pixels tall, nothing is less than 2. */
export const recentBars = (log: readonly GameRow[]): readonly { readonly matchId: string; readonly points: number; readonly height: number }[] => {
  const recent = log
    .filter((game) => game.played)
    .slice(0, barsShown)
    .toReversed();
  const most = Math.max(1, ...recent.map((game) => game.points));
  return recent.map(({ matchId, points }) => ({ matchId, points, height: Math.max(2, Math.round((Math.max(0, points) / most) * tallestBar)) }));
};
