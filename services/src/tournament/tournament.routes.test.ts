import { assignMatch } from '@courtledger/contracts/match/match.api';
import { correctTeam } from '@courtledger/contracts/team/team.api';
import { teamStream } from '@courtledger/contracts/team/team.events';
import type { AdminTournament, TeamEntered } from '@courtledger/contracts/tournament/tournament.answers';
import {
  changeTournament,
  createTournament,
  enterTeam,
  getLeaders,
  getStandings,
  getStandingsCsv,
  getTournament,
  listAdminTournaments,
  listTournamentMatches,
  listTournaments,
  withdrawTeam,
} from '@courtledger/contracts/tournament/tournament.api';
import { tournamentStream } from '@courtledger/contracts/tournament/tournament.events';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LogUnavailable } from '../event-log/event-log.ts';
import { openFeatureBench, registrantOf, type FeatureBench } from '../platform/testing/feature-bench.ts';
import { refusal } from '../platform/testing/refusal.ts';
import { anyMatch, anyTeam, anyTournament, tournamentBody } from '../platform/testing/season-steps.ts';

let bench: FeatureBench;
beforeEach(async () => {
  bench = await openFeatureBench();
});
afterEach(() => {
  bench.close();
});
const typesOf = async (stream: string) => (await bench.facts(stream)).map(({ type }) => type);

describe('createTournament', () => {
  it('answers the tournament as admins see it', async () => {
    const { body } = await bench.send(createTournament, { body: tournamentBody, key: 'k' });
    expect(body).toMatchObject({
      name: 'Dashain Cup',
      eventName: 'Dashain Cup',
      organizer: { name: 'Kathmandu Hoops', phoneNumber: '014411222', image: '/media/organizerImage-1.png' },
      posterImage: '/media/posterImage-0.png',
      featured: false,
      teams: [],
      matches: [],
    });
    expect(await bench.read(listAdminTournaments)).toStrictEqual([body]);
    await bench.send(changeTournament, { params: { id: (body as AdminTournament)._id }, body: { location: 'Pokhara' }, files: [] });
    bench.restart();
    expect((await bench.send(createTournament, { body: tournamentBody, key: 'k' })).body).toStrictEqual(body);
    expect(bench.kept).toHaveLength(2);
  });
});

describe('changeTournament', () => {
  it('changes only what is sent', async () => {
    const id = await anyTournament(bench);
    const { body } = await bench.send(changeTournament, {
      params: { id },
      body: { organizer: { name: 'Hoops Nepal' }, featured: 'true' },
      files: ['posterImage'],
    });
    expect(body).toMatchObject({
      featured: true,
      organizer: { name: 'Hoops Nepal', phoneNumber: '014411222', image: '/media/organizerImage-1.png' },
      posterImage: '/media/posterImage-2.png',
      location: 'Kathmandu',
    });
    expect((await bench.facts(tournamentStream(id)))[1]?.data).toStrictEqual({
      tournamentId: id,
      changes: { featured: true, posterImage: '/media/posterImage-2.png', organizer: { name: 'Hoops Nepal' } },
    });
  });

  it.each([
    ['a change', { location: 'Pokhara' }, 1],
    ['nothing', {}, 2],
  ])('answers %s repeated with the matches of its first call, and with those of today where it did nothing', async (_what, body, matches) => {
    const { tournamentId, a, b } = await anyMatch(bench);
    const sent = { params: { id: tournamentId }, body, files: [], key: 'k' };
    const first = await bench.send(changeTournament, sent);
    expect((first.body as AdminTournament).matches).toHaveLength(1);
    await bench.send(assignMatch, { body: { teamAId: a.teamId, teamBId: b.teamId, tournamentId, matchDate: '2026-11-27', matchTime: '' } });
    expect(((await bench.send(changeTournament, sent)).body as AdminTournament).matches).toHaveLength(matches);
  });

  it('changes nothing for an empty body', async () => {
    const id = await anyTournament(bench);
    expect(await refusal(bench.send(changeTournament, { params: { id }, files: [] }))).toBe('accepted');
    expect(await typesOf(tournamentStream(id))).toStrictEqual(['TournamentCreated']);
  });

  it('holds the date rules of the result, before any file is kept', async () => {
    const id = await anyTournament(bench);
    const files = bench.kept.length;
    expect(await refusal(bench.send(changeTournament, { params: { id }, body: { endDate: '2026-11-24' } }))).toBe(
      'invalid: End date must not be before start date',
    );
    expect(await refusal(bench.send(changeTournament, { params: { id: 'nope' }, body: { location: 'x' } }))).toBe('not-found: There is no such tournament');
    expect(bench.kept).toHaveLength(files);
  });
});

