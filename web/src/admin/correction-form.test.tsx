import type { HistoryRow } from '@courtledger/contracts/match/match.answers';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { MemoryRouter } from 'react-router-dom';
import { beforeEach, expect, it, vi } from 'vitest';
import { answerWith, renderSite } from '../testing/render-site.tsx';
import { correctionPreview, historyEntry, listedMatch } from '../testing/staff-builder.ts';
import { CorrectionForm } from './correction-form.tsx';
import type { HistoryLine } from './match-history.rules.ts';

const entry = historyEntry({ points: -2, runningTotal: { points: -2, assists: 1, rebounds: 0 } });
const match = listedMatch();
const previewed = { body: correctionPreview() };

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
    [`POST /match/matches/${match.matchId}/stat-entries/e1/reversal/preview`]: previewed,
    [`POST /match/matches/${match.matchId}/stat-entries/e1/reversal`]: { status: 409, body: { message: 'Taken back already' } },
  });
  const { user } = renderSite('/admin');
  await user.click(await screen.findByRole('tab', { name: 'Matches' }));
  await user.click(await screen.findByRole('button', { name: `History ${match.team1Name}, ${match.team2Name}` }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Match History' }));
  expect(await dialog.findByText('−2 points, 1 assist, 0 rebounds')).toBeInTheDocument();
  await user.click(dialog.getByRole('button', { name: /^Correct / }));
  const reason = dialog.getByLabelText(/Everybody can read the reason/);
  await dialog.findByText(/^What it would change in/);
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
  await user.click(dialog.getByRole('button', { name: 'Leave it as it is' }));
  expect(dialog.queryByLabelText(/Everybody can read the reason/)).not.toBeInTheDocument();
  expect(dialog.getByRole('rowheader', { name: /Suyog Maharjan/ })).toHaveFocus();
});

