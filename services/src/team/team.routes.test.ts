import { assignMatch } from '@courtledger/contracts/match/match.api';
import type { TeamAnswer } from '@courtledger/contracts/team/team.answers';
import { addPlayerToTeam, appointCoach, correctTeam, getTeam, getTeamNames, listTeams, registerTeam } from '@courtledger/contracts/team/team.api';
import { teamStream } from '@courtledger/contracts/team/team.events';
import { personStream } from '@courtledger/contracts/player/person.events';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openFeatureBench, registrantOf, visitor, type FeatureBench } from '../platform/testing/feature-bench.ts';
import { refusal } from '../platform/testing/refusal.ts';
import { anyMatch, anyTeam, coachBody, playerBody, teamBody } from '../platform/testing/season-steps.ts';

let bench: FeatureBench;
beforeEach(async () => {
  bench = await openFeatureBench();
});
afterEach(() => {
  bench.close();
});

const register = async (key?: string) => {
  const answered = await bench.send(registerTeam, { caller: visitor, body: teamBody, ...(key !== undefined && { key }) });
  return { ...answered, teamId: (answered.body as TeamAnswer)._id };
};
const typesOf = async (teamId: string) => (await bench.facts(teamStream(teamId))).map(({ type }) => type);

describe('registerTeam', () => {
  it('answers the team, sets the cookie of its registration, and keeps the phone out of the clear', async () => {
    const { teamId, body, cookies } = await register();
    expect(body).toStrictEqual({
      _id: teamId,
      team_details: { name: 'Chitwan Rhinos', origin: 'Chitwan', logo: '/media/logo-0.png', teamPrimaryNumber: '9800000000' },
      coach: {},
      players: [],
      matches: [],
    });
    const { token, hash } = bench.deps.capabilities.capabilityFor(teamId);
    expect(cookies).toStrictEqual([{ name: `cl_reg_${teamId}`, value: token, path: '/api', maxAgeSeconds: 86_400 }]);
    expect((await bench.facts(teamStream(teamId)))[0]?.data).toMatchObject({ capabilityHash: hash });
    const log = JSON.stringify((await bench.facts()).map(({ data, metadataText }) => [data, metadataText]));
    expect(log).not.toContain('9800000000');
    expect(log).not.toContain(token);
  });

  it('gives no capability for a team that an admin registers', async () => {
    const { body, cookies } = await bench.send(registerTeam, { body: teamBody });
    expect(cookies).toBeUndefined();
    expect((await bench.facts(teamStream((body as TeamAnswer)._id)))[0]?.data).toMatchObject({ capabilityHash: null });
  });

  it('repeats its answer and its cookie, also after the next steps, a restart, and with the cookie of its first answer', async () => {
    const first = await register('k');
    await bench.send(appointCoach, { caller: registrantOf(first.teamId), body: coachBody(first.teamId) });
    bench.restart();
    const files = bench.kept.length;
    expect(await register('k')).toStrictEqual(first);
    const { body, cookies } = await bench.send(registerTeam, { caller: registrantOf(first.teamId), body: teamBody, key: 'k' });
    expect({ body, cookies }).toStrictEqual({ body: first.body, cookies: first.cookies });
    expect(bench.kept).toHaveLength(files);
    expect(await refusal(bench.send(registerTeam, { caller: visitor, body: { ...teamBody, origin: 'Elsewhere' }, key: 'k' }))).toBe(
      'key-reused: This Idempotency-Key was used with another body',
    );
  });

  it('is one team however often the same key comes at once', async () => {
    const teams = await Promise.all(Array.from({ length: 5 }, async () => register('k')));
    expect(new Set(teams.map(({ teamId }) => teamId)).size).toBe(1);
    expect(await bench.facts()).toHaveLength(2);
    expect(bench.kept).toHaveLength(1);
  });

  it('finishes what a lost append left half: the person is found, not made again', async () => {
    let failing = true;
    bench.restart({
      ...bench.log,
      async append(stream, expected, events) {
        if (failing && stream.startsWith('team-')) throw new Error('power cut');
        return bench.log.append(stream, expected, events);
      },
    });
    await expect(register('k')).rejects.toThrow('power cut');
    failing = false;
    await register('k');
    expect((await bench.facts()).map(({ type }) => type)).toStrictEqual(['PersonDetailsRecorded', 'TeamRegistered']);
  });
});

