import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { allEndpoints } from '@courtledger/contracts/kernel/all-endpoints';
import type { Endpoint } from '@courtledger/contracts/kernel/endpoint';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from './app.ts';
import { mayCall } from './platform/access.ts';
import { ask } from './platform/testing/toy-gate.ts';
import { cookieOf, loggedInAdmin, openSite, pathOf, pdf, picture, playerForm, registeredTeam, tournamentForm, type Given, type Site } from './testing/site.ts';

const endpoints: readonly Endpoint[] = Object.values(allEndpoints);
const {
  appointCoach,
  addPlayerToTeam,
  enterTeam,
  registerTeam,
  changeAdmin,
  checkAdminToken,
  createTournament,
  listTeams,
  logInAdmin,
  logOutAdmin,
  logOutSuperAdmin,
  listAdmins,
} = allEndpoints;
const hour = 3_600_000;
const unknownTeam = '0190a1b2-0000-7000-8000-000000000000';

describe('every route with every caller, over HTTP (S3)', () => {
  let site: Site;
  const tokens = { admin: '', superadmin: '' };
  const time = { offset: 0 };
  let cookie = '';
  let expired = '';
  beforeAll(async () => {
    site = await openSite({}, { clock: { now: () => Date.now() + time.offset, monotonic: () => systemClock.monotonic() } });
    const { token, superToken } = await loggedInAdmin(site);
    time.offset = -hour - 1000;
    expired = (await site.call(logInAdmin, { json: { email: 'asha@example.org', password: 'copper-meadow-71' } })).token;
    time.offset = 0;
    Object.assign(tokens, { admin: token, superadmin: superToken });
    ({ cookie } = await registeredTeam(site, 'Gate Goats', 1));
  });
  afterAll(async () => site.close());

  // The logouts end the tokens that the others need, and following changes ends when somebody closes it.
  const closing = new Set<Endpoint>([logOutAdmin, logOutSuperAdmin]);
  const asked = endpoints.filter((endpoint) => !closing.has(endpoint) && endpoint.produces !== 'text/event-stream');
  it.each(asked.map((endpoint) => [endpoint.name, endpoint] as const))('%s', async (_, endpoint) => {
    const before = await site.events();
    const check = endpoint === checkAdminToken || endpoint === allEndpoints.checkSuperAdminToken;
    const refusal = (role: 'visitor' | 'registrant' | 'admin' | 'superadmin'): number => {
      if (mayCall(endpoint, role)) return 0;
      return role === 'visitor' || role === 'registrant' || check ? 401 : 403;
    };
    const bad = endpoint.access === 'public' ? 0 : 401;
    const callers: [string, Given, number][] = [
      ['nobody', {}, refusal('visitor')],
      ['Bearer null', { token: 'null' }, refusal('visitor')],
      // Of no team: the body names none.
      ['a registrant', { cookie }, endpoint.access === 'registrant' ? 0 : refusal('registrant')],
      ['an admin', { token: tokens.admin }, refusal('admin')],
      ['an admin by cookie', { cookie: `cl_admin=${tokens.admin}` }, refusal('admin')],
      ['a super admin', { token: tokens.superadmin }, refusal('superadmin')],
      ['a super admin by cookie', { cookie: `cl_superadmin=${tokens.superadmin}` }, refusal('superadmin')],
      ['an expired token', { token: expired }, bad],
      [
        'a token of the other audience in the wrong cookie',
        { cookie: `cl_admin=${tokens.superadmin}` },
        endpoint.access === 'superadmin' ? 0 : refusal('superadmin'),
      ],
      ['a forged token', { token: `${tokens.admin.slice(0, -4)}AAAA` }, bad],
    ];
    const seen: [string, number][] = [];
    for (const [name, given] of callers) {
      const { status } = await site.send(endpoint, given);
      expect(status).toBeLessThan(500);
      seen.push([name, status === 401 || status === 403 ? status : 0]);
    }
    // A login without a password is 401 for everybody: that is its answer, not a lack of rights.
    expect(seen).toEqual(callers.map(([name, , expected]) => [name, endpoint.throttle === 'login' ? 401 : expected]));
    expect(await site.events()).toBe(before);
  });
});

