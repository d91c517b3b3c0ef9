import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { userEvent, type UserEvent } from '@testing-library/user-event';
import type { ReactElement } from 'react';
import { MemoryRouter } from 'react-router-dom';
import { describe, expect, it, vi } from 'vitest';
import { statRow } from '../testing/match-builder.ts';
import { answerWith } from '../testing/render-site.tsx';
import { listedMatch } from '../testing/staff-builder.ts';
import { MatchSettingsModal } from './match-settings-modal.tsx';

const show = (match: ReturnType<typeof listedMatch>, onClose = (): void => {}) => {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const shown = (now: typeof match): ReactElement => (
    <QueryClientProvider client={client}>
      <MantineProvider>
        <MemoryRouter>
          <MatchSettingsModal match={now} onClose={onClose} />
        </MemoryRouter>
      </MantineProvider>
    </QueryClientProvider>
  );
  const { rerender } = render(shown(match));
  return { arrive: (now: typeof match) => rerender(shown(now)), user: userEvent.setup() };
};
const save = async (user: UserEvent): Promise<void> => user.click(screen.getByRole('button', { name: 'Save' }));

it('follows a match that somebody else moves meanwhile, and moves back nothing that was not touched: with nothing to send it says so', async () => {
  const match = listedMatch({ playerStats: [], time: '13:00' });
  const { sent } = answerWith({ [`PUT /match/matches/${match.matchId}`]: { body: {} } });
  const closed = vi.fn<() => void>();
  const { arrive, user } = show(match, closed);
  arrive({ ...match, time: '13:13', date: '2026-12-30' });
  expect(screen.getByLabelText('Match time (optional)')).toHaveValue('13:13');
  await save(user);
  expect(screen.getByRole('alert')).toHaveTextContent('Nothing has been changed.');
  expect([sent, closed.mock.calls]).toEqual([[], []]);
  await user.type(screen.getByLabelText('Match time (optional)'), '{Backspace}5');
  expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  await save(user);
  await waitFor(() => {
    expect(closed).toHaveBeenCalledTimes(1);
  });
  expect(sent.map(({ body }) => body)).toEqual([{ time: '13:15' }]);
});

it('sends what was touched alone', async () => {
  const match = listedMatch({ playerStats: [], time: '13:00' });
  const { sent } = answerWith({ [`PUT /match/matches/${match.matchId}`]: { body: {} } });
  const { arrive, user } = show(match);
  await user.clear(screen.getByLabelText('Match time (optional)'));
  await user.type(screen.getByLabelText('Match time (optional)'), '१४:३0');
  arrive({ ...match, time: '13:13', date: '2026-12-30' });
  await save(user);
  await waitFor(() => {
    expect(sent.map(({ body }) => body)).toEqual([{ time: '14:30' }]);
  });
});

it('cuts no time that is written with PM: it is refused at the field', async () => {
  const match = listedMatch({ playerStats: [] });
  const message = 'time must be a time such as 14:30, or empty';
  const { sent } = answerWith({ [`PUT /match/matches/${match.matchId}`]: { status: 400, body: { message, errors: [{ path: 'time', message }] } } });
  const { user } = show(match);
  const time = screen.getByLabelText('Match time (optional)');
  await user.clear(time);
  await user.type(time, '4:30 PM');
  await save(user);
  expect(await screen.findByRole('alert')).toBeInTheDocument();
  expect(sent.map(({ body }) => body)).toEqual([{ time: '4:30 PM' }]);
  expect(time).toHaveValue('4:30 PM');
  expect(time).toHaveAccessibleDescription('Match time must be a time such as 14:30, or empty');
});

