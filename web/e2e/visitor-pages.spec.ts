import { expect, type Page } from '@playwright/test';
import { test } from './journey.ts';
import { tabTo } from './keyboard.ts';
import { expectAccessible, seededLeague, sizes, watch } from './site.ts';

test('every public page has its language and a title of its own', async ({ page, request }) => {
  const { league, played, next } = await seededLeague(request);
  const { player_stats: rows } = (await (await request.get(`/api/match/matches/${played._id}`)).json()) as {
    player_stats: { player_id: string; name: string }[];
  };
  const player = rows[0];
  if (!player) throw new Error('nobody played');
  const journey = watch(page);
  const titles = new Map<string, RegExp>([
    ['/', /^Valley Winter Classic 2083 · CourtLedger$/],
    [`/events?tournament=${league._id}`, /^Match Results, .+ · CourtLedger$/],
    ['/upcoming', /^Upcoming Events · CourtLedger$/],
    ['/about', /^About Us · CourtLedger$/],
    ['/card', /^Match Cards · CourtLedger$/],
    [`/tournament/${league._id}`, /^Himalayan Hoops League 2083 · CourtLedger$/],
    [`/standings/${league._id}`, /^Standings, Himalayan Hoops League 2083 · CourtLedger$/],
    [`/MatchDetails/${played._id}`, new RegExp(`^${played.team_1.team_details.name} ${String(played.score_1)}, .+ · CourtLedger$`)],
    [`/ViewPlayers/${next._id}`, new RegExp(`^${next.team_1.team_details.name} and ${next.team_2.team_details.name} · CourtLedger$`)],
    [`/player/${player.player_id}`, new RegExp(`^${player.name} · CourtLedger$`)],
    ['/register', /^Register Your Tournament · CourtLedger$/],
    [`/registerteam/${league._id}`, /^Register New Team, .+ · CourtLedger$/],
    ['/adminlogin', /^Admin login · CourtLedger$/],
    ['/superadmin8080808080', /^Super admin login · CourtLedger$/],
  ]);
  for (const [path, title] of titles) {
    await page.goto(path);
    await expect(page).toHaveTitle(title);
    await expect(page.locator('html')).toHaveAttribute('lang', 'en');
    await expect(page.locator('meta[property="og:title"]')).toHaveAttribute('content', title);
    await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1);
  }
  journey.expectNothingWrong();
});

test('a match and a tournament tell search engines what they are', async ({ page, request }) => {
  const { league, played } = await seededLeague(request);
  await page.goto(`/MatchDetails/${played._id}`);
  const facts = page.locator('script[type="application/ld+json"]');
  await expect(facts).toHaveCount(1);
  expect(JSON.parse((await facts.textContent()) ?? '{}')).toMatchObject({
    '@type': 'SportsEvent',
    sport: 'Basketball',
    competitor: [
      { '@type': 'SportsTeam', name: played.team_1.team_details.name },
      { '@type': 'SportsTeam', name: played.team_2.team_details.name },
    ],
  });
  await page.goto(`/tournament/${league._id}`);
  await expect(facts).toHaveCount(1);
  await expect.poll(async () => facts.textContent()).toContain(league.name);
  await page.getByRole('contentinfo').getByRole('link', { name: 'About Us' }).click();
  await expect(page).toHaveURL('/about');
  await expect(facts).toHaveCount(0);
});

test('messages stand at the top right, below the header', async ({ page }) => {
  await page.goto('/about');
  await expect(page.locator('.toasts')).toHaveCount(1);
  const shown = await page.evaluate<string[]>(
    "(() => { const style = getComputedStyle(document.querySelector('.toasts')); return [style.position, style.top, style.right]; })()",
  );
  expect(shown).toEqual(['fixed', '89px', expect.stringMatching(/^\d+px$/)]);
});

for (const { name, viewport } of sizes) {
  test.describe(`while a page is on its way to a ${name}`, () => {
    test.use({ viewport });

    test('the footer waits below the screen: nothing jumps when the page comes', async ({ page, request }) => {
      const { played } = await seededLeague(request);
      const answer = Promise.withResolvers<undefined>();
      await page.route('**/api/match/matches/*', async (route) => {
        await answer.promise;
        await route.continue();
      });
      await page.goto(`/MatchDetails/${played._id}`);
      await expect(page.getByText('Loading...')).toBeVisible();
      await expect(page.getByRole('contentinfo')).not.toBeInViewport();
      answer.resolve(undefined);
      await expect(page.getByText('Match Completed')).toBeVisible();
      await expect(page.getByRole('contentinfo')).not.toBeInViewport();
    });
  });
}

