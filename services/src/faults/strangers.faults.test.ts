import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { allEndpoints } from '@courtledger/contracts/kernel/all-endpoints';
import type { Endpoint } from '@courtledger/contracts/kernel/endpoint';
import { requestTournament } from '@courtledger/contracts/request/request.api';
import { expect, it } from 'vitest';
import { ask } from '../platform/testing/toy-gate.ts';
import { cookieOf, encodeForm, openSite, pathOf, picture, season, tournamentForm, type Given } from '../testing/site.ts';

const { changeTournament, createAdmin, createTournament, logInAdmin, logInSuperAdmin, recordMatchStats, recordStatIncrement, registerTeam } = allEndpoints;

it(
  'pages of another origin change nothing with the cookies of an admin, by forms, fetches or pictures, and the same requests from our own pages do (S4)',
  { timeout: 60_000 },
  async () => {
    const site = await openSite();
    try {
      const {
        token,
        superToken,
        teams: [team],
        matchId,
        tournamentId,
      } = await season(site);
      const first = await site.send(registerTeam, { form: { name: 'Open Ospreys', origin: 'x', teamPrimaryNumber: '9811111111', logo: await picture() } });
      const { _id: teamId } = registerTeam.response.parse(first.json());
      const cookie = `cl_admin=${token}; cl_superadmin=${superToken}; ${cookieOf(first)}; ${team.cookie}`;
      const valid: readonly (readonly [Endpoint, Given])[] = [
        [createTournament, { form: await tournamentForm('Stolen Cup') }],
        [
          recordMatchStats,
          { json: { matchId, team1Players: [{ playerId: team.players[0], points: 50, assists: 0, rebounds: 0, notplayed: 'played' }], team2Players: [] } },
        ],
        [recordStatIncrement, { params: { id: matchId }, json: { entryId: 'stolen', playerId: team.players[0] ?? '', points: 3 } }],
        [changeTournament, { params: { id: tournamentId }, json: { location: 'Elsewhere' } }],
        [createAdmin, { json: { username: 'Mallory', email: 'mallory@example.org', password: 'copper-meadow-72', phoneNumber: '9800000003' } }],
        [
          allEndpoints.appointCoach,
          { form: { teamId, coachname: 'Bikash Gurung', coachphoneNumber: '9822222222', contact_number_2: '9833333333', coachImage: await picture() } },
        ],
      ];
      const send = async ([endpoint, given]: readonly [Endpoint, Given], headers: Record<string, string>): Promise<number> => {
        const { bytes, contentType } =
          given.form === undefined ? { bytes: Buffer.from(JSON.stringify(given.json)), contentType: 'application/json' } : await encodeForm(given.form);
        return (await ask(site.port, endpoint.method, pathOf(endpoint, given), { cookie, 'content-type': contentType, ...headers }, bytes)).status;
      };
      const before = await site.events();
      const evil = 'https://evil.example';
      for (const one of valid) {
        const form = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document', origin: evil };
        const statuses = [
          await send(one, form),
          await send(one, { ...form, origin: 'null', 'content-type': 'text/plain' }),
          await send(one, { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', origin: evil }),
          await send(one, { 'sec-fetch-site': 'same-site', origin: 'https://other.our-site.example' }),
          // A browser of before Sec-Fetch.
          await send(one, { origin: evil }),
          await send(one, { origin: `http://127.0.0.1:${site.port + 1}` }),
        ];
        expect([one[0].name, statuses]).toEqual([one[0].name, statuses.map(() => 403)]);
      }
      // Pictures, links and pre-fetches are GETs: none changes anything, on whatever address.
      for (const endpoint of Object.values(allEndpoints) as readonly Endpoint[]) {
        if (endpoint.produces === 'text/event-stream' || endpoint === allEndpoints.getPlayerDocument) continue;
        const status = (
          await ask(site.port, 'GET', pathOf(endpoint, { params: { id: matchId, teamId, entryId: 'x' } }), {
            cookie,
            'sec-fetch-site': 'cross-site',
            'sec-fetch-dest': 'image',
            referer: evil,
          })
        ).status;
        expect([endpoint.name, status < 500]).toEqual([endpoint.name, true]);
      }
      expect(await site.events()).toBe(before);
      const own = { 'sec-fetch-site': 'same-origin', origin: `http://127.0.0.1:${site.port}` };
      for (const one of valid) expect([one[0].name, await send(one, own)]).toEqual([one[0].name, one[0].status]);
      expect(await site.events()).toBeGreaterThan(before + valid.length - 1);
    } finally {
      await site.close();
    }
  },
);

it('throttles an address over HTTP however it is spelled, and nobody beside it (S22)', { timeout: 60_000 }, async () => {
  const site = await openSite({ rateLimit: true, trustProxyHops: 1 });
  try {
    const form = {
      tournamentName: 'Hill Cup',
      contactPhone1: '9811111111',
      contactPhone2: '9822222222',
      organizerName: 'Ram',
      location: 'Ilam',
      prizePool: 'TBD',
    };
    const from = async (forwarded: string): Promise<number> => (await site.send(requestTournament, { form, headers: { 'x-forwarded-for': forwarded } })).status;
    const statuses: number[] = [];
    // The last one is what our own proxy saw; what stands before it a client can write itself.
    for (let index = 0; index < 24; index += 1) statuses.push(await from(index % 2 === 0 ? `10.0.0.${index}, 203.0.113.9` : `::ffff:203.0.113.9`));
    expect(statuses).toEqual([...Array.from({ length: 20 }, () => 201), 429, 429, 429, 429]);
    const late = await site.send(requestTournament, { form, headers: { 'x-forwarded-for': '203.0.113.9' } });
    expect([late.status, Number(late.headers['retry-after']) > 0]).toEqual([429, true]);
    const rotating: number[] = [];
    for (let index = 0; index < 22; index += 1) rotating.push(await from(`2001:db8:77:${index.toString(16)}::${index + 1}`));
    expect(rotating).toEqual([...Array.from({ length: 20 }, () => 201), 429, 429]);
    expect([await from('203.0.113.10'), await from('2001:db8:78:100::1')]).toEqual([201, 201]);
  } finally {
    await site.close();
  }
});

it('nobody gets in after a first start with what any document, sample or habit says (S9)', { timeout: 60_000 }, async () => {
  const site = await openSite({ superAdmin: undefined });
  try {
    const { madePassword } = site.opened;
    const samples = readFileSync(join(import.meta.dirname, '../../../.env.example'), 'utf8');
    const written = [...samples.matchAll(/^#?(?:SUPERADMIN_PASSWORD|JWT_SECRET)=(.+)$/gm)].map(([, value]) => value ?? '');
    expect(written).toHaveLength(2);
    const passwords = [...written, '', 'superadmin', 'superadmin8080808080', 'admin', 'password', 'changeit', 'CourtLedger', '12345678'];
    const statuses = await Promise.all(
      ['superadmin', 'root', 'admin'].flatMap((id) => passwords.map(async (password) => (await site.send(logInSuperAdmin, { json: { id, password } })).status)),
    );
    expect(new Set(statuses)).toEqual(new Set([401]));
    const asAdmin = await Promise.all(
      ['superadmin', 'admin@example.org'].map(async (email) => (await site.send(logInAdmin, { json: { email, password: madePassword?.password } })).status),
    );
    expect(asAdmin).toEqual([401, 401]);
    expect((await site.send(logInSuperAdmin, { json: madePassword })).status).toBe(200);
  } finally {
    await site.close();
  }
});
