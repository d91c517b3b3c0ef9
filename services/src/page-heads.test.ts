import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getTournament } from '@courtledger/contracts/tournament/tournament.api';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ask } from './platform/testing/toy-gate.ts';
import { openSite, season, type Season, type Site } from './testing/site.ts';

const built =
  '<!doctype html><html lang="en"><head><title>Basketball tournaments in Nepal · CourtLedger</title><meta property="og:title" content="Basketball tournaments in Nepal · CourtLedger" /></head><body></body></html>';
let webDir: string;
let site: Site;
let played: Season;
beforeAll(async () => {
  webDir = mkdtempSync(join(tmpdir(), 'courtledger-heads-'));
  writeFileSync(join(webDir, 'index.html'), built);
  site = await openSite({ webDir, publicUrl: new URL('https://hoops.example') });
  played = await season(site);
});
afterAll(async () => {
  await site.close();
  rmSync(webDir, { recursive: true });
});

const html = async (path: string): Promise<string> => (await ask(site.port, 'GET', path)).text;
const told = async (path: string): Promise<Record<string, string | undefined>> => {
  const page = await html(path);
  const meta = (key: string): string | undefined => new RegExp(`<meta (?:name|property)="${key}" content="([^"]*)"`).exec(page)?.[1];
  expect(page.match(/<title>/g)).toHaveLength(1);
  return { title: /<title>(.*)<\/title>/.exec(page)?.[1], 'og:title': meta('og:title'), description: meta('og:description'), image: meta('og:image') };
};
const linkTold = async (path: string): Promise<string | undefined> =>
  /<meta property="og:url" content="https:\/\/hoops\.example([^"]*)"/.exec(await html(path))?.[1]?.replaceAll('&amp;', '&');
const both = (title: string): { title: string; 'og:title': string } => ({ title: `${title} · CourtLedger`, 'og:title': `${title} · CourtLedger` });

it('tells of every tournament, match and player what it is, in the page that a script has not touched', async () => {
  const { tournamentId, matchId, teams } = played;
  const { posterImage } = await site.call(getTournament, { params: { id: tournamentId } });
  const tournament = {
    ...both('Winter League'),
    description: 'Winter League: Sunday, 1 November 2026, Kathmandu. Organized by Hoops Nepal.',
    image: `https://hoops.example${posterImage}`,
  };
  expect(await told('/')).toEqual(tournament);
  expect(await told(`/tournament/${tournamentId}`)).toEqual(tournament);
  expect(await told(`/standings/${tournamentId}`)).toEqual({
    ...both('Standings, Winter League'),
    description: 'Who leads Winter League: played, won, lost, points and point difference of every team.',
    image: undefined,
  });
  const match = { ...both('Pokhara Lynx and Dharan Dukes'), image: undefined };
  expect(await told(`/MatchDetails/${matchId}`)).toEqual({
    ...match,
    description: 'Pokhara Lynx and Dharan Dukes. Winter League, Saturday, 21 November 2026, 09:30, Kathmandu.',
  });
  expect(await told(`/ViewPlayers/${matchId}`)).toEqual({
    ...match,
    description: 'Players of Pokhara Lynx and Dharan Dukes, Winter League, Saturday, 21 November 2026.',
  });
  expect(await told(`/player/${teams[0].players[0] ?? ''}`)).toEqual({
    ...both('Player 1'),
    description: 'Player 1, Pokhara Lynx: 0.0 points, 0.0 assists and 0.0 rebounds a match over 0 played.',
    image: expect.stringMatching(/^https:\/\/hoops\.example\/media\//) as unknown,
  });
  expect(await told(`/registerteam/${tournamentId}`)).toEqual({
    ...both('Register New Team, Winter League'),
    description: 'Register a basketball team in three steps: team, coach, players.',
    image: undefined,
  });
  // As the site's router knows them, in any case.
  expect(await told(`/matchdetails/${matchId}`)).toEqual(await told(`/MatchDetails/${matchId}`));
  expect(await told(`/Standings/${tournamentId}/`)).toEqual(await told(`/standings/${tournamentId}`));
  const titles = new Map<string, string | undefined>();
  for (const path of ['/events', '/upcoming', '/about', '/card', '/register', '/verify', '/About/']) titles.set(path, (await told(path))['og:title']);
  expect(Object.fromEntries(titles)).toEqual({
    '/events': 'Match Results · CourtLedger',
    '/upcoming': 'Upcoming Events · CourtLedger',
    '/about': 'About Us · CourtLedger',
    '/card': 'Match Cards · CourtLedger',
    '/register': 'Register Your Tournament · CourtLedger',
    '/verify': 'Verify a season file · CourtLedger',
    '/About/': 'About Us · CourtLedger',
  });
});

it('tells of a link to one view of a page what is seen there, and leads previews to the same view', async () => {
  const { tournamentId } = played;
  const results = `/events?tournament=${tournamentId}`;
  expect(await told(results)).toEqual({ ...both('Match Results, Winter League'), description: 'Results of Winter League.', image: undefined });
  expect(await told(`${results}&date=2026-11-21`)).toEqual({
    ...both('Match Results, Winter League'),
    description: 'Results of Winter League on Saturday, 21 November 2026.',
    image: undefined,
  });
  const links = new Map<string, string | undefined>();
  const standings = `/standings/${tournamentId}`;
  for (const path of [
    `${results}&date=2026-11-21&fbclid=x`,
    `${results}&date=2026-02-30`,
    '/events?tournament=nothing&date=2026-11-21',
    '/events?date=2026-11-21',
    `${standings}?day=2026-11-21`,
    `${standings}?day="><b>`,
    '/about?day=2026-11-21',
  ])
    links.set(path, await linkTold(path));
  expect([...links.values()]).toEqual([`${results}&date=2026-11-21`, results, '/events', '/events', `${standings}?day=2026-11-21`, standings, '/about']);
});

it('leaves the page as it was built for what it does not know', async () => {
  for (const path of [
    '/tournament/nothing',
    '/player/%E0%A4%A',
    '/MatchDetails/constructor',
    '/constructor/x',
    '/constructor',
    `/tournament/${'x'.repeat(300)}`,
    '/adminlogin',
  ]) {
    expect(await html(path)).toBe(built);
  }
});

const addressTold = async (trustProxyHops: number, headers: Record<string, string>): Promise<string | undefined> => {
  const other = await openSite({ webDir, trustProxyHops });
  try {
    const page = await ask(other.port, 'GET', '/about', { host: 'hoops.example', ...headers });
    return /<meta property="og:url" content="([^"]*)"/.exec(page.text)?.[1];
  } finally {
    await other.close();
  }
};
it('names the address that was asked for where none is configured, and that of a proxy which is trusted', async () => {
  const forwarded = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'Cup.example' };
  expect([
    await addressTold(0, {}),
    await addressTold(0, forwarded),
    await addressTold(1, forwarded),
    await addressTold(1, { 'x-forwarded-proto': 'http' }),
  ]).toEqual(['http://hoops.example/about', 'http://hoops.example/about', 'https://cup.example/about', 'http://hoops.example/about']);
});
