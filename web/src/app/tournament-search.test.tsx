import type { TournamentListItem } from '@courtledger/contracts/tournament/tournament.answers';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { MemoryRouter, useLocation } from 'react-router-dom';
import { expect, it } from 'vitest';
import { answerWith } from '../testing/render-site.tsx';
import { tournament } from '../testing/tournament-builder.ts';
import { TournamentSearch } from './tournament-search.tsx';

const lines = (option: HTMLElement): readonly (string | null)[] => Array.from(option.childNodes, ({ textContent }) => textContent);
/** Says where the page is. */
const Query = () => <output>{useLocation().search}</output>;

/** @param address of the page; where it has gone is said by a status */
const openWith = (allTournaments: readonly TournamentListItem[], address?: string): void => {
  answerWith({ '/tournaments': { body: { allTournaments, upcomingTournaments: [] } } });
  render(
    <QueryClientProvider client={new QueryClient()}>
      <MemoryRouter initialEntries={[address ?? '/']}>
        <TournamentSearch />
        {address !== undefined && <Query />}
      </MemoryRouter>
    </QueryClientProvider>,
  );
};

it('opens what is chosen also at the address of the results while their page is still fetched, and hears nothing', async () => {
  openWith([tournament(), tournament({ _id: 't2', name: 'Terai Night League' })], '/events?tournament=t1');
  await userEvent.type(screen.getByRole('combobox'), 'night');
  await userEvent.click(await screen.findByRole('option', { name: /Terai Night League/ }));
  expect(screen.getByRole('status')).toHaveTextContent('?tournament=t2');
});

it('says how many more match than are listed', async () => {
  const cups = Array.from({ length: 10 }, (_, at) => tournament({ _id: `t${String(at)}`, name: `Valley Cup ${String(at)}` }));
  openWith(cups);
  await userEvent.type(screen.getByRole('combobox'), 'cup');
  expect(await screen.findByRole('status')).toHaveTextContent('2 more. Write more of the name or place.');
  expect(screen.getAllByRole('option')).toHaveLength(8);
  await userEvent.type(screen.getByRole('combobox'), ' 7');
  expect(screen.getAllByRole('option')).toHaveLength(1);
  expect(screen.queryByRole('status')).toBeNull();
});

it('chooses nothing with the second button of a mouse', async () => {
  openWith([tournament({ _id: 't2', name: 'Terai Night League' })], '/about');
  await userEvent.type(screen.getByRole('combobox'), 'night');
  await userEvent.pointer({ keys: '[MouseRight]', target: await screen.findByRole('option') });
  expect(screen.getByRole('combobox')).toHaveValue('night');
  expect(screen.getByRole('status')).toBeEmptyDOMElement();
});

it('finds a tournament by the name of its event, and shows that name where it was found by it alone', async () => {
  const league = tournament({ name: 'Terai Night League', eventName: 'Mithila Mahotsav', location: 'Janakpur' });
  openWith([tournament({ _id: 't2', name: 'Dharan Open', eventName: 'Dharan Open' }), league]);
  await userEvent.type(screen.getByRole('combobox'), 'mahotsav');
  await screen.findByRole('option');
  expect(lines(screen.getByRole('option'))).toEqual(['Terai Night League', 'Mithila Mahotsav', 'December 2026, Janakpur']);
  expect(screen.getByText('Mahotsav').tagName).toBe('MARK');
  await userEvent.clear(screen.getByRole('combobox'));
  await userEvent.type(screen.getByRole('combobox'), 'janakpur');
  expect(lines(screen.getByRole('option'))).toEqual(['Terai Night League', 'December 2026, Janakpur']);
});
