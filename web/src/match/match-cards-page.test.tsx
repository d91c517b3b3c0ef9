import type { MatchResult } from '@courtledger/contracts/match/match.answers';
import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { matchResult } from '../testing/match-builder.ts';
import { answerWith, renderSite } from '../testing/render-site.tsx';
import { tournament } from '../testing/tournament-builder.ts';

/** A tournament with a played match on each of these days, far enough back that all are over. */
const season = (id: string, startsOn: string, playedOn: readonly string[]) => ({
  listed: tournament({ _id: id, startDate: `${startsOn}T00:00:00.000Z`, location: `Hall of ${id}`, matches: playedOn.map((day) => `${id} ${day}`) }),
  matches: playedOn.map((day): MatchResult => matchResult({ _id: `${id} ${day}`, date: `${day}T00:00:00.000Z` })),
});
type Season = ReturnType<typeof season>;

const open = (seasons: readonly Season[]): ReturnType<typeof answerWith> => {
  const api = answerWith({
    '/tournaments': { body: { allTournaments: seasons.map(({ listed }) => listed), upcomingTournaments: [] } },
    ...Object.fromEntries(seasons.map(({ listed, matches }) => [`/tournaments/${listed._id}/matches`, { body: { dates: [], matches } }])),
  });
  renderSite('/card');
  return api;
};
/** The match behind each card, in the order of the page. */
const shown = (): readonly string[] =>
  screen.getAllByRole('link', { name: /^View Details/ }).map((link) => decodeURIComponent(link.getAttribute('href')?.split('/').at(-1) ?? ''));

describe('match cards', () => {
  it('show the newest matches of all tournaments, also of the one that started first of many', async () => {
    // Newest start first, as the API lists them: the league began before all of them and plays the last match of all.
    const cups = ['2020-06-01', '2020-05-01', '2020-04-01', '2020-03-01'].map((day, index) => season(`cup${String(index)}`, day, [day]));
    const league = season('league', '2020-01-01', ['2020-01-04', '2020-02-01', '2020-06-20']);
    open([...cups, league]);
    expect(await screen.findAllByText('Hall of league')).toHaveLength(3);
    expect(shown()).toEqual([
      'league 2020-06-20',
      'cup0 2020-06-01',
      'cup1 2020-05-01',
      'cup2 2020-04-01',
      'cup3 2020-03-01',
      'league 2020-02-01',
      'league 2020-01-04',
    ]);
  });

  it('are twelve, and ask nothing of a tournament without matches', async () => {
    const days = Array.from({ length: 14 }, (_, index) => `2020-03-${String(index + 10)}`);
    const { asked } = open([season('cup', '2020-03-01', days), season('empty', '2020-02-01', [])]);
    expect(await screen.findAllByText('Hall of cup')).toHaveLength(12);
    expect(shown()).toEqual(
      days
        .toReversed()
        .slice(0, 12)
        .map((day) => `cup ${day}`),
    );
    expect(asked).not.toContain('GET /tournaments/empty/matches');
  });

  it("say 'No matches found.' where there are none", async () => {
    open([]);
    expect(await screen.findByRole('heading', { name: 'Match Cards' })).toBeInTheDocument();
    expect(await screen.findByText('No matches found.')).toBeInTheDocument();
  });
});
