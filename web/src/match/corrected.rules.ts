import type { Correction } from '@courtledger/contracts/match/match.answers';

/** `Corrected once`, `Corrected twice`, `Corrected 3 times`. */
export const correctedInWords = (count: number): string => `Corrected ${count === 1 ? 'once' : count === 2 ? 'twice' : `${String(count)} times`}`;

/**
 * Whether the numbers of a match were changed after the day on which it was played. The server judges each correction by the day that the match had then:
 * moving the match takes nothing back.
 */
export const isCorrectedAfterDay = (corrections: readonly Correction[]): boolean => corrections.some(({ afterDay }) => afterDay);
