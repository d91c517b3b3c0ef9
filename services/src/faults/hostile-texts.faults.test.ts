import { allEndpoints } from '@courtledger/contracts/kernel/all-endpoints';
import { allFacts, type FactType } from '@courtledger/contracts/kernel/all-facts';
import type { Endpoint } from '@courtledger/contracts/kernel/endpoint';
import { problem } from '@courtledger/contracts/kernel/problem';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { ask } from '../platform/testing/toy-gate.ts';
import { openSite, pathOf, pdf, picture, playerForm, season, tournamentForm, type Given, type Season, type Site } from '../testing/site.ts';
import { telltalesIn } from './testing/telltales.ts';

const full = process.env['FAULTS'] === 'full';
const {
  addPlayerToTeam,
  appointCoach,
  assignMatch,
  changeAdmin,
  changeTournament,
  closeTournamentRequest,
  correctPlayer,
  correctTeam,
  createAdmin,
  createTournament,
  enterTeam,
  getMatch,
  getPlayer,
  getStandings,
  getTeam,
  getTeamNames,
  getTournament,
  listMatchCorrections,
  listMatches,
  listTournamentMatches,
  listTournaments,
  logInAdmin,
  logInSuperAdmin,
  nameMatchMvp,
  recordMatchStats,
  recordStatIncrement,
  registerTeam,
  requestTournament,
  rescheduleMatch,
  reverseStatEntry,
} = allEndpoints;

/** Statements that become part of another one wherever a text is pasted into SQL, JSON or a page: fifty. */
const payloads: readonly string[] = [
  "'",
  "''",
  '"',
  '`',
  "\\'",
  "' OR '1'='1",
  "' OR 1=1 --",
  '" OR ""="',
  "') OR ('1'='1",
  "1' OR '1'='1' /*",
  "admin'--",
  "' UNION SELECT NULL--",
  "' UNION SELECT name FROM sqlite_master--",
  '1; DROP TABLE events',
  "'; DROP TABLE events; --",
  "'); DELETE FROM standings; --",
  "'; UPDATE checkpoint SET position=0; --",
  "' AND 1=0 UNION ALL SELECT 1,2,3 --",
  '1 AND 1=1',
  '1 AND 1=2',
  "1' AND SLEEP(5)--",
  "'||randomblob(1e9)||'",
  "' || (SELECT password FROM admins) || '",
  "' AND load_extension('x')--",
  "'; ATTACH DATABASE '/tmp/x' AS x; --",
  "'; PRAGMA writable_schema=1; --",
  "x' ORDER BY 99--",
  "x' GROUP BY 1 HAVING 1=1--",
  'id; SELECT 1',
  'name ASC, (SELECT 1)',
  '-1 OR 1=1',
  '1e309',
  '0x27',
  'char(39)',
  '%27%20OR%201=1',
  '\u02bc OR 1=1',
  '\uff07 OR 1=1',
  "' /*!50000OR*/ 1=1",
  "'\nOR 1=1",
  '$where: 1',
  '{"$gt":""}',
  '[$ne]=1',
  '{{7*7}}',
  '${7*7}',
  '<img src=x onerror=alert(1)>',
  '"><script>alert(1)</script>',
  "javascript:alert('x')",
  '=HYPERLINK("http://x")',
  '*',
  '?1 :name @p $q',
];
/** Others of their kind, for what is quick to ask. */
const more: readonly string[] = [
  "';",
  "' OR 1=1 #",
  "'; DELETE FROM events; --",
  "' UNION SELECT NULL --",
  "' UNION SELECT sql FROM sqlite_master --",
  "' UNION ALL SELECT email, password FROM admins --",
  '1; SELECT load_extension(1)',
  "1' AND sleep(5) --",
  "1' AND randomblob(1000000000) --",
  "x' AND 1=(SELECT count(*) FROM events) --",
  "%' OR '%'='",
  '_',
  '%',
  '\\',
  "\\' OR 1=1 --",
  '%27',
  '%2527',
  'x\0y',
  "x'\0--",
  "'||'",
  "' || (SELECT 1) || '",
  '(SELECT 1)',
  'CASE WHEN 1=1 THEN 1 ELSE 0 END',
  'ORDER BY 1',
  'id; ATTACH DATABASE "x" AS y',
  "' HAVING 1=1 --",
  "' GROUP BY id --",
  '1e1',
  '-1',
  '1 OR 1=1',
  'true',
  'NULL',
  'null',
  '[$ne]',
  "json_extract('$.a')",
  "$['a']",
  "x') OR ('1'='1",
  "x')); --",
  "'/**/OR/**/1=1",
  "' oR 1=1 /*",
];
const used = full ? payloads : payloads.filter((_, index) => index % 13 === 3);

