import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { answerWith, renderSite } from '../testing/render-site.tsx';
import { standingRow, tournament } from '../testing/tournament-builder.ts';

const trace = {
  title: 'Standings points of Kathmandu Kings',
  value: 13,
  rule: '2 points a win, 1 a loss.',
  parts: [{ label: 'v Pokhara', value: '70–60', counts: 13 }],
  entries: [],
};
const open = () => {
  const api = answerWith({
    '/tournaments/t1/standings': { body: { tournamentId: 't1', provisional: false, rows: [standingRow()] } },
    '/tournaments': { body: { allTournaments: [tournament()], upcomingTournaments: [] } },
    [`/audit/trace?of=standings&stat=points&tournament=t1&team=${standingRow().teamId}`]: { body: trace },
    [`/superadmin/audit/trace?of=standings&stat=points&tournament=t1&team=${standingRow().teamId}`]: { body: trace },
  });
  return { ...api, ...renderSite('/standings/t1') };
};

afterEach(() => {
  localStorage.clear();
});
beforeEach(() => {
  vi.stubGlobal('scrollTo', vi.fn<() => void>());
});

describe('a total of the standings', () => {
  it('is plain for everybody else', async () => {
    open();
    await screen.findByRole('row', { name: /Kathmandu Kings/ });
    expect(screen.queryByRole('button', { name: /^Why/ })).not.toBeInTheDocument();
  });

  it('opens the entries behind it for an admin, and gives the focus back', async () => {
    localStorage.setItem('atoken', 'a.b.c');
    const { user } = open();
    const row = within(await screen.findByRole('row', { name: /Kathmandu Kings/ }));
    expect(row.getAllByRole('button', { name: /^Why/ }).map((button) => button.getAttribute('aria-label'))).toEqual(
      [
        '1? Kathmandu Kings, rank',
        '7? Kathmandu Kings, matches played',
        '6? Kathmandu Kings, wins',
        '1? Kathmandu Kings, losses',
        '13? Kathmandu Kings, points',
        '654? Kathmandu Kings, points for',
        '561? Kathmandu Kings, points against',
        '+93? Kathmandu Kings, point difference',
      ].map((rest) => `Why ${rest}`),
    );
    const points = row.getByRole('button', { name: 'Why 13? Kathmandu Kings, points' });
    await user.click(points);
    const panel = within(await screen.findByRole('region', { name: 'Entries behind a number' }));
    const heading = await panel.findByRole('heading', { name: 'Why 13? Standings points of Kathmandu Kings' });
    await waitFor(() => expect(heading).toHaveFocus());
    expect(panel.getByText('2 points a win, 1 a loss.')).toBeInTheDocument();
    await user.click(panel.getByRole('button', { name: 'Close the entries' }));
    await waitFor(() => {
      expect(points).toHaveFocus();
    });
    expect(screen.queryByRole('region', { name: 'Entries behind a number' })).not.toBeInTheDocument();
  });

  it('opens them for a super admin as well, who asks under the own login', async () => {
    localStorage.setItem('stoken', 'a.b.c');
    const { user, asked } = open();
    await user.click(await screen.findByRole('button', { name: 'Why 13? Kathmandu Kings, points' }));
    expect(await screen.findByRole('heading', { name: 'Why 13? Standings points of Kathmandu Kings' })).toBeInTheDocument();
    expect(asked.filter((call) => call.includes('/audit/trace'))).toEqual([
      `GET /superadmin/audit/trace?of=standings&stat=points&tournament=t1&team=${standingRow().teamId}`,
    ]);
  });

  it.each([
    ['atoken', '/audit', '/adminlogin'],
    ['stoken', '/superadmin/audit', '/superadmin8080808080'],
  ])('leads whoever is logged out (%s) to the login beside this page', async (token, path, login) => {
    localStorage.setItem(token, 'a.b.c');
    const { user } = open();
    const number = await screen.findByRole('button', { name: 'Why 13? Kathmandu Kings, points' });
    answerWith({
      [`${path}/trace?of=standings&stat=points&tournament=t1&team=${standingRow().teamId}`]: {
        status: 401,
        body: { message: 'Your login has expired, please log in again' },
      },
    });
    await user.click(number);
    expect(await screen.findByRole('link', { name: 'Log in in a new tab' })).toHaveAttribute('href', login);
    expect(screen.getByRole('button', { name: 'Try again' })).toBeInTheDocument();
  });
});
