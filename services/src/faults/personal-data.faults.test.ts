import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { allEndpoints } from '@courtledger/contracts/kernel/all-endpoints';
import type { Endpoint } from '@courtledger/contracts/kernel/endpoint';
import { afterEach, expect, it } from 'vitest';
import { ask, type Reply } from '../platform/testing/toy-gate.ts';
import { startServer, type ServerProcess } from '../testing/server-process.ts';
import { apiOn, cookieOf, openSite, pathOf, picture, superAdminPassword, tournamentForm, type Api, type Given } from '../testing/site.ts';
import { scratchFolder } from './testing/dead-data.ts';

const full = process.env['FAULTS'] === 'full';
const {
  createAdmin,
  logInSuperAdmin,
  logInAdmin,
  createTournament,
  registerTeam,
  appointCoach,
  addPlayerToTeam,
  enterTeam,
  assignMatch,
  recordMatchStats,
  recordStatIncrement,
  reverseStatEntry,
  nameMatchMvp,
  rescheduleMatch,
  requestTournament,
  closeTournamentRequest,
  getPlayerDocument,
  listAdmins,
  listPlayers,
  listTeams,
  listAdminTournaments,
  listTournamentRequests,
  correctTeam,
  correctPlayer,
} = allEndpoints;

let server: ServerProcess | undefined;
afterEach(async () => {
  server?.child.kill('SIGKILL');
  await server?.ended;
  server = undefined;
});

/** One value for each personal field and secret there is. Phones are digits, so each has digits that nothing else has. */
const canary = {
  teamPhone: '9871000001',
  coachPhone: '9871000002',
  coachPhone2: '9871000003',
  playerPhone: '9871000004',
  correctedPhone: '9871000005',
  organizerPhone: '9871000006',
  adminPhone: '9871000007',
  requestPhone: '9871000008',
  requestPhone2: '9871000009',
  adminEmail: 'canary-admin@example.org',
  requestEmail: 'canary-request@example.org',
  requester: 'Canary Requester',
  adminPassword: 'canary-meadow-71x',
  wrongPassword: 'canary-wrong-71x',
  document: 'CANARY-DOCUMENT-BYTES',
  token: 'canary-bearer-71x',
  query: 'canary-query-71x',
};
/** These the answers to admins must hold, or the test would look for nothing. */
const shownToAdmins = [
  'teamPhone',
  'coachPhone',
  'coachPhone2',
  'correctedPhone',
  'organizerPhone',
  'adminPhone',
  'requestPhone',
  'requestPhone2',
  'adminEmail',
  'requestEmail',
  'requester',
] as const;

type Place = {
  readonly token: string;
  readonly superToken: string;
  readonly ids: Readonly<Record<'tournament' | 'team' | 'match' | 'player' | 'request' | 'admin', string>>;
  readonly cookie: string;
};

