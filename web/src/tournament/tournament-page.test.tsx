import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { matchAnswer, statRow } from '../testing/match-builder.ts';
import { answerWith, renderSite } from '../testing/render-site.tsx';
import { tournament } from '../testing/tournament-builder.ts';

const kings = { _id: 'k', team_details: { name: 'Kathmandu Kings', logo: '', origin: 'Kathmandu' }, coach: { name: 'Rajan Basnet' }, players: [] };
const open = (more: object = {}) => {
  answerWith({
    '/tournaments/t1': { body: { ...tournament(), teams: [kings], matches: [matchAnswer([statRow({ player_id: '1', team_id: 'k', points: 12 })])], ...more } },
  });
  renderSite('/tournament/t1');
};

describe('a tournament', () => {
  it('shows name, organizer, prizes, place, date, teams and latest matches', async () => {
    open();
    expect(await screen.findByRole('heading', { level: 1, name: 'Valley Winter Classic 2083' })).toBeInTheDocument();
    expect(screen.getByText('Organized by')).toHaveTextContent('Kathmandu Valley Basketball Association');
    expect(screen.getByText('NPR 5,00,000')).toBeInTheDocument();
    expect(screen.getByText('Saturday, 12 December 2026')).toBeInTheDocument();
    expect(screen.getByText('1 entered')).toBeInTheDocument();
    expect(screen.getByText('Coach Rajan Basnet')).toBeInTheDocument();
    expect(screen.getByRole('link', { name: /^View Details/ })).toHaveAttribute('href', '/MatchDetails/m1');
    expect(screen.getByRole('link', { name: 'All results' })).toHaveAttribute('href', '/events?tournament=t1');
    expect(['Season file', 'Verify a season file'].map((name) => screen.getByRole('link', { name }).getAttribute('href'))).toEqual([
      '/api/tournaments/t1/season-file',
      '/verify',
    ]);
    expect(screen.getAllByRole('link', { name: 'Register Your Team' })[0]).toHaveAttribute('href', '/registerteam/t1');
  });
  it("links to the standings only when league is 'true'", async () => {
    open({ league: 'true' });
    expect(await screen.findByRole('link', { name: 'View Standings' })).toHaveAttribute('href', '/standings/t1');
  });
  it('does not otherwise', async () => {
    open({ league: 'no' });
    await screen.findByRole('heading', { level: 1, name: 'Valley Winter Classic 2083' });
    expect(screen.queryByRole('link', { name: 'View Standings' })).not.toBeInTheDocument();
  });
  it("shows 'Loading...' and 'No tournament data available'", async () => {
    answerWith({});
    renderSite('/tournament/none');
    expect(await screen.findByText('Loading...')).toBeInTheDocument();
    expect(await screen.findByText('No tournament data available')).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Upcoming Events' })).toHaveAttribute('href', '/upcoming');
  });
});
