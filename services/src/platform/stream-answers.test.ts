import { assignMatch, recordMatchStats } from '@courtledger/contracts/match/match.api';
import { correctPlayer } from '@courtledger/contracts/player/player.api';
import { teamStream } from '@courtledger/contracts/team/team.events';
import { changeTournament } from '@courtledger/contracts/tournament/tournament.api';
import { tournamentStream } from '@courtledger/contracts/tournament/tournament.events';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openFeatureBench, type FeatureBench } from './testing/feature-bench.ts';
import { anyMatch, line } from './testing/season-steps.ts';

let bench: FeatureBench;
beforeEach(async () => {
  bench = await openFeatureBench();
});
afterEach(() => {
  bench.close();
});

describe('a command that is answered only after somebody else has recorded more', () => {
  it('is answered with the numbers that the player had when it was recorded', async () => {
    const { a, matchId } = await anyMatch(bench);
    const [playerId = ''] = a.playerIds;
    const { body, position = 0n } = await bench.send(correctPlayer, { params: { id: playerId }, body: { height: 190 }, files: [] });
    await bench.send(recordMatchStats, { body: { matchId, team1Players: [line(playerId, 3)], team2Players: [] } });
    const revision = (await bench.facts(teamStream(a.teamId))).length - 1;
    expect(JSON.parse(await bench.deps.answers.adminPlayer(playerId, a.teamId, { revision, position, commandId: 'c' }))).toStrictEqual(body);
  });

  it('is answered with the matches that the tournament had when it was recorded', async () => {
    const { tournamentId, a, b } = await anyMatch(bench);
    const { body, position = 0n } = await bench.send(changeTournament, { params: { id: tournamentId }, body: { location: 'Pokhara' }, files: [] });
    await bench.send(assignMatch, { body: { teamAId: a.teamId, teamBId: b.teamId, tournamentId, matchDate: '2026-11-27', matchTime: '' } });
    const events = (await bench.log.readStream(tournamentStream(tournamentId))) ?? [];
    const commandId = events.at(-1)?.metadata.commandId ?? '';
    expect(JSON.parse(await bench.deps.answers.adminTournament(tournamentId, { revision: events.length - 1, position, commandId }))).toStrictEqual(body);
  });
});
