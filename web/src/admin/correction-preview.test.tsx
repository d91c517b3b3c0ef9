import type { HistoryRow } from '@courtledger/contracts/match/match.answers';
import type { PreviewAnswer } from '@courtledger/contracts/operations/audit.answers';
import { screen, within } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { answerWith, renderSite } from '../testing/render-site.tsx';
import { listedMatch } from '../testing/staff-builder.ts';

const entry: HistoryRow = { position: '7', at: '2026-11-21T06:00:00.000Z', actor: { role: 'admin', id: 'a1', name: 'pema' }, type: 'StatIncrementRecorded', entryId: 'e1', playerName: 'Suyog Maharjan', points: 18, assists: 0, rebounds: -8, runningTotal: { points: 18, assists: 1, rebounds: -8 }, reversed: false, commandId: 'c1' };
const match = listedMatch();
const result = (score_1: number): PreviewAnswer['before'] => ({ score_1, score_2: 116, winner: match.team2Id, mvp: null, standings: { tournamentId: match.tournamentId, provisional: false, rows: [] } });
const preview: PreviewAnswer = {
  team_1: { _id: match.team1Id, name: match.team1Name },
  team_2: { _id: match.team2Id, name: match.team2Name },
  players: [{ player_id: 'p1', name: 'Suyog Maharjan', before: { points: 18, assists: 1, rebounds: -8 }, after: { points: 0, assists: 1, rebounds: 0 } }],
  before: result(49),
  after: result(31),
  consequences: ['The score changes from 49–116 to 31–116.'],
};

beforeEach(() => {
  localStorage.clear();
  vi.stubGlobal('scrollTo', vi.fn<() => void>());
});

it('says each consequence of a correction once', async () => {
  localStorage.setItem('atoken', 'a.b.c');
  answerWith({
    '/admin/check-token': { body: { _id: 'a1', username: 'pema', email: 'pema@example.com' } },
    '/tournaments/admin-tournaments': { body: [] },
    '/match/matches': { body: [match] },
    [`/match/matches/${match.matchId}/history`]: { body: [entry] },
    [`POST /match/matches/${match.matchId}/stat-entries/e1/reversal/preview`]: { body: preview },
  });
  const { user } = renderSite('/admin');
  await user.click(await screen.findByRole('tab', { name: 'Matches' }));
  await user.click(await screen.findByRole('button', { name: `History ${match.team1Name}, ${match.team2Name}` }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Match History' }));
  await user.click(await dialog.findByRole('button', { name: /^Correct / }));
  const said = (await dialog.findByText(/^What it would change/)).closest('output');
  expect(Array.from(said?.children ?? [], ({ textContent }) => textContent)).toEqual([
    `What it would change in ${match.team1Name} v ${match.team2Name}`,
    'Suyog Maharjan: 18 → 0 points, 1 → 1 assists, −8 → 0 rebounds',
    'The score changes from 49–116 to 31–116.',
  ]);
});
