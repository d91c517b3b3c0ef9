import { z } from 'zod';
import { fact, factDay, factIdOf, factMedia, type FactsOf } from '../kernel/facts.ts';
import type { TeamId, TournamentId } from '../kernel/ids.ts';
import { streamOf } from '../kernel/streams.ts';

/** Numeric strings, or other text such as 'TBD' (specification section 3). */
const prizePoolFact = z.object({ firstPrize: z.string(), secondPrize: z.string(), thirdPrize: z.string(), mvp: z.string(), entryFee: z.string() });

const details = z.object({
  name: z.string(),
  eventName: z.string(),
  /** A business contact, no personal detail in the sense of erasure (architecture, 'Streams and facts'). */
  organizer: z.object({ name: z.string(), phoneNumber: z.string(), image: factMedia }),
  location: z.string(),
  startDate: factDay,
  endDate: factDay,
  registeringStartDate: factDay,
  posterImage: factMedia,
  prizePool: prizePoolFact,
  /** 'true', or the text that the button shows instead. */
  registerable: z.string(),
  league: z.string(),
  featured: z.boolean(),
});
export type TournamentDetails = z.output<typeof details>;

const changes = details
  .omit({ organizer: true, prizePool: true })
  .partial()
  .extend({ organizer: details.shape.organizer.partial().optional(), prizePool: prizePoolFact.partial().optional() });
export type TournamentChanges = z.output<typeof changes>;

export const tournamentFacts = {
  TournamentCreated: fact(1, details.extend({ tournamentId: factIdOf<TournamentId>() })),
  /** Only what changed. */
  TournamentDetailsChanged: fact(1, z.object({ tournamentId: factIdOf<TournamentId>(), changes })),
  TeamEnteredTournament: fact(1, z.object({ tournamentId: factIdOf<TournamentId>(), teamId: factIdOf<TeamId>() })),
  TeamWithdrawnFromTournament: fact(1, z.object({ tournamentId: factIdOf<TournamentId>(), teamId: factIdOf<TeamId>() })),
};
export type TournamentEvent = FactsOf<typeof tournamentFacts>;
export const tournamentStream = (tournamentId: TournamentId): string => streamOf('tournament', tournamentId);
