import { z } from 'zod';
import { fact, factIdOf, factMedia, type FactsOf } from '../kernel/facts.ts';
import type { PersonId, TeamId, TournamentId } from '../kernel/ids.ts';
import { streamOf } from '../kernel/streams.ts';

export const teamFacts = {
  /**
   * `contactId`: the person stream that holds the team's primary number. `capabilityHash`: SHA-256 (hex) of the registration capability; null when an admin
   * registered the team.
   */
  TeamRegistered: fact(
    1,
    z.object({
      teamId: factIdOf<TeamId>(),
      name: z.string(),
      origin: z.string(),
      logo: factMedia,
      contactId: factIdOf<PersonId>(),
      capabilityHash: z.string().nullable(),
    }),
  ),
  /** Name, phones and photo are in the person stream. A second one replaces the first (admins only). */
  CoachAppointed: fact(1, z.object({ teamId: factIdOf<TeamId>(), personId: factIdOf<PersonId>() })),
  /** The player's id is the person's id. Jersey numbers are exact strings: '0' is not '00'. */
  PlayerAddedToTeam: fact(1, z.object({ teamId: factIdOf<TeamId>(), playerId: factIdOf<PersonId>(), jerseyNumber: z.string() })),
  /** The registration capability is spent; `tournamentId` is the tournament that was entered with it. */
  TeamRegistrationCompleted: fact(1, z.object({ teamId: factIdOf<TeamId>(), tournamentId: factIdOf<TournamentId>() })),
  /** An admin's edit; only what changed. `contactId` when the primary number moved to a new person stream (its old one was erased). */
  TeamDetailsCorrected: fact(
    1,
    z.object({
      teamId: factIdOf<TeamId>(),
      changes: z.object({ name: z.string(), origin: z.string(), logo: factMedia, contactId: factIdOf<PersonId>() }).partial(),
    }),
  ),
  PlayerJerseyNumberChanged: fact(1, z.object({ teamId: factIdOf<TeamId>(), playerId: factIdOf<PersonId>(), jerseyNumber: z.string() })),
  /** An abandoned registration (24 h without completion) was closed by the janitor; its files and person streams go. */
  TeamRegistrationExpired: fact(1, z.object({ teamId: factIdOf<TeamId>() })),
};
export type TeamEvent = FactsOf<typeof teamFacts>;
export const teamStream = (teamId: TeamId): string => streamOf('team', teamId);