describe('a team and who may register it (S1)', () => {
  it('each call with each credential, on the own team and another: refused calls leave no event', async () => {
    const time = { offset: 0 };
    const site = await openSite({}, { clock: { now: () => Date.now() + time.offset, monotonic: () => systemClock.monotonic() } });
    try {
      const { token } = await loggedInAdmin(site);
      const { _id: tournamentId } = await site.call(createTournament, { token, form: await tournamentForm('Gate Cup') });
      const old = await registeredTeam(site, 'Expired Eagles', 4);
      time.offset = 25 * hour;
      const { token: admin } = await site.call(logInAdmin, { json: { email: 'asha@example.org', password: 'copper-meadow-71' } });
      const spent = await registeredTeam(site, 'Spent Sparrows', 4);
      await site.call(enterTeam, { cookie: spent.cookie, json: { tournamentId, teamId: spent.teamId } });
      const other = await registeredTeam(site, 'Other Otters', 4);
      const first = await site.send(registerTeam, { form: { name: 'Own Owls', origin: 'Pokhara', teamPrimaryNumber: '9811111111', logo: await picture() } });
      const own = { teamId: registerTeam.response.parse(first.json())._id, cookie: cookieOf(first) };

      const calls: readonly ((teamId: string, given: Given) => Promise<number>)[] = [
        async (teamId, given) =>
          (
            await site.send(appointCoach, {
              ...given,
              form: { teamId, coachname: 'Bikash Gurung', coachphoneNumber: '9822222222', contact_number_2: '9833333333', coachImage: await picture() },
            })
          ).status,
        async (teamId, given) =>
          (await site.send(addPlayerToTeam, { ...given, form: { ...(await playerForm(teamId, 1)), jerseyNumber: '99', document: pdf } })).status,
        async (teamId, given) => (await site.send(enterTeam, { ...given, json: { tournamentId, teamId } })).status,
      ];
      const forged = `cl_reg_${own.teamId}=${'A'.repeat(43)}`;
      const refusals: [string, string, Given, number][] = [
        ['no cookie', own.teamId, {}, 401],
        ['no cookie, no such team', unknownTeam, {}, 401],
        ["another's cookie", own.teamId, { cookie: other.cookie }, 403],
        ["another's cookie, no such team", unknownTeam, { cookie: other.cookie }, 403],
        ["another's token under the own name", own.teamId, { cookie: other.cookie.replace(other.teamId, own.teamId) }, 401],
        ['a forged cookie', own.teamId, { cookie: forged }, 401],
        ['an expired cookie', old.teamId, { cookie: old.cookie }, 401],
        ['an expired cookie on another team', own.teamId, { cookie: old.cookie }, 401],
        ['a stale bearer', own.teamId, { token: 'stale' }, 401],
        ["a stale bearer and another's cookie", own.teamId, { token: 'stale', cookie: other.cookie }, 403],
        ['the team in the query only', own.teamId, { cookie: other.cookie, query: { teamId: other.teamId } }, 403],
      ];
      const before = await site.events();
      for (const call of calls) {
        const seen: [string, number][] = [];
        for (const [name, teamId, given] of refusals) seen.push([name, await call(teamId, given)]);
        expect(seen).toEqual(refusals.map(([name, , , expected]) => [name, expected]));
      }
      // Spent: the registrant is known, the registration is complete; its own entry may be repeated.
      const [coach, player, entry] = calls;
      expect([
        await coach?.(spent.teamId, { cookie: spent.cookie }),
        await player?.(spent.teamId, { cookie: spent.cookie }),
        await entry?.(spent.teamId, { cookie: spent.cookie }),
      ]).toEqual([409, 409, 200]);
      expect(await site.events()).toBe(before);
      const bodies = await Promise.all(
        [own.teamId, unknownTeam].map(async (teamId) => (await site.refused(enterTeam, { cookie: other.cookie, json: { tournamentId, teamId } })).message),
      );
      expect(bodies[0]).toBe(bodies[1]);

      expect(await coach?.(own.teamId, { token: 'stale', cookie: own.cookie })).toBe(200);
      expect(await player?.(own.teamId, { token: 'null', cookie: own.cookie })).toBe(201);
      expect(await player?.(other.teamId, { token: admin })).toBe(201);
      expect(await coach?.(unknownTeam, { token: admin })).toBe(404);
    } finally {
      await site.close();
    }
  });
});

