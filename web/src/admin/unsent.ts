/** How many dialogs hold what was typed and not sent: the dashboard stays for them when its session ends. */
let holding = 0;

/** Whether something would be lost with the dashboard. */
export const isAnythingUnsent = (): boolean => holding > 0;

/** Counts one more of them, until what is returned is called. */
export const holdUnsent = (): (() => void) => {
  holding += 1;
  return () => {
    holding -= 1;
  };
};
