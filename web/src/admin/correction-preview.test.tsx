import type { PreviewAnswer } from '@courtledger/contracts/operations/audit.answers';
import type { StandingRow } from '@courtledger/contracts/tournament/tournament.answers';
import { cleanup, render, screen, within } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { ApiError } from '../lib/api-client.ts';
import { answerWith, renderSite } from '../testing/render-site.tsx';
import { historyEntry, listedMatch } from '../testing/staff-builder.ts';
import { standingRow } from '../testing/tournament-builder.ts';
import { CorrectionPreview } from './correction-preview.tsx';

const entry = historyEntry({ points: 18, rebounds: -8, runningTotal: { points: 18, assists: 1, rebounds: -8 } });
const match = listedMatch();
const result = (score_1: number, rows: readonly StandingRow[] = []): PreviewAnswer['before'] => ({
  hasStats: true,
  score_1,
  score_2: 116,
  winner: match.team2Id,
  mvp: null,
  standings: { tournamentId: match.tournamentId, provisional: false, rows: [...rows] },
});
const preview: PreviewAnswer = {
  previewed: '7-first',
  team_1: { _id: match.team1Id, name: match.team1Name },
  team_2: { _id: match.team2Id, name: match.team2Name },
  players: [
    {
      player_id: 'p1',
      name: 'Suyog Maharjan',
      before: { points: 18, assists: 1, rebounds: -8, notplayed: 'played' },
      after: { points: 0, assists: 1, rebounds: 0, notplayed: 'played' },
    },
  ],
  before: result(49),
  after: result(31),
  consequences: ['The score changes from 49–116 to 31–116.'],
};

beforeEach(() => {
  localStorage.clear();
  vi.stubGlobal('scrollTo', vi.fn<() => void>());
});

