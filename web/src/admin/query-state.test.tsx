import { screen } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { answerWith, renderSite } from '../testing/render-site.tsx';
import { listedMatch, team } from '../testing/staff-builder.ts';

beforeEach(() => {
  localStorage.setItem('atoken', 'a.b.c');
  vi.stubGlobal('scrollTo', vi.fn<() => void>());
});

it('a dialog that could not be read asks again', async () => {
  const dashboard = {
    '/admin/check-token': { body: { _id: 'a1', username: 'pema', email: 'pema@example.com' } },
    '/match/matches': { body: [listedMatch()] },
    '/team/teams': { body: [team('k', 'Kathmandu Kings')] },
  };
  answerWith({ ...dashboard, '/match/matches/m1/history': { status: 503, body: {} } });
  const { user } = renderSite('/admin');
  await user.click(await screen.findByRole('tab', { name: 'Matches' }));
  await user.click(await screen.findByRole('button', { name: 'History Kathmandu Kings, Pokhara Panthers' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('Internal Server Error');
  answerWith({ ...dashboard, '/match/matches/m1/history': { body: [] } });
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('Nothing has been recorded yet')).toBeInTheDocument();
  expect(screen.queryByRole('alert')).not.toBeInTheDocument();
});
