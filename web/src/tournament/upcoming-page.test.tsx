import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { answerWith, goBack, renderSite } from '../testing/render-site.tsx';
import { tournament } from '../testing/tournament-builder.ts';

beforeEach(() => {
  vi.stubGlobal('scrollTo', vi.fn<() => void>());
});

afterEach(() => {
  vi.useRealTimers();
});

const open = (upcomingTournaments: readonly ReturnType<typeof tournament>[]) => {
  answerWith({ '/tournaments': { body: { allTournaments: [], upcomingTournaments } } });
  return renderSite('/upcoming');
};

describe('upcoming events', () => {
  it('shows a card an event: name, badge, date, place, money and the link', async () => {
    open([
      tournament({ _id: 'plain', eventName: 'Koshi Open 3×3', prizePool: { firstPrize: 'TBD', secondPrize: '', thirdPrize: '', mvp: '', entryFee: 'TBD' } }),
      tournament({ _id: 'star', featured: true }),
    ]);
    expect(await screen.findByRole('heading', { level: 1, name: 'Upcoming Events' })).toBeInTheDocument();
    const [first, second] = await screen.findAllByRole('article');
    if (!first || !second) throw new Error('two cards expected');
    expect(within(first).getByRole('heading', { level: 2, name: 'Valley Winter Classic' })).toBeInTheDocument();
    expect(within(first).getByText('Featured')).toBeInTheDocument();
    expect(within(first).getByText('12 December 2026')).toBeInTheDocument();
    expect(within(first).getByText('NPR 8,75,000')).toBeInTheDocument();
    expect(within(first).getByText('NPR 15,000')).toBeInTheDocument();
    expect(within(first).getByRole('link', { name: /^View Details/ })).toHaveAttribute('href', '/tournament/star');
    expect(within(second).queryByText('Featured')).not.toBeInTheDocument();
    expect(within(second).getByText('NA')).toBeInTheDocument();
    expect(within(second).getByText('TBD')).toBeInTheDocument();
  });

  it('shows its spinner for 600 ms even when the answer is there, then the empty text', async () => {
    open([]);
    const began = performance.now();
    expect(await screen.findByText('Loading...')).toBeInTheDocument();
    expect(await screen.findByText('No events found.')).toBeInTheDocument();
    expect(performance.now() - began).toBeGreaterThan(550);
  });

  it('lets go of what ended with the day, also where nobody touches the page', async () => {
    vi.useFakeTimers({ now: Date.parse('2026-12-25T23:58:00+05:45'), toFake: ['Date', 'setInterval', 'clearInterval'] });
    open([tournament()]);
    expect(await screen.findByRole('article')).toBeInTheDocument();
    answerWith({ '/tournaments': { body: { allTournaments: [], upcomingTournaments: [] } } });
    await act(async () => vi.advanceTimersByTimeAsync(120_000));
    expect(screen.getByRole('article')).toBeInTheDocument();
    await act(async () => vi.advanceTimersByTimeAsync(60_000));
    expect(await screen.findByText('No events found.')).toBeInTheDocument();
  });

  it('stands whole at once on the way back, so that the browser finds the place in the list again', async () => {
    const { user } = open([tournament()]);
    await user.click(await screen.findByRole('link', { name: /^View Details/ }));
    await waitFor(() => {
      expect(screen.queryByRole('heading', { name: 'Upcoming Events' })).not.toBeInTheDocument();
    });
    goBack();
    expect(screen.getByRole('heading', { name: 'Upcoming Events' })).toBeInTheDocument();
    expect(screen.getByRole('article')).toBeInTheDocument();
    expect(screen.queryByText('Loading...')).not.toBeInTheDocument();
  });
});