const twice = async (send: () => Promise<unknown>) => Promise.all([refusal(send()), refusal(send())]);

describe('the steps of a registration', () => {
  it('appoints the coach once, and an admin replaces them', async () => {
    const { teamId } = await register();
    const caller = registrantOf(teamId);
    const { body } = await bench.send(appointCoach, { caller, body: coachBody(teamId) });
    expect((body as TeamAnswer).coach).toStrictEqual({
      name: 'Bikram Thapa',
      phone_number: '9811111111',
      contact_number_2: '9822222222',
      image: '/media/coachImage-1.png',
    });
    expect(await refusal(bench.send(appointCoach, { caller, body: coachBody(teamId) }))).toBe(
      'conflict: The coach is saved already: saved steps cannot be edited',
    );
    const replaced = await bench.send(appointCoach, { body: { ...coachBody(teamId), coachname: 'Sita Gurung' } });
    expect((replaced.body as TeamAnswer).coach.name).toBe('Sita Gurung');
    expect(bench.kept).toHaveLength(3);
  });

  it('adds a player: the names of the form, and never the document', async () => {
    const { teamId } = await anyTeam(bench, 0);
    const { body } = await bench.send(addPlayerToTeam, { caller: registrantOf(teamId), body: playerBody(teamId, 7), key: 'k' });
    const playerId = (body as { _id: string })._id;
    expect(body).toStrictEqual({
      _id: playerId,
      name: 'Player 7',
      mobileNumber: '9800000017',
      currentTeam: teamId,
      height: 185,
      weight: 80,
      age: 20,
      jerseyNumber: '7',
      image: '/media/image-2.png',
      document: true,
    });
    expect(bench.vault.state(playerId)).toBe('active');
    bench.restart();
    expect((await bench.send(addPlayerToTeam, { caller: registrantOf(teamId), body: playerBody(teamId, 7), key: 'k' })).body).toStrictEqual(body);
    expect(await refusal(bench.send(addPlayerToTeam, { caller: registrantOf(teamId), body: playerBody(teamId, 7) }))).toBe(
      'conflict: Jersey number 7 is already used in this team',
    );
    expect(bench.kept).toHaveLength(4);
  });

  it('refuses before a file is kept or a person recorded', async () => {
    const { teamId } = await register();
    const files = bench.kept.length;
    const facts = await bench.facts();
    expect(await refusal(bench.send(addPlayerToTeam, { caller: registrantOf(teamId), body: playerBody(teamId, 7) }))).toBe(
      'conflict: Add the coach before the players',
    );
    expect(await refusal(bench.send(appointCoach, { body: coachBody('nope') }))).toBe('not-found: There is no such team');
    expect(bench.kept).toHaveLength(files);
    expect(await bench.facts()).toHaveLength(facts.length);
  });

  it('records no person for the second of two coaches, or of two players of one number, sent at once', async () => {
    const { teamId } = await register();
    const caller = registrantOf(teamId);
    const before = (await bench.facts()).length;
    expect(await twice(async () => bench.send(appointCoach, { caller, body: coachBody(teamId) }))).toStrictEqual([
      'accepted',
      'conflict: The coach is saved already: saved steps cannot be edited',
    ]);
    expect(await twice(async () => bench.send(addPlayerToTeam, { caller, body: playerBody(teamId, 7) }))).toStrictEqual([
      'accepted',
      'conflict: Jersey number 7 is already used in this team',
    ]);
    expect((await bench.facts()).slice(before).map(({ type }) => type)).toStrictEqual([
      'PersonDetailsRecorded',
      'CoachAppointed',
      'PersonDetailsRecorded',
      'PlayerAddedToTeam',
    ]);
  });

  it('takes 30 players of a registrant and more of an admin', async () => {
    const { teamId } = await anyTeam(bench, 30);
    const caller = registrantOf(teamId);
    expect(await refusal(bench.send(addPlayerToTeam, { caller, body: playerBody(teamId, 31) }))).toBe('conflict: A registration has at most 30 players');
    expect(await refusal(bench.send(addPlayerToTeam, { body: playerBody(teamId, 31) }))).toBe('accepted');
  });
});

