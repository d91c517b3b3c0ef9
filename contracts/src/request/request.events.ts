import { z } from 'zod';
import { fact, factIdOf, factMedia, type FactsOf } from '../kernel/facts.ts';
import type { PersonId, RequestId } from '../kernel/ids.ts';
import { streamOf } from '../kernel/streams.ts';

const requestStatus = z.enum(['open', 'accepted', 'declined']);
export type RequestStatus = z.output<typeof requestStatus>;

export const requestFacts = {
  /** `requesterId`: the person stream with organizer name, phones and e-mail. */
  TournamentRequested: fact(
    1,
    z.object({
      requestId: factIdOf<RequestId>(),
      tournamentName: z.string(),
      location: z.string(),
      prizePool: z.string(),
      poster: factMedia.nullable(),
      requesterId: factIdOf<PersonId>(),
    }),
  ),
  TournamentRequestClosed: fact(1, z.object({ requestId: factIdOf<RequestId>(), status: z.enum(['accepted', 'declined']), note: z.string() })),
};
export type RequestEvent = FactsOf<typeof requestFacts>;
export const requestStream = (requestId: RequestId): string => streamOf('request', requestId);