/** The main job with a canary in each personal field. */
const play = async (api: Api): Promise<Place> => {
  const { token: superToken } = await api.call(logInSuperAdmin, { json: { id: 'root', password: superAdminPassword } });
  const admin = await api.call(createAdmin, {
    token: superToken,
    json: { username: 'Asha Rai', password: canary.adminPassword, email: canary.adminEmail, phoneNumber: canary.adminPhone },
  });
  const { token } = await api.call(logInAdmin, { json: { email: canary.adminEmail, password: canary.adminPassword } });
  expect((await api.send(logInAdmin, { json: { email: canary.adminEmail, password: canary.wrongPassword } })).status).toBe(401);
  const { _id: tournament } = await api.call(createTournament, {
    token,
    form: { ...(await tournamentForm('Canary Cup')), 'organizer[phoneNumber]': canary.organizerPhone },
  });
  const teams: { id: string; players: string[]; cookie: string }[] = [];
  for (const name of ['Canary Crows', 'Canary Kites']) {
    const first = await api.send(registerTeam, { form: { name, origin: 'Pokhara', teamPrimaryNumber: canary.teamPhone, logo: await picture() } });
    const { _id: id } = registerTeam.response.parse(first.json());
    const cookie = cookieOf(first);
    await api.call(appointCoach, {
      cookie,
      form: { teamId: id, coachname: 'Bikash Gurung', coachphoneNumber: canary.coachPhone, contact_number_2: canary.coachPhone2, coachImage: await picture() },
    });
    const players: string[] = [];
    for (const jerseyNumber of ['1', '2', '3', '4']) {
      const document = Buffer.from(`%PDF-1.4\n1 0 obj\n<<${canary.document}>>\nendobj\ntrailer\n<<>>\n%%EOF\n`);
      players.push(
        (
          await api.call(addPlayerToTeam, {
            cookie,
            form: {
              name: `Player ${jerseyNumber}`,
              mobileNumber: canary.playerPhone,
              currentTeam: id,
              height: '180',
              weight: '75',
              age: '24',
              jerseyNumber,
              image: await picture(),
              document,
            },
          })
        )._id,
      );
    }
    await api.call(enterTeam, { cookie, json: { tournamentId: tournament, teamId: id } });
    teams.push({ id, players, cookie });
  }
  const [a, b] = teams;
  const player = a?.players[0] ?? '';
  const { match } = await api.call(assignMatch, {
    token,
    json: { tournamentId: tournament, teamAId: a?.id, teamBId: b?.id, matchDate: '2026-11-21', matchTime: '' },
  });
  const params = { id: match._id };
  await api.call(recordMatchStats, {
    token,
    json: { matchId: match._id, team1Players: [{ playerId: player, points: 9, assists: 1, rebounds: 1, notplayed: 'played' }], team2Players: [] },
  });
  await api.call(recordStatIncrement, { token, params, json: { entryId: 'tap-1', playerId: player, points: 2 } });
  await api.call(reverseStatEntry, { token, params: { ...params, entryId: 'tap-1' }, json: { reason: 'Wrong player' } });
  await api.call(nameMatchMvp, { token, params, json: { playerId: player } });
  await api.call(rescheduleMatch, { token, params, json: { time: '15:00' } });
  await api.call(correctTeam, { token, params: { id: b?.id ?? '' }, json: { teamPrimaryNumber: canary.correctedPhone } });
  await api.call(correctPlayer, { token, params: { id: player }, json: { mobileNumber: canary.correctedPhone } });
  expect((await api.send(getPlayerDocument, { token, params: { id: player } })).text).toContain(canary.document);
  const { _id: request } = await api.call(requestTournament, {
    form: {
      tournamentName: 'Hill Cup',
      contactPhone1: canary.requestPhone,
      contactPhone2: canary.requestPhone2,
      email: canary.requestEmail,
      organizerName: canary.requester,
      location: 'Ilam',
      prizePool: 'TBD',
    },
  });
  await api.call(closeTournamentRequest, { token, params: { id: request }, json: { status: 'accepted', note: 'Welcome' } });
  return { token, superToken, cookie: a?.cookie ?? '', ids: { tournament, team: a?.id ?? '', match: match._id, player, request, admin: admin._id } };
};

const given = ({ ids }: Place, { path }: Endpoint): Given => {
  const feature = (['player', 'team', 'match', 'tournament'] as const).find((name) => path.startsWith(`/${name}`)) ?? 'tournament';
  return { params: { id: path.includes('/requests/') ? ids.request : ids[feature], teamId: ids.team, entryId: 'tap-1' } };
};

/** Canaries in a text, by name; tokens and ids of documents beside them. */
const found = (text: string, more: Readonly<Record<string, string>> = {}): readonly string[] =>
  Object.entries({ ...canary, ...more }).flatMap(([name, value]) => (value !== '' && text.includes(value) ? [name] : []));
const all = (reply: Reply): string => `${JSON.stringify(reply.headers)}\n${reply.text}`;