describe('enterTeam', () => {
  it('enters a team, completes its registration, and closes its steps', async () => {
    const tournamentId = await anyTournament(bench);
    const { teamId } = await anyTeam(bench, 4);
    const caller = registrantOf(teamId);
    const { body } = await bench.send(enterTeam, { caller, body: { tournamentId, teamId } });
    expect(body).toMatchObject({ message: 'Team added successfully!', tournament: { _id: tournamentId, teams: [teamId] } });
    expect((body as TeamEntered).tournament.organizer).not.toHaveProperty('phoneNumber');
    expect(await typesOf(tournamentStream(tournamentId))).toStrictEqual(['TournamentCreated', 'TeamEnteredTournament']);
    expect((await bench.facts(teamStream(teamId))).at(-1)?.data).toStrictEqual({ teamId, tournamentId });
    const [entered, completed] = (await bench.facts()).slice(-2);
    expect(completed?.metadata.commandId).toBe(entered?.metadata.commandId);
    // Its own entry again is no error; another tournament is.
    const before = (await bench.facts()).length;
    expect((await bench.send(enterTeam, { caller, body: { tournamentId, teamId } })).body).toStrictEqual(body);
    expect(await bench.facts()).toHaveLength(before);
    expect(await refusal(bench.send(enterTeam, { caller, body: { tournamentId: await anyTournament(bench), teamId } }))).toBe(
      'conflict: The registration of this team is complete',
    );
  });

  it('lets the registrant enter one tournament only, also at once', async () => {
    const tournaments = [await anyTournament(bench), await anyTournament(bench)];
    const { teamId } = await anyTeam(bench, 4);
    const outcomes = await Promise.all(
      tournaments.map(async (tournamentId) => refusal(bench.send(enterTeam, { caller: registrantOf(teamId), body: { tournamentId, teamId } }))),
    );
    expect(outcomes).toStrictEqual(['accepted', 'conflict: The registration of this team is complete']);
  });

  it.each([
    ['three players', 3, {}, 'conflict: A team needs at least 4 players; this one has 3'],
    ['a closed registration', 4, { registerable: 'Coming soon' }, 'conflict: Registration for this tournament is not open'],
  ])('refuses %s', async (_, players, more, expected) => {
    const tournamentId = await anyTournament(bench, more);
    const { teamId } = await anyTeam(bench, players);
    expect(await refusal(bench.send(enterTeam, { caller: registrantOf(teamId), body: { tournamentId, teamId } }))).toBe(expected);
    expect(await typesOf(tournamentStream(tournamentId))).toStrictEqual(['TournamentCreated']);
  });

  it('lets an admin enter a team anywhere, and completes the registration once', async () => {
    const [first, second] = [await anyTournament(bench, { registerable: 'Coming soon' }), await anyTournament(bench)];
    const { teamId } = await anyTeam(bench, 4);
    await bench.send(enterTeam, { body: { tournamentId: first, teamId } });
    await bench.send(enterTeam, { body: { tournamentId: second, teamId } });
    expect((await typesOf(teamStream(teamId))).filter((type) => type === 'TeamRegistrationCompleted')).toHaveLength(1);
    expect(await refusal(bench.send(enterTeam, { body: { tournamentId: 'nope', teamId } }))).toBe('not-found: There is no such tournament');
    expect(await refusal(bench.send(enterTeam, { body: { tournamentId: first, teamId: 'nope' } }))).toBe('not-found: There is no such team');
  });

  it('says of a repeated entry where the first one stood, though the team was complete before and has changed since, also after a restart', async () => {
    const [first, second] = [await anyTournament(bench), await anyTournament(bench)];
    const { teamId } = await anyTeam(bench, 4);
    await bench.send(enterTeam, { body: { tournamentId: first, teamId } });
    const sent = { body: { tournamentId: second, teamId }, key: 'k' };
    const { position } = await bench.send(enterTeam, sent);
    expect(position).toBe((await bench.facts()).at(-1)?.position);
    await bench.send(correctTeam, { params: { id: teamId }, body: { name: 'Rhinos BC' }, files: [] });
    expect((await bench.send(enterTeam, sent)).position).toBe(position);
    bench.restart();
    // What the first repetition found in the team's stream is remembered for the second.
    expect((await bench.send(enterTeam, sent)).position).toBe(position);
    expect((await bench.send(enterTeam, sent)).position).toBe(position);
  });

  it('finishes the second half on the retry', async () => {
    const tournamentId = await anyTournament(bench);
    const { teamId } = await anyTeam(bench, 4);
    let failing = true;
    bench.restart({
      ...bench.log,
      async append(stream, expected, events) {
        if (failing && stream.startsWith('team-')) throw new Error('power cut');
        return bench.log.append(stream, expected, events);
      },
    });
    const sent = { caller: registrantOf(teamId), body: { tournamentId, teamId }, key: 'k' };
    await expect(bench.send(enterTeam, sent)).rejects.toThrow('power cut');
    failing = false;
    expect((await bench.send(enterTeam, sent)).body).toMatchObject({ tournament: { teams: [teamId] } });
    expect(await typesOf(tournamentStream(tournamentId))).toStrictEqual(['TournamentCreated', 'TeamEnteredTournament']);
    expect((await typesOf(teamStream(teamId))).at(-1)).toBe('TeamRegistrationCompleted');
  });
});

