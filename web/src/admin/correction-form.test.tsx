import type { HistoryRow } from '@courtledger/contracts/match/match.answers';
import { screen, within } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { answerWith, renderSite } from '../testing/render-site.tsx';
import { listedMatch } from '../testing/staff-builder.ts';

const entry: HistoryRow = { position: '7', at: '2026-11-21T06:00:00.000Z', actor: { role: 'admin', id: 'a1', name: 'pema' }, type: 'StatIncrementRecorded', entryId: 'e1', playerName: 'Suyog Maharjan', points: -2, assists: 0, rebounds: 0, runningTotal: { points: -2, assists: 1, rebounds: 0 }, reversed: false, commandId: 'c1' };
const match = listedMatch();

beforeEach(() => {
  localStorage.clear();
  vi.stubGlobal('scrollTo', vi.fn<() => void>());
});

it('asks for the reason under its field, with the focus in it, before anything is sent', async () => {
  localStorage.setItem('atoken', 'a.b.c');
  const { sent } = answerWith({
    '/admin/check-token': { body: { _id: 'a1', username: 'pema', email: 'pema@example.com' } },
    '/tournaments/admin-tournaments': { body: [] },
    '/match/matches': { body: [match] },
    [`/match/matches/${match.matchId}/history`]: { body: [entry] },
    [`POST /match/matches/${match.matchId}/stat-entries/e1/reversal/preview`]: { status: 409, body: { message: 'Not now' } },
    [`POST /match/matches/${match.matchId}/stat-entries/e1/reversal`]: { status: 409, body: { message: 'Taken back already' } },
  });
  const { user } = renderSite('/admin');
  await user.click(await screen.findByRole('tab', { name: 'Matches' }));
  await user.click(await screen.findByRole('button', { name: `History ${match.team1Name}, ${match.team2Name}` }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Match History' }));
  expect(await dialog.findByText('−2 points, 1 assist, 0 rebounds')).toBeInTheDocument();
  await user.click(dialog.getByRole('button', { name: /^Correct / }));
  const reason = dialog.getByLabelText(/Everybody can read the reason/);
  const reversals = (): readonly unknown[] => sent.filter(({ call }) => call.endsWith('/reversal')).map(({ body }) => body);
  await user.click(dialog.getByRole('button', { name: 'Take back' }));
  expect(reason).toHaveAccessibleDescription('A reason is required: nothing has been sent');
  expect(reason).toBeInvalid();
  expect(reason).toHaveFocus();
  expect(reversals()).toEqual([]);
  await user.type(reason, 'Counted twice');
  expect(reason).toBeValid();
  expect(dialog.queryByText(/^A reason is required/)).not.toBeInTheDocument();
  await user.click(dialog.getByRole('button', { name: 'Take back' }));
  expect(await dialog.findByText('Taken back already')).toBeInTheDocument();
  expect(reversals()).toMatchObject([{ reason: 'Counted twice' }]);
});
