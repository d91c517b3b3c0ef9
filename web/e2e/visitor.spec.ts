import { kathmanduDay } from '@courtledger/contracts/kernel/days';
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

      await page
        .getByRole('link', { name: /^View Details/ })
        .first()
        .click();
      await expect(page.getByText('Match Completed')).toBeVisible();
      await expect(page.getByText('WINNER')).toBeVisible();
      await expect(page.getByRole('heading', { name: 'MVP of the match' })).toBeVisible();
      for (const title of ['Top Performers', 'Player Statistics', 'Match Statistics Comparison'])
        await expect(page.getByRole('heading', { name: title })).toBeVisible();
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
        await page
          .getByRole('button', { name: /^Wins, losses, FOR and AGST of/ })
          .first()
          .click();
        await expect(page.getByText(/^AGST/).last()).toBeVisible();
      }
      await expectAccessible(page);
      await page.emulateMedia({ media: 'print' });
      await expect(page.getByRole('columnheader')).toHaveText(['Rank', 'Team Name', 'Played', 'Wins', 'Losses', 'Points', 'FOR', 'AGST', 'PD']);
      await expect(page.getByRole('banner')).toBeHidden();
      await page.emulateMedia({ media: null });

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
      await expect(page.locator('footer')).toContainText(`© ${kathmanduDay(Date.now()).slice(0, 4)}`);
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

/** Words of the elements that stand on two lines, and texts that come nearer than 4 px to the edge of their box. */
const brokenWords = (selector: string): string => `Array.from(document.querySelectorAll(${JSON.stringify(selector)})).flatMap((box) => {
  const wrong = [];
  const edge = box.getBoundingClientRect();
  const texts = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    for (const { 0: word, index } of text.data.matchAll(/\\S+/g)) {
      const range = document.createRange();
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      const rects = Array.from(range.getClientRects());
      if (new Set(rects.map((rect) => rect.top)).size > 1) wrong.push('broken: ' + word);
      if (box.matches('button') && rects.some((rect) => rect.left < edge.left + 4 || rect.right > edge.right - 4)) wrong.push('at the edge: ' + word);
    }
  }
  return wrong;
})`;

test('names beside a score break by word on a laptop', async ({ page, request }) => {
  const { matches } = await seededLeague(request);
  const match = matches.find(
    ({
      hasStats,
      team_1: {
        team_details: { name },
      },
    }) => hasStats && name === 'Kathmandu Kings',
  );
  await page.goto(`/MatchDetails/${match?._id ?? ''}`);
  await expect(page.locator('.bt__n')).toHaveCount(2);
  for (const width of [1180, 1200, 1280, 1340, 1341]) {
    await page.setViewportSize({ width, height: 800 });
    await page.evaluate('document.fonts.ready');
    expect([width, await page.evaluate<string[]>(brokenWords('.bt__n > div'))]).toEqual([width, []]);
  }
});

for (const width of [320, 360, 390]) {
  test(`names break by word at ${String(width)} px`, async ({ page, request }) => {
    const { league, matches, played } = await seededLeague(request);
    await page.setViewportSize({ width, height: 844 });
    const hard = matches.find(
      ({
        hasStats,
        team_1: {
          team_details: { name },
        },
      }) => hasStats && name.startsWith('Bhaktapur'),
    );
    const { team_2: other, player_stats: rows } = (await (await request.get(`/api/match/matches/${hard?._id ?? ''}`)).json()) as {
      readonly team_2: { readonly _id: string };
      readonly player_stats: readonly { readonly player_id: string; readonly team_id: string }[];
    };
    await page.goto(`/player/${rows.find(({ team_id: team }) => team === other._id)?.player_id ?? ''}`);
    await expect(page.locator('.glog').getByText('Bhaktapur')).toBeVisible();
    await page.evaluate('document.fonts.ready');
    expect(await page.evaluate<string[]>(brokenWords('.glog th .link'))).toEqual([]);

    await page.goto(`/standings/${league._id}`);
    await expect(page.locator('.stand .who')).toHaveCount(8);
    await page.evaluate('document.fonts.ready');
    expect(await page.evaluate<string[]>(brokenWords('.stand thead th, .stand .who'))).toEqual([]);
    // A head that does not fit runs into the next one.
    expect(
      await page.evaluate<string[]>(
        "Array.from(document.querySelectorAll('.stand thead th')).filter((head) => head.scrollWidth > head.clientWidth).map((head) => head.textContent)",
      ),
    ).toEqual([]);

    await page.goto(`/events?tournament=${league._id}`);
    await expect(page.locator('.dates button[data-date]')).toHaveCount(3);
    // The longest weekday and the longest day of Bikram Sambat.
    await page.evaluate(
      "document.querySelectorAll('.dates button[data-date]').forEach((button) => { button.firstChild.data = 'Wednesday'; button.lastElementChild.textContent = '32 Shrawan'; })",
    );
    await page.evaluate('document.fonts.ready');
    expect(await page.evaluate<string[]>(brokenWords('.dates button[data-date]'))).toEqual([]);
    expect(
      await page.evaluate<number[]>(
        "Array.from(document.querySelectorAll('.dates button[data-date]'), (button) => button.lastElementChild.getClientRects().length)",
      ),
    ).toEqual([1, 1, 1]);

    const name = 'अन्तर विश्वविद्यालयस्तरीय बास्केटबल Championship';
    await page.route(`**/api/tournaments/${league._id}`, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...((await response.json()) as object), name } });
    });
    await page.goto(`/tournament/${league._id}`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(name);
    await page.evaluate('document.fonts.ready');
    expect(await page.evaluate<string[]>(brokenWords('h1'))).toEqual([]);
    expect(await page.evaluate<number>('document.documentElement.scrollWidth - window.innerWidth')).toBeLessThanOrEqual(0);

    // A word that is wider than the page is broken.
    const word = 'W'.repeat(120);
    await page.route('**/api/tournaments/', async (route) => {
      const response = await route.fetch();
      const { allTournaments, upcomingTournaments } = (await response.json()) as {
        readonly allTournaments: readonly object[];
        readonly upcomingTournaments: readonly object[];
      };
      await route.fulfill({
        response,
        json: { allTournaments: allTournaments.map((tournament) => Object.assign(tournament, { name: word })), upcomingTournaments },
      });
    });
    await page.goto(`/standings/${league._id}`);
    await expect(page.getByRole('link', { name: word })).toBeVisible();
    expect(await page.evaluate<number>('document.documentElement.scrollWidth - window.innerWidth')).toBeLessThanOrEqual(0);
    await page.route(`**/api/match/matches/${played._id}`, async (route) => {
      const response = await route.fetch();
      const match = (await response.json()) as { readonly tournament_id: object };
      await route.fulfill({ response, json: { ...match, tournament_id: { ...match.tournament_id, name: word, location: word } } });
    });
    await page.goto(`/MatchDetails/${played._id}`);
    await expect(page.locator('.board__meta')).toContainText(word);
    // The board hides what is wider.
    expect(
      await page.evaluate<number>(
        "Math.max(...Array.from(document.querySelectorAll('.board__meta *'), (part) => part.getBoundingClientRect().right)) - window.innerWidth",
      ),
    ).toBeLessThanOrEqual(0);
  });
}
