import { waitFor, within, type BoundFunctions, type queries } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';

/** Opens the date picker of a dialog and takes a day of the month that it opens with. */
export const pickDay = async (user: UserEvent, dialog: BoundFunctions<typeof queries>, label: string, day: number): Promise<void> => {
  await user.click(dialog.getByRole('button', { name: label }));
  const button = await waitFor(() => {
    const calendar = Array.from(document.querySelectorAll<HTMLElement>('[data-dates-dropdown]')).at(-1);
    if (!calendar) throw new Error('no calendar is open');
    const [first] = within(calendar).getAllByRole('button', { name: new RegExp(`^${String(day)} `), hidden: true });
    if (!first) throw new Error(`the calendar has no ${String(day)}`);
    return first;
  });
  await user.click(button);
  // It closes in its own time; the next one must not be mistaken for it.
  await waitFor(() => {
    if (document.querySelector('[data-dates-dropdown]')) throw new Error('the calendar is still open');
  });
};
