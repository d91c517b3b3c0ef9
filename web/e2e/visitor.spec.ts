import { expect } from '@playwright/test';
import { test } from './journey.ts';
import { expectAccessible, seededLeague, sizes, watch } from './site.ts';

for (const { name, viewport } of sizes) {
  test.describe(`a visitor on a ${name}`, () => {
    test.use({ viewport });

    test('goes through every public page', async ({ page, request }) => {
      test.slow();
      const { league, played, next } = await seededLeague(request);
      const journey = watch(page);

      await page.goto('/');
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Valley Winter Classic 2083');
      await expect(page.getByText('Organized by')).toBeVisible();
      await expect(page.getByRole('region', { name: 'Prizes' })).toContainText('NPR 8,75,000');
      await expect(page.getByRole('link', { name: 'Register', exact: true })).toHaveAttribute('href', /^\/registerteam\//);
      await expect(page.getByText('Tournament leaderboards')).toBeVisible();
      await expect(page.locator('footer')).toHaveCount(0);
      await expectAccessible(page);

      if (name === 'phone') {
        await page.getByRole('button', { name: 'Open menu' }).click();
        await expectAccessible(page);
        await page.getByRole('dialog', { name: 'Menu' }).getByRole('link', { name: 'GAMES' }).click();
        await expect(page.getByRole('dialog')).toHaveCount(0);
      } else {
        await page.getByRole('link', { name: 'GAMES' }).click();
      }
      await expect(page).toHaveTitle(/Match Results/);
      await page.getByLabel('Tournament', { exact: true }).selectOption(league._id);
      await expect(page).toHaveURL(new RegExp(`tournament=${league._id}&date=`));
      await expect(page.getByRole('button', { name: 'Next dates' })).toBeDisabled();
      await page.getByRole('button', { name: 'Previous dates' }).click();
      await page.getByRole('group', { name: 'Match dates' }).getByRole('button', { pressed: false }).nth(1).click();
      await expect(page.getByText('Point Difference').first()).toBeVisible();
      await expect(page.getByText('WIN', { exact: true }).first()).toBeVisible();
      await expectAccessible(page);
      await page.reload();
      await expect(page.getByText('Point Difference').first()).toBeVisible();

      await page.getByRole('link', { name: /^View Details/ }).first().click();
      await expect(page.getByText('Match Completed')).toBeVisible();
      await expect(page.getByText('WINNER')).toBeVisible();
      await expect(page.getByRole('heading', { name: 'MVP of the match' })).toBeVisible();
      for (const title of ['Top Performers', 'Player Statistics', 'Match Statistics Comparison']) await expect(page.getByRole('heading', { name: title })).toBeVisible();
      await expect(page.getByRole('tab').nth(1)).toHaveAttribute('aria-selected', 'true');
      await expectAccessible(page);
      await page.getByRole('tab', { name: 'All Players' }).click();
      await expect(page.getByRole('tab').first()).toHaveAttribute('aria-selected', 'true');
      await expectAccessible(page);

      await page.getByRole('table').getByRole('link').first().click();
      await expect(page.getByText('Average Points')).toBeVisible();
      await expect(page.getByRole('heading', { name: 'Match history' })).toBeVisible();
      await expectAccessible(page);

      await page.goto(`/standings/${league._id}`);
      await expect(page.getByRole('heading', { name: 'Standings' })).toBeVisible();
      await expect(page.getByText('Rules.')).toBeVisible();
      await expect(page.getByRole('columnheader', { name: 'AGST' })).toBeVisible({ visible: name === 'desktop' });
      if (name === 'phone') {
        await page.getByRole('button', { name: /^Wins, losses, FOR and AGST of/ }).first().click();
        await expect(page.getByText(/^AGST/).last()).toBeVisible();
      }
      await expectAccessible(page);

      await page.goto(`/ViewPlayers/${next._id}`);
      await expect(page.getByRole('main').getByRole('heading', { level: 2 })).toHaveCount(2);
      await expect(page.getByRole('columnheader', { name: 'Jersey Number' })).toHaveCount(2);
      await expectAccessible(page);
      await page.getByRole('link', { name: 'Back to Events' }).click();
      await expect(page).toHaveURL(/\/events/);

      await page.goto('/upcoming');
      await expect(page.getByRole('heading', { name: 'Upcoming Events' })).toBeVisible();
      await expect(page.getByText('Featured')).toBeVisible();
      await expectAccessible(page);
      await page.getByRole('link', { name: /^View Details of Himalayan/ }).click();
      await expect(page.getByRole('link', { name: 'Register Your Team' }).first()).toHaveAttribute('href', /^\/registerteam\//);
      await expect(page.getByRole('link', { name: 'View Standings' })).toBeVisible();
      await expect(page.getByRole('heading', { name: 'Latest matches' })).toBeVisible();
      await expectAccessible(page);

      await page.goto('/about');
      await expect(page.getByText('central platform for tracking player performance')).toBeVisible();
      await expect(page.locator('footer')).toContainText(`© ${String(new Date().getFullYear())}`);
      await expectAccessible(page);

      await page.goto('/card');
      await expect(page.getByRole('heading', { name: 'Match Cards' })).toBeVisible();
      await expect(page.getByRole('article')).toHaveCount(12);
      await expectAccessible(page);

      await page.goto('/no/such/page');
      await expect(page.getByRole('heading', { name: 'Out of bounds' })).toBeVisible();
      await expectAccessible(page);

      await page.goto(`/MatchDetails/${played._id}`);
      await expect(page.getByText('Match Completed')).toBeVisible();
      journey.expectNothingWrong();
    });

    test('finds a tournament by its name', async ({ page, request }) => {
      const { league } = await seededLeague(request);
      const journey = watch(page);
      await page.goto('/about');
      if (name === 'phone') await page.getByRole('button', { name: 'Search tournaments' }).click();
      const field = page.getByRole('combobox', { name: 'Search tournaments' }).last();
      await field.fill('nothing of the kind');
      await expect(page.getByText('No tournaments found')).toBeVisible();
      await field.fill('hoops');
      await expect(page.getByRole('option')).toHaveCount(1);
      await expectAccessible(page);
      await field.press('ArrowDown');
      await field.press('Enter');
      await expect(page).toHaveURL(new RegExp(`/events\\?tournament=${league._id}`));
      await expect(page.getByLabel('Tournament', { exact: true })).toHaveValue(league._id);
      expect(await page.evaluate<string>("localStorage.getItem('selectedTournament')")).toBe(league._id);
      journey.expectNothingWrong();
    });
  });
}

test('the results page asks once for all matches of the tournament, and never for one match or player', async ({ page, request }) => {
  const { league } = await seededLeague(request);
  const asked: string[] = [];
  page.on('request', (sent) => {
    const { pathname } = new URL(sent.url());
    if (pathname.startsWith('/api/')) asked.push(pathname);
  });
  await page.goto(`/events?tournament=${league._id}`);
  await expect(page.getByRole('article').first()).toBeVisible();
  await page.getByRole('button', { name: 'Previous dates' }).click();
  await page.getByRole('group', { name: 'Match dates' }).getByRole('button', { pressed: false }).nth(1).click();
  await expect(page.getByText('Point Difference').first()).toBeVisible();
  expect(asked.filter((path) => path !== '/api/live')).toEqual(['/api/tournaments/', `/api/tournaments/${league._id}/matches`]);
});

test('a match that does not exist says so', async ({ page }) => {
  const journey = watch(page, (url, status) => status === 404 && url === '/api/match/matches/none');
  await page.goto('/ViewPlayers/none');
  await expect(page.getByText('Match Not Found').last()).toBeVisible();
  await expect(page.getByRole('link', { name: 'Back to Events' })).toHaveAttribute('href', '/events');
  await expectAccessible(page);
  journey.expectNothingWrong();
});
