import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { MemoryRouter } from 'react-router-dom';
import { expect, it } from 'vitest';
import { statRow } from '../testing/match-builder.ts';
import { answerWith } from '../testing/render-site.tsx';
import { listedMatch } from '../testing/staff-builder.ts';
import { MatchSettingsModal } from './match-settings-modal.tsx';

const show = (match: ReturnType<typeof listedMatch>): void => {
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <MantineProvider>
        <MemoryRouter>
          <MatchSettingsModal match={match} onClose={() => {}} />
        </MemoryRouter>
      </MantineProvider>
    </QueryClientProvider>,
  );
};

it('names the button that cancels again where the answer to a cancellation was lost', async () => {
  const match = listedMatch({ playerStats: [] });
  answerWith({ [`DELETE /match/matches/${match.matchId}`]: { lost: true } });
  show(match);
  const user = userEvent.setup();
  await user.click(screen.getByRole('button', { name: 'Cancel match' }));
  await user.click(screen.getByRole('button', { name: 'Yes, cancel this match' }));
  expect(await screen.findByRole('alert')).toHaveTextContent(/^The server does not answerIt is not known whether this was recorded. Yes, cancel this match may be pressed again: the result is the same.$/);
});

it('tells erased players from one another by their numbers where the MVP is chosen', () => {
  answerWith({});
  const name = 'Former player';
  const playerStats = [statRow({ player_id: '1', team_id: 'k', name, jerseyNumber: '7' }), statRow({ player_id: '2', team_id: 'k', name, jerseyNumber: '9' }), statRow({ player_id: '3', team_id: 'p', name: 'Nischal Rai', jerseyNumber: '5' })];
  show(listedMatch({ playerStats }));
  const offered = within(screen.getByLabelText('MVP of the match')).getAllByRole('option').map((option) => option.textContent);
  expect(offered).toEqual(['Best average of the winning team', 'Former player (number 7) (Kathmandu Kings)', 'Former player (number 9) (Kathmandu Kings)', 'Nischal Rai (Pokhara Panthers)']);
});