it('labels no total, as a phone shows it, where a fact has none', async () => {
  localStorage.setItem('atoken', 'a.b.c');
  const assigned: HistoryRow = {
    position: '6',
    at: '2026-11-20T06:00:00.000Z',
    actor: { role: 'admin', id: 'a1', name: 'pema' },
    type: 'MatchAssigned',
    points: 0,
    assists: 0,
    rebounds: 0,
    reversed: false,
    commandId: 'c0',
    date: match.date,
    time: '',
  };
  answerWith({
    '/admin/check-token': { body: { _id: 'a1', username: 'pema', email: 'pema@example.com' } },
    '/match/matches': { body: [match] },
    [`/match/matches/${match.matchId}/history`]: { body: [assigned, entry] },
  });
  const { user } = renderSite('/admin?tab=matches');
  await user.click(await screen.findByRole('button', { name: `History ${match.team1Name}, ${match.team2Name}` }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Match History' }));
  await dialog.findByText(/^Match assigned/);
  expect(Array.from(document.querySelectorAll('[data-l="Total after it"]'), (cell) => cell.textContent)).toEqual(['−2 points, 1 assist, 0 rebounds']);
});

it('tells players of one name from one another by their numbers, in what was recorded and in what corrects it', async () => {
  localStorage.setItem('atoken', 'a.b.c');
  const name = 'Bibek Rai';
  answerWith({
    '/admin/check-token': { body: { _id: 'a1', username: 'pema', email: 'pema@example.com' } },
    '/tournaments/admin-tournaments': { body: [] },
    '/match/matches': {
      body: [
        listedMatch({
          team1Players: [
            { _id: '1', name, jerseyNumber: '7', image: '' },
            { _id: '2', name, jerseyNumber: '9', image: '' },
          ],
        }),
      ],
    },
    [`/match/matches/${match.matchId}/history`]: {
      body: [
        { ...entry, player_id: '1', playerName: name },
        { ...entry, entryId: 'e2', player_id: '2', playerName: name },
        { ...entry, entryId: 'e3', player_id: '3', playerName: 'Nischal Rai' },
      ],
    },
  });
  const { user } = renderSite('/admin?tab=matches');
  await user.click(await screen.findByRole('button', { name: `History ${match.team1Name}, ${match.team2Name}` }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Match History' }));
  expect((await dialog.findAllByRole('button', { name: /^Correct / })).map((button) => button.getAttribute('aria-label'))).toEqual([
    'Correct Points −2, Nischal Rai',
    'Correct Points −2, Bibek Rai (number 9)',
    'Correct Points −2, Bibek Rai (number 7)',
  ]);
});

it('moves a moved entry back to the player from whom it came', async () => {
  localStorage.setItem('atoken', 'a.b.c');
  const [first, second] = match.team1Players;
  if (first === undefined || second === undefined) throw new Error('The match has no two players');
  const reversal: HistoryRow = {
    ...entry,
    position: '8',
    type: 'StatEntryReversed',
    entryId: 'r1',
    targetEntryId: 'e1',
    player_id: first._id,
    playerName: first.name,
    points: -2,
    reason: 'Number 5',
    commandId: 'c2',
  };
  const moved: HistoryRow = { ...entry, position: '9', entryId: 'e2', player_id: second._id, playerName: second.name, points: 2, commandId: 'c2' };
  const address = `POST /match/matches/${match.matchId}/stat-entries/e2/move`;
  const { sent } = answerWith({
    '/admin/check-token': { body: { _id: 'a1', username: 'pema', email: 'pema@example.com' } },
    '/tournaments/admin-tournaments': { body: [] },
    '/match/matches': { body: [match] },
    [`/match/matches/${match.matchId}/history`]: {
      body: [{ ...entry, player_id: first._id, playerName: first.name, points: 2, reversed: true }, reversal, moved],
    },
    [`${address}/preview`]: previewed,
    [address]: { status: 409, body: { message: 'Not today' } },
  });
  const { user } = renderSite('/admin');
  await user.click(await screen.findByRole('tab', { name: 'Matches' }));
  await user.click(await screen.findByRole('button', { name: `History ${match.team1Name}, ${match.team2Name}` }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Match History' }));
  await user.click(await dialog.findByRole('button', { name: `Move back Points +2, from ${second.name} to ${first.name}` }));
  expect(dialog.getByLabelText('What should happen to it?')).toHaveValue(first._id);
  await dialog.findByText(/^What it would change in/);
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
    [`${address}/preview`]: previewed,
    [address]: answer,
  });
  const { user } = renderSite('/admin');
  await user.click(await screen.findByRole('tab', { name: 'Matches' }));
  await user.click(await screen.findByRole('button', { name: `History ${match.team1Name}, ${match.team2Name}` }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Match History' }));
  await user.click(await dialog.findByRole('button', { name: /^Correct .*Suyog Maharjan$/ }));
  const reason = dialog.getByLabelText(/Everybody can read the reason/);
  await user.type(reason, 'Counted twice');
  await dialog.findByText(/^What it would change in/);
  const shown: HTMLElement[] = [];
  vi.spyOn(HTMLElement.prototype, 'scrollIntoView').mockImplementation(function scroll(this: HTMLElement) {
    shown.push(this);
  });
  const previews = (): number => sent.filter(({ call }) => call.endsWith('/preview')).length;
  const asked = previews();
  await user.click(dialog.getByRole('button', { name: 'Take back' }));
  expect(
    await dialog.findByText('It is not known whether this was recorded. Take back asks again for exactly this, and nothing is counted twice.'),
  ).toBeInTheDocument();
  // Above what it would change, which may be longer than the screen.
  expect(shown).toEqual([dialog.getByRole('alert')]);
  expect(reason).toBeDisabled();
  expect(dialog.getByLabelText('What should happen to it?')).toBeDisabled();
  expect(previews()).toBe(asked);
  await user.click(dialog.getByRole('button', { name: 'Leave it as it is' }));
  expect(reason).toBeInTheDocument();
  expect(dialog.queryByRole('button', { name: /^Correct / })).not.toBeInTheDocument();
  Object.assign(answer, { status: 409, body: { message: 'Taken back already' } });
  await user.click(dialog.getByRole('button', { name: 'Take back' }));
  expect(await dialog.findByText('Taken back already')).toBeInTheDocument();
  expect(reason).toBeEnabled();
  expect(
    new Set(sent.filter(({ call }) => call === address).map(({ headers, body }) => `${String(headers.get('Idempotency-Key'))} ${JSON.stringify(body)}`)).size,
  ).toBe(1);
});

it('calls it to restore where a reversal is taken back, and to take back where that is: neither can be moved', async () => {
  localStorage.setItem('atoken', 'a.b.c');
  const path = `/match/matches/${match.matchId}`;
  const taken: HistoryRow = {
    ...entry,
    position: '8',
    type: 'StatEntryReversed',
    entryId: 'r1',
    targetEntryId: 'e1',
    points: 2,
    reason: 'Counted twice',
    commandId: 'c2',
  };
  const restored: HistoryRow = { ...entry, position: '9', type: 'StatEntryReversed', entryId: 'r2', targetEntryId: 'r1', commandId: 'c3' };
  const history: { body: readonly HistoryRow[] } = { body: [{ ...entry, reversed: true }, taken] };
  const api = answerWith({
    '/admin/check-token': { body: { _id: 'a1', username: 'pema', email: 'pema@example.com' } },
    '/tournaments/admin-tournaments': { body: [] },
    '/match/matches': { body: [match] },
    [`${path}/history`]: history,
    [`POST ${path}/stat-entries/r1/reversal/preview`]: previewed,
    [`POST ${path}/stat-entries/r1/reversal`]: { body: {} },
    [`POST ${path}/stat-entries/r2/reversal/preview`]: previewed,
    [`POST ${path}/stat-entries/r2/reversal`]: { body: {} },
  });
  const { user } = renderSite('/admin');
  await user.click(await screen.findByRole('tab', { name: 'Matches' }));
  await user.click(await screen.findByRole('button', { name: `History ${match.team1Name}, ${match.team2Name}` }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Match History' }));
  const offered = (): readonly (string | null)[] =>
    dialog
      .getAllByRole('button')
      .map((button) => button.getAttribute('aria-label'))
      .filter((label) => label?.endsWith(', Suyog Maharjan'));
  const restore = await dialog.findByRole('button', { name: 'Restore Points −2, Suyog Maharjan' });
  expect(restore).toHaveTextContent('Restore');
  expect(offered()).toEqual(['Restore Points −2, Suyog Maharjan']);
  await user.click(restore);
  expect(dialog.queryByLabelText('What should happen to it?')).not.toBeInTheDocument();
  await user.type(dialog.getByLabelText('Why is “Points −2” of Suyog Maharjan restored? Everybody can read the reason.'), 'Once was right');
  expect(dialog.getByRole('button', { name: 'Leave it as it is' })).toBeInTheDocument();
  await dialog.findByText(/^What it would change in/);
  history.body = [entry, { ...taken, reversed: true }, restored];
  await user.click(dialog.getByRole('button', { name: 'Restore' }));
  expect(await screen.findByText('Entry restored')).toBeInTheDocument();
  expect(await dialog.findByText('Suyog Maharjan: Restored: Points −2')).toBeInTheDocument();
  // What was taken back is undone by what restored it; the entry itself counts, and can be corrected again.
  expect(dialog.getByRole('rowheader', { name: /Taken back/ })).toHaveTextContent('Suyog Maharjan: Taken back: Points +2 restored Counted twice');
  expect(offered()).toEqual(['Take back Points −2, Suyog Maharjan', 'Correct Points −2, Suyog Maharjan']);
  await user.click(dialog.getByRole('button', { name: 'Take back Points −2, Suyog Maharjan' }));
  expect(dialog.queryByLabelText('What should happen to it?')).not.toBeInTheDocument();
  expect(dialog.getByLabelText('Why is “Points −2” of Suyog Maharjan taken back? Everybody can read the reason.')).toBeInTheDocument();
  await user.click(dialog.getByRole('button', { name: 'Leave it as it is' }));
  // The server takes a restored entry back by the reversal that restored it.
  await user.click(dialog.getByRole('button', { name: 'Correct Points −2, Suyog Maharjan' }));
  expect(dialog.getByLabelText('What should happen to it?')).toHaveValue('');
  await user.type(dialog.getByLabelText(/Everybody can read the reason/), 'It was twice');
  await dialog.findByText(/^What it would change in/);
  await user.click(dialog.getByRole('button', { name: 'Take back' }));
  expect(await screen.findByText('Entry taken back')).toBeInTheDocument();
  expect(api.sent.filter(({ call }) => call.endsWith('/reversal')).map(({ call, body }) => [call, (body as { reason: string }).reason])).toEqual([
    [`POST ${path}/stat-entries/r1/reversal`, 'Once was right'],
    [`POST ${path}/stat-entries/r2/reversal`, 'It was twice'],
  ]);
});

const reversal = (entryId: string): string => `POST /match/matches/${match.matchId}/stat-entries/${entryId}/reversal`;
it('does what its button says, also when somebody else corrects the entry while the form is open', async () => {
  const { sent } = answerWith({
    [`${reversal('e1')}/preview`]: previewed,
    [reversal('e1')]: { status: 400, body: { message: 'Not now' } },
    [reversal('r9')]: { status: 201, body: {} },
  });
  const formOf = (row: HistoryLine) => (
    <QueryClientProvider client={client}>
      <MemoryRouter>
        <CorrectionForm match={match} row={row} to="" onDone={() => {}} />
      </MemoryRouter>
    </QueryClientProvider>
  );
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const { rerender } = render(formOf(entry));
  rerender(formOf({ ...entry, reversed: true, reversedBy: 'r9', chainEnd: 'r9' }));
  const user = userEvent.setup();
  await user.type(screen.getByLabelText(/Why is “Points −2” of Suyog Maharjan taken back\?/), 'Counted twice');
  await screen.findByText(/^What it would change in/);
  await user.click(screen.getByRole('button', { name: 'Take back' }));
  await screen.findByText('Not now');
  expect(new Set(sent.map(({ call }) => call.replace(/\/preview$/, '')))).toEqual(new Set([reversal('e1')]));
});

it('asks about the player by the name of now: one who is erased meanwhile is not named', async () => {
  answerWith({ [`POST /match/matches/${match.matchId}/stat-entries/e1/move/preview`]: previewed });
  const formOf = (row: HistoryLine) => (
    <QueryClientProvider client={client}>
      <MemoryRouter>
        <CorrectionForm match={match} row={row} to="2" onDone={() => {}} />
      </MemoryRouter>
    </QueryClientProvider>
  );
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const { rerender } = render(formOf(entry));
  await userEvent.setup().type(screen.getByLabelText(/^Why is “Points −2” of Suyog Maharjan moved\?/), 'Counted twice');
  rerender(formOf({ ...entry, playerName: 'Former player (number 7)' }));
  expect(screen.getByLabelText(/^Why is “Points −2” of Former player \(number 7\) moved\?/)).toHaveValue('Counted twice');
  expect(screen.queryByLabelText(/Suyog/)).not.toBeInTheDocument();
});