it('says no more of a time that was refused once it is changed', async () => {
  const match = listedMatch({ playerStats: [] });
  answerWith({
    [`PUT /match/matches/${match.matchId}`]: {
      status: 400,
      body: { message: 'time must be a time', errors: [{ path: 'time', message: 'time must be a time' }] },
    },
  });
  const { user } = show(match);
  const time = screen.getByLabelText('Match time (optional)');
  await user.clear(time);
  await user.type(time, '9');
  await save(user);
  await waitFor(() => {
    expect(time).toHaveFocus();
  });
  expect(time).toBeInvalid();
  await user.keyboard('{Backspace}');
  expect(time).toBeValid();
  expect(screen.queryByRole('alert')).not.toBeInTheDocument();
});

it('sends again what was put back after a lost answer, since it may have been recorded', async () => {
  const match = listedMatch({ playerStats: [], time: '13:00' });
  const { sent } = answerWith({ [`PUT /match/matches/${match.matchId}`]: { lost: true } });
  const { user } = show(match);
  const type = async (time: string): Promise<void> => {
    await user.clear(screen.getByLabelText('Match time (optional)'));
    await user.type(screen.getByLabelText('Match time (optional)'), time);
    await save(user);
  };
  await type('14:30');
  expect(await screen.findByText(/^It is not known/)).toBeInTheDocument();
  await type('13:00');
  await waitFor(() => {
    expect(sent.map(({ body }) => body)).toEqual([{ time: '14:30' }, { time: '13:00' }]);
  });
});

it('says that the match was moved where naming the MVP after it is refused', async () => {
  const match = listedMatch({ time: '13:00', playerStats: [statRow({ player_id: '1', team_id: 'k', name: 'Anish Limbu', jerseyNumber: '7' })] });
  const { sent } = answerWith({
    [`/match/matches/${match.matchId}`]: { body: {} },
    [`PUT /match/matches/${match.matchId}/mvp`]: { status: 409, body: { message: 'Somebody else was named meanwhile' } },
  });
  const { user } = show(match);
  await user.type(screen.getByLabelText('Match time (optional)'), '{Backspace}5');
  await user.selectOptions(await screen.findByLabelText('MVP of the match'), '1');
  await save(user);
  expect(await screen.findByRole('alert')).toHaveTextContent('Date and time are saved. Somebody else was named meanwhile');
  expect(sent.map(({ body }) => body)).toEqual([{ time: '13:05' }, { playerId: '1' }]);
});

const showCancellable = () => {
  const match = listedMatch({ playerStats: [] });
  const { sent } = answerWith({ [`DELETE /match/matches/${match.matchId}`]: { body: {} } });
  return { ...show(match), sent, question: (): HTMLElement => screen.getByRole('group', { name: 'Cancel this match?' }) };
};

describe('cancelling the match', () => {
  it('is not done by a double click: that asks, and says what goes', async () => {
    const { user, sent, question } = showCancellable();
    await user.dblClick(screen.getByRole('button', { name: 'Cancel match' }));
    expect(question()).toHaveAccessibleDescription('It goes from every page, and cannot be brought back.');
    expect(sent).toEqual([]);
  });

  it('takes no second click of a double click, wherever the answers come to stand', async () => {
    const { user, sent, question } = showCancellable();
    await user.click(screen.getByRole('button', { name: 'Cancel match' }));
    for (const name of ['Keep the match', 'Cancel the match']) fireEvent.click(within(question()).getByRole('button', { name }), { detail: 2 });
    expect(question()).toBeInTheDocument();
    expect(sent).toEqual([]);
  });

  it('is not done by Enter or Space twice: the second keeps the match, and the focus goes back', async () => {
    const { user, sent } = showCancellable();
    await waitFor(() => {
      expect(screen.getByRole('button', { name: 'Close dialog' })).toHaveFocus();
    });
    for (const key of ['{Enter}', ' ']) {
      screen.getByRole('button', { name: 'Cancel match' }).focus();
      await user.keyboard(`${key}${key}`);
      expect(screen.queryByRole('group', { name: 'Cancel this match?' })).not.toBeInTheDocument();
      expect(screen.getByRole('button', { name: 'Cancel match' })).toHaveFocus();
    }
    expect(sent).toEqual([]);
  });

  it('is kept by Escape, and the dialog stays', async () => {
    const { user, sent } = showCancellable();
    await user.click(screen.getByRole('button', { name: 'Cancel match' }));
    await user.keyboard('{Escape}');
    expect(screen.getByRole('button', { name: 'Save' })).toBeInTheDocument();
    expect(sent).toEqual([]);
  });
});