describe('correctTeam', () => {
  it('changes only what is sent, in the team, its contact and its coach', async () => {
    const { teamId } = await anyTeam(bench, 1);
    const before = (await bench.facts()).length;
    const { body, pending } = await bench.send(correctTeam, {
      params: { id: teamId },
      body: { teamPrimaryNumber: '9899999999', coachname: 'Sita Gurung' },
      files: [],
    });
    expect(body).toMatchObject({
      team_details: { name: 'Chitwan Rhinos', teamPrimaryNumber: '9899999999' },
      coach: { name: 'Sita Gurung', phone_number: '9811111111', image: '/media/coachImage-1.png' },
    });
    expect(pending).toBe(false);
    expect(await bench.read(listTeams)).toStrictEqual([body]);
    expect((await bench.facts()).slice(before).map(({ type }) => type)).toStrictEqual(['PersonDetailsRecorded', 'PersonDetailsRecorded']);
    const all = await bench.send(correctTeam, { params: { id: teamId }, body: { name: 'Rhinos BC', origin: 'Bharatpur' } });
    expect(all.body).toMatchObject({
      team_details: { name: 'Rhinos BC', origin: 'Bharatpur', logo: expect.stringContaining('/media/logo-') as string },
      coach: { image: expect.stringContaining('/media/coachImage-') as string },
    });
    expect(await bench.read(getTeamNames, { body: { teamsId: [teamId, 'nope', 3] } })).toStrictEqual([
      { teamId, teamName: 'Rhinos BC', coachName: 'Sita Gurung' },
    ]);
  });

  it('answers a repeated key as the first time', async () => {
    const { teamId } = await anyTeam(bench, 0);
    const sent = { params: { id: teamId }, body: { teamPrimaryNumber: '9899999999', coachphoneNumber: '9833333333' }, files: [], key: 'k' };
    const first = await bench.send(correctTeam, sent);
    await bench.send(correctTeam, { ...sent, body: { teamPrimaryNumber: '9800000000', name: 'Rhinos BC' }, key: 'other' });
    const before = (await bench.facts()).length;
    expect(await bench.send(correctTeam, sent)).toStrictEqual(first);
    bench.restart();
    expect((await bench.send(correctTeam, sent)).body).toMatchObject({
      team_details: { teamPrimaryNumber: '9899999999' },
      coach: { phone_number: '9833333333' },
    });
    expect(await bench.facts()).toHaveLength(before);
  });

  it.each([
    ['nothing', {}],
    ['a number of the coach', { coachphoneNumber: '9833333333' }],
    ['the primary number', { teamPrimaryNumber: '9899999999' }],
    ['a name', { name: 'Rhinos BC' }],
  ])('answers the team with its matches, whichever stream the change of %s stands in; repeated, with those of its first call', async (_what, body) => {
    const season = await anyMatch(bench);
    const { teamId } = season.a;
    const sent = { params: { id: teamId }, body, files: [], key: 'k' };
    const first = await bench.send(correctTeam, sent);
    expect((first.body as TeamAnswer).matches).toStrictEqual([season.matchId]);
    expect(await bench.read(listTeams)).toContainEqual(first.body);
    if (Object.keys(body).length === 0) return;
    await bench.send(assignMatch, {
      body: { teamAId: teamId, teamBId: season.b.teamId, tournamentId: season.tournamentId, matchDate: '2026-11-27', matchTime: '' },
    });
    expect(await bench.send(correctTeam, sent)).toStrictEqual(first);
    bench.restart();
    expect((await bench.send(correctTeam, sent)).body).toStrictEqual(first.body);
  });

  it('changes nothing for nothing', async () => {
    const { teamId } = await anyTeam(bench, 0);
    const before = (await bench.facts()).length;
    await bench.send(correctTeam, {
      params: { id: teamId },
      body: { name: 'Chitwan Rhinos', coachname: 'Bikram Thapa', teamPrimaryNumber: '9800000000' },
      files: [],
    });
    expect(await bench.facts()).toHaveLength(before);
  });

  it.each([
    ['nothing', {}],
    ['what stands there', { origin: 'Chitwan', coachname: 'Sita Gurung' }],
  ])('answers %s with contact and coach as they are, though they were corrected after the last fact of the team', async (_what, body) => {
    const { teamId } = await anyTeam(bench, 0);
    const corrected = await bench.send(correctTeam, {
      params: { id: teamId },
      body: { teamPrimaryNumber: '9899999999', coachname: 'Sita Gurung' },
      files: ['coachImage'],
    });
    const sent = { params: { id: teamId }, body, files: [], key: 'k' };
    expect((await bench.send(correctTeam, sent)).body).toStrictEqual(corrected.body);
    expect((await bench.send(correctTeam, sent)).body).toStrictEqual(corrected.body);
  });

  it('answers a repeated change of the contact alone as the first time, however often and after a restart, though the team has changed since', async () => {
    const { teamId } = await anyTeam(bench, 0);
    const sent = { params: { id: teamId }, body: { teamPrimaryNumber: '9899999999' }, files: [], key: 'k' };
    const first = await bench.send(correctTeam, sent);
    await bench.send(correctTeam, { params: { id: teamId }, body: { origin: 'Mustang', teamPrimaryNumber: '9877777777' }, files: [] });
    expect(await bench.send(correctTeam, sent)).toStrictEqual(first);
    bench.restart();
    for (const _ of [1, 2]) {
      expect(await bench.send(correctTeam, sent)).toStrictEqual(first);
    }
  });

  it('moves the primary number to a new person when the old one was erased', async () => {
    const { teamId } = await anyTeam(bench, 0);
    const [registered] = await bench.facts(teamStream(teamId));
    const contactId = String((registered?.data as { contactId?: string } | undefined)?.contactId);
    bench.vault.destroy(contactId);
    await bench.log.deleteStream(personStream(contactId));
    bench.restart();
    const { body } = await bench.send(correctTeam, { params: { id: teamId }, body: { teamPrimaryNumber: '9877777777' }, files: [] });
    expect((body as TeamAnswer).team_details.teamPrimaryNumber).toBe('9877777777');
    expect(await typesOf(teamId)).toStrictEqual(['TeamRegistered', 'CoachAppointed', 'TeamDetailsCorrected']);
  });

  it('moves it as well when the old one is erased while the correction waits', async () => {
    const { teamId } = await anyTeam(bench, 0);
    const [registered] = await bench.facts(teamStream(teamId));
    const contactId = String((registered?.data as { contactId?: string } | undefined)?.contactId);
    const erasing = Promise.withResolvers<void>();
    const erasure = bench.commands.inTurn(personStream(contactId), async () => {
      await erasing.promise;
      bench.vault.destroy(contactId);
      await bench.log.deleteStream(personStream(contactId));
    });
    const correction = bench.send(correctTeam, { params: { id: teamId }, body: { teamPrimaryNumber: '9877777777' }, files: [] });
    setImmediate(erasing.resolve);
    await erasure;
    expect(((await correction).body as TeamAnswer).team_details.teamPrimaryNumber).toBe('9877777777');
  });

  it('records nothing when the coach was erased, whatever else is sent', async () => {
    const { teamId } = await anyTeam(bench, 0);
    const appointed = (await bench.facts(teamStream(teamId))).find(({ type }) => type === 'CoachAppointed');
    const coachId = String((appointed?.data as { personId?: string } | undefined)?.personId);
    bench.vault.destroy(coachId);
    await bench.log.deleteStream(personStream(coachId));
    bench.restart();
    const before = (await bench.facts()).length;
    expect(
      await refusal(
        bench.send(correctTeam, { params: { id: teamId }, body: { name: 'Rhinos BC', teamPrimaryNumber: '9877777777', coachname: 'Sita Gurung' }, files: [] }),
      ),
    ).toBe('conflict: The details of this person were erased');
    expect(await bench.facts()).toHaveLength(before);
  });

  it('refuses an unknown team, and coach details before there is a coach', async () => {
    const { teamId } = await register();
    expect(await refusal(bench.send(correctTeam, { params: { id: 'nope' }, body: { name: 'Rhinos' }, files: [] }))).toBe('not-found: There is no such team');
    expect(await refusal(bench.send(correctTeam, { params: { id: teamId }, body: { coachname: 'Sita Gurung' }, files: [] }))).toBe(
      'conflict: This team has no coach yet',
    );
    expect(await bench.read(getTeam, { params: { id: 'nope' } })).toBeUndefined();
  });
});
