import { act, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { queryKeys } from '../lib/query-keys.ts';
import { matchAnswer, statRow } from '../testing/match-builder.ts';
import { answerWith, renderSite } from '../testing/render-site.tsx';

const rows = [
  statRow({ player_id: '1', team_id: 'k', points: 90, assists: 9, rebounds: 6, name: 'Suyog Maharjan' }),
  statRow({ player_id: '2', team_id: 'k', points: 22, assists: 3, rebounds: 14, name: 'Pranil Tamang', jerseyNumber: '23' }),
  statRow({ player_id: '3', team_id: 'k', notplayed: 'Not Played', name: 'Kiran Adhikari', jerseyNumber: '' }),
  statRow({ player_id: '4', team_id: 'p', points: 98, assists: 2, rebounds: 1, name: 'Nischal Rai' }),
];

const open = (match: object = {}, corrections: readonly object[] = []) => {
  const refused = [
    'of=match-team&stat=points&match=m1&team=p',
    'of=match-player&stat=rebounds&match=m1&player=2',
    'of=match-team&stat=assists&match=m1&team=k',
    'of=match-team&stat=rebounds&match=m1&team=k',
    'of=match-team&stat=rebounds&match=m1&team=p',
    'of=match-player&stat=assists&match=m1&player=1',
  ].map((question) => [`/audit/trace?${question}`, { status: 404, body: { message: `No answer to ${question}` } }] as const);
  answerWith({
    ...Object.fromEntries(refused),
    '/match/matches/m1': { body: { ...matchAnswer(rows, { mvp: '1', bestPlayer: { player_id: '1', recorded: true } }), ...match } },
    '/match/matches/m1/corrections': { body: corrections },
  });
  return renderSite('/MatchDetails/m1');
};

afterEach(() => {
  localStorage.clear();
});

/** What the tables hold, by their captions. */
const tables = (): readonly (string | null | undefined)[] => screen.getAllByRole('table').map((table) => table.querySelector('caption')?.textContent);

const text = (): readonly (string | null)[][] => screen.getAllByRole('row').map((row) => Array.from(row.children, (cell) => cell.textContent));

describe('match details', () => {
  it('has a header with both scores, the winner and that it is over', async () => {
    open();
    expect(await screen.findByRole('heading', { level: 1 })).toHaveTextContent('Kathmandu Kings 112, Pokhara Panthers 98');
    expect(screen.getByText('WINNER').parentElement).toHaveTextContent('Kathmandu Kings');
    expect(screen.getByText('Match Completed')).toBeInTheDocument();
    expect(screen.getByText('+14')).toBeInTheDocument();
    expect(document.title).toBe('Kathmandu Kings 112, Pokhara Panthers 98 · CourtLedger');
  });

  it('opens the entries behind a score, a total and a number of a line, for those who may see them', async () => {
    localStorage.setItem('atoken', 'a.b.c');
    const { user } = open();
    const asks = async (name: string, question: string, place = 'table'): Promise<void> => {
      await user.click(within(screen.getByRole(place)).getByRole('button', { name }));
      const panel = within(await screen.findByRole('region', { name: 'Entries behind a number' }));
      expect(await panel.findByText(`No answer to ${question}`)).toBeInTheDocument();
    };
    await screen.findByRole('heading', { level: 1 });
    await asks('Why 14? Pranil Tamang, rebounds', 'of=match-player&stat=rebounds&match=m1&player=2');
    expect(screen.getAllByRole('button', { name: 'Why 112? Score of Kathmandu Kings' })).toHaveLength(3);
    await user.click(screen.getAllByRole('button', { name: 'Why 98? Score of Pokhara Panthers' })[0] as HTMLElement);
    expect(await screen.findByText('No answer to of=match-team&stat=points&match=m1&team=p')).toBeInTheDocument();
    await asks('Why 12? Assists of Kathmandu Kings', 'of=match-team&stat=assists&match=m1&team=k');
    await asks('Why 20? Rebounds of Kathmandu Kings', 'of=match-team&stat=rebounds&match=m1&team=k');
    const tops = within(screen.getByRole('region', { name: 'Top Performers' }));
    expect(tops.getAllByRole('button', { name: /^Why/ }).map((button) => button.getAttribute('aria-label'))).toEqual([
      'Why 90? Suyog Maharjan, points',
      'Why 98? Nischal Rai, points',
      'Why 9? Suyog Maharjan, assists',
      'Why 2? Nischal Rai, assists',
      'Why 14? Pranil Tamang, rebounds',
      'Why 1? Nischal Rai, rebounds',
    ]);
    expect(within(screen.getByRole('region', { name: 'MVP of the match' })).getAllByRole('button', { name: /^Why/ })).toHaveLength(3);
    await user.click(tops.getByRole('button', { name: 'Why 9? Suyog Maharjan, assists' }));
    expect(await screen.findByText('No answer to of=match-player&stat=assists&match=m1&player=1')).toBeInTheDocument();
    const comparison = within(screen.getByRole('region', { name: 'Match Statistics Comparison' }));
    expect(comparison.getAllByRole('button').map((button) => `${button.textContent}: ${button.getAttribute('aria-label') ?? ''}`)).toEqual([
      '112: Why 112? Score of Kathmandu Kings',
      '98: Why 98? Score of Pokhara Panthers',
      '20: Why 20? Rebounds of Kathmandu Kings',
      '1: Why 1? Rebounds of Pokhara Panthers',
      '12: Why 12? Assists of Kathmandu Kings',
      '2: Why 2? Assists of Pokhara Panthers',
    ]);
    await user.click(comparison.getByRole('button', { name: 'Why 1? Rebounds of Pokhara Panthers' }));
    expect(await screen.findByText('No answer to of=match-team&stat=rebounds&match=m1&team=p')).toBeInTheDocument();
    // Both teams in one table: their sum is nobody's number.
    await user.click(screen.getByRole('tab', { name: 'All Players' }));
    expect(within(screen.getByRole('row', { name: /^Total/ })).queryByRole('button')).not.toBeInTheDocument();
  });

  it('is plain for everybody else', async () => {
    open();
    await screen.findByRole('heading', { level: 1 });
    expect(screen.queryByRole('button', { name: /^Why/ })).not.toBeInTheDocument();
    expect(Array.from(screen.getByRole('region', { name: 'Match Statistics Comparison' }).querySelectorAll('.cmp__h'), (head) => head.textContent)).toEqual([
      '112Points98',
      '20Rebounds1',
      '12Assists2',
    ]);
  });

  it('is printed with the lines of both teams, and shows the chosen one again afterwards', async () => {
    open();
    await screen.findByRole('heading', { level: 1 });
    fireEvent(window, new Event('beforeprint'));
    expect(tables()).toEqual(['Player Statistics, Kathmandu Kings', 'Player Statistics, Pokhara Panthers']);
    fireEvent(window, new Event('afterprint'));
    expect(tables()).toEqual(['Player Statistics, Kathmandu Kings']);
  });

  it('names the MVP with a link and three numbers', async () => {
    open();
    const mvp = within(await screen.findByRole('region', { name: 'MVP of the match' }));
    expect(mvp.getByRole('link', { name: 'Suyog Maharjan' })).toHaveAttribute('href', '/player/1');
    expect(mvp.getByRole('img', { name: 'Suyog Maharjan' })).toBeInTheDocument();
    expect(['Points', 'Assists', 'Rebounds'].map((label) => mvp.getByText(label).previousSibling?.textContent)).toEqual(['90', '9', '6']);
    expect(mvp.queryByText(/^Best average/)).not.toBeInTheDocument();
  });

  it('falls back to the best average of the winning team, and says so', async () => {
    const { mvp: _none, ...unnamed } = matchAnswer(rows, { bestPlayer: { player_id: '1', recorded: false } });
    answerWith({ '/match/matches/m1': { body: unnamed }, '/match/matches/m1/corrections': { body: [] } });
    renderSite('/MatchDetails/m1');
    const mvp = within(await screen.findByRole('region', { name: 'MVP of the match' }));
    expect(mvp.getByRole('link', { name: 'Suyog Maharjan' })).toBeInTheDocument();
    expect(mvp.getByText(/^Best average/)).toBeInTheDocument();
  });

  it('shows top scorers, assisters and rebounders, one per team', async () => {
    open();
    const tops = within(await screen.findByRole('region', { name: 'Top Performers' }));
    expect(
      tops
        .getAllByRole('heading', { level: 3 })
        .map((heading) => [heading, ...within(heading.parentElement ?? document.body).getAllByRole('link')].map((element) => element.textContent)),
    ).toEqual([
      ['Top scorers', 'Suyog Maharjan', 'Nischal Rai'],
      ['Top assisters', 'Suyog Maharjan', 'Nischal Rai'],
      ['Top rebounders', 'Pranil Tamang', 'Nischal Rai'],
    ]);
  });

  it('tables players with number, badges and totals; tabs choose a team; who did not play is DNP', async () => {
    const { user } = open();
    const tabs = await screen.findAllByRole('tab');
    expect(tabs.map((tab) => tab.textContent)).toEqual(['All Players', 'Kathmandu Kings', 'Pokhara Panthers']);
    expect(screen.getAllByRole('columnheader').map((head) => head.textContent)).toEqual(['Name', 'Points', 'Assists', 'Rebounds']);
    expect(screen.getByRole('tab', { selected: true })).toHaveTextContent('Kathmandu Kings');
    expect(text()).toEqual([
      ['Name', 'Points', 'Assists', 'Rebounds'],
      ['7Suyog MaharjanTop ScorerTop Assister', '90', '9', '6'],
      ['23Pranil TamangTop Rebounder', '22', '3', '14'],
      ['-Kiran Adhikari', 'DNP'],
      ['Total', '112', '12', '20'],
    ]);
    await user.click(screen.getByRole('tab', { name: 'Kathmandu Kings' }));
    await user.keyboard('{ArrowRight}');
    expect(screen.getByRole('tab', { name: 'Pokhara Panthers' })).toHaveFocus();
    expect(text().at(-1)).toEqual(['Total', '98', '2', '1']);
    await user.click(screen.getByRole('tab', { name: 'All Players' }));
    expect(text().map(([name]) => name)).toEqual([
      'Name',
      '7Nischal RaiPokhara PanthersTop ScorerTop AssisterTop Rebounder',
      '7Suyog MaharjanKathmandu KingsTop ScorerTop Assister',
      '23Pranil TamangKathmandu KingsTop Rebounder',
      '-Kiran AdhikariKathmandu Kings',
      'Total',
    ]);
  });

  it('shows the numbers of who did not play where there are any, for the total counts them', async () => {
    localStorage.setItem('atoken', 'a.b.c');
    open({
      player_stats: [
        statRow({ player_id: '1', team_id: 'k', points: 10, name: 'Suyog Maharjan' }),
        statRow({ player_id: '3', team_id: 'k', points: 4, rebounds: -1, notplayed: 'DNP', name: 'Kiran Adhikari', jerseyNumber: '' }),
      ],
      mvp: undefined,
      bestPlayer: undefined,
    });
    await screen.findByRole('table');
    expect(text().slice(1)).toEqual([
      ['7Suyog MaharjanTop Scorer', '10', '0', '0'],
      ['-Kiran AdhikariDNP', '4', '0', '−1'],
      ['Total', '14', '0', '−1'],
    ]);
    expect(screen.getByRole('button', { name: 'Why 4? Kiran Adhikari, points' })).toBeInTheDocument();
  });

  it('compares points, rebounds and assists; a share of at most 15 percent has no label', async () => {
    open();
    const comparison = await screen.findByRole('region', { name: 'Match Statistics Comparison' });
    expect(Array.from(comparison.querySelectorAll('.barx'), (bar) => Array.from(bar.children, (part) => part.textContent))).toEqual([
      ['53.3%', '46.7%'],
      ['95.2%', ''],
      ['85.7%', ''],
    ]);
  });

  it('draws an empty track where neither team has anything, unlike an even share', async () => {
    answerWith({
      '/match/matches/m1': {
        body: matchAnswer([statRow({ player_id: '1', team_id: 'k', points: 10 }), statRow({ player_id: '4', team_id: 'p', points: 10 })]),
      },
      '/match/matches/m1/corrections': { body: [] },
    });
    renderSite('/MatchDetails/m1');
    const comparison = await screen.findByRole('region', { name: 'Match Statistics Comparison' });
    expect(Array.from(comparison.querySelectorAll('.barx'), (bar) => Array.from(bar.children, (part) => part.textContent))).toEqual([
      ['50.0%', '50.0%'],
      [],
      [],
    ]);
  });

  it('draws no part of a bar for a team that has nothing of it, or less', async () => {
    answerWith({
      '/match/matches/m1': {
        body: matchAnswer([
          statRow({ player_id: '1', team_id: 'k', points: 20, assists: -3, rebounds: 1 }),
          statRow({ player_id: '4', team_id: 'p', assists: 4, rebounds: 3000 }),
        ]),
      },
      '/match/matches/m1/corrections': { body: [] },
    });
    renderSite('/MatchDetails/m1');
    const comparison = await screen.findByRole('region', { name: 'Match Statistics Comparison' });
    expect(Array.from(comparison.querySelectorAll('.barx'), (bar) => Array.from(bar.querySelectorAll('i'), (part) => [part.hidden, part.textContent]))).toEqual(
      [
        [
          [false, '100.0%'],
          [true, ''],
        ],
        [
          [false, ''],
          [false, '100.0%'],
        ],
        [
          [true, ''],
          [false, '100.0%'],
        ],
      ],
    );
  });

  it('opens the reason of a correction', async () => {
    const { user } = open({}, [{ at: '2026-11-21T10:11:12.000Z', what: '+2 points taken back', reason: 'Counted twice', afterDay: false }]);
    const badge = await screen.findByRole('button', { name: 'Corrected once' });
    expect(screen.queryByText(/Counted twice/)).not.toBeInTheDocument();
    await user.click(badge);
    expect(screen.getByText(/Counted twice/)).toBeInTheDocument();
  });

  it('says once that a match was corrected, at its head when that was after its day', async () => {
    const { user } = open({}, [
      { at: '2026-11-21T10:11:12.000Z', what: '+2 points taken back', reason: 'Counted twice', afterDay: false },
      { at: '2026-11-23T10:11:12.000Z', what: '+3 points taken back', reason: 'Wrong player', afterDay: true },
    ]);
    const marks = await screen.findAllByText(/^Corrected/);
    expect(marks.map((mark) => mark.textContent)).toEqual(['Corrected twice']);
    await user.click(screen.getByText('Corrected twice'));
    expect([screen.getByText('Counted twice'), screen.getByText('Wrong player')]).toHaveLength(2);
  });

  it('has no winner and no MVP when the match is level', async () => {
    const level = matchAnswer([statRow({ player_id: '1', team_id: 'k', points: 80 }), statRow({ player_id: '4', team_id: 'p', points: 80 })]);
    answerWith({ '/match/matches/m1': { body: level }, '/match/matches/m1/corrections': { body: [] } });
    renderSite('/MatchDetails/m1');
    await screen.findByText('Match Completed');
    expect(screen.queryByText('WINNER')).not.toBeInTheDocument();
    expect(screen.queryByText('MVP of the match')).not.toBeInTheDocument();
  });

  it('shows no scores before anything is recorded', async () => {
    open({ player_stats: [] });
    expect(await screen.findByText('No statistics have been recorded for this match yet.')).toBeInTheDocument();
    expect(screen.queryByText('Match Completed')).not.toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'View Players' })).toHaveAttribute('href', '/ViewPlayers/m1');
  });
});

