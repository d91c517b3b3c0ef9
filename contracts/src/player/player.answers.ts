import { z } from 'zod';
import { averageOut, countOut, dayOut, idOut, imageOut, jerseyOut, participationOut, statOut } from '../kernel/answers.ts';

const namedTeam = z.strictObject({ _id: idOut, name: z.string() });

const averages = z.strictObject({ points: averageOut, assists: averageOut, rebounds: averageOut });

const profile = {
  _id: idOut,
  name: z.string(),
  image: imageOut,
  jerseyNumber: jerseyOut,
  /** 0 when unknown; centimetres and kilograms. */
  age: countOut,
  height: countOut,
  weight: countOut,
  currentTeam: namedTeam,
  total_points: statOut,
  total_assists: statOut,
  total_rebounds: statOut,
  /** Matches with status 'played'. */
  matches_played: countOut,
  averages,
};

const historyTeam = z.strictObject({ _id: idOut, team_details: z.strictObject({ name: z.string() }) });

/** One match of a player. Newest first. */
export const playerMatch = z.strictObject({
  match_id: z.strictObject({
    _id: idOut,
    date: dayOut,
    team_1: historyTeam,
    team_2: historyTeam,
    tournament_id: z.strictObject({ _id: idOut, name: z.string() }),
  }),
  team_id: idOut,
  notplayed: participationOut,
  points: statOut,
  assists: statOut,
  rebounds: statOut,
});
export type PlayerMatch = z.output<typeof playerMatch>;

/** A player's public profile. Never phone or document. */
export const playerAnswer = z.strictObject({ ...profile, match_history: z.array(playerMatch) });
export type PlayerAnswer = z.output<typeof playerAnswer>;

/** A player as admins see one. `document`: whether an ID document is kept. */
export const adminPlayer = z.strictObject({ ...profile, mobileNumber: z.string(), document: z.boolean() });
export type AdminPlayer = z.output<typeof adminPlayer>;

/** A player who was just added: the names of the form, `currentTeam` the team's id. */
export const addedPlayer = z.strictObject({
  _id: idOut,
  name: z.string(),
  mobileNumber: z.string(),
  currentTeam: idOut,
  height: countOut,
  weight: countOut,
  age: countOut,
  jerseyNumber: jerseyOut,
  image: imageOut,
  document: z.literal(true),
});
export type AddedPlayer = z.output<typeof addedPlayer>;
