import type { Correction } from '@courtledger/contracts/match/match.answers';

/** `Corrected once`, `Corrected twice`, `Corrected 3 times`. */
export const correctedInWords = (count: number): string => `Corrected ${count === 1 ? 'once' : count === 2 ? 'twice' : `${String(count)} times`}`;

/** Asia/Kathmandu is five and three quarter hours ahead of UTC, all year. */
const offsetMilliseconds = 345 * 60_000;

/** The corrections that were made after the day (UTC midnight on the wire) on which the match was played, by the calendar of Kathmandu. */
export const correctedAfter = (matchDate: string, corrections: readonly Correction[]): readonly Correction[] =>
  corrections.filter(({ at }) => new Date(Date.parse(at) + offsetMilliseconds).toISOString().slice(0, 10) > matchDate.slice(0, 10));
