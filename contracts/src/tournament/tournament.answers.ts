import { z } from 'zod';
import { countOut, dayOut, idOut, imageOut, messageAnswer, statOut } from '../kernel/answers.ts';
import { leaderRow, matchAnswer, matchResult, rosterPlayer } from '../match/match.answers.ts';

const details = {
  _id: idOut,
  name: z.string(),
  /** The name unless set. */
  eventName: z.string(),
  organizer: z.strictObject({ name: z.string(), image: imageOut }),
  location: z.string(),
  startDate: dayOut,
  endDate: dayOut,
  registeringStartDate: dayOut,
  posterImage: imageOut,
  /** Numeric strings, or other text such as 'TBD'. */
  prizePool: z.strictObject({ firstPrize: z.string(), secondPrize: z.string(), thirdPrize: z.string(), mvp: z.string(), entryFee: z.string() }),
  /** 'true', or the text that the button shows instead. */
  registerable: z.string(),
  /** 'true' or another text. */
  league: z.string(),
  featured: z.boolean(),
};

/** A tournament in public lists; teams and matches are ids. */
export const tournamentListItem = z.strictObject({ ...details, teams: z.array(idOut), matches: z.array(idOut) });
export type TournamentListItem = z.output<typeof tournamentListItem>;

/** `allTournaments` newest start first; `upcomingTournaments` (end not before today in Asia/Kathmandu) nearest first. */
export const tournamentLists = z.strictObject({ allTournaments: z.array(tournamentListItem), upcomingTournaments: z.array(tournamentListItem) });
export type TournamentLists = z.output<typeof tournamentLists>;

/** A tournament as admins see it: with the organizer's phone. */
export const adminTournament = tournamentListItem.extend({ organizer: details.organizer.extend({ phoneNumber: z.string() }) });
export type AdminTournament = z.output<typeof adminTournament>;

/** A team of one tournament, with its roster. */
export const tournamentTeam = z.strictObject({
  _id: idOut,
  team_details: z.strictObject({ name: z.string(), logo: imageOut, origin: z.string() }),
  coach: z.strictObject({ name: z.string() }),
  players: z.array(rosterPlayer),
});
export type TournamentTeam = z.output<typeof tournamentTeam>;

/** One tournament, with its teams and matches themselves. */
export const tournamentPopulated = z.strictObject({ ...details, teams: z.array(tournamentTeam), matches: z.array(matchAnswer) });
export type TournamentPopulated = z.output<typeof tournamentPopulated>;

/** Answer of enterTeam: the tournament as in public lists (a registrant may not see the organizer's phone). */
export const teamEntered = messageAnswer.extend({ tournament: tournamentListItem });
export type TeamEntered = z.output<typeof teamEntered>;

/** One row of the standings (specification section 9). `tieBreak` says what decided between teams that are level on points and point difference. */
export const standingRow = z.strictObject({
  rank: z.int().min(1),
  teamId: idOut,
  teamName: z.string(),
  logo: imageOut,
  played: countOut,
  wins: countOut,
  losses: countOut,
  points: countOut,
  pointsFor: statOut,
  pointsAgainst: statOut,
  difference: statOut,
  tieBreak: z.string().optional(),
});
export type StandingRow = z.output<typeof standingRow>;

/** Empty until one match has statistics. Ranks are shared as 1, 2, 2, 4. `provisional`: matches are still to be played. */
export const standingsAnswer = z.strictObject({ tournamentId: idOut, provisional: z.boolean(), rows: z.array(standingRow) });
export type StandingsAnswer = z.output<typeof standingsAnswer>;

/** Matches of a tournament (of one day when asked); `dates` are all days that have matches, in order. */
export const tournamentMatches = z.strictObject({ dates: z.array(dayOut), matches: z.array(matchResult) });
export type TournamentMatches = z.output<typeof tournamentMatches>;

/** Leaders of a tournament, at most ten a statistic. */
export const leadersAnswer = z.strictObject({ points: z.array(leaderRow), assists: z.array(leaderRow), rebounds: z.array(leaderRow) });
export type LeadersAnswer = z.output<typeof leadersAnswer>;
