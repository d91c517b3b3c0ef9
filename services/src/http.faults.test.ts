import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { allEndpoints } from '@courtledger/contracts/kernel/all-endpoints';
import type { Endpoint } from '@courtledger/contracts/kernel/endpoint';
import { problem } from '@courtledger/contracts/kernel/problem';
import { registerTeam, getTeamNames } from '@courtledger/contracts/team/team.api';
import { requestTournament } from '@courtledger/contracts/request/request.api';
import { createTournament } from '@courtledger/contracts/tournament/tournament.api';
import { describe, expect, it } from 'vitest';
import { runSeed, seededRandom } from './event-log/testing/random.ts';
import { silentLogger } from './platform/logger.ts';
import { ask } from './platform/testing/toy-gate.ts';
import { encodeForm, loggedInAdmin, openSite, pathOf, picture, playerForm, season, tournamentForm, type Site } from './testing/site.ts';
import { mutate, written, type Draft } from './testing/mutations.ts';
import { sendRaw, type RawReply } from './testing/raw-http.ts';

const full = process.env['FAULTS'] === 'full';
const endpoints: readonly Endpoint[] = Object.values(allEndpoints);

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
/** Bytes that are still held after a collection. */
const memoryInUse = (): number => {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};

/** What no caller may read (S25): places in the code, stacks, SQL, names of what we are made of. */
const telling = /node_modules|\.ts:\d|\.js:\d|\n\s+at |SQLITE|sqlite|SELECT |INSERT |no such (?:table|column)|ZodError|zod|multer|busboy|Busboy|libvips|vips|libspng|sharp|better-sqlite|express|ECONN|ENOENT|EACCES|\/tmp\/|Unexpected token|JSON at position|is not defined|is not a function|Cannot read|undefined \(/;
const bodyOf = (reply: RawReply): string => reply.text.slice(reply.text.indexOf('\r\n\r\n') + 4);

/** Requests that come close to being valid, and never are: an id that nothing has, or a field short. Whatever is done to them, nothing may be recorded. */
const drafts = async (token: string): Promise<readonly Draft[]> => {
  const auth = ['Authorization', `Bearer ${token}`] as const;
  const form = async (endpoint: Endpoint, fields: Readonly<Record<string, string | Buffer>>): Promise<Draft> => {
    const { bytes, contentType } = await encodeForm(fields);
    // One boundary for every run: the same seed makes the same requests.
    const boundary = /boundary=(\S+)/.exec(contentType)?.[1] ?? '';
    return { method: endpoint.method, path: pathOf(endpoint), headers: [auth, ['Content-Type', 'multipart/form-data; boundary=----courtledger']], body: Buffer.from(bytes.toString('latin1').replaceAll(boundary, '----courtledger'), 'latin1') };
  };
  const json = (endpoint: Endpoint, body: object): Draft => ({ method: endpoint.method, path: pathOf(endpoint), headers: [auth, ['Content-Type', 'application/json']], body: Buffer.from(JSON.stringify(body)) });
  const { name: _name, ...tournament } = await tournamentForm('x');
  const line = { playerId: 'p1', points: 2, assists: 1, rebounds: 0, notplayed: 'played' };
  return [
    await form(createTournament, tournament),
    await form(allEndpoints.changeTournament, { name: 'Other', startDate: '2026-01-01' }),
    await form(registerTeam, { name: 'Fuzz Five', teamPrimaryNumber: '9800000000', logo: await picture() }),
    await form(allEndpoints.appointCoach, { teamId: 'none', coachname: 'Somebody', coachphoneNumber: '9800000000', contact_number_2: '9800000000', coachImage: await picture() }),
    await form(allEndpoints.addPlayerToTeam, await playerForm('none', 7)),
    await form(requestTournament, { tournamentName: 'Cup', contactPhone1: '9800000000', organizerName: 'X', location: 'Y', prizePool: '1', poster: await picture() }),
    await form(allEndpoints.correctTeam, { name: 'Other Name', logo: await picture() }),
    json(allEndpoints.enterTeam, { tournamentId: 'none', teamId: 'none' }),
    json(allEndpoints.assignMatch, { teamAId: 'a', teamBId: 'b', tournamentId: 'none', matchDate: '2026-11-21', matchTime: '10:00' }),
    json(allEndpoints.recordMatchStats, { matchId: 'none', team1Players: [line, line], team2Players: [line] }),
    json(allEndpoints.recordStatIncrement, { entryId: 'e1', ...line }),
    json(allEndpoints.nameMatchMvp, { playerId: 'p1' }),
    json(allEndpoints.reverseStatEntry, { reason: 'mistake' }),
    json(allEndpoints.logInAdmin, { email: 'nobody@example.org', password: 'wrong-password' }),
    json(allEndpoints.createAdmin, { username: 'x', password: 'copper-meadow-71', email: 'x@example.org', phoneNumber: '9800000000' }),
    json(getTeamNames, { teamsId: ['a', 'b'] }),
    ...endpoints.filter(({ method, produces }) => method === 'GET' && produces !== 'text/event-stream').map((endpoint): Draft => ({ method: 'GET', path: pathOf(endpoint), headers: [auth], body: Buffer.alloc(0) })),
  ];
};

/** Runs work on some lanes at once. */
const inLanes = async (count: number, lanes: number, work: (index: number) => Promise<void>): Promise<void> => {
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < count) {
      const index = next;
      next += 1;
      // oxlint-disable-next-line no-await-in-loop -- a lane does one after another
      await work(index);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
};

describe('malformed requests (R20, S25)', () => {
  it('crash nothing, record nothing, are never the server’s fault, and learn nothing', async () => {
    const count = full ? 10_000 : 500;
    const seed = runSeed('malformed requests');
    const errors: unknown[] = [];
    const site = await openSite({}, { logger: { ...silentLogger, error: (_event, error) => errors.push(error) } });
    try {
      const { token } = await loggedInAdmin(site);
      const bases = await drafts(token);
      const before = await site.events();
      const requestAt = (index: number): Buffer => written(mutate(seededRandom(seed + index), bases[index % bases.length] as Draft));
      let memory = memoryInUse();
      const bad: string[] = [];
      const statuses = new Map<number, number>();
      await inLanes(count, 8, async (index) => {
        // What is kept for good (code, pools, connections) is there after the first tenth.
        if (index === count / 10) memory = memoryInUse();
        const request = requestAt(index);
        const reply = await sendRaw(site.port, request);
        statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1);
        const isDescription = reply.text.includes('"openapi":"3.1.0"') || reply.text.includes('<title>CourtLedger API</title>');
        const tells = !isDescription && telling.test(reply.text);
        const injected = /\r\nX-Injected/i.test(reply.text.split('\r\n\r\n', 1)[0] ?? '');
        if ((reply.status >= 500 && reply.status !== 503) || tells || injected) bad.push(`${request.subarray(0, 300).toString('latin1')}\n=> ${reply.text.slice(0, 600)}`);
        // 503 stands for a position that the log has not reached, and for the pages, which are not built here.
        if (reply.status === 503 && !/not up to date yet|not built yet/.test(bodyOf(reply)) && bodyOf(reply) !== '') bad.push(reply.text.slice(0, 600));
      });
      expect(bad, `With ${errors.map((error) => (error instanceof Error ? error.stack : String(error))).join('\n')}`).toEqual([]);
      expect(await site.events()).toBe(before);
      expect((await ask(site.port, 'GET', '/readyz')).status).toBe(200);
      // The mutations reach the parsers: most are refused as what they are, few before.
      expect((statuses.get(400) ?? 0) + (statuses.get(404) ?? 0)).toBeGreaterThan(count / 4);
      expect(memoryInUse() - memory).toBeLessThan(100 * 1_048_576);
    } finally {
      await site.close();
    }
  });
});

