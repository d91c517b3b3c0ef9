import { expect, test } from 'vitest';
import { getMatch } from '../match/match.queries.ts';
import { listTeams } from '../team/team.queries.ts';
import { tournamentAtRevision } from '../tournament/tournament.queries.ts';
import { matchAnswerFrom, teamAnswerFrom, tournamentAnswerFrom } from './stream-answers.ts';
import { projected } from './testing/projected.ts';
import { RecordedLog } from './testing/recorded-log.ts';

const season = (): RecordedLog => {
  const log = new RecordedLog();
  log.tournament('t1');
  log.team('a', 'Annapurna', 4, ['t1']);
  log.team('b', 'Bagmati', 4, ['t1']);
  log.match('m1', 't1', 'a', 'b');
  log.stat('m1', 'a-p1', 3);
  log.stat('m1', 'b-p1', 2);
  log.record('match-m1', 'MatchMvpNamed', { matchId: 'm1', playerId: 'b-p1' });
  return log;
};
const stream = (log: RecordedLog, name: string) => log.events.filter((event) => event.stream === name);

test('the whole stream gives the stored answer', () => {
  const log = season();
  log.record('tournament-t1', 'TournamentDetailsChanged', { tournamentId: 't1', changes: { featured: true } });
  log.record('team-a', 'TeamDetailsCorrected', { teamId: 'a', changes: { origin: 'Mustang' } });
  using model = projected(log);
  expect(matchAnswerFrom(model.reader, stream(log, 'match-m1'))).toBe(getMatch(model.reader, 'm1'));
  expect({ revision: 3, ...tournamentAnswerFrom(model.reader, stream(log, 'tournament-t1')) }).toEqual(tournamentAtRevision(model.reader, 't1'));
  expect(listTeams(model.reader)).toContain(teamAnswerFrom(model.reader, stream(log, 'team-a')));
});

test('a stream up to a revision gives the answer of then, with what other streams had told by then', () => {
  const log = season();
  using model = projected(log);
  const match = JSON.parse(matchAnswerFrom(model.reader, stream(log, 'match-m1').slice(0, 2)) ?? '') as Record<string, unknown>;
  expect(match).toMatchObject({ bestPlayer: { player_id: 'a-p1', recorded: false } });
  expect(match['mvp']).toBeUndefined();
  expect(match['player_stats']).toHaveLength(1);
  const tournament = tournamentAnswerFrom(model.reader, stream(log, 'tournament-t1').slice(0, 2));
  expect(JSON.parse(tournament?.listed ?? '')).toMatchObject({ teams: ['a'], matches: [] });
  expect(JSON.parse(teamAnswerFrom(model.reader, stream(log, 'team-a').slice(0, 3)) ?? '')).toMatchObject({ players: ['a-p1'], matches: [] });
});

test('matches that were cancelled since are in the answer of then, and those that were cancelled before or assigned after it are not', () => {
  const log = season();
  log.match('m2', 't1', 'b', 'a');
  log.record('match-m2', 'MatchCancelled', { matchId: 'm2' });
  log.match('m3', 't1', 'a', 'b');
  log.match('m4', 't1', 'a', 'b');
  log.record('tournament-t1', 'TournamentDetailsChanged', { tournamentId: 't1', changes: { featured: true } });
  log.record('team-a', 'TeamDetailsCorrected', { teamId: 'a', changes: { origin: 'Mustang' } });
  log.match('m5', 't1', 'a', 'b');
  log.match('m6', 't1', 'a', 'b');
  for (const matchId of ['m3', 'm6']) log.record(`match-${matchId}`, 'MatchCancelled', { matchId });
  using model = projected(log);
  const [tournament, team] = [stream(log, 'tournament-t1'), stream(log, 'team-a')];
  expect(JSON.parse(tournamentAnswerFrom(model.reader, tournament)?.listed ?? '')).toMatchObject({ matches: ['m1', 'm3', 'm4'] });
  expect(JSON.parse(teamAnswerFrom(model.reader, team) ?? '')).toMatchObject({ matches: ['m1', 'm3', 'm4'] });
  expect(JSON.parse(tournamentAnswerFrom(model.reader, tournament, 'now')?.listed ?? '')).toMatchObject({ matches: ['m1', 'm4', 'm5'] });
  expect(JSON.parse(teamAnswerFrom(model.reader, team, undefined, 'now') ?? '')).toMatchObject({ matches: ['m1', 'm4', 'm5'] });
});

test('a stream that is not projected yet is answered from its events and the details at hand', () => {
  const log = season();
  using model = projected(log);
  const next = new RecordedLog();
  next.events.push(...log.events);
  next.record('team-z', 'TeamRegistered', { teamId: 'z', name: 'Zenith', origin: 'Mugu', logo: '/media/z.png', contactId: 'z-contact', capabilityHash: null });
  next.record('team-z', 'CoachAppointed', { teamId: 'z', personId: 'z-coach' });
  const details = new Map([
    ['z-contact', { phone: '9800000009' }],
    ['z-coach', { name: 'Hari Lama', phone: '9800000010', phone2: '9800000011', photo: '/media/h.jpg' }],
  ]);
  expect(JSON.parse(teamAnswerFrom(model.reader, stream(next, 'team-z'), details) ?? '')).toEqual({
    _id: 'z',
    team_details: { name: 'Zenith', origin: 'Mugu', logo: '/media/z.png', teamPrimaryNumber: '9800000009' },
    coach: { name: 'Hari Lama', phone_number: '9800000010', contact_number_2: '9800000011', image: '/media/h.jpg' },
    players: [],
    matches: [],
  });
  next.match('m2', 't1', 'b', 'a');
  expect(matchAnswerFrom(model.reader, stream(next, 'match-m2'))).toContain('"name":"Bagmati"');
});

test('a match that its events cancelled, and a registration that expired, have no answer', () => {
  const log = season();
  using model = projected(log);
  log.record('match-m1', 'MatchCancelled', { matchId: 'm1' });
  log.record('team-a', 'TeamRegistrationExpired', { teamId: 'a' });
  expect(matchAnswerFrom(model.reader, stream(log, 'match-m1'))).toBeUndefined();
  expect(teamAnswerFrom(model.reader, stream(log, 'team-a'))).toBeUndefined();
});