describe("the super admin's Edit", () => {
  it("is the admin's, at an address of its own and in the super admin's name; an admin's address stays closed to it", async () => {
    const {
      changeTournament,
      changeTournamentAsSuperAdmin,
      correctTeam,
      correctTeamAsSuperAdmin,
      listAdminTournaments,
      listSuperAdminTeams,
      listSuperAdminTournaments,
    } = allEndpoints;
    const site = await openSite();
    try {
      const { token, superToken } = await loggedInAdmin(site);
      const { _id: tournamentId } = await site.call(createTournament, { token, form: await tournamentForm('Edited Cup') });
      const { teamId } = await registeredTeam(site, 'Edited Eagles', 1);
      const [asAdmin, asSuperAdmin] = [{ token }, { token: superToken }];
      const tournament = { params: { id: tournamentId } };
      const team = { params: { id: teamId } };

      const before = await site.events();
      expect([
        (await site.send(changeTournament, { ...asSuperAdmin, ...tournament, json: { location: 'Pokhara' } })).status,
        (await site.send(correctTeam, { ...asSuperAdmin, ...team, json: { origin: 'Pokhara' } })).status,
      ]).toEqual([403, 403]);
      expect([
        (await site.send(changeTournamentAsSuperAdmin, { ...asAdmin, ...tournament, json: { location: 'Pokhara' } })).status,
        (await site.send(correctTeamAsSuperAdmin, { ...asAdmin, ...team, json: { origin: 'Pokhara' } })).status,
      ]).toEqual([403, 403]);
      // The same rules with the same words, and nothing recorded.
      const wrong = [
        [changeTournament, changeTournamentAsSuperAdmin, { ...tournament, json: { endDate: '2001-01-01', name: '' } }, 400],
        [changeTournament, changeTournamentAsSuperAdmin, { params: { id: unknownTeam }, json: { name: 'Nowhere Cup' } }, 404],
        [changeTournament, changeTournamentAsSuperAdmin, { ...tournament, form: { posterImage: pdf } }, 415],
        [correctTeam, correctTeamAsSuperAdmin, { ...team, json: { name: 'ab', coachphoneNumber: '1' } }, 400],
        [correctTeam, correctTeamAsSuperAdmin, { params: { id: unknownTeam }, json: { origin: 'Pokhara' } }, 404],
        [correctTeam, correctTeamAsSuperAdmin, { ...team, form: { logo: pdf } }, 415],
      ] as const;
      for (const [of, same, sent, status] of wrong) {
        const [{ instance: _, ...first }, { instance: __, ...second }] = [
          await site.refused(of, { ...asAdmin, ...sent }),
          await site.refused(same, { ...asSuperAdmin, ...sent }),
        ];
        expect([second, second.status]).toEqual([first, status]);
      }
      expect(await site.events()).toBe(before);

      const changed = await site.call(changeTournamentAsSuperAdmin, {
        ...asSuperAdmin,
        ...tournament,
        form: { location: 'Pokhara', 'organizer[phoneNumber]': '061-520520', posterImage: await picture('#1d4ed8') },
      });
      expect(changed).toMatchObject({ name: 'Edited Cup', location: 'Pokhara', organizer: { phoneNumber: '061-520520' } });
      const corrected = await site.call(correctTeamAsSuperAdmin, {
        ...asSuperAdmin,
        ...team,
        json: { origin: 'Ilam', teamPrimaryNumber: '9847777777', coachname: 'Sita Sharma' },
      });
      expect(corrected).toMatchObject({
        team_details: { name: 'Edited Eagles', origin: 'Ilam', teamPrimaryNumber: '9847777777' },
        coach: { name: 'Sita Sharma' },
      });

      // Both see the same, and whose it was stands with each fact.
      const [seen] = await site.call(listSuperAdminTeams, asSuperAdmin);
      const { registeredAt, ...rest } = seen ?? { registeredAt: '' };
      expect([await site.call(listSuperAdminTournaments, asSuperAdmin), [rest]]).toEqual([
        await site.call(listAdminTournaments, asAdmin),
        await site.call(listTeams, asAdmin),
      ]);
      expect([(await site.call(listAdminTournaments, asAdmin))[0], rest]).toEqual([changed, corrected]);
      const facts = await site.opened.store.log.readAll('start', 1_000_000);
      expect(registeredAt).toBe(facts.find(({ type }) => type === 'TeamRegistered')?.metadata.time);
      expect(facts.slice(before).map(({ type, metadata: { actor } }) => [type, actor])).toEqual(
        ['TournamentDetailsChanged', 'PersonDetailsRecorded', 'PersonDetailsRecorded', 'TeamDetailsCorrected'].map((type) => [
          type,
          { role: 'superadmin', id: 'root', name: 'root' },
        ]),
      );
    } finally {
      await site.close();
    }
  });
});

