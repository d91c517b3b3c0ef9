import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { answerWith, renderSite } from '../testing/render-site.tsx';
import { tournament } from '../testing/tournament-builder.ts';

const open = (allTournaments: readonly ReturnType<typeof tournament>[]) => {
  answerWith({ '/tournaments': { body: { allTournaments, upcomingTournaments: [] } } });
  return renderSite('/');
};

describe('the landing page', () => {
  it('features the first tournament with its organizer, prizes, place and date', async () => {
    open([tournament(), tournament({ _id: 't2', name: 'Another' })]);
    expect(await screen.findByRole('heading', { level: 1, name: 'Valley Winter Classic 2083' })).toBeInTheDocument();
    expect(screen.getByText('Organized by')).toHaveTextContent('Organized by Kathmandu Valley Basketball Association');
    const prizes = within(screen.getByRole('region', { name: 'Prizes' }));
    expect(prizes.getByText('Total Prize Pool').nextSibling).toHaveTextContent('NPR 8,75,000');
    expect(prizes.getAllByRole('term').map((term) => [term.textContent, term.nextSibling?.textContent])).toEqual([
      ['1st Position', 'NPR 5,00,000'],
      ['2nd Position', 'NPR 2,50,000'],
      ['3rd Position', 'NPR 1,00,000'],
      ['Tournament MVP', 'NPR 25,000'],
      ['Entry Fee', 'NPR 15,000'],
    ]);
    expect(screen.getByText('Saturday, 12 December 2026')).toBeInTheDocument();
    expect(screen.getByText('Dasharath Covered Hall, Kathmandu')).toBeInTheDocument();
    expect(screen.getByText('2 teams entered')).toBeInTheDocument();
    expect(document.title).toBe('Valley Winter Classic 2083 · CourtLedger');
    expect(screen.queryByText('Another')).not.toBeInTheDocument();
  });

  it("says 'opens' of a registration that is still to come, with its year", async () => {
    open([tournament({ registeringStartDate: '2999-01-15T00:00:00.000Z' })]);
    expect(await screen.findByText('Registration opens 15 January 2999')).toBeInTheDocument();
  });

  it("links Register to the registration when registerable is 'true'", async () => {
    open([tournament()]);
    expect(await screen.findByRole('link', { name: 'Register' })).toHaveAttribute('href', '/registerteam/t1');
  });

  it('shows the registerable text itself, linked to the games, otherwise', async () => {
    open([tournament({ registerable: 'Registration closed' })]);
    expect(await screen.findByRole('link', { name: 'Registration closed' })).toHaveAttribute('href', '/events');
    expect(screen.queryByRole('link', { name: 'Register' })).not.toBeInTheDocument();
  });

  it("says 'TBD' for what is undecided", async () => {
    open([tournament({ prizePool: { firstPrize: 'TBD', secondPrize: '', thirdPrize: '5000', mvp: '', entryFee: '' } })]);
    const prizes = within(await screen.findByRole('region', { name: 'Prizes' }));
    expect(prizes.getAllByRole('definition').map((definition) => definition.textContent)).toEqual(['TBD', 'TBD', 'NPR 5,000', 'TBD', 'TBD']);
  });

  it('takes the last segment of a poster path after a backslash', async () => {
    open([tournament({ posterImage: 'uploads\\poster.png' })]);
    expect(await screen.findByRole('img', { name: 'Poster of Valley Winter Classic 2083' })).toHaveAttribute('src', 'poster.png');
  });

  it("shows 'Loading...' while fetching", () => {
    answerWith({ '/tournaments': { pending: true } });
    renderSite('/');
    expect(screen.getByRole('heading', { name: 'Loading...' })).toBeInTheDocument();
  });

  it("shows 'No tournament data available' when there is none", async () => {
    open([]);
    expect(await screen.findByText('No tournament data available')).toBeInTheDocument();
  });

  it('lists what the statistics partner keeps, and its film can be paused', async () => {
    const { user, container } = open([tournament()]);
    for (const text of ['Player statistics', 'Team performance analytics', 'Historical match data', 'Tournament leaderboards'])
      expect(screen.getByText(text)).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Pause the animation' }));
    expect(container.querySelector('.film')).toHaveClass('film--still');
    expect(screen.getByRole('button', { name: 'Play the animation' })).toBeInTheDocument();
  });

  it('stands on a court, and a ball bounces below', async () => {
    const { container } = open([tournament()]);
    await screen.findByRole('heading', { level: 1, name: 'Valley Winter Classic 2083' });
    expect(container.querySelector('img.hero__court')).toHaveAttribute('src', expect.stringContaining('court'));
    expect(container.querySelector('.dribble img')).toHaveAttribute('src', expect.stringContaining('ball'));
    expect(container.querySelector('.partner')).toContainElement(container.querySelector<HTMLElement>('.film'));
  });

  it('has a header and no footer', async () => {
    open([tournament()]);
    await screen.findByRole('heading', { level: 1, name: 'Valley Winter Classic 2083' });
    expect(screen.getByRole('banner')).toBeInTheDocument();
    expect(screen.queryByRole('contentinfo')).not.toBeInTheDocument();
  });
});