let site: Site;
let place: Season;
beforeAll(async () => {
  site = await openSite({ store: { kind: 'sqlite' } });
  place = await season(site);
  await site.call(recordMatchStats, {
    token: place.token,
    json: {
      matchId: place.matchId,
      team1Players: [{ playerId: place.teams[0].players[0], points: 9, assists: 1, rebounds: 1, notplayed: 'played' }],
      team2Players: [],
    },
  });
});
afterAll(async () => site.close());

/** What everybody reads: it must not change by reading. */
const shown = async (): Promise<readonly string[]> => {
  const params = { id: place.tournamentId };
  const asked: readonly (readonly [Endpoint, Given])[] = [
    [listTournaments, {}],
    [getTournament, { params }],
    [getStandings, { params }],
    [listMatches, {}],
    [getMatch, { params: { id: place.matchId } }],
    [getTeam, { params: { id: place.teams[0].teamId } }],
    [getPlayer, { params: { id: place.teams[0].players[0] ?? '' } }],
  ];
  return Promise.all(asked.map(async ([endpoint, given]) => (await site.send(endpoint, given)).text));
};
const withoutRequest = (text: string): string => text.replaceAll(/"instance":"[^"]*"/g, '"instance":""');

it(`has ${payloads.length} payloads`, () => {
  expect(new Set(payloads).size).toBe(50);
});

it.each(used)('in every parameter of address and query %j is an unknown id or a wrong value like any other (S34, S25)', async (payload) => {
  const before = await shown();
  const events = await site.events();
  const differences: string[] = [];
  for (const endpoint of Object.values(allEndpoints) as readonly Endpoint[]) {
    if (endpoint.produces === 'text/event-stream' || endpoint.name.startsWith('logOut')) continue;
    const token = endpoint.access === 'superadmin' ? place.superToken : place.token;
    const parts = [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name]) => name ?? '');
    const params = (value: string): Record<string, string> => Object.fromEntries(parts.map((name) => [name, value]));
    if (parts.length > 0) {
      const [harmless, hostile] = [
        await site.send(endpoint, { token, params: params('nobody') }),
        await site.send(endpoint, { token, params: params(payload) }),
      ];
      if (hostile.status !== harmless.status || withoutRequest(hostile.text) !== withoutRequest(harmless.text))
        differences.push(`${endpoint.name} ${hostile.status} ${hostile.text}`);
    }
    if (endpoint.method !== 'GET' || endpoint.produces === 'application/octet-stream' || endpoint.produces === '*/*') continue;
    // Queries that an endpoint knows, and names as they are sent to others for sorting and filtering.
    const known = {
      params: {
        id: endpoint.path.startsWith('/match')
          ? place.matchId
          : endpoint.path.startsWith('/team')
            ? place.teams[0].teamId
            : endpoint.path.startsWith('/player')
              ? (place.teams[0].players[0] ?? '')
              : place.tournamentId,
      },
    };
    const send = async (query: Record<string, string>): Promise<string> => {
      const { status, text } = await site.send(endpoint, { token, ...known, query });
      differences.push(...(status >= 400 ? telltalesIn(text) : []).map((told) => `${endpoint.name} tells ${told}`));
      return `${status} ${withoutRequest(text)}`;
    };
    const plain = await send({});
    // What a server says of itself (its clock, its free disk) is not the same twice, or only by chance.
    if (endpoint.name === 'getOperationsStatus' || (await send({})) !== plain) continue;
    const names = endpoint.query instanceof z.ZodObject ? Object.keys(endpoint.query.shape) : [];
    const unknown = ['sort', 'order', 'orderBy', 'filter', 'where', 'fields', payload].filter((name) => !names.includes(name));
    if ((await send(Object.fromEntries(unknown.map((name) => [name, payload])))) !== plain) differences.push(`${endpoint.name} by an unknown name`);
    for (const name of names) {
      const told = await send({ [name]: payload });
      // Nothing is found, or it is refused as a value of this parameter (a text to search for holds no line break).
      const isRefused = told.startsWith('400 ') && told.includes(`"path":"${name}"`);
      if (!isRefused && told !== (await send({ [name]: 'never-heard-of' }))) differences.push(`${endpoint.name} by ${name}`);
    }
    const raw = await ask(site.port, 'GET', `${pathOf(endpoint, known)}?asOf[]=${encodeURIComponent(payload)}&date[$ne]=1`, {
      authorization: `Bearer ${token}`,
    });
    if (raw.status >= 500) differences.push(`${endpoint.name} raw ${raw.status}`);
  }
  expect(differences).toEqual([]);
  expect(await shown()).toEqual(before);
  expect(await site.events()).toBe(events);
});

