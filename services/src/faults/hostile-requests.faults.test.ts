import { readFileSync } from 'node:fs';
import { addPlayerToTeam, appointCoach, correctTeam, getTeamNames, registerTeam } from '@courtledger/contracts/team/team.api';
import type { Endpoint } from '@courtledger/contracts/kernel/endpoint';
import { allEndpoints } from '@courtledger/contracts/kernel/all-endpoints';
import { problem } from '@courtledger/contracts/kernel/problem';
import { assignMatch, nameMatchMvp, recordMatchStats, recordStatIncrement, reverseStatEntry } from '@courtledger/contracts/match/match.api';
import { requestTournament } from '@courtledger/contracts/request/request.api';
import { createAdmin, logInAdmin } from '@courtledger/contracts/admin/admin.api';
import { changeTournament, createTournament, enterTeam, listTournaments } from '@courtledger/contracts/tournament/tournament.api';
import { afterEach, expect, it } from 'vitest';
import { seededRandom } from '../event-log/testing/random.ts';
import { ask, type Reply } from '../platform/testing/toy-gate.ts';
import { mutate, written, type Draft } from '../testing/mutations.ts';
import { sendRaw } from '../testing/raw-http.ts';
import { startServer, type ServerProcess } from '../testing/server-process.ts';
import {
  apiOn,
  encodeForm,
  loggedInAdmin,
  openSite,
  pathOf,
  pdf,
  picture,
  playerForm,
  superAdminPassword,
  tournamentForm,
  type Given,
} from '../testing/site.ts';
import { inspectDead, scratchFolder } from './testing/dead-data.ts';
import { mutateBytes, mutatePath } from './testing/mutate.ts';
import { telltalesIn } from './testing/telltales.ts';

const full = process.env['FAULTS'] === 'full';
const count = full ? 10_000 : 500;
const endpoints: readonly Endpoint[] = Object.values(allEndpoints);
/** Far beyond what any of these requests takes, far below the time-outs of the server. */
const patienceMs = 20_000;

let server: ServerProcess | undefined;
afterEach(async () => {
  server?.child.kill('SIGKILL');
  await server?.ended;
});

/** Runs in the server: says on a signal what it still holds after a collection. What the collector has not returned yet is no growth. */
const sayMemory = `
  import { setFlagsFromString } from 'node:v8';
  import { runInNewContext } from 'node:vm';
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  process.on('SIGUSR2', () => {
    collect();
    const { heapUsed, external } = process.memoryUsage();
    process.stderr.write('holds ' + (heapUsed + external) + '\\n');
  });`;