describe('tokens that must not outlive their account (S7)', () => {
  it('a changed password and a logout end them at once, and they stay ended after a restart', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'courtledger-rights-'));
    const store = { kind: 'sqlite' } as const;
    let site = await openSite({ dataDir, store });
    try {
      const { token, superToken } = await loggedInAdmin(site);
      const status = async (endpoint: Endpoint, bearer: string): Promise<number> =>
        (await ask(site.port, endpoint.method, pathOf(endpoint), { authorization: `Bearer ${bearer}` })).status;
      const logIn = async (password: string): Promise<number> => (await site.send(logInAdmin, { json: { email: 'ASHA@example.org', password } })).status;
      const [account] = await site.call(listAdmins, { token: superToken });
      expect(await status(listTeams, token)).toBe(200);
      await site.call(changeAdmin, { token: superToken, params: { id: account?._id ?? '' }, json: { password: 'quiet-harbour-82' } });
      expect([await status(listTeams, token), await logIn('copper-meadow-71'), await logIn('quiet-harbour-82')]).toEqual([401, 401, 200]);

      const [one, two] = [
        await site.call(logInAdmin, { json: { email: 'asha@example.org', password: 'quiet-harbour-82' } }),
        await site.call(logInAdmin, { json: { email: 'asha@example.org', password: 'quiet-harbour-82' } }),
      ];
      const out = await site.send(logOutAdmin, { token: one.token });
      expect([out.status, out.text, cookieOf(out)]).toEqual([204, '', 'cl_admin=']);
      expect([await status(listTeams, one.token), await status(listTeams, two.token)]).toEqual([401, 200]);
      // What is no password changes no token.
      await site.call(changeAdmin, { token: superToken, params: { id: account?._id ?? '' }, json: { username: 'Asha K', password: '' } });
      expect(await status(listTeams, two.token)).toBe(200);
      expect((await site.send(logOutSuperAdmin, { cookie: `cl_superadmin=${superToken}` })).status).toBe(204);
      expect(await status(listAdmins, superToken)).toBe(401);

      await site.close();
      site = await openSite({ dataDir, store });
      expect([
        await status(listTeams, token),
        await status(listTeams, one.token),
        await status(listTeams, two.token),
        await status(listAdmins, superToken),
      ]).toEqual([401, 401, 200, 401]);
      await site.close();
      site = await openSite({ dataDir, store, superAdmin: { id: 'root', password: 'another-lantern-5' } });
      expect([await status(listTeams, two.token), await logIn('quiet-harbour-82')]).toEqual([200, 200]);
    } finally {
      await site.close();
      rmSync(dataDir, { recursive: true });
    }
  });
});
