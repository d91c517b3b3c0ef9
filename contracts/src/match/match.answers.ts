import { z } from 'zod';
import { countOut, dayOut, idOut, imageOut, instantOut, jerseyOut, messageAnswer, participationOut, positionOut, statOut, timeOut } from '../kernel/answers.ts';

/** A player as lists of teams and matches show one. Never a phone. */
export const rosterPlayer = z.strictObject({ _id: idOut, name: z.string(), jerseyNumber: jerseyOut, image: imageOut });
export type RosterPlayer = z.output<typeof rosterPlayer>;

/** A player's statistics in one match, with name, number and image so that no screen makes a call per player. `player_id` is a plain id. */
export const statRow = z.strictObject({
  player_id: idOut,
  team_id: idOut,
  points: statOut,
  assists: statOut,
  rebounds: statOut,
  notplayed: participationOut,
  name: z.string(),
  jerseyNumber: jerseyOut,
  image: imageOut,
});
export type StatRow = z.output<typeof statRow>;

/** A team in a listing of matches. */
export const matchTeam = z.strictObject({ _id: idOut, team_details: z.strictObject({ name: z.string(), logo: imageOut }) });
export type MatchTeam = z.output<typeof matchTeam>;

/** A team in one match: its current roster and everybody with an entry. */
export const matchTeamWithPlayers = matchTeam.extend({ players: z.array(rosterPlayer) });

/** One match (getMatch, and `matches` of getTournament). */
export const matchAnswer = z.strictObject({
  _id: idOut,
  date: dayOut,
  time: timeOut,
  tournament_id: z.strictObject({ _id: idOut, name: z.string(), location: z.string(), startDate: dayOut, league: z.string() }),
  team_1: matchTeamWithPlayers,
  team_2: matchTeamWithPlayers,
  player_stats: z.array(statRow),
  /** The recorded MVP, a plain id; only when recorded and that player has a stat entry. */
  mvp: idOut.optional(),
  /** The MVP to show: the recorded one, else the fallback of specification section 9; a level match has none. */
  bestPlayer: z.strictObject({ player_id: idOut, recorded: z.boolean() }).optional(),
});
export type MatchAnswer = z.output<typeof matchAnswer>;

/** One match in the admin's list. */
export const matchListItem = z.strictObject({
  matchId: idOut,
  tournamentId: idOut,
  tournamentName: z.string(),
  team1Name: z.string(),
  team2Name: z.string(),
  team1Id: idOut,
  team2Id: idOut,
  date: dayOut,
  time: timeOut,
  team1Players: z.array(rosterPlayer),
  team2Players: z.array(rosterPlayer),
  playerStats: z.array(statRow),
});
export type MatchListItem = z.output<typeof matchListItem>;

/** One match in a tournament's results. Scores are sums of points; `hasStats` says whether they count. */
export const matchResult = z.strictObject({
  _id: idOut,
  date: dayOut,
  time: timeOut,
  team_1: matchTeam,
  team_2: matchTeam,
  score_1: statOut,
  score_2: statOut,
  hasStats: z.boolean(),
});
export type MatchResult = z.output<typeof matchResult>;

/** Answer of assignMatch and recordMatchStats. */
export const matchWritten = messageAnswer.extend({ match: matchAnswer });
export type MatchWritten = z.output<typeof matchWritten>;

/** One recorded entry. `notplayed` is the player's status once it is counted. */
export const statEntryAnswer = z.strictObject({
  entryId: idOut,
  matchId: idOut,
  player_id: idOut,
  team_id: idOut,
  points: statOut,
  assists: statOut,
  rebounds: statOut,
  notplayed: participationOut,
});
export type StatEntryAnswer = z.output<typeof statEntryAnswer>;

/** One reversal: an entry itself. The numbers are what it adds. */
export const reversalAnswer = z.strictObject({
  entryId: idOut,
  targetEntryId: idOut,
  matchId: idOut,
  player_id: idOut,
  team_id: idOut,
  points: statOut,
  assists: statOut,
  rebounds: statOut,
  reason: z.string(),
});
export type ReversalAnswer = z.output<typeof reversalAnswer>;

const numbers = z.strictObject({ points: statOut, assists: statOut, rebounds: statOut });

/** One fact of a match: who, when, what, the player's running total after it, and whether it was taken back. Oldest first. */
export const historyRow = z.strictObject({
  position: positionOut,
  at: instantOut,
  actor: z.strictObject({ role: z.string(), id: z.string(), name: z.string() }),
  type: z.string(),
  /** Only of entries and reversals, and of a status that was an entry of its own. */
  entryId: idOut.optional(),
  /** Only of reversals. */
  targetEntryId: idOut.optional(),
  player_id: idOut.optional(),
  playerName: z.string().optional(),
  team_id: idOut.optional(),
  points: statOut,
  assists: statOut,
  rebounds: statOut,
  /** Only of a recorded participation. */
  notplayed: participationOut.optional(),
  /** Only of a status that nobody said: the entry, or its reversal, that it followed from. */
  impliedBy: idOut.optional(),
  /** Only of an assignment and of a move to another time: when the match is since then. */
  date: dayOut.optional(),
  time: timeOut.optional(),
  /** Only where there is a player. */
  runningTotal: numbers.optional(),
  reversed: z.boolean(),
  /** The entry id of the reversal that stands. */
  reversedBy: idOut.optional(),
  /** Only of reversals. */
  reason: z.string().optional(),
  commandId: z.string(),
});
export type HistoryRow = z.output<typeof historyRow>;

export const historyAnswer = z.array(historyRow);

/** One correction, for everybody: when, what was taken back or came late, and why. Newest first. */
export const correction = z.strictObject({
  at: instantOut,
  what: z.string(),
  reason: z.string(),
  /**
   * Made on a day (Asia/Kathmandu) after the one on which the match was played: its own when the result began, or that of the first entry where that was
   * before. A move to an earlier day counts from then on, one to a later day does not.
   */
  afterDay: z.boolean(),
});
export type Correction = z.output<typeof correction>;

/** Rows of leaders per statistic; `matches` counts those with status 'played', `average` is per such match, one decimal. */
export const leaderRow = z.strictObject({
  player_id: idOut,
  name: z.string(),
  image: imageOut,
  jerseyNumber: jerseyOut,
  team_id: idOut,
  teamName: z.string(),
  total: statOut,
  matches: countOut,
  average: z.number(),
});
export type LeaderRow = z.output<typeof leaderRow>;
