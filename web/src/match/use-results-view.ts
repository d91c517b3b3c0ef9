import { useEffect } from 'react';
import { useSearchParams } from 'react-router-dom';
import { forget, keep, recall, selectTournament, selectedDateKey, selectedTournamentKey, tournamentChanged } from '../lib/storage.ts';
import { tournamentToOpen } from './results.rules.ts';

type ResultsView = {
  readonly tournamentId: string | undefined;
  /** The date of the address, else the saved one; it may have no matches. */
  readonly askedDate: string | undefined;
  readonly selectTournament: (id: string) => void;
  readonly selectDate: (date: string) => void;
};

/**
 * What the results page shows: the address says it first (`?tournament=&date=`), then the local storage, then the first tournament.
 * Follows the `tournament-changed` event of the search (specification section 4).
 */
export const useResultsView = (tournaments: readonly { readonly _id: string }[] | undefined): ResultsView => {
  const [params, setParams] = useSearchParams();
  const saved = recall(selectedTournamentKey);
  const tournamentId = tournaments && tournamentToOpen(tournaments, [params.get('tournament'), saved]);
  const askedDate = params.get('date') ?? (saved === tournamentId ? recall(selectedDateKey) : undefined);

  useEffect(() => {
    const follow = (event: Event): void => {
      if (!(event instanceof CustomEvent)) return;
      event.preventDefault();
      setParams({ tournament: String(event.detail) });
    };
    window.addEventListener(tournamentChanged, follow);
    return () => {
      window.removeEventListener(tournamentChanged, follow);
    };
  }, [setParams]);

  return {
    tournamentId,
    askedDate,
    // The event comes back to the listener above, which changes the address.
    selectTournament,
    selectDate: (date) => {
      if (tournamentId !== undefined) setParams({ tournament: tournamentId, date }, { replace: true });
    },
  };
};

/**
 * Keeps what is shown: in the local storage, and in the address, so that whoever opens the link sees the same.
 * @param opened once the matches are known: the date that is shown, none where there are no matches
 */
export const useKeptView = (tournamentId: string | undefined, opened: { readonly date: string | undefined } | undefined): void => {
  const [params, setParams] = useSearchParams();
  const isKnown = opened !== undefined;
  const date = opened?.date;
  const inAddress = params.get('tournament') === tournamentId && params.get('date') === (date ?? null);
  useEffect(() => {
    if (tournamentId === undefined || !isKnown) return;
    keep(selectedTournamentKey, tournamentId);
    if (date === undefined) forget(selectedDateKey);
    else keep(selectedDateKey, date);
    if (!inAddress) setParams({ tournament: tournamentId, ...(date !== undefined && { date }) }, { replace: true });
  }, [tournamentId, isKnown, date, inAddress, setParams]);
};
