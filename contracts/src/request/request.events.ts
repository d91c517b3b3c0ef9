import { z } from 'zod';
import { fact, factId, factMedia, type FactsOf } from '../kernel/facts.ts';
import { streamOf } from '../kernel/streams.ts';

export const requestStatus = z.enum(['open', 'accepted', 'declined']);
export type RequestStatus = z.output<typeof requestStatus>;

export const requestFacts = {
  /** `requesterId`: the person stream with organizer name, phones and e-mail. */
  TournamentRequested: fact(1, z.object({ requestId: factId, tournamentName: z.string(), location: z.string(), prizePool: z.string(), poster: factMedia.nullable(), requesterId: factId })),
  TournamentRequestClosed: fact(1, z.object({ requestId: factId, status: z.enum(['accepted', 'declined']), note: z.string() })),
};
export type RequestEvent = FactsOf<typeof requestFacts>;
export const requestStream = (requestId: string): string => streamOf('request', requestId);