test.describe('on a small phone', () => {
  test.use({ viewport: { width: 390, height: 600 } });
  test('Back from an event finds its place in the list again', async ({ page }) => {
    const journey = watch(page);
    await page.goto('/upcoming');
    await page
      .getByRole('link', { name: /^View Details/ })
      .last()
      .scrollIntoViewIfNeeded();
    const before = await page.evaluate<number>('window.scrollY');
    expect(before).toBeGreaterThan(300);
    await page
      .getByRole('link', { name: /^View Details/ })
      .last()
      .click();
    await expect(page).toHaveURL(/^[^?]+\/tournament\//);
    await expect.poll(() => page.evaluate<number>('window.scrollY')).toBe(0);
    await page.goBack();
    await expect(page).toHaveURL('/upcoming');
    await expect.poll(() => page.evaluate<number>('window.scrollY')).toBe(before);
    journey.expectNothingWrong();
  });
});

test.describe('on a phone that loads a page again', () => {
  test.use({ viewport: { width: 390, height: 600 } });
  test('the page stands where it was left', async ({ page, request }) => {
    const { league, played } = await seededLeague(request);
    for (const path of [`/events?tournament=${league._id}`, `/standings/${league._id}`, `/MatchDetails/${played._id}`]) {
      await page.goto(path);
      await expect(page.getByText('Loading...')).toHaveCount(0);
      await page.evaluate('window.scrollTo(0, 500)');
      await page.reload();
      await expect.poll(() => page.evaluate<number>('window.scrollY'), { message: path }).toBe(500);
    }
  });
});

test('the lines of the chart stay whole beside long names in its legend', async ({ page, request }) => {
  const { league } = await seededLeague(request);
  await page.setViewportSize({ width: 320, height: 700 });
  await page.goto(`/standings/${league._id}`);
  await expect(page.locator('.rankchart__legend svg')).toHaveCount(8);
  expect(
    await page.evaluate<number[]>("Array.from(document.querySelectorAll('.rankchart__legend svg'), (line) => line.getBoundingClientRect().width)"),
  ).toEqual(Array.from({ length: 8 }, () => 34));
});

test('a laptop shows the name of the first tournament in two lines, and the way to register below it', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.goto('/');
  await expect(page.getByRole('link', { name: 'Register', exact: true })).toBeInViewport({ ratio: 1 });
});

/** The page asks for what the server would have put into it, and what is answered at an address is changed on its way. */
const changeAnswer = async (page: Page, address: string, change: (answer: never) => unknown): Promise<void> => {
  await page.route(
    (url) => !url.pathname.startsWith('/api/') && !url.pathname.includes('.'),
    async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: (await response.text()).replace('id="first-answer"', 'id="no-answer"') });
    },
  );
  await page.route(address, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: change((await response.json()) as never) });
  });
};

test('the narrowest phone shows the first tournament with its longest word whole, and all of what stands instead of Register', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 700 });
  const registerable = 'https://forms.example/3kP9xQvRt7WmZb2aC8dEf5';
  await changeAnswer(page, '**/api/tournaments/', ({ allTournaments: [first, ...others] }: { allTournaments: object[] }) => ({
    allTournaments: [{ ...first, name: 'Intercollegiate Cup 2083', registerable }, ...others],
    upcomingTournaments: [],
  }));
  await page.goto('/');
  await expect(page.getByRole('link', { name: registerable })).toBeInViewport({ ratio: 1 });
  const lines = await page.evaluate<number>(
    "(() => { const range = document.createRange(); range.setStart(document.querySelector('h1').firstChild, 0); range.setEnd(document.querySelector('h1').firstChild, 'Intercollegiate'.length); return range.getClientRects().length; })()",
  );
  expect(lines).toBe(1);
});

