import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { selectTournament } from '../lib/storage.ts';
import { matchResult } from '../testing/match-builder.ts';
import { answerWith, currentAddress, renderSite } from '../testing/render-site.tsx';
import { tournament } from '../testing/tournament-builder.ts';

const day = (number: number): string => `2026-11-${String(number).padStart(2, '0')}T00:00:00.000Z`;
const listOf = (days: readonly number[], prefix: string) => ({
  dates: days.map(day),
  matches: days.map((number) => matchResult({ _id: `${prefix}${String(number)}`, date: day(number) })),
});

const open = (path = '/events', league: object = listOf([6, 7, 8, 13, 14, 21], 'l')) => {
  const answers = answerWith({
    '/tournaments': {
      body: { allTournaments: [tournament(), tournament({ _id: 't2', name: 'Himalayan Hoops League', startDate: day(6) })], upcomingTournaments: [] },
    },
    '/tournaments/t1/matches': { body: { dates: [], matches: [] } },
    '/tournaments/t2/matches': { body: league },
  });
  return { ...answers, ...renderSite(path) };
};

const dates = (): readonly (string | null)[] => Array.from(document.querySelectorAll('.dates b'), (date) => date.textContent);

beforeEach(() => {
  localStorage.clear();
});

const pick = (value: string): void => {
  fireEvent.change(screen.getByLabelText('Go to a date'), { target: { value } });
};
/** About the day that was picked. */
const said = (): string | null | undefined => document.querySelector('.dates output')?.textContent;