it(`finds nothing for any of ${payloads.length + more.length} payloads as an id, a day, a name or an account, and changes nothing (S34, S25)`, async () => {
  const before = await shown();
  const events = await site.events();
  const byId = (Object.values(allEndpoints) as readonly Endpoint[]).filter(({ method, path }) => method === 'GET' && path.includes(':'));
  expect(byId.length).toBeGreaterThan(8);
  const id = place.tournamentId;
  for (const payload of [...payloads, ...more]) {
    const found = await Promise.all(
      byId.map(async (endpoint) =>
        site.send(endpoint, { token: endpoint.access === 'superadmin' ? place.superToken : place.token, params: { id: payload, entryId: payload } }),
      ),
    );
    const wrong = found.flatMap(({ status, text }, index) => (status === 404 ? [] : [`${byId[index]?.name} by ${payload} ${status} ${text}`]));
    expect(wrong).toEqual([]);
    const dated = await Promise.all([
      ask(site.port, 'GET', `${pathOf(getStandings, { params: { id } })}?asOf=${encodeURIComponent(payload)}`),
      ask(site.port, 'GET', `${pathOf(listTournamentMatches, { params: { id } })}?date=${encodeURIComponent(payload)}`),
    ]);
    for (const { status } of dated) expect([200, 400]).toContain(status);
    expect(await site.call(getTeamNames, { json: { teamsId: [payload] } })).toEqual([]);
    const account = await site.send(logInAdmin, { json: { email: payload, password: payload } });
    expect(account.status).toBe(401);
    expect([...found, ...dated, account].flatMap(({ status, text }) => (status >= 400 ? telltalesIn(text) : []))).toEqual([]);
  }
  expect([await shown(), await site.events()]).toEqual([before, events]);
});

/** As a text comes out again: trimmed and in NFC. */
const tidy = (text: string): string => text.trim().normalize('NFC');
/** Long enough for every name, and without what no name may hold. */
const asText = (payload: string): string => `A text ${payload.replaceAll('\n', ' ')}`;

