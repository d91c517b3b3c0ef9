import type { FieldError } from '../kernel/errors.ts';
import { fieldTexts } from '../kernel/texts.ts';

/** Days as `YYYY-MM-DD`, so that text order is their order. */
export type TournamentDates = { readonly startDate: string; readonly endDate: string; readonly registeringStartDate: string };

/** Both may be the same day; so in the next one. */
export const startsBeforeItEnds = ({ startDate, endDate }: Pick<TournamentDates, 'startDate' | 'endDate'>): boolean => startDate <= endDate;
export const registersBeforeItStarts = ({ startDate, registeringStartDate }: Pick<TournamentDates, 'startDate' | 'registeringStartDate'>): boolean =>
  registeringStartDate <= startDate;

/**
 * What is wrong with a tournament's dates as a whole: a day may be shared, but not passed (api-contract, createTournament; they hold for an edit's result too).
 */
export const tournamentDateErrors = (dates: TournamentDates): readonly FieldError[] => [
  ...(startsBeforeItEnds(dates) ? [] : [{ path: 'endDate', message: fieldTexts.endBeforeStart }]),
  ...(registersBeforeItStarts(dates) ? [] : [{ path: 'registeringStartDate', message: fieldTexts.registrationAfterStart }]),
];