describe('match results', () => {
  it('groups tournaments by the month they start in, newest first, and opens the first', async () => {
    open();
    expect(await screen.findByRole('heading', { level: 1, name: 'Match Results' })).toBeInTheDocument();
    const select = await screen.findByRole('combobox', { name: 'Tournament' });
    await waitFor(() => {
      expect(select).toHaveValue('t1');
    });
    expect(
      within(select)
        .getAllByRole('group')
        .map((group) => group.getAttribute('label')),
    ).toEqual(['December 2026', 'November 2026']);
    expect(await screen.findByText('No matches found for the selected date and tournament.')).toBeInTheDocument();
  });

  it('opens the latest date with the last three, and moves by three when there are six', async () => {
    const { user } = open('/events?tournament=t2');
    await screen.findByText('21 Nov');
    expect(dates()).toEqual(['13 Nov', '14 Nov', '21 Nov']);
    expect(screen.getByRole('button', { name: /21 Nov/ })).toHaveAttribute('aria-pressed', 'true');
    expect(screen.getByRole('button', { name: 'Next dates' })).toHaveAttribute('aria-disabled', 'true');
    await user.click(screen.getByRole('button', { name: 'Previous dates' }));
    expect(dates()).toEqual(['6 Nov', '7 Nov', '8 Nov']);
    // It is disabled where it has led to, and keeps the focus there.
    const previous = screen.getByRole('button', { name: 'Previous dates' });
    expect(previous).toHaveAttribute('aria-disabled', 'true');
    expect(previous).toHaveFocus();
    await user.click(previous);
    expect(dates()).toEqual(['6 Nov', '7 Nov', '8 Nov']);
    await user.click(screen.getByRole('button', { name: /7 Nov/ }));
    expect(screen.getByRole('link', { name: /^View Details/ })).toHaveAttribute('href', '/MatchDetails/l7');
    await waitFor(() => {
      expect(currentAddress()).toBe('/events?tournament=t2&date=2026-11-07');
    });
    expect(localStorage.getItem('selectedDate')).toBe('2026-11-07');
    expect(localStorage.getItem('selectedTournament')).toBe('t2');
  });

  it('opens the view of its address, and the saved one without', async () => {
    open('/events?tournament=t2&date=2026-11-08');
    expect(await screen.findByRole('button', { name: /8 Nov/ })).toHaveAttribute('aria-pressed', 'true');
    expect(localStorage.getItem('selectedDate')).toBe('2026-11-08');
  });

  it('returns to the saved tournament and date', async () => {
    localStorage.setItem('selectedTournament', 't2');
    localStorage.setItem('selectedDate', '2026-11-07');
    open();
    expect(await screen.findByRole('button', { name: /7 Nov/ })).toHaveAttribute('aria-pressed', 'true');
    await waitFor(() => {
      expect(currentAddress()).toBe('/events?tournament=t2&date=2026-11-07');
    });
  });

  it('opens the first tournament when the saved one is gone', async () => {
    localStorage.setItem('selectedTournament', 'gone');
    open();
    await waitFor(() => {
      expect(screen.getByRole('combobox', { name: 'Tournament' })).toHaveValue('t1');
    });
  });

  it('follows the tournament-changed event and goes to the latest date', async () => {
    localStorage.setItem('selectedDate', '2026-11-07');
    open();
    await screen.findByText('No matches found for the selected date and tournament.');
    act(() => {
      selectTournament('t2');
    });
    expect(await screen.findByRole('button', { name: /21 Nov/ })).toHaveAttribute('aria-pressed', 'true');
    await waitFor(() => {
      expect(currentAddress()).toBe('/events?tournament=t2&date=2026-11-21');
    });
  });

  it('opens the last three dates of a tournament each time it is chosen, wherever the window stood before', async () => {
    const { user } = open('/events?tournament=t2');
    await screen.findByText('21 Nov');
    await user.click(screen.getByRole('button', { name: 'Previous dates' }));
    expect(dates()).toEqual(['6 Nov', '7 Nov', '8 Nov']);
    const select = screen.getByRole('combobox', { name: 'Tournament' });
    await user.selectOptions(select, 't1');
    await screen.findByText('No matches found for the selected date and tournament.');
    await user.selectOptions(select, 't2');
    expect(await screen.findByRole('button', { name: /21 Nov/ })).toHaveAttribute('aria-pressed', 'true');
    expect(dates()).toEqual(['13 Nov', '14 Nov', '21 Nov']);
  });

  it('holds the date that a link selects outside the window', async () => {
    const { user } = open('/events?tournament=t2', listOf([6, 7, 11, 12, 13, 14, 21], 'l'));
    await screen.findByText('21 Nov');
    await user.click(screen.getByRole('button', { name: 'Previous dates' }));
    expect(dates()).toEqual(['7 Nov', '11 Nov', '12 Nov']);
    await user.click(screen.getByRole('button', { name: /12 Nov/ }));
    await user.click(screen.getByRole('link', { name: /^Next matches/ }));
    await waitFor(() => {
      expect(currentAddress()).toBe('/events?tournament=t2&date=2026-11-13');
    });
    expect(screen.getByRole('button', { pressed: true })).toHaveTextContent('13 Nov');
    expect(dates()).toEqual(['11 Nov', '12 Nov', '13 Nov']);
  });

  it('keeps the focus at the cards when a link leads to a date that has none such', async () => {
    const { dates: days, matches } = listOf([12, 13], 'l');
    const { user } = open('/events?tournament=t2&date=2026-11-12', { dates: days, matches: [...matches, matchResult({ _id: 'another', date: day(13) })] });
    await user.click(await screen.findByRole('link', { name: /^Next matches/ }));
    await waitFor(() => {
      expect(screen.getAllByRole('article')).toHaveLength(2);
    });
    expect(document.activeElement).toHaveClass('games');
  });

  it('stands still while another of its three dates is chosen', async () => {
    const { user } = open('/events?tournament=t2');
    await screen.findByText('21 Nov');
    await user.click(screen.getByRole('button', { name: 'Previous dates' }));
    await user.click(screen.getByRole('button', { name: /6 Nov/ }));
    expect(dates()).toEqual(['6 Nov', '7 Nov', '8 Nov']);
    await user.click(screen.getByRole('button', { name: /7 Nov/ }));
    expect(dates()).toEqual(['6 Nov', '7 Nov', '8 Nov']);
  });

  it('puts a tournament without matches into its address too', async () => {
    localStorage.setItem('selectedTournament', 't2');
    localStorage.setItem('selectedDate', '2026-11-07');
    const { user } = open();
    await screen.findByText('7 Nov');
    await user.selectOptions(screen.getByRole('combobox', { name: 'Tournament' }), 't1');
    await screen.findByText('No matches found for the selected date and tournament.');
    expect(currentAddress()).toBe('/events?tournament=t1');
  });

  it.each(['/events', '/events?tournament=gone', '/events?tournament=t1&date=2026-11-07'])(
    '%s: the address says what is shown, matches or none',
    async (path) => {
      open(path);
      await screen.findByText('No matches found for the selected date and tournament.');
      await waitFor(() => {
        expect(currentAddress()).toBe('/events?tournament=t1');
      });
      expect(localStorage.getItem('selectedTournament')).toBe('t1');
    },
  );

  it('opens the latest date of a tournament whose link names none, whatever date was looked at in another', async () => {
    localStorage.setItem('selectedTournament', 't1');
    localStorage.setItem('selectedDate', '2026-11-07');
    open('/events?tournament=t2');
    expect(await screen.findByRole('button', { pressed: true })).toHaveTextContent('21 Nov');
    expect(localStorage.getItem('selectedDate')).toBe('2026-11-21');
  });

  it('walks from date to date with the arrow keys', async () => {
    const { user } = open('/events?tournament=t2');
    (await screen.findByRole('button', { name: /21 Nov/ })).focus();
    await user.keyboard('{ArrowLeft}');
    expect(screen.getByRole('button', { name: /14 Nov/ })).toHaveAttribute('aria-pressed', 'true');
    expect(screen.getByRole('button', { name: /14 Nov/ })).toHaveFocus();
  });

  it('loses no arrow key that is faster than the page', async () => {
    open('/events?tournament=t2');
    const latest = await screen.findByRole('button', { name: /21 Nov/ });
    latest.focus();
    // Both before the page is drawn again.
    act(() => {
      for (let press = 0; press < 2; press += 1) latest.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowLeft', bubbles: true }));
    });
    expect(screen.getByRole('button', { pressed: true })).toHaveTextContent('13 Nov');
    expect(screen.getByRole('button', { pressed: true })).toHaveFocus();
  });

  it('leaves the focus where it has gone before the page followed an arrow key', async () => {
    open('/events?tournament=t2');
    const latest = await screen.findByRole('button', { name: /21 Nov/ });
    latest.focus();
    // Both before the page is drawn again.
    act(() => {
      latest.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowLeft', bubbles: true }));
      screen.getByLabelText('Tournament').focus();
    });
    expect(screen.getByRole('button', { pressed: true })).toHaveTextContent('14 Nov');
    expect(screen.getByLabelText('Tournament')).toHaveFocus();
  });

  it('starts from the date that has the focus, not from the one that is shown', async () => {
    const { user } = open('/events?tournament=t2');
    (await screen.findByRole('button', { name: /14 Nov/ })).focus();
    await user.keyboard('{ArrowRight}');
    expect(screen.getByRole('button', { pressed: true })).toHaveTextContent('21 Nov');
    expect(screen.getByRole('button', { pressed: true })).toHaveFocus();
  });

  it('goes to the match date nearest to a day that is picked from the calendar', async () => {
    open('/events?tournament=t2');
    const field = await screen.findByLabelText('Go to a date');
    expect([field.getAttribute('min'), field.getAttribute('max')]).toEqual(['2026-11-06', '2026-11-21']);
    fireEvent.change(field, { target: { value: '2026-11-09' } });
    expect(screen.getByRole('button', { name: /8 Nov/ })).toHaveAttribute('aria-pressed', 'true');
    expect(dates()).toEqual(['6 Nov', '7 Nov', '8 Nov']);
  });

  it('leaves the date field as it is written while somebody is in it, and says there what is shown afterwards', async () => {
    const { user } = open('/events?tournament=t2');
    const field = await screen.findByLabelText('Go to a date');
    act(() => {
      field.focus();
    });
    // A browser tells of each key: half a day, the first figure of a year, a part that was taken out.
    for (const [written, shown] of [
      ['2026-11-09', '8 Nov'],
      ['0002-11-09', '8 Nov'],
      ['', '8 Nov'],
      ['2026-11-15', '14 Nov'],
    ] as const) {
      pick(written);
      expect(screen.getByRole('button', { pressed: true })).toHaveTextContent(shown);
      expect(field).toHaveFocus();
      expect(field).toHaveValue(written);
    }
    await user.tab();
    expect(field).toHaveValue('2026-11-14');
    await user.click(screen.getByRole('button', { name: /13 Nov/ }));
    expect(screen.getByLabelText('Go to a date')).toBe(field);
    expect(field).toHaveValue('2026-11-13');
  });

  it('says that there are no games on the day that is picked, until another one is', async () => {
    const { user } = open('/events?tournament=t2');
    await screen.findByLabelText('Go to a date');
    expect(said()).toBe('');
    pick('2026-11-09');
    expect(said()).toBe('No games on 9 November 2026: the nearest day is shown');
    pick('2026-11-07');
    expect(said()).toBe('');
    pick('2026-11-09');
    for (const name of [/7 Nov/, /8 Nov/]) await user.click(screen.getByRole('button', { name }));
    expect(said()).toBe('');
  });

  it('asks once for all matches, whatever is looked at', async () => {
    const { asked, user } = open('/events?tournament=t2');
    await user.click(await screen.findByRole('button', { name: /13 Nov/ }));
    expect(asked.filter((call) => call !== 'GET /live')).toEqual(['GET /tournaments', 'GET /tournaments/t2/matches']);
  });

  it('shows skeletons that say Loading...', async () => {
    answerWith({ '/tournaments': { pending: true } });
    renderSite('/events');
    // Nothing is said to be missing before it was looked for.
    expect(await screen.findByLabelText('Tournament')).toHaveTextContent('Loading...');
    expect(screen.getAllByText('Loading...', { ignore: 'option' })).toHaveLength(2);
  });

  it('says that there is no tournament once that is known', async () => {
    answerWith({ '/tournaments': { body: { allTournaments: [], upcomingTournaments: [] } } });
    renderSite('/events');
    expect(await screen.findByText('No tournament data available')).toBeInTheDocument();
    expect(screen.getByText('No matches found for the selected date and tournament.')).toBeInTheDocument();
  });
});

