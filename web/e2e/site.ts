import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, type APIRequestContext, type Page } from '@playwright/test';

/** The two widths that the design is drawn at. */
export const sizes = [
  { name: 'desktop', viewport: { width: 1440, height: 900 } },
  { name: 'phone', viewport: { width: 390, height: 844 } },
] as const;

/** What may go wrong on a page without anybody seeing it; `expectNothingWrong` ends every journey. */
export const watch = (page: Page, allowed: (url: string, status: number) => boolean = () => false): { readonly expectNothingWrong: () => void } => {
  const faults: string[] = [];
  page.on('console', (message) => {
    // A refused answer that the journey names is reported by the browser as well.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) faults.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => faults.push(`page: ${error.message}`));
  page.on('response', (response) => {
    if (response.status() >= 400 && !allowed(new URL(response.url()).pathname, response.status()))
      faults.push(`${String(response.status())} ${response.url()}`);
  });
  page.on('requestfailed', (request) => {
    // A page that is left gives up what it was still asking for.
    if (request.failure()?.errorText !== 'net::ERR_ABORTED') faults.push(`failed: ${request.url()} ${request.failure()?.errorText ?? ''}`);
  });
  return {
    expectNothingWrong: () => {
      expect(faults).toEqual([]);
    },
  };
};

/** Logs in at an address. @param fields what is typed, by label */
export const logIn = async (page: Page, address: string, fields: Readonly<Record<string, string>>): Promise<void> => {
  await page.goto(address);
  for (const [label, value] of Object.entries(fields)) await page.getByLabel(label).fill(value);
  await page.getByRole('button', { name: 'Log in' }).click();
};

/** The page's own copy: the readable one is more than twice as long, and is read anew in each page that is loaded. */
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const axeOptions = { resultTypes: ['violations'], selectors: false, runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] };
type Look = { readonly violations: readonly string[]; readonly passes: number; readonly overflow: number };

/** No violation of WCAG 2.2 AA, and nothing wider than the screen. */
export const expectAccessible = async (page: Page): Promise<void> => {
  if (!(await page.evaluate<boolean>("typeof axe === 'object'"))) await page.evaluate(axe);
  const { violations, passes, overflow } = await page.evaluate<Look>(`axe.run(document, ${JSON.stringify(axeOptions)}).then(({ violations, passes }) => ({
    violations: violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')),
    passes: passes.length,
    overflow: document.documentElement.scrollWidth - window.innerWidth,
  }))`);
  expect(violations).toEqual([]);
  expect(passes).toBeGreaterThan(5);
  expect(overflow).toBeLessThanOrEqual(0);
};

/** Picks a day of the month after the one that the calendar of an open dialog's field begins with. */
export const pickDay = async (page: Page, label: string, day: string): Promise<void> => {
  await page.getByRole('dialog').getByRole('button', { name: label, exact: true }).click();
  const calendar = page.locator('[data-dates-dropdown]').last();
  await calendar.locator('button[data-direction=next]').click();
  await expectAccessible(page);
  await calendar
    .getByRole('button', { name: new RegExp(`^${day} `) })
    .first()
    .click();
};

/**
 * What the server answers by now. A read shows every write that was answered, unless the machine was so slow that it said `X-Projection: pending`: then it
 * follows.
 * @param look what is compared of it
 */
export const expectAnswer = (request: APIRequestContext, path: string, look: (body: never) => unknown = (body) => body) =>
  expect.poll(async () => look((await (await request.get(path)).json()) as never), { message: path });

type Listed = { readonly allTournaments: readonly { readonly _id: string; readonly name: string; readonly league: string }[] };
type Matches = {
  readonly matches: readonly {
    readonly _id: string;
    readonly date: string;
    readonly hasStats: boolean;
    readonly score_1: number;
    readonly score_2: number;
    readonly team_1: { readonly team_details: { readonly name: string } };
    readonly team_2: { readonly team_details: { readonly name: string } };
  }[];
};

/** The seeded league, with a played and an unplayed match of it. */
export const seededLeague = async (request: APIRequestContext) => {
  const { allTournaments } = (await (await request.get('/api/tournaments/')).json()) as Listed;
  // By name: other journeys make leagues of their own.
  const league = allTournaments.find((tournament) => tournament.name === 'Himalayan Hoops League 2083');
  if (!league) throw new Error('the season has no league');
  const { matches } = (await (await request.get(`/api/tournaments/${league._id}/matches`)).json()) as Matches;
  const played = matches.findLast((match) => match.hasStats);
  const next = matches.find((match) => !match.hasStats);
  if (!played || !next) throw new Error('the season has no played match, or none to come');
  return { league, matches, played, next };
};