it.each(used)('in every text that is stored %j stays a text, and in every other field it is refused (S34)', async (payload) => {
  const text = asText(payload);
  const kept = tidy(text);
  const {
    token,
    superToken,
    matchId,
    teams: [team],
  } = place;
  const params = (id: string): Given => ({ token, params: { id } });
  const base = await tournamentForm('x');
  const tournament = await site.call(createTournament, {
    token,
    form: {
      ...base,
      name: text,
      location: text,
      registerable: text,
      league: text,
      eventName: text,
      'organizer[name]': text,
      ...Object.fromEntries(['firstPrize', 'secondPrize', 'thirdPrize', 'mvp', 'entryFee'].map((prize) => [`prizePool[${prize}]`, text])),
    },
  });
  const { name, location, registerable, league, eventName, organizer, prizePool } = tournament;
  expect([name, location, registerable, league, eventName, organizer.name, ...Object.values(prizePool)]).toEqual(Array.from({ length: 11 }, () => kept));
  expect((await site.call(changeTournament, { ...params(tournament._id), json: { location: `${text}!` } })).location).toBe(`${kept}!`);
  const created = await site.call(registerTeam, { token, form: { name: text, origin: text, teamPrimaryNumber: '9811111111', logo: await picture() } });
  const coached = await site.call(appointCoach, {
    token,
    form: { teamId: created._id, coachname: text, coachphoneNumber: '9811111111', contact_number_2: '9811111111', coachImage: await picture() },
  });
  const player = await site.call(addPlayerToTeam, { token, form: { ...(await playerForm(created._id, 7)), name: text, document: pdf } });
  expect([created.team_details.name, created.team_details.origin, coached.coach.name, player.name]).toEqual([kept, kept, kept, kept]);
  expect(await site.call(getTeamNames, { json: { teamsId: [payload, created._id] } })).toEqual([{ teamId: created._id, teamName: kept, coachName: kept }]);
  const corrected = await site.call(correctTeam, { ...params(created._id), json: { name: `${text}!`, coachname: `${text}?` } });
  expect([
    corrected.team_details.name,
    corrected.coach.name,
    (await site.call(correctPlayer, { ...params(player._id), json: { name: `${text}!` } })).name,
  ]).toEqual([`${kept}!`, `${kept}?`, `${kept}!`]);
  const request = await site.call(requestTournament, {
    form: { tournamentName: text, contactPhone1: '9811111111', contactPhone2: '9822222222', organizerName: text, location: text, prizePool: text },
  });
  expect((await site.call(closeTournamentRequest, { ...params(request._id), json: { status: 'declined', note: text } })).tournamentName).toBe(kept);
  const entryId = `tap-${payloads.indexOf(payload)}`;
  await site.call(recordStatIncrement, { ...params(matchId), json: { entryId, playerId: team.players[1] ?? '', points: 2 } });
  await site.call(reverseStatEntry, { token, params: { id: matchId, entryId }, json: { reason: text } });
  expect((await site.call(listMatchCorrections, params(matchId)))[0]?.reason).toBe(kept);

  // Fields with a form of their own, and ids: one at a time.
  const events = await site.events();
  const nobody = 'nobody';
  const refusals: readonly (readonly [Endpoint, Given, number])[] = [
    ...['startDate', 'endDate', 'registeringStartDate', 'featured', 'organizer[phoneNumber]'].map((field): [Endpoint, Given, number] => [
      createTournament,
      { token, form: { ...base, [field]: payload } },
      400,
    ]),
    [registerTeam, { form: { name: 'Reds', origin: 'x', teamPrimaryNumber: payload, logo: await picture() } }, 400],
    ...['mobileNumber', 'age', 'height', 'weight', 'jerseyNumber'].map((field): [Endpoint, Given, number] => [
      correctPlayer,
      { ...params(player._id), json: { [field]: payload } },
      400,
    ]),
    ...['matchDate', 'matchTime'].map((field): [Endpoint, Given, number] => [
      assignMatch,
      {
        token,
        json: {
          teamAId: team.teamId,
          teamBId: place.teams[1].teamId,
          tournamentId: place.tournamentId,
          matchDate: '2026-11-21',
          matchTime: '',
          [field]: payload,
        },
      },
      400,
    ]),
    [assignMatch, { token, json: { teamAId: payload, teamBId: nobody, tournamentId: place.tournamentId, matchDate: '2026-11-21', matchTime: '' } }, 400],
    [
      assignMatch,
      { token, json: { teamAId: team.teamId, teamBId: place.teams[1].teamId, tournamentId: payload, matchDate: '2026-11-21', matchTime: '' } },
      404,
    ],
    [enterTeam, { token, json: { tournamentId: payload, teamId: team.teamId } }, 404],
    [enterTeam, { token, json: { tournamentId: place.tournamentId, teamId: payload } }, 404],
    [recordMatchStats, { token, json: { matchId: payload, team1Players: [], team2Players: [] } }, 404],
    [recordMatchStats, { token, json: { matchId, team1Players: [{ playerId: payload, points: 1 }], team2Players: [] } }, 400],
    [recordMatchStats, { token, json: { matchId, team1Players: [{ playerId: team.players[0], points: 1, notplayed: payload }], team2Players: [] } }, 400],
    [recordStatIncrement, { ...params(matchId), json: { entryId: `${payload}'`, playerId: team.players[0], points: 1 } }, 400],
    [recordStatIncrement, { ...params(matchId), json: { entryId: 'never-tapped', playerId: payload, points: 1 } }, 400],
    [nameMatchMvp, { ...params(matchId), json: { playerId: payload } }, 409],
    [rescheduleMatch, { ...params(matchId), json: { date: payload } }, 400],
    [closeTournamentRequest, { ...params(request._id), json: { status: payload } }, 400],
    [createAdmin, { token: superToken, json: { username: 'x', password: 'copper-meadow-71', phoneNumber: '9800000009', email: payload } }, 400],
    [changeAdmin, { token: superToken, params: { id: payload }, json: {} }, 404],
    [logInAdmin, { json: { email: payload, password: payload } }, 401],
    [logInSuperAdmin, { json: { id: payload, password: payload } }, 401],
  ];
  const outcomes: string[] = [];
  for (const [endpoint, given, expected] of refusals) {
    const reply = await site.send(endpoint, given);
    if (reply.status !== expected || telltalesIn(problem.parse(reply.json()).message).length > 0)
      outcomes.push(`${endpoint.name} ${JSON.stringify(given.json ?? '')}: ${reply.status} ${reply.text}`);
  }
  expect(outcomes).toEqual([]);
  expect(await site.events()).toBe(events);
});

