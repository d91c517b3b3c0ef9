import type { PlayerAnswer } from '@courtledger/contracts/player/player.answers';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { matchResult } from '../testing/match-builder.ts';
import { answerWith, renderSite } from '../testing/render-site.tsx';

const side = (id: string, name: string) => ({ _id: id, team_details: { name } });
const player: PlayerAnswer = {
  _id: '1',
  name: 'Suyog Maharjan',
  image: '',
  jerseyNumber: '7',
  age: 24,
  height: 188,
  weight: 0,
  currentTeam: { _id: 'k', name: 'Kathmandu Kings' },
  total_points: 77,
  total_assists: 22,
  total_rebounds: 15,
  matches_played: 3,
  averages: { points: 25.7, assists: 7.3, rebounds: 5 },
  match_history: [
    {
      match_id: {
        _id: 'm1',
        date: '2026-11-21T00:00:00.000Z',
        team_1: side('k', 'Kathmandu Kings'),
        team_2: side('p', 'Pokhara Panthers'),
        tournament_id: { _id: 't1', name: 'League' },
      },
      team_id: 'k',
      notplayed: 'played',
      points: 34,
      assists: 9,
      rebounds: 6,
    },
    {
      match_id: {
        _id: 'm0',
        date: '2026-11-08T00:00:00.000Z',
        team_1: side('b', 'Butwal Bolts'),
        team_2: side('k', 'Kathmandu Kings'),
        tournament_id: { _id: 't1', name: 'League' },
      },
      team_id: 'k',
      notplayed: 'Not Played',
      points: 0,
      assists: 0,
      rebounds: 0,
    },
  ],
};

const open = (more: Partial<PlayerAnswer> = {}) => {
  const team = {
    _id: 'k',
    team_details: { name: 'Kathmandu Kings', origin: 'Kathmandu', logo: '' },
    coach: {},
    players: [],
    results: [{ ...matchResult(), tournament_id: { _id: 't1', name: 'League' } }],
    standings: [],
  };
  const api = answerWith({ '/player/getPlayerById/1': { body: { ...player, ...more } }, '/team/k': { body: team } });
  return { ...api, ...renderSite('/player/1') };
};

beforeEach(() => {
  vi.setSystemTime('2026-11-22T06:00:00.000Z');
});

describe('a player', () => {
  it("shows name, age, height, weight ('NA' when 0), averages and team", async () => {
    open();
    expect(await screen.findByRole('heading', { level: 1, name: 'Suyog Maharjan' })).toBeInTheDocument();
    expect(screen.getAllByRole('term').map((term) => [term.textContent, term.nextSibling?.textContent])).toEqual([
      ['Age', '24'],
      ['Height', '188 cm'],
      ['Weight', 'NA'],
      ['Jersey Number', '7'],
    ]);
    expect(['Average Points', 'Average Assists', 'Average Rebounds'].map((label) => screen.getByText(label).previousSibling?.textContent)).toEqual([
      '25.7',
      '7.3',
      '5.0',
    ]);
    expect(screen.getByText('Kathmandu Kings')).toBeInTheDocument();
  });

  it('opens the entries behind the averages, the matches played and the numbers of one tournament, for those who may see them', async () => {
    localStorage.setItem('atoken', 'a.b.c');
    const { user, asked } = open();
    const questions = [
      ['Why 25.7? Suyog Maharjan, average points', 'of=player-average&stat=points&player=1'],
      ['Why 1? Suyog Maharjan, matches played', 'of=player-total&stat=played&player=1'],
      ['Why 1? Matches played, League', 'of=player-total&stat=played&player=1&tournament=t1'],
      ['Why 34.0? Average points, League', 'of=player-average&stat=points&player=1&tournament=t1'],
      ['Why 9? assists against Pokhara Panthers', 'of=match-player&stat=assists&match=m1&player=1'],
    ] as const;
    for (const [name, question] of questions) {
      await user.click(await screen.findByRole('button', { name }));
      // The panel is loaded when it is first opened.
      await waitFor(() => {
        expect(asked.at(-1)).toBe(`GET /audit/trace?${question}`);
      });
    }
    localStorage.clear();
  });

  it("says 'Not Available' for an unknown team", async () => {
    open({ currentTeam: { _id: '', name: '' } });
    expect(await screen.findByText('Not Available')).toBeInTheDocument();
  });

  it('keeps no room for bars before the first match', async () => {
    open({ match_history: [] });
    expect((await screen.findByText('No matches played yet')).nextSibling).toBeNull();
  });

  it('logs every match with its result, and averages by tournament', async () => {
    open();
    const log = await screen.findByRole('table', { name: 'Match history of Suyog Maharjan' });
    expect(await within(log).findByText('W 112–98')).toBeInTheDocument();
    expect(
      within(log)
        .getAllByRole('row')
        .map((row) => Array.from(row.children, (cell) => cell.textContent)),
    ).toEqual([
      ['Date', 'Opponent', 'Result', 'Points', 'Assists', 'Rebounds'],
      ['21 Nov', 'Pokhara Panthers', 'W 112–98', '34', '9', '6'],
      ['8 Nov', 'Butwal Bolts', '', 'DNP'],
    ]);
    expect(screen.getByText('1 played, 1 Not Played')).toBeInTheDocument();
    expect(within(screen.getByRole('table', { name: /by tournament/ })).getByRole('row', { name: /League/ })).toHaveTextContent('League134.09.06.0');
  });

  it('logs the numbers of a match that was not played, where there are any, for the averages count them', async () => {
    const history = structuredClone(player.match_history);
    for (const entry of history) Object.assign(entry, { points: -3, assists: 0 });
    open({ match_history: history });
    const log = await screen.findByRole('table', { name: 'Match history of Suyog Maharjan' });
    expect(
      within(log)
        .getAllByRole('row')
        .slice(1)
        .map((row) => Array.from(row.children, (cell) => cell.textContent).filter((_, index) => index !== 2)),
    ).toEqual([
      ['21 Nov', 'Pokhara Panthers', '−3', '0', '6'],
      ['8 Nov', 'Butwal Bolts DNP', '−3', '0', '0'],
    ]);
    expect(Array.from(document.querySelectorAll('.spark li'), (bar) => bar.textContent)).toEqual(['−3']);
  });

  it('says of which year a match was that was not in this one', async () => {
    const history = structuredClone(player.match_history);
    for (const [index, { match_id: match }] of history.entries()) match.date = `${String(2026 - index)}-11-21T00:00:00.000Z`;
    open({ match_history: history });
    const log = await screen.findByRole('table', { name: 'Match history of Suyog Maharjan' });
    expect(
      within(log)
        .getAllByTitle(/November/)
        .map((day) => [day.textContent, day.title]),
    ).toEqual([
      ['21 Nov', 'Saturday, 21 November 2026'],
      ['21 Nov 2025', 'Friday, 21 November 2025'],
    ]);
  });

  it('says when there is no such player', async () => {
    answerWith({});
    renderSite('/player/none');
    expect(await screen.findByText('There is no such player.')).toBeInTheDocument();
  });

  it('says when the player could not be loaded', async () => {
    answerWith({ '/player/getPlayerById/1': { status: 500, body: { message: 'Internal Server Error' } } });
    const { user } = renderSite('/player/1');
    expect(await screen.findByText('This player could not be loaded.')).toBeInTheDocument();
    expect(document.title).toBe('This player could not be loaded · CourtLedger');
    answerWith({});
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('There is no such player.')).toBeInTheDocument();
  });
});