const one = (more: object) => ({ dates: [day(21)], matches: [matchResult({ date: day(21), ...more })] });

describe('a match card', () => {
  it('shows scores, WIN on the higher one, the difference and the details', async () => {
    open('/events?tournament=t2', one({}));
    const card = within(await screen.findByRole('article'));
    expect(card.getByRole('heading', { name: 'Basketball Match' })).toBeInTheDocument();
    expect(card.getByText('112')).toBeInTheDocument();
    expect(card.getByText('98')).toBeInTheDocument();
    expect(card.getByText('WIN').parentElement).toHaveTextContent('Kathmandu Kings');
    expect(card.getByText(/Point Difference/)).toHaveTextContent('Point Difference 14');
    expect(card.getByText('Final Score')).toBeInTheDocument();
    expect(card.getByRole('link', { name: /^View Details/ })).toHaveAttribute('href', '/MatchDetails/m1');
  });
  it('shows no scores before there are statistics, but the time and the players', async () => {
    open('/events?tournament=t2', one({ hasStats: false, score_1: 0, score_2: 0, time: '16:30' }));
    const card = within(await screen.findByRole('article'));
    expect(card.getByText('16:30')).toBeInTheDocument();
    expect(card.queryByText('0')).not.toBeInTheDocument();
    expect(card.queryByText('Final Score')).not.toBeInTheDocument();
    expect(card.getByRole('link', { name: /^View Players/ })).toHaveAttribute('href', '/ViewPlayers/m1');
  });
  it('says that the time is not set', async () => {
    open('/events?tournament=t2', one({ hasStats: false, time: '' }));
    expect(await screen.findByText('Time TBD')).toBeInTheDocument();
  });
  it('has no winner when the match is level', async () => {
    open('/events?tournament=t2', one({ score_1: 80, score_2: 80 }));
    const card = within(await screen.findByRole('article'));
    expect(card.queryByText('WIN')).not.toBeInTheDocument();
    expect(card.getByText(/Point Difference/)).toHaveTextContent('Point Difference 0');
  });
});
