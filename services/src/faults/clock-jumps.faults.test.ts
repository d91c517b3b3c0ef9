import { checkAdminToken, logInAdmin } from '@courtledger/contracts/admin/admin.api';
import { recordStatIncrement } from '@courtledger/contracts/match/match.api';
import { getStandings } from '@courtledger/contracts/tournament/tournament.api';
import { afterEach, describe, expect, it } from 'vitest';
import { openSite, season, type Season, type Site } from '../testing/site.ts';

const hour = 3_600_000;
const start = Date.UTC(2026, 10, 21, 18, 0);
/** As somebody sets the clock of the server's machine, in the midst of what it does. */
const jumps = [-24 * hour, -hour, hour, 24 * hour];

const sites: Site[] = [];
afterEach(async () => {
  await Promise.all(sites.splice(0).map(async (site) => site.close()));
});

/** A site whose calendar is moved by hand; the time that passes is the machine's own. */
const open = async (): Promise<{ readonly site: Site; readonly clock: { now: number }; readonly place: Season }> => {
  const clock = { now: start };
  const site = await openSite({ store: { kind: 'sqlite' } }, { clock: { now: () => clock.now, monotonic: () => performance.now() } });
  sites.push(site);
  return { site, clock, place: await season(site) };
};

const logIn = async (site: Site): Promise<string> => (await site.call(logInAdmin, { json: { email: 'asha@example.org', password: 'copper-meadow-71' } })).token;
const check = async (site: Site, token: string): Promise<number> => (await site.send(checkAdminToken, { token })).status;

/** Sixteen baskets on two matches, an hour of the calendar's time, which is set before each fourth one. */
const play = async ({ site, clock, place }: Awaited<ReturnType<typeof open>>, set: readonly number[]): Promise<void> => {
  const [first, second] = place.teams;
  const players = [...first.players, ...second.players];
  for (let basket = 0; basket < 16; basket += 1) {
    if (basket % 4 === 0) clock.now += set[basket / 4] ?? 0;
    clock.now += 60_000;
    const token = await logIn(site);
    await site.call(recordStatIncrement, {
      token,
      params: { id: place.matchId },
      json: { entryId: `basket-${String(basket)}`, playerId: players[basket % players.length] ?? '', points: (basket % 3) + 1 },
    });
  }
};

describe('a clock that is set in the midst of a match (R14)', () => {
  it('changes neither the order of the facts nor the standings', async () => {
    const [steady, jumping] = [await open(), await open()];
    await play(steady, []);
    await play(jumping, jumps);
    const told = async ({ site, place }: typeof steady) => {
      const facts = (await site.opened.store.log.readAll('start', 10_000)).filter(({ type }) => type === 'StatIncrementRecorded');
      const { rows } = await site.call(getStandings, { params: { id: place.tournamentId } });
      return {
        order: facts.map(({ data }) => (data as { entryId: string }).entryId),
        revisions: facts.map(({ revision }) => revision),
        rows: rows.map(({ rank, teamName, points, pointsFor, pointsAgainst }) => [rank, teamName, points, pointsFor, pointsAgainst]),
        times: facts.map(({ time }) => time),
      };
    };
    const [expected, found] = [await told(steady), await told(jumping)];
    expect(found.order).toEqual(Array.from({ length: 16 }, (_, basket) => `basket-${String(basket)}`));
    expect([found.order, found.revisions, found.rows]).toEqual([expected.order, expected.revisions, expected.rows]);
    expect(found.rows.length).toBeGreaterThan(1);
    // The times did go back: what is in order is in order by its position.
    expect([expected.times, found.times].map((times) => times.every((time, at) => at === 0 || (times[at - 1] ?? '') < time))).toEqual([true, false]);
  });

  it.each(jumps)('leaves no token valid for longer than its hour (%i ms)', async (jump) => {
    const { site, clock } = await open();
    const issued = clock.now;
    const token = await logIn(site);
    expect(await check(site, token)).toBe(200);
    clock.now += jump;
    // Set back it is a token of the future, which would outlive its hour; set forward it has had it.
    expect(await check(site, token)).toBe(401);
    const next = await logIn(site);
    expect(await check(site, next)).toBe(200);
    clock.now += hour - 1000;
    expect(await check(site, next)).toBe(200);
    clock.now += 1000;
    expect(await check(site, next)).toBe(401);
    // Nor does it come back for the hour that it was made for: by its issuer's clock it ends when it ends.
    clock.now = issued + hour - 1000;
    expect(await check(site, token)).toBe(200);
    clock.now = issued + hour;
    expect(await check(site, token)).toBe(401);
  });

  it('lets the same people in afterwards, whose attempts were throttled before', async () => {
    const clock = { now: start, monotonic: 0 };
    const site = await openSite({ store: { kind: 'sqlite' }, rateLimit: true }, { clock: { now: () => clock.now, monotonic: () => clock.monotonic } });
    sites.push(site);
    await season(site);
    const wrong = async (): Promise<number> => (await site.send(logInAdmin, { json: { email: 'asha@example.org', password: 'a-wrong-password' } })).status;
    const answered: number[] = [];
    for (const jump of [0, ...jumps]) {
      clock.now += jump;
      // One window of a quarter of an hour, by the time that passes and not by the calendar's.
      clock.monotonic += 15 * 60_000;
      let answers = 0;
      while ((await wrong()) !== 429 && answers < 20) answers += 1;
      answered.push(answers);
    }
    // As many as before the clock was set, each time: some, and not without end.
    expect([answered[0] !== undefined && answered[0] > 0 && answered[0] <= 10, new Set(answered).size, answered.length]).toEqual([true, 1, 5]);
    clock.monotonic += 15 * 60_000;
    expect(await check(site, await logIn(site))).toBe(200);
  });
});
