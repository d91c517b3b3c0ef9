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
  await user.click(dialog.getByRole('button', { name: 'Keep it' }));
  expect(dialog.queryByLabelText(/Everybody can read the reason/)).not.toBeInTheDocument();
  expect(dialog.getByRole('rowheader', { name: /Suyog Maharjan/ })).toHaveFocus();
});

it('moves a moved entry back to the player from whom it came', async () => {
  localStorage.setItem('atoken', 'a.b.c');
  const [first, second] = match.team1Players;
  if (first === undefined || second === undefined) throw new Error('The match has no two players');
  const reversal: HistoryRow = { ...entry, position: '8', type: 'StatEntryReversed', entryId: 'r1', targetEntryId: 'e1', player_id: first._id, playerName: first.name, points: -2, reason: 'Number 5', commandId: 'c2' };
  const moved: HistoryRow = { ...entry, position: '9', entryId: 'e2', player_id: second._id, playerName: second.name, points: 2, commandId: 'c2' };
  const address = `POST /match/matches/${match.matchId}/stat-entries/e2/move`;
  const { sent } = answerWith({
    '/admin/check-token': { body: { _id: 'a1', username: 'pema', email: 'pema@example.com' } },
    '/tournaments/admin-tournaments': { body: [] },
    '/match/matches': { body: [match] },
    [`/match/matches/${match.matchId}/history`]: { body: [{ ...entry, player_id: first._id, playerName: first.name, points: 2, reversed: true }, reversal, moved] },
    [`${address}/preview`]: { status: 409, body: { message: 'Not now' } },
    [address]: { status: 409, body: { message: 'Not today' } },
  });
  const { user } = renderSite('/admin');
  await user.click(await screen.findByRole('tab', { name: 'Matches' }));
  await user.click(await screen.findByRole('button', { name: `History ${match.team1Name}, ${match.team2Name}` }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Match History' }));
  await user.click(await dialog.findByRole('button', { name: `Move back Points +2, from ${second.name} to ${first.name}` }));
  expect(dialog.getByLabelText('What should happen to it?')).toHaveValue(first._id);
  await user.type(dialog.getByLabelText(/Everybody can read the reason/), 'It was number 4');
  await user.click(dialog.getByRole('button', { name: 'Move' }));
  expect(await dialog.findByText('Not today')).toBeInTheDocument();
  expect(sent.filter(({ call }) => call === address).map(({ body }) => body)).toMatchObject([{ playerId: first._id, reason: 'It was number 4' }]);
});

it('keeps the player and the reason as they were sent when the answer is lost, and asks no more what it would change', async () => {
  localStorage.setItem('atoken', 'a.b.c');
  const address = `POST /match/matches/${match.matchId}/stat-entries/e1/reversal`;
  const answer: { status?: number; body?: unknown } = { status: 502, body: {} };
  const { sent } = answerWith({
    '/admin/check-token': { body: { _id: 'a1', username: 'pema', email: 'pema@example.com' } },
    '/tournaments/admin-tournaments': { body: [] },
    '/match/matches': { body: [match] },
    [`/match/matches/${match.matchId}/history`]: { body: [{ ...entry, position: '6', entryId: 'e0', playerName: 'Pranil Tamang', commandId: 'c0' }, entry] },
    [`${address}/preview`]: { status: 409, body: { message: 'Not now' } },
    [address]: answer,
  });
  const { user } = renderSite('/admin');
  await user.click(await screen.findByRole('tab', { name: 'Matches' }));
  await user.click(await screen.findByRole('button', { name: `History ${match.team1Name}, ${match.team2Name}` }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Match History' }));
  await user.click(await dialog.findByRole('button', { name: /^Correct .*Suyog Maharjan$/ }));
  const reason = dialog.getByLabelText(/Everybody can read the reason/);
  await user.type(reason, 'Counted twice');
  await dialog.findByText('Not now');
  const previews = (): number => sent.filter(({ call }) => call.endsWith('/preview')).length;
  const asked = previews();
  await user.click(dialog.getByRole('button', { name: 'Take back' }));
  expect(await dialog.findByText('It is not known whether this was recorded. Take back asks again for exactly this, and nothing is counted twice.')).toBeInTheDocument();
  expect(reason).toBeDisabled();
  expect(dialog.getByLabelText('What should happen to it?')).toBeDisabled();
  expect(previews()).toBe(asked);
  await user.click(dialog.getByRole('button', { name: 'Keep it' }));
  expect(reason).toBeInTheDocument();
  expect(dialog.queryByRole('button', { name: /^Correct / })).not.toBeInTheDocument();
  Object.assign(answer, { status: 409, body: { message: 'Taken back already' } });
  await user.click(dialog.getByRole('button', { name: 'Take back' }));
  expect(await dialog.findByText('Taken back already')).toBeInTheDocument();
  expect(reason).toBeEnabled();
  expect(new Set(sent.filter(({ call }) => call === address).map(({ headers, body }) => `${String(headers.get('Idempotency-Key'))} ${JSON.stringify(body)}`)).size).toBe(1);
});