const memoryOf = async (of: ServerProcess): Promise<number> => {
  const before = of.said().length;
  of.child.kill('SIGUSR2');
  await expect.poll(() => of.said().slice(before), { timeout: 20_000 }).toContain('holds ');
  return Number(/holds (\d+)/.exec(of.said().slice(before))?.[1]);
};
/** Resident memory of a process in bytes, for the record: it also has what the allocator keeps for later. */
const residentOf = (pid: number | undefined): number => Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${String(pid)}/status`, 'utf8'))?.[1]) * 1024;

/** 503 is also said of a position that the log has not reached, and of pages that are not built; to HEAD without words. */
const isFault = (status: number, text: string): boolean => status >= 500 && !(status === 503 && /^$|not up to date yet|not built yet/.test(text));

type Heard = Pick<Reply, 'status' | 'text' | 'headers'>;
type Sample = { readonly method: string; readonly path: string; readonly contentType: string; readonly headers: Record<string, string>; readonly body: Buffer };
const sampleOf = async (endpoint: Endpoint, given: Given): Promise<Sample> => {
  const { bytes, contentType } =
    given.form === undefined
      ? { bytes: Buffer.from(given.json === undefined ? '' : JSON.stringify(given.json)), contentType: 'application/json' }
      : await encodeForm(given.form);
  const headers: Record<string, string> = given.token === undefined ? {} : { authorization: `Bearer ${given.token}` };
  // One boundary for ever: the same requests in every run.
  const boundary = /boundary=(\S+)/.exec(contentType)?.[1];
  if (boundary === undefined) return { method: endpoint.method, path: pathOf(endpoint, given), contentType, headers, body: bytes };
  return {
    method: endpoint.method,
    path: pathOf(endpoint, given),
    contentType: 'multipart/form-data; boundary=----courtledger',
    headers,
    body: Buffer.from(bytes.toString('latin1').replaceAll(boundary, '----courtledger'), 'latin1'),
  };
};
const draftOf = ({ method, path, contentType, headers, body }: Sample): Draft => ({
  method,
  path,
  headers: [...Object.entries(headers), ...(method === 'GET' ? [] : [['Content-Type', contentType] as const])],
  body,
});

/**
 * Each lacks what a mutation cannot make up (a whole picture, an id that exists), so that whatever becomes of it, it must be refused.
 */
const samples = async (token: string, superToken: string): Promise<readonly Sample[]> => {
  const nobody = '01a1fdb3-b6c6-7001-a216-4cf51e5b22be';
  const { organizerImage: _, ...tournament } = await tournamentForm('Mutant Cup');
  const line = { playerId: nobody, points: 2, assists: 1, rebounds: 0, notplayed: 'played' };
  const params = { id: nobody };
  return Promise.all([
    sampleOf(registerTeam, { form: { name: 'Mutant Mules', origin: 'Pokhara', teamPrimaryNumber: '9811111111', 'team[name]': 'x' } }),
    sampleOf(registerTeam, {
      form: { name: 'Mutant Mules', origin: 'Pokhara', teamPrimaryNumber: '9811111111', logo: Buffer.from('\u0089PNG\r\n\u001a\n and no more', 'latin1') },
    }),
    sampleOf(createTournament, { token, form: tournament }),
    sampleOf(appointCoach, {
      token,
      form: { teamId: nobody, coachname: 'Bikash Gurung', coachphoneNumber: '9822222222', contact_number_2: '9833333333', coachImage: await picture() },
    }),
    sampleOf(addPlayerToTeam, { token, form: { ...(await playerForm(nobody, 7)), document: pdf } }),
    sampleOf(correctTeam, { token, params, form: { name: 'Mutant Mules', logo: await picture() } }),
    sampleOf(requestTournament, { form: { tournamentName: 'Cup', contactPhone1: '9811111111', organizerName: 'Ram', location: 'Butwal', prizePool: 'TBD' } }),
    sampleOf(recordMatchStats, { token, json: { matchId: nobody, team1Players: [line, line], team2Players: [line] } }),
    sampleOf(recordStatIncrement, { token, params, json: { entryId: 'tap-1', ...line } }),
    sampleOf(reverseStatEntry, { token, params: { ...params, entryId: 'tap-1' }, json: { reason: 'Wrong player' } }),
    sampleOf(assignMatch, { token, json: { teamAId: nobody, teamBId: `${nobody}0`, tournamentId: nobody, matchTime: '9:30', matchDate: '2026-11-21' } }),
    sampleOf(changeTournament, { token, params, json: { name: 'Mutant Cup', organizer: { name: 'Ram' }, featured: 'true' } }),
    sampleOf(createAdmin, { token: superToken, json: { username: 'Mutant', email: 'mutant@example.org', password: 'copper-meadow-71' } }),
    sampleOf(getTeamNames, { json: { teamsId: [nobody, 3, null, {}] } }),
    sampleOf(enterTeam, { token, json: { tournamentId: nobody, teamId: nobody } }),
    sampleOf(nameMatchMvp, { token, params, json: { playerId: nobody } }),
    sampleOf(logInAdmin, { json: { email: 'nobody@example.org', password: 'wrong-password' } }),
  ]);
};

it(`survives ${count} mutated requests: answers below 500 in words of its own, no event, no growth (R20, S25)`, { timeout: 600_000 }, async () => {
  using folder = scratchFolder();
  server = startServer(
    { DATA_DIR: folder.path, SUPERADMIN_ID: 'root', SUPERADMIN_PASSWORD: superAdminPassword, RATE_LIMIT: 'off', LOG_LEVEL: 'error' },
    sayMemory,
  );
  const api = apiOn(await server.ready);
  const { token, superToken } = await loggedInAdmin(api);
  const all = await samples(token, superToken);
  // What HTTP clients do not send is sent as bytes: other methods, wrong lengths, headers with line breaks in them, values spoiled one by one.
  const drafts = [
    ...all,
    ...(await Promise.all(
      endpoints.filter(({ method, produces }) => method === 'GET' && produces !== 'text/event-stream').map(async (endpoint) => sampleOf(endpoint, { token })),
    )),
  ].map(draftOf);
  // One seed for ever: the same requests in every run.
  const random = seededRandom(20);
  const paths = [
    '/api/tournaments/x/standings?asOf=2026-11-21',
    '/api/tournaments/x/matches?date=2026-11-21',
    '/api/match/matches/x/corrections',
    '/api/player/getPlayerById/x',
    '/api/team/x',
    '/api/player/x/document',
    '/api/openapi.json?x=1',
  ];
  const contentTypes = [
    'application/json',
    'multipart/form-data',
    'multipart/form-data; boundary=',
    `multipart/form-data; boundary=${'x'.repeat(300)}`,
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/json; charset=utf-16',
    'application/json; charset=klingon',
  ];
  const pick = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)] as T;

  /** A request without an answer fails by itself, with all that it takes to send it again. */
  const answered = async (method: string, path: string, headers: Record<string, string>, body?: Buffer): Promise<Reply> => {
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      late.reject(new Error(`No answer within ${patienceMs} ms to ${JSON.stringify([method, path, headers, body?.toString('latin1')])}`));
    }, patienceMs);
    return Promise.race([ask(api.port, method, path, headers, body), late.promise]).finally(() => {
      clearTimeout(timer);
    });
  };
  const answeredRaw = async (bytes: Buffer): Promise<Heard> => {
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      late.reject(new Error(`No answer within ${patienceMs} ms to ${JSON.stringify(bytes.subarray(0, 2000).toString('latin1'))}`));
    }, patienceMs);
    const { status, text } = await Promise.race([sendRaw(api.port, bytes), late.promise]).finally(() => {
      clearTimeout(timer);
    });
    const end = text.indexOf('\r\n\r\n');
    const [head, body] = end < 0 ? [text, ''] : [text.slice(0, end), text.slice(end + 4)];
    if (/\r\nX-Injected/i.test(head)) told.push(`a header of the request's own: ${head}`);
    return { status, text: body, headers: { 'x-powered-by': /\r\nX-Powered-By: .*/i.exec(head)?.[0], server: /\r\nServer: .*/i.exec(head)?.[0] } };
  };
  const mutant = async (): Promise<Heard> => {
    if (random() < 0.5) return answeredRaw(written(mutate(random, pick(drafts))));
    if (random() < 0.15)
      return answered(pick(['GET', 'GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']), mutatePath(pick(paths), random), {
        authorization: `Bearer ${token}`,
        'if-none-match': pick(['*', '"', 'W/']),
        'x-min-position': pick(['0', '-1', 'x']),
      });
    const sample = pick(all);
    const body = mutateBytes(sample.body, random);
    const encoding = random() < 0.05 ? { 'content-encoding': pick(['gzip', 'br', 'x']) } : {};
    const length = random() < 0.2 ? { 'transfer-encoding': 'chunked' } : {};
    return answered(
      sample.method,
      sample.path,
      { ...sample.headers, ...encoding, ...length, 'content-type': random() < 0.1 ? pick(contentTypes) : sample.contentType },
      body,
    );
  };

  const statuses = new Map<number, number>();
  const told: string[] = [];
  const run = async (many: number): Promise<void> => {
    let left = many;
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        while (left > 0) {
          left -= 1;
          const { status, text, headers } = await mutant();
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
          if (isFault(status, text)) told.push(`${status} ${text}`);
          if (status >= 400) told.push(...telltalesIn(text).map((what) => `${status} ${what}: ${text}`));
          told.push(...telltalesIn(JSON.stringify([headers['x-powered-by'], headers['server']])));
        }
      }),
    );
  };
  const before = (await api.send(listTournaments)).headers['x-read-position'];
  // The first requests make caches and pools; what is measured comes after them.
  const first = Math.min(1000, count / 2);
  await run(first);
  const [warm, warmResident] = [await memoryOf(server), residentOf(server.child.pid)];
  await run(count - first);
  const [grown, grownResident] = [(await memoryOf(server)) - warm, residentOf(server.child.pid) - warmResident];

  expect(told).toEqual([]);
  // That they were different, and mostly refused, is what makes them a test.
  expect([...statuses.keys()]).toEqual(expect.arrayContaining([400, 404, 415]));
  expect(statuses.get(201)).toBeUndefined();
  expect(grown).toBeLessThan(100 * 1024 * 1024);
  const after = await api.send(listTournaments);
  expect([after.status, after.headers['x-read-position'], after.text]).toEqual([200, before, '{"allTournaments":[],"upcomingTournaments":[]}']);
  expect(server.logged()).toBe('');

  server.child.kill('SIGTERM');
  expect((await server.ended).code).toBe(0);
  const { events, chain } = await inspectDead(folder.path);
  expect([String(events.length), chain.firstBreak]).toEqual([before, undefined]);
  process.stderr.write(
    `mutated requests: ${[...statuses].map(([status, many]) => `${status}: ${many}`).join(', ')}; holds ${Math.round(grown / 1024 / 1024)} MB more, resident ${Math.round(grownResident / 1024 / 1024)} MB\n`,
  );
});

