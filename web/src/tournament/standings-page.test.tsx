import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { keepPlace } from '../lib/kept-place.ts';
import { answerWith, currentAddress, renderSite } from '../testing/render-site.tsx';
import { standingRow, tournament } from '../testing/tournament-builder.ts';

const open = (rows: readonly ReturnType<typeof standingRow>[], provisional = false) => {
  answerWith({
    '/tournaments/t1/standings': { body: { tournamentId: 't1', provisional, rows } },
    '/tournaments': { body: { allTournaments: [tournament()], upcomingTournaments: [] } },
  });
  return renderSite('/standings/t1');
};

const openSeason = (path: string) => {
  const days = [10, 20, 30].map((pointsFor, index) => ({
    date: `2026-11-0${String(index + 1)}T00:00:00.000Z`,
    matches: index + 1,
    rows: [standingRow({ pointsFor, points: pointsFor })],
  }));
  answerWith({
    '/tournaments/t1/standings': { body: { tournamentId: 't1', provisional: false, rows: [standingRow()] } },
    '/tournaments': { body: { allTournaments: [tournament()], upcomingTournaments: [] } },
    '/tournaments/t1/standings/history': { body: { tournamentId: 't1', days } },
  });
  return renderSite(path);
};

const scrollTo = vi.spyOn(HTMLElement.prototype, 'scrollIntoView');
afterEach(() => {
  scrollTo.mockClear();
});

describe('standings', () => {
  it('keeps the match day in the address, and leads whoever opens the link to its table', async () => {
    openSeason('/standings/t1');
    const slider = await screen.findByRole('slider', { name: 'Match day' });
    fireEvent.change(slider, { target: { value: '0' } });
    await waitFor(() => {
      expect(currentAddress()).toBe('/standings/t1?day=2026-11-01');
    });
    fireEvent.change(slider, { target: { value: '2' } });
    await waitFor(() => {
      expect(currentAddress()).toBe('/standings/t1');
    });
    expect(scrollTo).not.toHaveBeenCalled();
  });

  it.each([
    ['2026-11-02', '1', 1],
    ['2026-12-02', '2', 0],
    ['nonsense', '2', 0],
  ])('opened for the day %s it shows step %s of the slider', async (day, step, scrolled) => {
    openSeason(`/standings/t1?day=${day}`);
    expect(await screen.findByRole('slider', { name: 'Match day' })).toHaveValue(step);
    expect([screen.queryAllByRole('table', { name: /, after/ }).length, scrollTo.mock.calls.length]).toEqual([scrolled, scrolled]);
  });

  it('leads to no table whoever loads the page again', async () => {
    vi.spyOn(performance, 'getEntriesByType').mockReturnValueOnce([{ type: 'reload' } as PerformanceNavigationTiming]);
    sessionStorage.setItem(`place ${location.pathname}`, '0');
    keepPlace(() => true);
    openSeason('/standings/t1?day=2026-11-02');
    expect(await screen.findByRole('slider', { name: 'Match day' })).toHaveValue('1');
    expect(scrollTo).not.toHaveBeenCalled();
    fireEvent.click(screen.getByRole('slider', { name: 'Match day' }));
  });

  it('shows the table after another match day as it was: what differs is no live change', async () => {
    openSeason('/standings/t1');
    const slider = await screen.findByRole('slider', { name: 'Match day' });
    for (const [at, shown] of [
      ['1', '20'],
      ['0', '10'],
    ] as const) {
      fireEvent.change(slider, { target: { value: at } });
      const table = screen.getByRole('table', { name: /, after/ });
      expect([within(table).getAllByText(shown).length, table.querySelectorAll('.flash').length]).toEqual([2, 0]);
    }
  });

  it('has nine columns, and one more for what a phone hides', async () => {
    open([standingRow()]);
    const heads = await screen.findAllByRole('columnheader');
    expect(heads.map((head) => head.textContent)).toEqual(['Rank', 'Team Name', 'Played', 'Wins', 'Losses', 'Points', 'FOR', 'AGST', 'PD', 'More']);
    const row = screen.getByRole('row', { name: /Kathmandu Kings/ });
    expect(within(row).getByRole('rowheader')).toHaveTextContent('Kathmandu Kings');
    expect(
      within(row)
        .getAllByRole('cell')
        .map((cell) => cell.textContent),
    ).toEqual(['1', '7', '6', '1', '13', '654', '561', '+93', '']);
  });

  it('highlights ranks, not rows: two thirds are both third, a fourth is plain', async () => {
    open([
      standingRow(),
      standingRow({ rank: 2, teamId: 'b', teamName: 'B' }),
      standingRow({ rank: 3, teamId: 'c', teamName: 'C' }),
      standingRow({ rank: 3, teamId: 'd', teamName: 'D', difference: -4 }),
      standingRow({ rank: 5, teamId: 'e', teamName: 'E' }),
    ]);
    await screen.findByRole('table');
    expect(Array.from(document.querySelectorAll('.rank'), (rank) => rank.className)).toEqual([
      'rank rank--1',
      'rank rank--2',
      'rank rank--3',
      'rank rank--3',
      'rank',
    ]);
    expect(screen.getByText('−4')).toHaveClass('neg');
  });

  it('says why a tie was split, and opens the rest of a row', async () => {
    const { user } = open([standingRow({ tieBreak: 'Level on points (10) and PD (−13) with Dharan Dukes; won their game 71–66' })], true);
    expect(await screen.findByText(/^Level on points/)).toBeInTheDocument();
    expect(screen.getByText('Provisional')).toBeInTheDocument();
    const more = screen.getByRole('button', { name: 'Wins, losses, FOR and AGST of Kathmandu Kings' });
    await user.click(more);
    expect(more).toHaveAttribute('aria-expanded', 'true');
    expect(screen.getAllByText(/^Level on points/)).toHaveLength(2);
  });

  it('notes the rules and offers the table as CSV', async () => {
    open([standingRow({ played: 7 }), standingRow({ teamId: 'p', teamName: 'Pokhara Panthers', played: 7 })]);
    expect(await screen.findByText(/A win gives 2 points and a loss 1 point/)).toBeInTheDocument();
    expect(screen.getByText('All 7 matches counted')).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'CSV' })).toHaveAttribute('href', '/api/tournaments/t1/standings.csv');
    expect(['CSV', 'Season file'].map((name) => screen.getByRole('link', { name }).getAttribute('download'))).toEqual([
      `${tournament().name} standings.csv`,
      `${tournament().name} season.jsonl`,
    ]);
  });

  it('counts one match as one', async () => {
    open([standingRow({ played: 1 }), standingRow({ teamId: 'p', teamName: 'Pokhara Panthers', played: 1 })]);
    expect(await screen.findByText('1 match counted')).toBeInTheDocument();
  });

  it('says when there is nothing', async () => {
    open([]);
    expect(await screen.findByText('No standings data available for this tournament.')).toBeInTheDocument();
  });
});
