import { useState } from 'react';
import { dateWindow, followDates, type ShownDates } from './date-window.rules.ts';

type Stand = ShownDates & { readonly tournamentId: string | undefined };

/**
 * Where the date window stands: it follows the selected date and begins anew with each tournament; the arrows may lead it away from the date.
 * @param dates days that have matches, oldest first
 */
export const useDateWindow = (
  tournamentId: string | undefined,
  dates: readonly string[],
  selected: string | undefined,
): { readonly start: number; readonly move: (start: number) => void } => {
  const [stand, setStand] = useState<Stand>();
  const start = followDates(stand?.tournamentId === tournamentId ? stand : undefined, dates, selected);
  const shown = dateWindow(dates, start).dates;
  if (stand?.tournamentId !== tournamentId || stand?.selected !== selected || stand?.shown.join() !== shown.join()) setStand({ tournamentId, selected, shown });
  return {
    start,
    move: (next) => {
      setStand({ tournamentId, selected, shown: dateWindow(dates, next).dates });
    },
  };
};