test('a sentence instead of Register stays within its button, and that within its column', async ({ page }) => {
  const registerable = 'Registration opens after the Dashain holidays, please wait';
  await changeAnswer(page, '**/api/tournaments/', ({ allTournaments: [first, ...others] }: { allTournaments: object[] }) => ({
    allTournaments: [{ ...first, registerable }, ...others],
    upcomingTournaments: [],
  }));
  await page.goto('/');
  await expect(page.getByRole('link', { name: registerable })).toBeVisible();
  // Of all widths with two columns these have the narrowest.
  for (const width of [901, 911, 965]) {
    await page.setViewportSize({ width, height: 900 });
    const [text, button, column] = await page.evaluate<[number, number, number]>(
      "['.hero__cta .btn > span', '.hero__cta .btn', '.hero__cta'].map((place) => document.querySelector(place).getBoundingClientRect().right)",
    );
    expect(button, `button at ${String(width)}`).toBeLessThanOrEqual(column);
    expect(text, `text at ${String(width)}`).toBeLessThanOrEqual(button - 32);
  }
});

test('on a phone both halves of a match stand level, and their scores at the edges', async ({ page, request }) => {
  const { played } = await seededLeague(request);
  await page.setViewportSize({ width: 390, height: 844 });
  type Match = {
    readonly team_1: { readonly team_details: object };
    readonly team_2: { readonly team_details: object };
    readonly player_stats: readonly { readonly points: number }[];
  };
  // One side has a name of three lines and a score of one digit.
  await changeAnswer(page, '**/api/match/matches/*', (match: Match) => ({
    ...match,
    team_1: { ...match.team_1, team_details: { ...match.team_1.team_details, name: 'Bhaktapur Durbar Square Sporting and Cultural Club of Women' } },
    player_stats: match.player_stats.map((row, index) => ({ ...row, points: index === 0 ? 4 : 0 })),
  }));
  await page.goto(`/MatchDetails/${played._id}`);
  await expect(page.getByText('Match Completed')).toBeVisible();
  const [left, right] = await page.evaluate<{ top: number; bottom: number; edge: number }[]>(`Array.from(document.querySelectorAll('.bt'), (half, side) => {
    const score = half.querySelector('.bt__score');
    const digits = document.createRange();
    digits.selectNodeContents(score);
    const { left, right } = digits.getBoundingClientRect();
    return { top: half.querySelector('.crest, .mono').getBoundingClientRect().top, bottom: score.getBoundingClientRect().bottom, edge: side === 0 ? left : window.innerWidth - right };
  })`);
  expect([left?.top, left?.bottom, left?.edge]).toEqual([right?.top, right?.bottom, 16]);
  expect(right?.edge).toBe(16);
});

test('a board without scores is lower than one with them', async ({ page, request }) => {
  const { played, next } = await seededLeague(request);
  const room = async (path: string): Promise<string> => {
    await page.goto(path);
    await expect(page.locator('.board__row')).toBeVisible();
    return page.evaluate<string>("getComputedStyle(document.querySelector('.board__row')).marginTop");
  };
  expect([await room(`/MatchDetails/${played._id}`), await room(`/ViewPlayers/${next._id}`)]).toEqual(['56px', '24px']);
});

test('a name has room on a match card whose letters the reader has made twice as large: it stands above its score, not beside it', async ({
  page,
  request,
}) => {
  const { league } = await seededLeague(request);
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto(`/tournament/${league._id}`);
  await expect(page.locator('.side--win').first()).toBeVisible();
  const columns = async (): Promise<number> =>
    page.evaluate<number>("getComputedStyle(document.querySelector('.side--win')).gridTemplateColumns.split(' ').length");
  const usual = await columns();
  await page.addStyleTag({ content: '.game { font-size: 30px; }' });
  expect([usual, await columns()]).toEqual([2, 1]);
});

test('a place in two scripts stands on a match card in one line where it has room', async ({ page, request }) => {
  const { league } = await seededLeague(request);
  const location = 'Hall 2, काठमाडौं, Nepal';
  await changeAnswer(page, `**/api/tournaments/${league._id}`, (tournament: object) => ({ ...tournament, location }));
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto(`/tournament/${league._id}`);
  const place = page.getByTitle(location, { exact: true }).first();
  await expect(place).toBeVisible();
  // The letters of another script may be a pixel higher.
  const lines = await page.evaluate<number>(
    "(() => { const place = document.querySelector('.game__top > span'); return Math.round(place.clientHeight / parseFloat(getComputedStyle(place).lineHeight)); })()",
  );
  expect(lines).toBe(1);
});