const open = async (body: PreviewAnswer) => {
  localStorage.setItem('atoken', 'a.b.c');
  answerWith({
    '/admin/check-token': { body: { _id: 'a1', username: 'pema', email: 'pema@example.com' } },
    '/tournaments/admin-tournaments': { body: [] },
    '/match/matches': { body: [match] },
    [`/match/matches/${match.matchId}/history`]: { body: [entry] },
    [`POST /match/matches/${match.matchId}/stat-entries/e1/reversal/preview`]: { body },
  });
  const { user } = renderSite('/admin');
  await user.click(await screen.findByRole('tab', { name: 'Matches' }));
  await user.click(await screen.findByRole('button', { name: `History ${match.team1Name}, ${match.team2Name}` }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Match History' }));
  await user.click(await dialog.findByRole('button', { name: /^Correct / }));
  const said = (await dialog.findByText(/^What it would change/)).closest('output');
  return { said: Array.from(said?.children ?? [], ({ textContent }) => textContent), shown: within(said?.parentElement as HTMLElement) };
};
const rowsOf = (table: HTMLElement): readonly string[] =>
  within(table)
    .getAllByRole('row')
    .map((row) => Array.from(row.children, (cell) => cell.textContent).join(' | '));
const resultOf = (shown: Awaited<ReturnType<typeof open>>['shown']): readonly string[] =>
  shown.getAllByRole('definition').map((said) => `${said.previousSibling?.textContent ?? ''}: ${said.textContent}`);

it('says each consequence of a correction once, and shows the result and the teams whose rows change before and after', async () => {
  const third = standingRow({ teamId: 'l', teamName: 'Lalitpur Lynx', rank: 2, points: 12 });
  const { said, shown } = await open({
    ...preview,
    before: {
      ...result(49, [
        standingRow(),
        third,
        standingRow({
          teamId: 'p',
          teamName: 'Pokhara Panthers',
          rank: 3,
          played: 7,
          wins: 4,
          losses: 3,
          points: 11,
          pointsFor: 600,
          pointsAgainst: 609,
          difference: -9,
        }),
      ]),
      mvp: { player_id: 'p1', name: 'Suyog Maharjan', recorded: false },
    },
    after: {
      ...result(31, [
        third,
        standingRow({ rank: 2, wins: 5, losses: 2, points: 12, pointsFor: 636, difference: 75 }),
        standingRow({
          teamId: 'p',
          teamName: 'Pokhara Panthers',
          rank: 3,
          played: 7,
          wins: 5,
          losses: 2,
          points: 12,
          pointsFor: 600,
          pointsAgainst: 591,
          difference: 9,
        }),
      ]),
      mvp: { player_id: 'p2', name: 'Suyog Maharjan', recorded: false },
    },
  });
  expect(said).toEqual([
    `What it would change in ${match.team1Name} v ${match.team2Name}`,
    'Suyog Maharjan: 18 → 0 points, 1 → 1 assists, −8 → 0 rebounds',
    'The score changes from 49–116 to 31–116.',
  ]);
  expect(resultOf(shown)).toEqual(['Score: 49–116 → 31–116', 'Winner: Pokhara Panthers', 'MVP: Suyog Maharjan → Suyog Maharjan']);
  const table = shown.getByRole('table', { name: 'Rows of the standings of Himalayan Hoops League that would change, before → after' });
  expect(rowsOf(table)).toEqual([
    'Team Name | Rank | Played | Wins | Losses | Points | FOR | AGST | PD',
    'Kathmandu Kings | 1 → 2 | 7 | 6 → 5 | 1 → 2 | 13 → 12 | 654 → 636 | 561 | +93 → +75',
    'Pokhara Panthers | 3 | 7 | 4 → 5 | 3 → 2 | 11 → 12 | 600 | 609 → 591 | −9 → +9',
  ]);
  expect(shown.queryByText(/^No row of the standings/)).not.toBeInTheDocument();
});

it.each([
  ['played', null, '; played → no statistics: one match played less'],
  [null, 'played', '; no statistics → played: one match played more'],
  ['DNP', 'played', '; DNP → played: one match played more'],
  ['played', 'Not Played', '; played → DNP: one match played less'],
  [null, 'DNP', '; no statistics → DNP'],
  ['DNP', 'Not Played', ''],
] as const)('says what becomes of the status: %s, then %s', async (before, after, words) => {
  const numbers = { points: 2, assists: 0, rebounds: 0 };
  const { said } = await open({
    ...preview,
    players: [{ player_id: 'p1', name: 'Suyog Maharjan', before: { ...numbers, notplayed: before }, after: { ...numbers, notplayed: after } }],
  });
  expect(said[1]).toBe(`Suyog Maharjan: 2 → 2 points, 0 → 0 assists, 0 → 0 rebounds${words}`);
});

it('shows a team that leaves the standings, or enters them, with none on the other side', async () => {
  const row = standingRow({ played: 1, wins: 0, losses: 1, points: 1, pointsFor: 49, pointsAgainst: 116, difference: -67 });
  const { shown } = await open({
    ...preview,
    before: result(49, [row]),
    after: {
      ...result(0, [
        standingRow({ teamId: 'p', teamName: 'Pokhara Panthers', played: 1, wins: 1, losses: 0, points: 2, pointsFor: 116, pointsAgainst: 0, difference: 116 }),
      ]),
      winner: null,
    },
  });
  expect(resultOf(shown)[1]).toBe('Winner: Pokhara Panthers → nobody');
  expect(rowsOf(shown.getByRole('table')).slice(1)).toEqual([
    'Pokhara Panthers | none → 1 | none → 1 | none → 1 | none → 0 | none → 2 | none → 116 | none → 0 | none → +116',
    'Kathmandu Kings | 1 → none | 1 → none | 0 → none | 1 → none | 1 → none | 49 → none | 116 → none | −67 → none',
  ]);
});

it('says that no row of the standings changes where only the result does, and nothing more where nothing does', async () => {
  const same = result(49, [standingRow()]);
  const { shown } = await open({
    ...preview,
    before: same,
    after: { ...same, mvp: { player_id: 'p2', name: 'Pranil Tamang', recorded: false } },
    consequences: ['The MVP changes from nobody to Pranil Tamang.'],
  });
  expect(resultOf(shown)[2]).toBe('MVP: nobody → Pranil Tamang');
  expect(shown.getByText('No row of the standings changes.')).toBeInTheDocument();
  expect(shown.queryByRole('table')).not.toBeInTheDocument();
  cleanup();
  const nothing = await open({ ...preview, before: same, after: same, consequences: [] });
  expect(nothing.said.at(-1)).toBe('Score, winner, MVP and standings stay as they are.');
  expect([nothing.shown.queryAllByRole('definition'), nothing.shown.queryAllByText(/^No row/)]).toEqual([[], []]);
});

it('shows no score for a match without statistics, before or after', async () => {
  const none: PreviewAnswer['before'] = { ...result(0), hasStats: false, score_2: 0, winner: null };
  const emptied = await open({ ...preview, before: result(49), after: none, consequences: ['No statistics are left: the match is upcoming again.'] });
  expect(emptied.said.at(-1)).toBe('No statistics are left: the match is upcoming again.');
  expect(resultOf(emptied.shown)).toEqual(['Score: 49–116 → none', 'Winner: Pokhara Panthers → nobody', 'MVP: nobody']);
  cleanup();
  const again = await open({ ...preview, before: none, after: result(49), consequences: ['The match has statistics again.'] });
  expect(resultOf(again.shown)).toEqual(['Score: none → 49–116', 'Winner: nobody → Pokhara Panthers', 'MVP: nobody']);
});

it('says in view why there is none: what stood there before may have been longer than the screen', () => {
  const shown: HTMLElement[] = [];
  vi.spyOn(HTMLElement.prototype, 'scrollIntoView').mockImplementation(function scroll(this: HTMLElement) {
    shown.push(this);
  });
  render(
    <CorrectionPreview
      tournamentName="Kathmandu Cup"
      preview={{ data: undefined, error: new ApiError(409, 'This entry is reversed already'), isPending: false }}
      onRetry={vi.fn<() => void>()}
    />,
  );
  expect(shown).toEqual([screen.getByRole('alert')]);
  vi.restoreAllMocks();
});
