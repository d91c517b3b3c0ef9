/** Storage that never throws: private windows and full disks refuse it, and a page works without. Where nothing is said it is that of all tabs. */
type Area = 'localStorage' | 'sessionStorage';

/** The tournament and the date that the results page shows (specification section 4). */
export const selectedTournamentKey = 'selectedTournament';
export const selectedDateKey = 'selectedDate';

/** How the names begin under which drafts of registrations are kept; the id of the tournament follows. */
export const draftPrefix = 'team-registration-';

/** Sent on `window` when another part of the page has chosen a tournament; `detail` is its id. Who follows it says so (`preventDefault`). */
export const tournamentChanged = 'tournament-changed';

/** What is kept under a name; undefined when nothing is, or the browser does not tell. */
export const recall = (key: string, area: Area = 'localStorage'): string | undefined => {
  try {
    return window[area].getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
};

/** Whether it is kept: where it is not, a choice lasts as long as the page. */
export const keep = (key: string, value: string, area: Area = 'localStorage'): boolean => {
  try {
    window[area].setItem(key, value);
    return true;
  } catch {
    return false;
  }
};

/** Of what all tabs share. */
export const forget = (key: string): void => {
  try {
    localStorage.removeItem(key);
  } catch {
    // What is not kept need not be forgotten.
  }
};

/** What follows the prefix in each name under which something is kept. */
export const keptUnder = (prefix: string): readonly string[] => {
  try {
    return Object.keys(localStorage).flatMap((key) => (key.startsWith(prefix) ? [key.slice(prefix.length)] : []));
  } catch {
    return [];
  }
};

/** Saves a tournament as the selected one, forgets the date of the one before, and tells the page; whether a part of it follows. */
export const selectTournament = (id: string): boolean => {
  if (recall(selectedTournamentKey) !== id) forget(selectedDateKey);
  keep(selectedTournamentKey, id);
  return !window.dispatchEvent(new CustomEvent<string>(tournamentChanged, { detail: id, cancelable: true }));
};