it('takes a body that is no object for one without fields, everywhere (R20, S21)', async () => {
  const site = await openSite();
  try {
    const { token } = await loggedInAdmin(site);
    const before = await site.events();
    const ones = endpoints.filter(({ bodyKind, kind, access }) => bodyKind === 'json' && kind === 'command' && (access === 'public' || access === 'admin'));
    expect(ones.length).toBeGreaterThan(6);
    for (const endpoint of ones) {
      for (const body of ['[]', 'null', '1', '"x"', 'true', '{"__proto__":{"role":"superadmin"}}']) {
        const reply = await ask(site.port, endpoint.method, pathOf(endpoint), { authorization: `Bearer ${token}`, 'content-type': 'application/json' }, body);
        expect([400, 401, 404]).toContain(reply.status);
        problem.parse(reply.json());
      }
    }
    expect([await site.events(), ({} as { role?: string }).role]).toEqual([before, undefined]);
  } finally {
    await site.close();
  }
});

it('would see what must not be told', () => {
  const words = [
    'at handle (/srv/app/x.ts:1:2)',
    'TypeError: x is not a function',
    'SQLITE_ERROR: no such table',
    'SELECT * FROM events',
    'Unexpected token } in JSON',
    'Input buffer is of vips',
    'MulterError',
    'ENOENT',
  ];
  expect(words.filter((text) => telltalesIn(text).length === 0)).toEqual([]);
  expect(telltalesIn('{"type":"/api/docs#problem-malformed","title":"The request cannot be read","message":"Max size: 2MB"}')).toEqual([]);
});
