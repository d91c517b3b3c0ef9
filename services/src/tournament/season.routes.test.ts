import { execFileSync, spawnSync } from 'node:child_process';
import { generateKeyPairSync, sign } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { recordMatchStats, reverseStatEntry, getMatchHistory } from '@courtledger/contracts/match/match.api';
import { getSeasonFile, getSeasonKey } from '@courtledger/contracts/tournament/season.api';
import { seasonPayload, seasonSignature } from '@courtledger/contracts/tournament/season.answers';
import { getStandings } from '@courtledger/contracts/tournament/tournament.api';
import { projected } from '@courtledger/projections/kernel/testing/projected';
import { RecordedLog } from '@courtledger/projections/kernel/testing/recorded-log';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Call } from '../platform/call.ts';
import { openSite, season, type Season, type Site } from '../testing/site.ts';
import { seasonRoutes } from './season.routes.ts';

const checker = join(import.meta.dirname, '../../../scripts/check-season-file.mjs');
const folder = mkdtempSync(join(tmpdir(), 'courtledger-season-'));
let site: Site;
let played: Season;
let text = '';
let savedAs = '';
beforeAll(async () => {
  site = await openSite();
  played = await season(site);
  const [a1 = '', a2 = ''] = played.teams[0].players;
  const [b1 = ''] = played.teams[1].players;
  const params = { id: played.matchId };
  await site.call(recordMatchStats, {
    token: played.token,
    json: {
      matchId: played.matchId,
      team1Players: [
        { playerId: a1, points: 20 },
        { playerId: a2, points: 5 },
      ],
      team2Players: [{ playerId: b1, points: 27 }],
    },
  });
  const entry =
    (await site.call(getMatchHistory, { token: played.token, params })).find(({ player_id, entryId }) => player_id === a2 && entryId !== undefined)?.entryId ??
    '';
  await site.call(reverseStatEntry, { token: played.token, params: { ...params, entryId: entry }, json: { reason: 'Not Bikash Gurung' } });
  const file = await site.send(getSeasonFile, { params: { id: played.tournamentId } });
  ({ text } = file);
  savedAs = file.headers['content-disposition'] ?? '';
});
afterAll(async () => {
  await site.close();
  rmSync(folder, { recursive: true, force: true });
});

/** What the newest Node has and the oldest that is promised (20) has not. */
const withoutNewer = [
  '--import',
  'data:text/javascript,delete Map.groupBy; delete Object.groupBy; delete Promise.withResolvers; delete Array.fromAsync; delete Set.prototype.union',
];

const check = (content: string, ...more: string[]): { readonly code: number | null; readonly said: string } => {
  const path = join(folder, 'season.jsonl');
  writeFileSync(path, content);
  const { status, stdout, stderr } = spawnSync(process.execPath, [...withoutNewer, checker, path, ...more], { encoding: 'utf8' });
  return { code: status, said: (stdout + stderr).trim() };
};

// Signed with a key of its own: what is left is the arithmetic.
const forge = (change: string): string =>
  execFileSync(
    process.execPath,
    [
      '-e',
      `const { generateKeyPairSync, sign } = require('node:crypto'); const { privateKey, publicKey } = generateKeyPairSync('ed25519'); const season = JSON.parse(process.argv[1]); ${change}; const first = JSON.stringify(season); console.log(first); console.log(JSON.stringify({ algorithm: 'Ed25519', publicKey: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'), signature: sign(null, Buffer.from(first), privateKey).toString('base64') }))`,
      text.split('\n')[0] ?? '',
    ],
    { encoding: 'utf8' },
  );

const run = (...args: string[]): readonly unknown[] => {
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  return [status, stderr];
};
it('is saved under the name of its tournament', () => {
  expect(savedAs).toBe('attachment; filename="Winter League season.jsonl"');
});

it('says nothing about a file that the checker could not check', () => {
  writeFileSync(join(folder, 'season.jsonl'), text);
  const older = `data:text/javascript,${encodeURIComponent("Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.20.8' } })")}`;
  expect(run('--import', older, checker, join(folder, 'season.jsonl'))).toEqual([2, 'NOT CHECKED: this needs Node 20 or newer, and this is v18.20.8\n']);
  expect(run(checker, folder)).toEqual([2, 'NOT CHECKED: EISDIR: illegal operation on a directory, read\n']);
  expect(run(checker, join(folder, 'nothing'))).toEqual([2, `THERE IS NO FILE ${join(folder, 'nothing')}\n`]);
});

