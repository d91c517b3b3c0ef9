import { assignMatch, type StatLine } from '@courtledger/contracts/match/match.api';
import { addPlayerToTeam, appointCoach, registerTeam } from '@courtledger/contracts/team/team.api';
import { createTournament, enterTeam } from '@courtledger/contracts/tournament/tournament.api';
import { registrantOf, visitor, type FeatureBench } from './feature-bench.ts';

export const tournamentBody = {
  name: 'Dashain Cup',
  startDate: '2026-11-25',
  endDate: '2026-11-30',
  location: 'Kathmandu',
  registeringStartDate: '2026-11-01',
  organizer: { name: 'Kathmandu Hoops', phoneNumber: '014411222' },
  prizePool: { firstPrize: '100000', secondPrize: '50000', thirdPrize: '25000', entryFee: 'TBD', mvp: '10000' },
  registerable: 'true',
  league: 'true',
};
export const teamBody = { name: 'Chitwan Rhinos', origin: 'Chitwan', teamPrimaryNumber: '9800000000' };
export const coachBody = (teamId: string) => ({ coachname: 'Bikram Thapa', coachphoneNumber: '9811111111', contact_number_2: '9822222222', teamId });
export const playerBody = (teamId: string, number: number) => ({
  name: `Player ${String(number)}`,
  jerseyNumber: String(number),
  mobileNumber: `98000000${String(10 + number)}`,
  age: '20',
  height: '185',
  weight: '80',
  currentTeam: teamId,
});
export const line = (playerId: string, points = 0, more: Partial<StatLine> = {}) => ({ playerId, points, assists: 0, rebounds: 0, notplayed: '', ...more });

const idOf = (body: unknown): string => (body as { _id: string })._id;

export const anyTournament = async (bench: FeatureBench, more: object = {}): Promise<string> =>
  idOf((await bench.send(createTournament, { body: { ...tournamentBody, ...more } })).body);

/** Steps 1 and 2, and as many players. */
export const anyTeam = async (bench: FeatureBench, players = 4, name = 'Chitwan Rhinos'): Promise<{ teamId: string; playerIds: string[] }> => {
  const teamId = idOf((await bench.send(registerTeam, { caller: visitor, body: { ...teamBody, name } })).body);
  const caller = registrantOf(teamId);
  await bench.send(appointCoach, { caller, body: coachBody(teamId) });
  const playerIds: string[] = [];
  for (let number = 1; number <= players; number += 1) {
    playerIds.push(idOf((await bench.send(addPlayerToTeam, { caller, body: playerBody(teamId, number) })).body));
  }
  return { teamId, playerIds };
};

/** Two entered teams of four and a match. */
export const anyMatch = async (bench: FeatureBench) => {
  const tournamentId = await anyTournament(bench);
  const a = await anyTeam(bench, 4, 'Chitwan Rhinos');
  const b = await anyTeam(bench, 4, 'Pokhara Peaks');
  for (const { teamId } of [a, b]) {
    await bench.send(enterTeam, { caller: registrantOf(teamId), body: { tournamentId, teamId } });
  }
  const { body } = await bench.send(assignMatch, { body: { teamAId: a.teamId, teamBId: b.teamId, tournamentId, matchDate: '2026-11-26', matchTime: '' } });
  return { tournamentId, a, b, matchId: idOf((body as { match: unknown }).match) };
};