describe('injection (S34)', () => {
  const payloads = [
    "'", '"', "''", "';", "' OR '1'='1", "' OR 1=1 --", "' OR 1=1 #", '" OR ""="', "'; DROP TABLE events; --", "'; DELETE FROM events; --", "' UNION SELECT NULL --", "' UNION SELECT sql FROM sqlite_master --", "' UNION ALL SELECT email, password FROM admins --", '1; SELECT load_extension(1)', "1' AND sleep(5) --", "1' AND randomblob(1000000000) --",
    "x' AND 1=(SELECT count(*) FROM events) --", "%' OR '%'='", '_', '%', '*', '\\', '\\\'', "\\' OR 1=1 --", '%27', '%2527', 'ʼ OR 1=1', '＇ OR 1=1', 'x\0y', "x'\0--", "'||'", "' || (SELECT 1) || '", '(SELECT 1)', 'CASE WHEN 1=1 THEN 1 ELSE 0 END', 'ORDER BY 1', 'id; ATTACH DATABASE "x" AS y', "' HAVING 1=1 --", "' GROUP BY id --",
    '0x27', '1e1', '-1', '1 OR 1=1', 'true', 'NULL', 'null', '{"$gt":""}', '[$ne]', "json_extract('$.a')", "$['a']", "x') OR ('1'='1", "x')); --", "'/**/OR/**/1=1", "' oR 1=1 /*",
  ];

  it('changes nothing in what ids, days and positions find', async () => {
    expect(payloads.length).toBeGreaterThanOrEqual(50);
    const site = await openSite();
    try {
      const { token, superToken, tournamentId } = await season(site);
      const before = await site.events();
      const shown = async (): Promise<string> => (await Promise.all(['/api/tournaments', '/api/match/matches', `/api/tournaments/${tournamentId}/standings`].map(async (path) => (await ask(site.port, 'GET', path)).text))).join('');
      const expected = await shown();
      const byId = endpoints.filter(({ method, path }) => method === 'GET' && path.includes(':'));
      expect(byId.length).toBeGreaterThan(8);
      for (const payload of payloads) {
        // oxlint-disable no-await-in-loop -- one payload after another
        const found = await Promise.all(byId.map(async (endpoint) => ask(site.port, 'GET', pathOf(endpoint, { params: { id: payload, entryId: payload } }), { authorization: `Bearer ${endpoint.access === 'superadmin' ? superToken : token}` })));
        expect(found.map(({ status }) => status)).toEqual(byId.map(() => 404));
        const dated = await Promise.all([`/api/tournaments/${tournamentId}/standings?asOf=`, `/api/tournaments/${tournamentId}/matches?date=`].map(async (path) => ask(site.port, 'GET', path + encodeURIComponent(payload))));
        for (const reply of dated) expect([200, 400]).toContain(reply.status);
        const named = await ask(site.port, 'POST', '/api/team/get-team-names', { 'content-type': 'application/json' }, JSON.stringify({ teamsId: [payload] }));
        expect([named.status, named.text]).toEqual([200, '[]']);
        const login = await ask(site.port, 'POST', '/api/admin/login', { 'content-type': 'application/json' }, JSON.stringify({ email: payload, password: payload }));
        expect(login.status).toBe(401);
        expect([...found, ...dated, login].filter(({ text }) => telling.test(text))).toEqual([]);
        // oxlint-enable no-await-in-loop
      }
      expect([await shown(), await site.events()]).toEqual([expected, before]);
    } finally {
      await site.close();
    }
  });
});

const withSite = async (work: (site: Site, token: string) => Promise<void>): Promise<void> => {
  const site = await openSite();
  try {
    await work(site, (await loggedInAdmin(site)).token);
  } finally {
    await site.close();
  }
};

describe('bodies', () => {
  it('that are no object are refused with the fields that are missing, everywhere', async () => {
    await withSite(async (site, token) => {
      const before = await site.events();
      const ones = endpoints.filter(({ bodyKind, kind, access }) => bodyKind === 'json' && kind === 'command' && (access === 'public' || access === 'admin'));
      expect(ones.length).toBeGreaterThan(6);
      for (const endpoint of ones) {
        for (const body of ['[]', 'null', '1', '"x"', 'true', '{"__proto__":{"role":"superadmin"}}']) {
          // oxlint-disable-next-line no-await-in-loop -- the log is counted at the end
          const reply = await ask(site.port, endpoint.method, pathOf(endpoint), { authorization: `Bearer ${token}`, 'content-type': 'application/json' }, body);
          expect([400, 401, 404]).toContain(reply.status);
          problem.parse(reply.json());
        }
      }
      expect([await site.events(), ({} as { role?: string }).role]).toEqual([before, undefined]);
    });
  });
});
