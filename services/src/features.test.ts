import { changeAdmin, createAdmin } from '@courtledger/contracts/admin/admin.api';
import type { Endpoint } from '@courtledger/contracts/kernel/endpoint';
import {
  cancelMatch,
  moveStatEntry,
  nameMatchMvp,
  recordMatchStats,
  recordStatIncrement,
  rescheduleMatch,
  reverseStatEntry,
} from '@courtledger/contracts/match/match.api';
import { correctPlayer, getPlayerDocument } from '@courtledger/contracts/player/player.api';
import { closeTournamentRequest, requestTournament } from '@courtledger/contracts/request/request.api';
import { correctTeam, correctTeamAsSuperAdmin } from '@courtledger/contracts/team/team.api';
import { changeTournament, changeTournamentAsSuperAdmin, withdrawTeam } from '@courtledger/contracts/tournament/tournament.api';
import { expect, it } from 'vitest';
import { featureRoutes } from './features.ts';
import { openFeatureBench, superAdmin, visitor, type Sent } from './platform/testing/feature-bench.ts';
import { anyMatch, anyTournament, line } from './platform/testing/season-steps.ts';

/** Commands that the season's steps send themselves. */
const sentBySteps = ['createTournament', 'registerTeam', 'appointCoach', 'addPlayerToTeam', 'enterTeam', 'assignMatch'];

/** S27: a command that is bound and does not stand here fails. */
it("every command leaves its actor, its request and its time in each of its facts, and nobody's phone or e-mail", async () => {
  const bench = await openFeatureBench();
  try {
    const { matchId, tournamentId, a, b } = await anyMatch(bench);
    const playerId = a.playerIds[0] ?? '';
    const params = { id: matchId };
    const send = async (endpoint: Endpoint, sent: Sent): Promise<string> => ((await bench.send(endpoint, sent)).body as { _id?: string })._id ?? '';
    const sent = new Set(sentBySteps);
    const step = async (endpoint: Endpoint, more: Sent): Promise<string> => {
      sent.add(endpoint.name);
      return send(endpoint, more);
    };
    await step(recordMatchStats, { body: { matchId, team1Players: [line(playerId, 4)] } });
    await step(recordStatIncrement, { params, body: { entryId: 'tap-1', playerId: b.playerIds[0], points: 2 } });
    await step(reverseStatEntry, { params: { ...params, entryId: 'tap-1' }, body: { reason: 'Wrong team' } });
    await step(recordStatIncrement, { params, body: { entryId: 'tap-2', playerId: b.playerIds[0], points: 2 } });
    await step(moveStatEntry, { params: { ...params, entryId: 'tap-2' }, body: { playerId: b.playerIds[1], reason: 'Number 5, not 4' } });
    await step(nameMatchMvp, { params, body: { playerId } });
    await step(rescheduleMatch, { params, body: { time: '10:00' } });
    await step(cancelMatch, { params: { id: (await anyMatch(bench)).matchId } });
    await step(changeTournament, { params: { id: tournamentId }, body: { location: 'Pokhara' } });
    const other = await anyMatch(bench);
    await bench.send(cancelMatch, { params: { id: other.matchId } });
    await step(withdrawTeam, { params: { id: other.tournamentId, teamId: other.a.teamId } });
    await step(correctTeam, { params: { id: a.teamId }, body: { teamPrimaryNumber: '9812121212', coachname: 'Sita Gurung' } });
    await step(correctPlayer, { params: { id: playerId }, body: { mobileNumber: '9813131313', jerseyNumber: '99' } });
    await step(changeTournamentAsSuperAdmin, { caller: superAdmin, params: { id: tournamentId }, body: { location: 'Ilam' } });
    await step(correctTeamAsSuperAdmin, { caller: superAdmin, params: { id: a.teamId }, body: { teamPrimaryNumber: '9817171717', coachname: 'Gita Gurung' } });
    const adminId = await step(createAdmin, {
      caller: superAdmin,
      body: { username: 'asha@example.com', email: 'asha@example.com', phoneNumber: '9814141414', password: 'court-side-7788' },
      key: 'k',
    });
    await step(changeAdmin, { caller: superAdmin, params: { id: adminId }, body: { email: 'rai@example.com', password: 'another-good-one' } });
    const requestId = await step(requestTournament, {
      caller: visitor,
      body: {
        tournamentName: 'Cup',
        contactPhone1: '9815151515',
        contactPhone2: '9816161616',
        email: 'ram@example.com',
        organizerName: 'Ram',
        location: 'Butwal',
        prizePool: 'TBD',
      },
      key: 'k',
    });
    await step(closeTournamentRequest, { params: { id: requestId }, body: { status: 'declined' } });
    await bench.read(getPlayerDocument, { params: { id: playerId } });
    await bench.send(changeTournament, {
      caller: { role: 'admin', id: 'admin-9', name: '980 000 0000', jti: 'j', expires: 1 },
      params: { id: await anyTournament(bench) },
      body: { location: 'Butwal' },
    });

    const commands = featureRoutes(bench.deps).flatMap(({ endpoint }) => (endpoint.kind === 'command' ? [endpoint.name] : []));
    expect([...sent].toSorted()).toStrictEqual(commands.toSorted());

    const facts = await bench.facts();
    for (const { type, metadata } of facts) {
      const { actor, commandId, correlationId, causationId, time, schemaVersion } = metadata;
      expect({
        type,
        role: actor.role,
        complete: [actor.id, actor.name, commandId, correlationId, causationId].every((text) => text.length > 0),
        time: Date.parse(time) > 0,
        schemaVersion,
      }).toStrictEqual({
        type,
        role: expect.stringMatching(/^(?:visitor|registrant|admin|superadmin)$/) as string,
        complete: true,
        time: true,
        schemaVersion: 1,
      });
    }
    expect(new Set(facts.map(({ metadata }) => metadata.actor.role))).toStrictEqual(new Set(['visitor', 'registrant', 'admin', 'superadmin']));
    const metadata = facts.map(({ stream, metadataText }) => `${stream} ${metadataText}`).join('\n');
    expect(metadata).not.toMatch(/@|"9\d{9}"|98\d 000|asha|rai@|court-side/);
  } finally {
    bench.close();
  }
});