it('gives a signed file that the checker finds genuine', async () => {
  const { publicKey } = await site.call(getSeasonKey);
  expect(check(text, publicKey)).toMatchObject({ code: 0, said: expect.stringMatching(/^GENUINE: Winter League, 1 matches/) as string });
  const [first = '', second = ''] = text.split('\n');
  expect(seasonPayload.parse(JSON.parse(first)).standings.map(({ teamId, rank, points }) => [teamId, rank, points])).toStrictEqual(
    (await site.call(getStandings, { params: { id: played.tournamentId } })).rows.map(({ teamId, rank, points }) => [teamId, rank, points]),
  );
  expect(seasonSignature.parse(JSON.parse(second)).publicKey).toBe(publicKey);
  // Anybody can sign with a key of their own: without the server's, nothing is called genuine.
  expect(check(text)).toStrictEqual({
    code: 2,
    said: expect.stringMatching(/^INTACT, SIGNER UNKNOWN: Winter League, 1 matches.*\/api\/season-key: /) as string,
  });
  // Saved again by an editor of texts.
  for (const saved of [text.replaceAll('\n', '\r\n'), `\uFEFF${text}`]) expect(check(saved, publicKey).code).toBe(0);
  // As the server answers it.
  expect(check(text, JSON.stringify(await site.call(getSeasonKey))).code).toBe(0);
  expect(check(forge(''), publicKey)).toMatchObject({ code: 1, said: expect.stringMatching(/^ANOTHER KEY/) as string });
});

it('holds no personal data', () => {
  for (const canary of ['Player 1', 'Bikash', 'Hoops Nepal', '9801234567', '9811111111', 'Asha'])
    expect([canary, text.includes(canary)]).toStrictEqual([canary, false]);
});

it('is found out when anything in it is changed', () => {
  expect(check(text.replace('"score_1":20', '"score_1":30'))).toStrictEqual({ code: 1, said: 'FORGED: the signature does not fit the content' });
  for (const noKey of ['MCowBQYDK2VwAyEA', 'season-key.json', ''])
    expect([noKey, check(text, noKey)]).toStrictEqual([
      noKey,
      { code: 2, said: 'NOT A KEY: give the public key as <server>/api/season-key shows it, not the name of a file' },
    ]);
  expect(check(text.slice(0, 200)).code).toBe(1);
  const [payload = '', sealed = ''] = text.split('\n');
  const none = { code: 1, said: 'NOT A SEASON FILE of this format' };
  for (const broken of ['{}\n{}', 'null\nnull', `${payload}\n${sealed.replace(/"signature":"[^"]*"/, '"signature":null')}`])
    expect([broken.slice(0, 9), check(broken)]).toStrictEqual([broken.slice(0, 9), none]);
  // Signed as well as anything, with a key that says it is another kind of key.
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const keyText = publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
  const seal = { algorithm: 'Ed25519', publicKey: keyText, signature: sign(null, Buffer.from(payload), privateKey).toString('base64') };
  expect(check(`${payload}\n${JSON.stringify(seal)}\n`, keyText)).toStrictEqual(none);
});

const said = (notplayed: string) => `{ type: 'PlayerParticipationRecorded', data: { matchId: 'x', playerId: 'p', teamId: 'A', notplayed: '${notplayed}' } }`;

