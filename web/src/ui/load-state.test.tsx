import { screen } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { answerWith, renderSite } from '../testing/render-site.tsx';
import { tournament } from '../testing/tournament-builder.ts';

const lists = { '/tournaments': { body: { allTournaments: [tournament()], upcomingTournaments: [tournament()] } } };
const withMatch = { '/tournaments': { body: { allTournaments: [tournament({ matches: ['m1'] })], upcomingTournaments: [] } } };
const noTournaments = { '/tournaments': { body: { allTournaments: [], upcomingTournaments: [] } } };

beforeEach(() => {
  localStorage.clear();
  vi.stubGlobal('scrollTo', vi.fn<() => void>());
});

describe('a public page whose answer does not come', () => {
  it.each([
    {
      path: '/',
      failing: '/tournaments',
      others: {},
      said: 'The tournaments could not be loaded.',
      answer: noTournaments,
      empty: 'No tournament data available',
    },
    { path: '/upcoming', failing: '/tournaments', others: {}, said: 'The events could not be loaded.', answer: noTournaments, empty: 'No events found.' },
    {
      path: '/events',
      failing: '/tournaments',
      others: {},
      said: 'The matches could not be loaded.',
      answer: noTournaments,
      empty: 'No matches found for the selected date and tournament.',
    },
    {
      path: '/events',
      failing: '/tournaments/t1/matches',
      others: lists,
      said: 'The matches could not be loaded.',
      answer: { ...lists, '/tournaments/t1/matches': { body: { dates: [], matches: [] } } },
      empty: 'No matches found for the selected date and tournament.',
    },
    { path: '/card', failing: '/tournaments', others: {}, said: 'The matches could not be loaded.', answer: noTournaments, empty: 'No matches found.' },
    {
      path: '/card',
      failing: '/tournaments/t1/matches',
      others: withMatch,
      said: 'The matches could not be loaded.',
      answer: { ...withMatch, '/tournaments/t1/matches': { body: { dates: [], matches: [] } } },
      empty: 'No matches found.',
    },
    {
      path: '/standings/t1',
      failing: '/tournaments/t1/standings',
      others: lists,
      said: 'The standings could not be loaded.',
      answer: { ...lists, '/tournaments/t1/standings': { body: { tournamentId: 't1', provisional: true, rows: [] } } },
      empty: 'No standings data available for this tournament.',
    },
  ])('$path says so when $failing fails, not that there is nothing; Try again asks again', async ({ path, failing, others, said, answer, empty }) => {
    const { asked } = answerWith({ ...others, [failing]: { status: 503, body: {} } });
    const { user } = renderSite(path);
    expect(await screen.findByText(said)).toBeInTheDocument();
    expect(screen.queryByText(empty)).not.toBeInTheDocument();
    expect(screen.queryByText('No tournament data available')).not.toBeInTheDocument();
    expect(asked.filter((call) => call === `GET ${failing}`)).toHaveLength(1);
    answerWith(answer);
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText(empty)).toBeInTheDocument();
    expect(screen.queryByText(said)).not.toBeInTheDocument();
  });

  it.each([
    ['/registerteam/t1', 'tournament'],
    ['/tournament/t1', 'tournament'],
    ['/MatchDetails/m1', 'match'],
    ['/player/p1', 'player'],
  ])('%s says it once, as its heading, when its subject does not come', async (path, noun) => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
    renderSite(path);
    expect(await screen.findByRole('heading', { level: 1, name: `This ${noun} could not be loaded.` })).toBeVisible();
    expect(screen.getAllByText(/could not be loaded/)).toHaveLength(1);
  });

  it('keeps the text of the specification for standings of a tournament that does not exist', async () => {
    answerWith(lists);
    renderSite('/standings/unknown');
    expect(await screen.findByText('No standings data available for this tournament.')).toBeInTheDocument();
  });
});
