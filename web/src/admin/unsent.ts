/** How many dialogs hold what was typed and not sent. */
let holding = 0;

/** Has the browser ask before it leaves the page, in its own words. */
const ask = (event: BeforeUnloadEvent): void => {
  event.preventDefault();
};

/** Whether something would be lost with the page. */
export const isAnythingUnsent = (): boolean => holding > 0;

/** Keeps the page open, unless its reader insists, until what is returned is called. */
export const holdUnsent = (): (() => void) => {
  holding += 1;
  window.addEventListener('beforeunload', ask);
  return () => {
    holding -= 1;
    if (!isAnythingUnsent()) window.removeEventListener('beforeunload', ask);
  };
};