it('shows no phone, document, e-mail or hash to strangers, whatever they ask (S13)', { timeout: 120_000 }, async () => {
  using folder = scratchFolder();
  const webDir = join(import.meta.dirname, '../../../web');
  const site = await openSite({ dataDir: folder.path, store: { kind: 'sqlite' }, webDir });
  try {
    const place = await play(site);
    const { token, superToken, ids } = place;
    const documentIds = readdirSync(join(folder.path, 'documents'));
    const more = Object.fromEntries(documentIds.map((id, index) => [`document ${index}`, id]));
    expect(documentIds).toHaveLength(8);

    const forAdmins = await Promise.all(
      [listPlayers, listTeams, listAdminTournaments, listTournamentRequests].map(async (endpoint) => all(await site.send(endpoint, { token }))),
    );
    const forSuperAdmins = all(await site.send(listAdmins, { token: superToken }));
    expect(found(forAdmins.join('\n') + forSuperAdmins)).toEqual(expect.arrayContaining([...shownToAdmins]));
    // Not even to those who may see everything else.
    expect(`${forAdmins.join('\n')}${forSuperAdmins}`).not.toMatch(/argon2|passwordHash|capabilityHash/);
    expect(found(forAdmins.join('\n'), more).filter((name) => name.startsWith('document'))).toEqual([]);

    const endpoints: readonly Endpoint[] = Object.values(allEndpoints);
    const asked = endpoints.filter((endpoint) => endpoint.produces !== 'text/event-stream');
    const told: string[] = [];
    let answered = 0;
    const look = (what: string, reply: Reply): void => {
      if (reply.status === 200) answered += 1;
      told.push(...found(all(reply), more).map((name) => `${name} in ${what}`));
      if (
        /\$argon2|passwordHash|capabilityHash|sealed|teamPrimaryNumber"|phone_number|mobileNumber"|phoneNumber"/.test(reply.text) &&
        reply.status === 200 &&
        !what.startsWith('getOpenApi') &&
        !what.startsWith('getDocs')
      )
        told.push(`a private field in ${what}`);
    };
    for (const endpoint of asked) {
      const to = given(place, endpoint);
      // As a stranger, as somebody else's registrant, with a bad token; with a body that cannot be, and with none.
      const callers: readonly Given[] = [{}, { cookie: 'cl_reg_x=y' }, { token: 'a.b.c' }];
      for (const caller of callers)
        look(
          `${endpoint.name} ${JSON.stringify(caller)}`,
          await site.send(endpoint, { ...to, ...caller, ...(endpoint.bodyKind === 'none' ? {} : { json: { teamsId: [ids.team], id: 'root', email: 'x' } }) }),
        );
      look(`${endpoint.name} of nothing`, await site.send(endpoint, { params: { id: randomUUID(), teamId: randomUUID(), entryId: 'x' } }));
      look(`${endpoint.name} as PATCH`, await ask(site.port, 'PATCH', pathOf(endpoint, to)));
      look(`${endpoint.name} with a strange query`, await ask(site.port, endpoint.method, `${pathOf(endpoint, to)}?asOf=%00&date=${'9'.repeat(50)}`));
      if (endpoint.kind === 'read' && endpoint.method === 'GET')
        look(`${endpoint.name} in the past`, await ask(site.port, 'GET', `${pathOf(endpoint, to)}?asOf=40`));
    }
    expect(answered).toBeGreaterThan(30);

    // What a follower hears of a whole season.
    const live = await fetch(`http://127.0.0.1:${site.port}/api/live`, { headers: { 'last-event-id': '1' } });
    const heard = live.body?.getReader();
    let stream = '';
    while (!stream.includes('"type":"MatchMvpNamed"')) stream += Buffer.from((await heard?.read())?.value ?? new Uint8Array()).toString();
    await heard?.cancel();
    expect(found(stream, more)).toEqual([]);

    for (const path of [
      '/',
      '/upcoming',
      `/player/${ids.player}`,
      `/team/${ids.team}`,
      '/healthz',
      '/readyz',
      '/metrics',
      '/api',
      '/api/none',
      '/media/none.png',
      '/documents/x',
      '/keys/jwt',
      '/event-log.sqlite',
      ...documentIds.flatMap((id) => [`/documents/${id}`, `/media/${id}`, `/media/../documents/${id}`]),
    ])
      look(path, await ask(site.port, 'GET', path));
    expect(told).toEqual([]);
  } finally {
    await site.close();
  }
});

