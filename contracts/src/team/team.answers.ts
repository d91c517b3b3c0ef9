import { z } from 'zod';
import { countOut, idOut, imageOut, instantOut, statOut } from '../kernel/answers.ts';
import { matchResult, rosterPlayer } from '../match/match.answers.ts';

/** A team as admins (and its registrant) see it. `coach` is always an object, empty before a coach is appointed. */
export const teamAnswer = z.strictObject({
  _id: idOut,
  team_details: z.strictObject({ name: z.string(), origin: z.string(), logo: imageOut, teamPrimaryNumber: z.string() }),
  coach: z.strictObject({
    name: z.string().optional(),
    phone_number: z.string().optional(),
    contact_number_2: z.string().optional(),
    image: imageOut.optional(),
  }),
  players: z.array(idOut),
  matches: z.array(idOut),
});
export type TeamAnswer = z.output<typeof teamAnswer>;

/** The same with the time of its registration, as the super admin sees it. */
export const registeredTeam = teamAnswer.extend({ registeredAt: instantOut });
export type RegisteredTeam = z.output<typeof registeredTeam>;

export const teamName = z.strictObject({ teamId: idOut, teamName: z.string(), coachName: z.string() });
export type TeamName = z.output<typeof teamName>;

/** A match of a team's page: as in a tournament's results, and which tournament. Newest first. */
export const teamResult = matchResult.extend({ tournament_id: z.strictObject({ _id: idOut, name: z.string() }) });
export type TeamResult = z.output<typeof teamResult>;

/** Where a team stands in one tournament. */
export const teamStanding = z.strictObject({
  tournamentId: idOut,
  name: z.string(),
  rank: z.int().min(1),
  played: countOut,
  wins: countOut,
  losses: countOut,
  points: statOut,
});
export type TeamStanding = z.output<typeof teamStanding>;

/** A team's public page: roster, results, standings. No phones. `coach` is empty before one is appointed. */
export const publicTeam = z.strictObject({
  _id: idOut,
  team_details: z.strictObject({ name: z.string(), origin: z.string(), logo: imageOut }),
  coach: z.strictObject({ name: z.string().optional(), image: imageOut.optional() }),
  players: z.array(rosterPlayer),
  results: z.array(teamResult),
  standings: z.array(teamStanding),
});
export type PublicTeam = z.output<typeof publicTeam>;
