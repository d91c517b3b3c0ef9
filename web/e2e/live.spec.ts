import { kathmanduDay } from '@courtledger/contracts/kernel/days';
import { expect, type APIRequestContext, type Locator } from '@playwright/test';
import { test } from './journey.ts';
import { seededLeague, watch } from './site.ts';

const email = 'courtside-live@example.com';
const password = 'a-courtside-password-93';

/** Logs in as an admin made for this journey; answers a bearer. */
const adminToken = async (request: APIRequestContext): Promise<string> => {
  const superLogin = await request.post('/api/superadmin/login', { data: { id: 'journeys', password: 'a-password-for-journeys-4821' } });
  const { token: superToken } = (await superLogin.json()) as { token: string };
  await request.post('/api/superadmin/create-admin', {
    headers: { Authorization: `Bearer ${superToken}` },
    data: { username: 'Live', email, password, phoneNumber: '9800000001' },
  });
  const { token } = (await (await request.post('/api/admin/login', { data: { email, password } })).json()) as { token: string };
  return token;
};

/** Waits for a score, looked at often: how long it took is measured. */
const shows = async (place: Locator, score: number): Promise<void> => expect.poll(() => place.textContent(), { intervals: [50] }).toBe(String(score));

type Match = {
  readonly team_1: { readonly _id: string };
  readonly player_stats: readonly { readonly player_id: string; readonly team_id: string; readonly notplayed: string }[];
};

test('a recorded point shows on results, match details and standings within two seconds, over one connection', async ({ context, request }) => {
  const { league, played } = await seededLeague(request);
  const token = await adminToken(request);
  const match = (await (await request.get(`/api/match/matches/${played._id}`)).json()) as Match;
  const scorer = match.player_stats.find((row) => row.team_id === match.team_1._id && row.notplayed === 'played');
  if (!scorer) throw new Error('nobody played');
  const record = async (points: number): Promise<void> => {
    const answer = await request.post(`/api/match/matches/${played._id}/stat-entries`, {
      headers: { Authorization: `Bearer ${token}` },
      data: { entryId: crypto.randomUUID(), playerId: scorer.player_id, points },
    });
    expect(answer.status()).toBe(201);
  };

  // Whatever the day was when the season was planted: what is recorded of an earlier one corrects it.
  const today = kathmanduDay(Date.now());
  expect((await request.put(`/api/match/matches/${played._id}`, { headers: { Authorization: `Bearer ${token}` }, data: { date: today } })).status()).toBe(200);

  let connections = 0;
  context.on('request', (sent) => {
    if (new URL(sent.url()).pathname === '/api/live') connections += 1;
  });
  const results = await context.newPage();
  const journey = watch(results);
  await results.goto(`/events?tournament=${league._id}&date=${today}`);
  const card = results.getByRole('article').filter({ hasText: played.team_1.team_details.name }).filter({ hasText: played.team_2.team_details.name });
  await expect(card.locator('.score').first()).toHaveText(String(played.score_1));
  const details = await context.newPage();
  await details.goto(`/MatchDetails/${played._id}`);
  await expect(details.locator('.bt__score').first()).toHaveText(String(played.score_1));
  const standings = await context.newPage();
  await standings.goto(`/standings/${league._id}`);
  const row = standings.getByRole('row').filter({ hasText: played.team_1.team_details.name });
  const scored = Number(await row.getByRole('cell').nth(5).innerText());
  await expect.poll(() => connections).toBe(1);

  // Up to ten times: for a moment the machine may belong to other tests.
  const times: number[] = [];
  let more = 0;
  while (times.length < 10 && Math.min(...times) >= 2000) {
    more += 3;
    await record(3);
    const recorded = performance.now();
    await Promise.all([
      shows(card.locator('.score').first(), played.score_1 + more),
      shows(details.locator('.bt__score').first(), played.score_1 + more),
      shows(row.getByRole('cell').nth(5), scored + more),
    ]);
    times.push(performance.now() - recorded);
  }
  expect(Math.min(...times)).toBeLessThan(2000);
  await expect(card.getByText('Live', { exact: true })).toBeVisible();
  await expect(card.locator('[aria-live=polite]')).toContainText(String(played.score_1 + more));
  expect(connections).toBe(1);

  // The tab that held the connection goes; another takes over where it stopped.
  await results.close();
  await record(2);
  await expect(details.locator('.bt__score').first()).toHaveText(String(played.score_1 + more + 2));
  await expect(row.getByRole('cell').nth(5)).toHaveText(String(scored + more + 2));
  expect(connections).toBe(2);
  journey.expectNothingWrong();
});