it('withdraws a team without matches only', async () => {
  const { tournamentId, a } = await anyMatch(bench);
  expect(await refusal(bench.send(withdrawTeam, { params: { id: tournamentId, teamId: a.teamId } }))).toBe('conflict: This team has matches in the tournament');
  const { teamId } = await anyTeam(bench, 4, 'Late Lions');
  await bench.send(enterTeam, { body: { tournamentId, teamId } });
  const { body } = await bench.send(withdrawTeam, { params: { id: tournamentId, teamId } });
  expect((body as AdminTournament).teams).not.toContain(teamId);
  expect(await refusal(bench.send(withdrawTeam, { params: { id: tournamentId, teamId } }))).toBe('not-found: This team has not entered the tournament');
  expect(await refusal(bench.send(assignMatch, { body: { teamAId: a.teamId, teamBId: teamId, tournamentId, matchDate: '2026-11-26' } }))).toBe(
    'invalid: teamBId has not entered this tournament',
  );
});

it('lets no match lean on an entry that is under way and may yet fail', async () => {
  const { tournamentId, a } = await anyMatch(bench);
  const { teamId } = await anyTeam(bench, 4, 'Late Lions');
  const [decided, failing] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
  let entering: Promise<string> | undefined;
  bench.restart({
    ...bench.log,
    append: async (stream, expected, events) => {
      if (stream !== tournamentStream(tournamentId)) return bench.log.append(stream, expected, events);
      decided.resolve(undefined);
      await failing.promise;
      throw new LogUnavailable('full');
    },
    readStream: async (stream, ...range) => {
      // The match knows by now which teams have entered; the entry is decided before the match is.
      if (stream.startsWith('match-')) {
        entering = refusal(bench.send(enterTeam, { body: { tournamentId, teamId } }));
        await decided.promise;
      }
      return bench.log.readStream(stream, ...range);
    },
  });
  const assigning = refusal(bench.send(assignMatch, { body: { teamAId: a.teamId, teamBId: teamId, tournamentId, matchDate: '2026-11-26' } }));
  expect(await assigning).toBe('invalid: teamBId has not entered this tournament');
  failing.resolve(undefined);
  expect(await entering).toMatch(/^unavailable/);
});

it('reads what the contract says', async () => {
  const { tournamentId } = await anyMatch(bench);
  const params = { id: tournamentId };
  expect(await bench.read(listTournaments)).toMatchObject({ allTournaments: [{ _id: tournamentId }], upcomingTournaments: [{ _id: tournamentId }] });
  expect(await bench.read(getTournament, { params })).toMatchObject({ _id: tournamentId, teams: [{}, {}], matches: [{}] });
  expect(await bench.read(listTournamentMatches, { params, query: { date: '2026-11-26' } })).toMatchObject({
    dates: ['2026-11-26T00:00:00.000Z'],
    matches: [{}],
  });
  expect(await bench.read(getStandings, { params })).toStrictEqual({ tournamentId, provisional: expect.any(Boolean) as boolean, rows: [] });
  expect(await bench.read(getStandingsCsv, { params })).toStrictEqual({
    bytes: Buffer.from('\uFEFFRank,Team Name,Played,Wins,Losses,Points,FOR,AGST,PD\r\n'),
    contentType: 'text/csv; charset=utf-8',
    headers: { 'Content-Disposition': 'attachment; filename="Dashain Cup standings.csv"' },
  });
  expect(await bench.read(getLeaders, { params })).toStrictEqual({ points: [], assists: [], rebounds: [] });
  for (const endpoint of [getTournament, getStandings, getStandingsCsv, listTournamentMatches, getLeaders])
    expect(await bench.read(endpoint, { params: { id: 'nope' } })).toBeUndefined();
});