it('is found out when its own server signed numbers that do not add up', () => {
  expect(check(forge('')).said).toMatch(/^INTACT, SIGNER UNKNOWN/);
  // A status alone is a line until 'Not Played' takes it back: then the match has no statistics.
  const another = (...facts: string[]) =>
    forge(
      `season.facts.push({ type: 'MatchAssigned', data: { matchId: 'x', teamAId: 'A', teamBId: 'B' } }, ${facts.join(', ')}); season.results.push({ _id: 'x', team_1: 'A', team_2: 'B', score_1: 0, score_2: 0, hasStats: false })`,
    );
  expect(check(another(said('DNP'), said('Not Played'))).said).toMatch(/^INTACT, SIGNER UNKNOWN/);
  expect(check(another(said('DNP'))).said).toBe('WRONG RESULTS: the entries do not add up to the scores');
  expect(check(forge('season.results[0].score_1 += 10')).said).toBe('WRONG RESULTS: the entries do not add up to the scores');
  expect(check(forge('season.facts.pop()')).said).toBe('WRONG RESULTS: the entries do not add up to the scores');
  expect(check(forge('season.standings[0].rank = 2')).said).toBe('WRONG TABLE: the results do not give these standings');
});

it('cannot forge what the checker says by what it calls things', () => {
  const name = String.raw`\r\u001b[2KGENUINE: \u202eeugael\n\u001b[8m`;
  const { code, said: told } = check(forge(`season.tournament.name = '${name}'; season.position = '1${name}'`));
  expect(code).toBe(2);
  expect(told).toMatch(/^[\u0020-\u007e]+$/);
  expect(told).toContain(`INTACT, SIGNER UNKNOWN: ${name}, 1 matches`);
});

it('signs what the log was verified up to, however much of it is shown already', async () => {
  const log = new RecordedLog();
  log.tournament('t1');
  log.team('a', 'Annapurna', 1, ['t1']);
  log.team('b', 'Bagmati', 1, ['t1']);
  log.match('m1', 't1', 'a', 'b');
  using model = projected(log);
  const verified: string[] = [];
  const routes = seasonRoutes({
    reader: () => model.reader,
    onSwitched: () => {},
    seasonKey: { publicKey: '', sign: () => '' },
    expectWhole: async (until) => void verified.push(until.toString()),
  });
  const signed: unknown[] = [];
  for (const points of [2, 3]) {
    log.stat('m1', 'a-p1', points);
    model.projector.apply(log.events);
    const reply = await routes.find(({ endpoint }) => endpoint === getSeasonFile)?.handle({ params: { id: 't1' } } as unknown as Call);
    const [payload = ''] = reply !== undefined && 'bytes' in reply ? String(reply.bytes).split('\n') : [];
    signed.push((JSON.parse(payload) as { readonly position: string }).position);
  }
  const recorded = log.events.slice(-2).map(({ position }) => position.toString());
  expect([signed, verified]).toEqual([recorded, recorded]);
});

it('makes one file for all who ask until something is recorded or changed, and gives it to nobody without the log being whole', async () => {
  const log = new RecordedLog();
  for (let number = 1; number <= 9; number += 1) log.tournament(`t${String(number)}`);
  using model = projected(log);
  const switched: (() => void)[] = [];
  let isWhole = true;
  let signatures = 0;
  const routes = seasonRoutes({
    reader: () => model.reader,
    onSwitched: (listener) => switched.push(listener),
    seasonKey: { publicKey: '', sign: () => `signature ${String((signatures += 1))}` },
    expectWhole: async () => {
      if (!isWhole) throw new Error('The log is damaged');
    },
  });
  const file = async (id = 't1'): Promise<Buffer | undefined> => {
    const reply = await routes.find(({ endpoint }) => endpoint === getSeasonFile)?.handle({ params: { id } } as unknown as Call);
    return reply !== undefined && 'bytes' in reply ? reply.bytes : undefined;
  };
  const [first, ...others] = await Promise.all([file(), file(), file()]);
  expect([others[0] === first, others[1] === first, (await file()) === first, signatures]).toEqual([true, true, true, 1]);
  isWhole = false;
  await expect(file()).rejects.toThrow('The log is damaged');
  isWhole = true;
  for (const listener of switched) listener();
  await file();
  expect(signatures).toBe(2);
  log.tournament('t10');
  model.projector.apply(log.events);
  await file();
  expect(signatures).toBe(3);
  // Of eight seasons, and of the ninth no more.
  for (let number = 2; number <= 9; number += 1) {
    await file(`t${String(number)}`);
  }
  expect(signatures).toBe(11);
  await file('t9');
  expect(signatures).toBe(11);
  await file('t1');
  expect(signatures).toBe(12);
});