it('stores what the schema of a fact names and nothing else, whatever a body brings beside it (S21)', async () => {
  const before = await site.events();
  const {
    token,
    matchId,
    teams: [team],
    tournamentId,
  } = place;
  const extra = { _id: 'mine', __v: 7, role: 'admin', total_points: 999, capabilityHash: 'x', constructor: { prototype: { role: 'admin' } } };
  // JSON.stringify would leave this one out.
  const polluted = (body: object): string => JSON.stringify({ ...body, ...extra }).replace('{', '{"__proto__":{"role":"admin","polluted":true},');
  const json = async (endpoint: Endpoint, params: Record<string, string>, body: object): Promise<number> =>
    (
      await ask(
        site.port,
        endpoint.method,
        pathOf(endpoint, { params }),
        { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        polluted(body),
      )
    ).status;
  const line = { playerId: team.players[2], points: 3, assists: 0, rebounds: 0, notplayed: 'played', ...extra };
  expect([
    await json(recordMatchStats, {}, { matchId, team1Players: [line], team2Players: [] }),
    await json(recordStatIncrement, { id: matchId }, { ...line, entryId: 'polluted' }),
    await json(reverseStatEntry, { id: matchId, entryId: 'polluted' }, { reason: 'Polluted' }),
    await json(rescheduleMatch, { id: matchId }, { time: '16:00' }),
    await json(changeTournament, { id: tournamentId }, { location: 'Butwal', organizer: { name: 'Hoops', ...extra }, prizePool: { mvp: '1', ...extra } }),
    await json(correctPlayer, { id: team.players[2] ?? '' }, { name: 'Renamed' }),
    await json(correctTeam, { id: team.teamId }, { name: 'Renamed' }),
  ]).toEqual([200, 201, 201, 200, 200, 200, 200]);
  const form = {
    ...(await tournamentForm('Polluted Cup')),
    ...Object.fromEntries(
      ['__proto__[role]', 'constructor[prototype]', '_id', 'total_points', 'prizePool[__proto__]', 'organizer[_id]', 'organizer[role]'].map((name) => [
        name,
        'admin',
      ]),
    ),
  };
  // `organizer` as a text beside `organizer[name]`.
  const both = await site.call(createTournament, { token, form: { ...form, organizer: 'text' } });
  expect([both.name, both.organizer.name]).toEqual(['Polluted Cup', 'Hoops Nepal']);
  const registered = await site.call(registerTeam, {
    form: {
      '__proto__[role]': 'admin',
      'coach[name]': 'x',
      players: '99',
      capabilityHash: 'x',
      name: 'Polluted Pumas',
      origin: 'x',
      teamPrimaryNumber: '9811111111',
      logo: await picture(),
    },
  });
  expect(registered.players).toEqual([]);
  for (const points of [1000, -1000, '1000', 1e21])
    expect(await json(recordMatchStats, {}, { matchId, team1Players: [{ ...line, points }], team2Players: [] })).toBe(400);

  const events = (await site.opened.store.log.readAll('start', 1_000_000)).slice(before);
  expect(new Set(events.map(({ type }) => type)).size).toBeGreaterThan(7);
  for (const { type, data, metadata } of events) {
    expect({ type, data }).toStrictEqual({ type, data: allFacts[type as FactType].schema.parse(data) });
    expect(JSON.stringify([data, metadata])).not.toMatch(/polluted":|__proto__|"role":"admin","polluted|total_points|__v|"mine"/);
    expect(['actor', 'causationId', 'commandId', 'correlationId', 'fingerprint', 'schemaVersion', 'time']).toEqual(
      expect.arrayContaining(Object.keys(metadata)),
    );
  }
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
});
