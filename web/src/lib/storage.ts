/** Local storage that never throws: private windows and full disks refuse it, and a page works without. */

/** The tournament and the date that the results page shows (specification section 4). */
export const selectedTournamentKey = 'selectedTournament';
export const selectedDateKey = 'selectedDate';

/** Sent on `window` when another part of the page has chosen a tournament; `detail` is its id. */
export const tournamentChanged = 'tournament-changed';

export const recall = (key: string): string | undefined => {
  try {
    return localStorage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
};

export const keep = (key: string, value: string): void => {
  try {
    localStorage.setItem(key, value);
  } catch {
    // Nothing is kept: the choice lasts as long as the page.
  }
};

export const forget = (key: string): void => {
  try {
    localStorage.removeItem(key);
  } catch {
    // As above.
  }
};

/** Saves a tournament as the selected one, forgets the date of the one before, and tells the page. */
export const selectTournament = (id: string): void => {
  if (recall(selectedTournamentKey) !== id) forget(selectedDateKey);
  keep(selectedTournamentKey, id);
  window.dispatchEvent(new CustomEvent<string>(tournamentChanged, { detail: id }));
};
