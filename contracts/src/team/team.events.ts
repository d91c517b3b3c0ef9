import { z } from 'zod';
import { fact, factId, factMedia, type FactsOf } from '../kernel/facts.ts';
import { streamOf } from '../kernel/streams.ts';

export const teamFacts = {
  /** `contactId`: the person stream that holds the team's primary number. `capabilityHash`: SHA-256 (hex) of the registration capability; null when an admin registered the team. */
  TeamRegistered: fact(1, z.object({ teamId: factId, name: z.string(), origin: z.string(), logo: factMedia, contactId: factId, capabilityHash: z.string().nullable() })),
  /** Name, phones and photo are in the person stream. A second one replaces the first (admins only). */
  CoachAppointed: fact(1, z.object({ teamId: factId, personId: factId })),
  /** The player's id is the person's id. Jersey numbers are exact strings: '0' is not '00'. */
  PlayerAddedToTeam: fact(1, z.object({ teamId: factId, playerId: factId, jerseyNumber: z.string() })),
  /** The registration capability is spent; `tournamentId` is the tournament that was entered with it. */
  TeamRegistrationCompleted: fact(1, z.object({ teamId: factId, tournamentId: factId })),
  /** An admin's edit; only what changed. `contactId` when the primary number moved to a new person stream (its old one was erased). */
  TeamDetailsCorrected: fact(1, z.object({ teamId: factId, changes: z.object({ name: z.string(), origin: z.string(), logo: factMedia, contactId: factId }).partial() })),
  PlayerJerseyNumberChanged: fact(1, z.object({ teamId: factId, playerId: factId, jerseyNumber: z.string() })),
  /** An abandoned registration (24 h without completion) was closed by the janitor; its files and person streams go. */
  TeamRegistrationExpired: fact(1, z.object({ teamId: factId })),
};
export type TeamEvent = FactsOf<typeof teamFacts>;
export const teamStream = (teamId: string): string => streamOf('team', teamId);