test('the files of a finished season stand in one row on a phone', async ({ page, request }) => {
  const { league } = await seededLeague(request);
  await page.setViewportSize({ width: 390, height: 844 });
  await changeAnswer(page, '**/api/tournaments/*/standings', (standings: object) => ({ ...standings, provisional: false }));
  await page.goto(`/standings/${league._id}`);
  await expect(page.getByText(/^All \d+ matches counted$/)).toBeVisible();
  const rows = await page.evaluate<number[]>("Array.from(document.querySelectorAll('.standings__side .btn'), (link) => link.getBoundingClientRect().top)");
  expect(rows).toEqual([rows[0], rows[0]]);
});

test('the landing page is printed on the white of the paper', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByText(/teams entered/)).toBeVisible();
  await page.emulateMedia({ media: 'print' });
  const grounds = await page.evaluate<string[]>("Array.from(document.querySelectorAll('.hero .card'), (card) => getComputedStyle(card).background)");
  expect(new Set(grounds.map((ground) => ground.replace(/ repeat.*/, '')))).toEqual(new Set(['rgba(0, 0, 0, 0) none']));
});

test.describe('on a tablet', () => {
  test.use({ viewport: { width: 834, height: 1112 } });
  test('a menu that is open when it is turned is closed, and the page can be used', async ({ page }) => {
    await page.goto('/about');
    await page.getByRole('button', { name: 'Open menu' }).click();
    await expect(page.getByRole('dialog', { name: 'Menu' })).toBeVisible();
    await page.setViewportSize({ width: 1112, height: 834 });
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'GAMES' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Match Results' })).toBeVisible();
  });
});

for (const { name, viewport } of sizes) {
  test.describe(`on a ${name}`, () => {
    test.use({ viewport });

    test('a visitor needs no pointer', async ({ page, request }) => {
      const { league, played } = await seededLeague(request);
      const journey = watch(page);
      await page.goto('/about');
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await page.keyboard.press('Tab');
      await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
      if (name === 'phone') {
        await tabTo(page, 'Open menu');
        await page.keyboard.press('Enter');
        await expect(page.getByRole('dialog', { name: 'Menu' })).toBeVisible();
        await page.keyboard.press('Escape');
        await expect(page.getByRole('dialog')).toHaveCount(0);
        await expect(page.getByRole('button', { name: 'Open menu' })).toBeFocused();
        await page.keyboard.press('Enter');
      }
      await tabTo(page, 'GAMES');
      await page.keyboard.press('Enter');
      await expect(page.getByRole('heading', { level: 1, name: 'Match Results' })).toBeVisible();
      await page.goto(`/events?tournament=${league._id}`);
      await expect(page.getByRole('group', { name: 'Match dates' })).toBeVisible();
      await tabTo(page, 'Previous dates');
      await page.keyboard.press('Enter');
      await tabTo(page, /^[A-Z][a-z]+day\d/);
      await page.keyboard.press('Enter');
      const pressed = page.locator('.dates button[aria-pressed="true"]');
      await expect(pressed).toBeFocused();
      const before = (await pressed.getAttribute('data-date')) ?? '';
      await page.keyboard.press('ArrowLeft');
      // The focus follows the date once that is shown; until then the one before is pressed, and has it.
      await expect(pressed).not.toHaveAttribute('data-date', before);
      await expect(pressed).toBeFocused();
      // A browser tells of each key that makes a day: neither the focus nor what is written goes with it.
      await tabTo(page, 'Go to a date');
      const [year, month, day] = played.date.slice(0, 10).split('-');
      await page.keyboard.type(`${month}${day}${year}`);
      await expect(page.getByLabel('Go to a date')).toBeFocused();
      await expect(page.getByLabel('Go to a date')).toHaveValue(`${year}-${month}-${day}`);
      await expect(page.getByRole('group', { name: 'Match dates' }).getByRole('button', { pressed: true })).toHaveAttribute(
        'data-date',
        `${year}-${month}-${day}`,
      );
      await expect(page.getByText('Point Difference').first()).toBeVisible();
      await tabTo(page, /^View Details/);
      await page.keyboard.press('Enter');
      await expect(page.getByText('Match Completed')).toBeVisible();
      await tabTo(page, (await page.getByRole('tab').nth(1).textContent()) ?? '');
      await page.keyboard.press('ArrowRight');
      await expect(page.getByRole('tab').nth(2)).toHaveAttribute('aria-selected', 'true');
      await tabTo(page, /^[A-Z][a-z]+ [A-Z]/);
      await page.keyboard.press('Enter');
      await expect(page.getByText('Average Points')).toBeVisible();
      await expectAccessible(page);
      journey.expectNothingWrong();
    });
  });
}
