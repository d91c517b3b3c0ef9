import { z } from 'zod';
import { idOut, imageOut, instantOut } from '../kernel/answers.ts';

export const requestCreated = z.strictObject({ _id: idOut });
export type RequestCreated = z.output<typeof requestCreated>;

/** A request to hold a tournament. Newest first. `poster` and `email` are empty when none was sent. */
export const requestAnswer = z.strictObject({
  _id: idOut,
  tournamentName: z.string(),
  contactPhone1: z.string(),
  contactPhone2: z.string(),
  email: z.string(),
  organizerName: z.string(),
  location: z.string(),
  prizePool: z.string(),
  poster: imageOut,
  status: z.enum(['open', 'accepted', 'declined']),
  note: z.string(),
  requestedAt: instantOut,
  closedAt: instantOut.optional(),
});
export type RequestAnswer = z.output<typeof requestAnswer>;