describe('match players', () => {
  const players = [
    { _id: '1', name: 'Suyog Maharjan', jerseyNumber: '00', image: '' },
    { _id: '2', name: 'Prajwal Dangol', jerseyNumber: '', image: '' },
  ];
  it("tables both teams; a missing number is '-'", async () => {
    const match = matchAnswer([]);
    answerWith({ '/match/matches/m1': { body: { ...match, team_1: { ...match.team_1, players } } } });
    renderSite('/ViewPlayers/m1');
    const table = within(await screen.findByRole('table', { name: 'Players of Kathmandu Kings' }));
    expect(table.getAllByRole('row').map((row) => Array.from(row.children, (cell) => cell.textContent))).toEqual([
      ['Player Name', 'Jersey Number'],
      ['Suyog Maharjan', '00'],
      ['Prajwal Dangol', '-'],
    ]);
    expect(table.getByRole('link', { name: 'Suyog Maharjan' })).toHaveAttribute('href', '/player/1');
    expect(screen.getByText('No players available for this team.')).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Back to Events' })).toHaveAttribute('href', '/events');
  });
  it('says that a result was corrected away, and why: such a match is upcoming again, and this is its page', async () => {
    answerWith({
      '/match/matches/m1': { body: matchAnswer([]) },
      '/match/matches/m1/corrections': { body: [{ at: '2026-11-23T10:11:12.000Z', what: '+3 points taken back', reason: 'Another match', afterDay: true }] },
    });
    const { user } = renderSite('/ViewPlayers/m1');
    await user.click(await screen.findByText('Corrected once'));
    expect(screen.getByText('Another match')).toBeInTheDocument();
  });
  it.each(['/ViewPlayers/none', '/MatchDetails/none'])("says 'Match Not Found' at %s", async (path) => {
    answerWith({});
    renderSite(path);
    expect(await screen.findByRole('heading', { level: 1, name: 'Match Not Found' })).toBeVisible();
    expect(screen.getAllByText('Match Not Found')).toHaveLength(1);
    expect(screen.getByRole('link', { name: 'Back to Events' })).toHaveAttribute('href', '/events');
  });

  it.each(['/ViewPlayers/m1', '/MatchDetails/m1'])('takes a match away at %s that is cancelled while it is looked at', async (path) => {
    answerWith({ '/match/matches/m1': { body: matchAnswer([]) }, '/match/matches/m1/corrections': { body: [] } });
    const { client } = renderSite(path);
    expect(await screen.findByRole('heading', { level: 1, name: 'Kathmandu Kings and Pokhara Panthers' })).toBeInTheDocument();
    answerWith({});
    await act(async () => client.invalidateQueries({ queryKey: queryKeys.match('m1') }));
    expect(await screen.findByRole('heading', { level: 1, name: 'Match Not Found' })).toBeVisible();
    expect(document.title).toBe('Match Not Found · CourtLedger');
  });

  it.each(['/ViewPlayers/m1', '/MatchDetails/m1'])('says at %s that the match could not be loaded, and tries again', async (path) => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
    const { user } = renderSite(path);
    expect(await screen.findByText('This match could not be loaded.')).toBeInTheDocument();
    expect(screen.queryByText('Match Not Found')).not.toBeInTheDocument();
    answerWith({ '/match/matches/m1': { body: matchAnswer(rows) }, '/match/matches/m1/corrections': { body: [] } });
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('heading', { level: 1, name: /Kathmandu Kings.*Pokhara Panthers/ })).toBeInTheDocument();
    expect(screen.queryByText('This match could not be loaded.')).not.toBeInTheDocument();
  });
});
