import { kathmanduDay } from '@courtledger/contracts/kernel/days';
import { MantineProvider } from '@mantine/core';
import { act, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState, type ReactElement } from 'react';
import { BrowserRouter, Link, Route, Routes } from 'react-router-dom';
import { expect, it, vi } from 'vitest';
import { listenBeforeRouter, useBackCloses } from '../lib/back-closes.ts';
import { DateField } from './date-field.tsx';

const Form = ({ day }: { readonly day: string }): ReactElement => {
  const [value, setValue] = useState(day);
  return (
    <MantineProvider>
      <DateField name="startDate" label="Start date" value={value} onChange={setValue} />
      <output>{value}</output>
    </MantineProvider>
  );
};
const inWords = (day: string): string => new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(day));

it.each([
  ['the chosen day', '2027-02-14'],
  ['today in Kathmandu', ''],
])('opens a calendar with the name of the field, to begin at %s', async (_, day) => {
  const user = userEvent.setup();
  const before = kathmanduDay(Date.now());
  render(<Form day={day} />);
  const field = screen.getByRole('button', { name: 'Start date' });
  await user.click(field);
  // Nothing is laid out here, so the calendar counts as hidden, soon or late, and has no computed name; that the focus is there is seen in a browser.
  const calendar = await screen.findByRole('dialog', { hidden: true });
  expect(document.querySelector(`#${CSS.escape(calendar.getAttribute('aria-labelledby') ?? '')}`)).toHaveTextContent(/^Start date$/);
  // Midnight may have passed meanwhile.
  const possible = day === '' ? [before, kathmanduDay(Date.now())] : [day];
  const [begin, ...others] = calendar.querySelectorAll('[data-autofocus]');
  expect(others).toEqual([]);
  expect(possible.map(inWords)).toContain(begin?.getAttribute('aria-label'));
});

it('takes a day, and gives the focus back to the field', async () => {
  const user = userEvent.setup();
  render(<Form day="2027-02-14" />);
  const field = screen.getByRole('button', { name: 'Start date' });
  expect(field).toHaveAccessibleDescription('14 February 2027');
  await user.click(field);
  await user.click(await screen.findByRole('button', { name: '20 February 2027', hidden: true }));
  await waitFor(() => {
    expect(screen.queryByRole('dialog', { hidden: true })).not.toBeInTheDocument();
  });
  expect(field).toHaveFocus();
  expect(field).toHaveAccessibleDescription('20 February 2027');
  expect(screen.getByRole('status')).toHaveTextContent(/^2027-02-20$/);
});

it('closes its calendar upon Back, and not the dialog around it, and has the focus then', async () => {
  const closed = vi.fn<() => void>();
  const Dialog = (): ReactElement => {
    useBackCloses(closed);
    return <Form day="2027-02-14" />;
  };
  const user = userEvent.setup();
  listenBeforeRouter();
  render(
    <BrowserRouter>
      <Routes>
        <Route path="/" element={<Link to="/dialog">To the dialog</Link>} />
        <Route path="/dialog" element={<Dialog />} />
      </Routes>
    </BrowserRouter>,
  );
  await user.click(screen.getByRole('link', { name: 'To the dialog' }));
  const field = screen.getByRole('button', { name: 'Start date' });
  await user.click(field);
  await screen.findByRole('dialog', { hidden: true });
  act(() => {
    window.history.back();
  });
  await waitFor(() => {
    expect(screen.queryByRole('dialog', { hidden: true })).not.toBeInTheDocument();
  });
  expect(field).toHaveFocus();
  expect(closed).not.toHaveBeenCalled();
  act(() => {
    window.history.back();
  });
  await waitFor(() => {
    expect(closed).toHaveBeenCalledTimes(1);
  });
});

it('says what is wrong beside the day', () => {
  render(
    <MantineProvider>
      <DateField name="endDate" label="End date" value="2027-02-14" error="endDate is too early" onChange={() => {}} />
    </MantineProvider>,
  );
  expect(screen.getByRole('button', { name: 'End date' })).toHaveAccessibleDescription('End date is too early 14 February 2027');
});