it('cancels again with the same key where the answer to a cancellation was lost, and names the button that does', async () => {
  const match = listedMatch({ playerStats: [] });
  const answer = { lost: true };
  const { sent } = answerWith({ [`DELETE /match/matches/${match.matchId}`]: answer });
  const { user } = show(match);
  const cancel = async (): Promise<void> => {
    await user.click(screen.getByRole('button', { name: 'Cancel match' }));
    await user.click(screen.getByRole('button', { name: 'Cancel the match' }));
  };
  await cancel();
  expect(await screen.findByRole('alert')).toHaveTextContent(
    /^The server does not answerIt is not known whether this was recorded. Cancel match may be pressed again: the result is the same.$/,
  );
  answer.lost = false;
  await cancel();
  await waitFor(() => {
    expect(sent).toHaveLength(2);
  });
  const [first, again] = sent.map(({ headers }) => headers.get('Idempotency-Key'));
  expect(first).toMatch(/^[\w-]{20,}$/);
  expect(again).toBe(first);
});

it('says how a match becomes one that can be cancelled, also where it has a status alone: that one cannot be taken back', () => {
  answerWith({});
  show(listedMatch({ playerStats: [statRow({ player_id: '1', team_id: 'k', points: 0, notplayed: 'DNP' })] }));
  expect(
    screen.getByText(
      "A match with statistics cannot be cancelled. Take its entries back, and set whoever is then still shown as played to 'Not Played' in Update Match.",
    ),
  ).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Cancel match' })).not.toBeInTheDocument();
});

it('shows no MVP before it is known who was named, and says why it is not', async () => {
  const match = listedMatch();
  const answer: { lost: boolean; body?: unknown } = { lost: true };
  answerWith({ [`/match/matches/${match.matchId}`]: answer });
  const { user } = show(match);
  expect(await screen.findByRole('alert')).toHaveTextContent('The server does not answer');
  expect(screen.queryByLabelText('MVP of the match')).not.toBeInTheDocument();
  Object.assign(answer, { lost: false, body: { mvp: '2' } });
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByLabelText('MVP of the match')).toHaveValue('2');
  expect(screen.queryByRole('alert')).not.toBeInTheDocument();
});

it('tells players of one name, as erased ones are, from one another by their numbers where the MVP is chosen', async () => {
  const playerStats = [
    statRow({ player_id: '1', team_id: 'k', name: 'Former player', jerseyNumber: '7' }),
    statRow({ player_id: '2', team_id: 'k', name: 'Bibek Rai', jerseyNumber: '9' }),
    statRow({ player_id: '3', team_id: 'k', name: 'Bibek Rai', jerseyNumber: '11' }),
    statRow({ player_id: '4', team_id: 'p', name: 'Nischal Rai', jerseyNumber: '5' }),
  ];
  const match = listedMatch({ playerStats });
  answerWith({ [`/match/matches/${match.matchId}`]: { body: {} } });
  show(match);
  const offered = within(await screen.findByLabelText('MVP of the match'))
    .getAllByRole('option')
    .map((option) => option.textContent);
  expect(offered).toEqual([
    'Best average of the winning team',
    'Former player (number 7) (Kathmandu Kings)',
    'Bibek Rai (number 9) (Kathmandu Kings)',
    'Bibek Rai (number 11) (Kathmandu Kings)',
    'Nischal Rai (Pokhara Panthers)',
  ]);
});