it(`gives a document to nobody but admins, one recorded view each, and guesses find nothing (S14)`, { timeout: 120_000 }, async () => {
  using folder = scratchFolder();
  const site = await openSite({ dataDir: folder.path, store: { kind: 'sqlite' } });
  try {
    const { token, superToken, cookie, ids } = await play(site);
    const views = async (): Promise<number> => (await site.opened.store.log.readAll('start', 10_000)).filter(({ type }) => type === 'DocumentViewed').length;
    const before = await views();
    const as = async (who: Given): Promise<readonly [number, boolean]> => {
      const reply = await site.send(getPlayerDocument, { ...who, params: { id: ids.player } });
      return [reply.status, reply.text.includes(canary.document)];
    };
    expect([await as({}), await as({ cookie }), await as({ token: superToken }), await as({ token: 'a.b.c' })]).toEqual([
      [401, false],
      [401, false],
      [403, false],
      [401, false],
    ]);
    expect(await views()).toBe(before);
    const shown = await site.send(getPlayerDocument, { token, params: { id: ids.player } });
    expect([
      shown.headers['cache-control'],
      String(shown.headers['content-disposition']).split(';')[0],
      shown.headers['x-content-type-options'],
      shown.headers['content-security-policy'],
    ]).toEqual(['no-store', 'attachment', 'nosniff', "default-src 'none'; sandbox"]);
    expect([await as({ token }), await views()]).toEqual([[200, true], before + 2]);

    const guesses = full ? 1000 : 100;
    const missed = new Map<number, number>();
    for (let guess = 0; guess < guesses; guess += 1) {
      const reply = await ask(site.port, 'GET', `/api/player/${randomUUID()}/document`, { authorization: `Bearer ${token}` });
      missed.set(reply.status, (missed.get(reply.status) ?? 0) + 1);
    }
    expect([...missed]).toEqual([[404, guesses]]);
    expect(await views()).toBe(before + 2);
    for (const name of readdirSync(join(folder.path, 'documents'))) {
      const bytes = readFileSync(join(folder.path, 'documents', name));
      expect([bytes.includes('%PDF'), bytes.includes(canary.document), bytes.subarray(0, 3).toString('hex') === 'ffd8ff']).toEqual([false, false, false]);
    }
  } finally {
    await site.close();
  }
});

it('writes no phone, password, token, document or query to any log, and no detail of a person in the clear (S26)', { timeout: 120_000 }, async () => {
  using folder = scratchFolder();
  const dataDir = join(folder.path, 'data');
  mkdirSync(dataDir);
  server = startServer({ DATA_DIR: dataDir, SUPERADMIN_ID: 'root', SUPERADMIN_PASSWORD: superAdminPassword, RATE_LIMIT: 'off', LOG_LEVEL: 'debug' });
  const api = apiOn(await server.ready);
  const { token, superToken, cookie, ids } = await play(api);
  // What goes wrong is where logs quote.
  for (const endpoint of Object.values(allEndpoints) as readonly Endpoint[]) {
    if (endpoint.produces === 'text/event-stream' || endpoint.name.startsWith('logOut')) continue;
    const path = `${pathOf(endpoint, { params: { id: `${canary.query}-id`, teamId: canary.query, entryId: canary.query } })}?token=${canary.query}&phone=${canary.playerPhone}`;
    await ask(
      api.port,
      endpoint.method,
      path,
      {
        authorization: `Bearer ${canary.token}`,
        'content-type': 'application/json',
        referer: `http://x/?${canary.query}`,
        'user-agent': canary.query,
        'idempotency-key': canary.query,
      },
      `{"password":"${canary.wrongPassword}","mobileNumber":"${canary.playerPhone}","name":`,
    );
    await ask(
      api.port,
      endpoint.method,
      path,
      { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      JSON.stringify({
        password: canary.wrongPassword,
        mobileNumber: `${canary.playerPhone}1`,
        email: canary.requestEmail,
        phoneNumber: canary.adminPhone,
        status: canary.query,
      }),
    );
  }
  await ask(api.port, 'GET', `/api/none/${canary.query}?${canary.playerPhone}`);
  const registration = cookie.split('=')[1] ?? '';
  server.child.kill('SIGTERM');
  expect((await server.ended).code).toBe(0);

  const log = server.logged() + server.said();
  expect(log.split('\n').filter((line) => line.includes('"event":"request"')).length).toBeGreaterThan(80);
  const secrets = { ownToken: token, superToken, registration, superAdminPassword, playerId: ids.player };
  expect(found(log, secrets)).toEqual([]);

  // In the files: persons are sealed, passwords hashed, tokens and cookies not kept. What is a business contact may stand in the log of events.
  const business = new Set(['organizerPhone', 'adminPhone', 'adminEmail', 'playerId']);
  const files = readdirSync(dataDir, { recursive: true, encoding: 'utf8' }).filter((name) => statSync(join(dataDir, name)).isFile());
  expect(files).toEqual(expect.arrayContaining(['event-log.sqlite', 'refusals.sqlite']));
  // The read model holds what admins are shown.
  const kept = files.filter((name) => !name.startsWith('read-model'));
  expect(
    kept.flatMap((name) =>
      found(readFileSync(join(dataDir, name)).toString('latin1'), secrets)
        .filter((what) => !business.has(what))
        .map((what) => `${what} in ${name}`),
    ),
  ).toEqual([]);
  writeFileSync(join(folder.path, 'proof'), canary.playerPhone);
  expect(found(readFileSync(join(folder.path, 'proof')).toString('latin1'))).toEqual(['playerPhone']);
});
