import { describe, expect, it } from 'vitest';
import { createSseReader, parseChange, staleKeys, withoutNewcomers, type SseMessage } from './live.rules.ts';

/** What staff reads beside any number. */
const staff = [['admin'], ['superadmin', 'trace'], ['superadmin', 'audit']];

describe('staleKeys', () => {
  it('makes exactly the match, its tournament, its player and both teams stale after a recorded statistic', () => {
    expect(staleKeys({ position: '9', type: 'StatIncrementRecorded', matchId: 'm', tournamentId: 't', playerId: 'p', teamId: 'a' }, false)).toEqual([
      ...staff,
      ['match', 'm'],
      ['tournament-matches', 't'],
      ['standings', 't'],
      ['tournament', 't'],
      ['player', 'p'],
      ['team'],
    ]);
  });
  it('reads every tournament again when a match does not name its own', () => {
    expect(staleKeys({ position: '9', type: 'StatIncrementRecorded', matchId: 'm' })).toContainEqual(['standings']);
  });
  it('reads the corrections again after an entry or a status that may have come late, and whenever one was reversed or the match moved', () => {
    const types = ['StatIncrementRecorded', 'PlayerParticipationRecorded', 'StatEntryReversed', 'MatchRescheduled', 'MatchMvpNamed'];
    const telling = (mayBeLate: boolean): readonly string[] =>
      types.filter((type) => JSON.stringify(staleKeys({ position: '9', type, matchId: 'm', tournamentId: 't' }, mayBeLate)).includes('["corrections","m"]'));
    expect([telling(true), telling(false)]).toEqual([types.slice(0, 4), types.slice(2, 4)]);
  });
  it('reads the corrections again after a reversal, and the list after a change of a tournament', () => {
    expect(staleKeys({ position: '9', type: 'StatEntryReversed', matchId: 'm', tournamentId: 't' })).toContainEqual(['corrections', 'm']);
    expect(staleKeys({ position: '9', type: 'TeamEnteredTournament', tournamentId: 't', teamId: 'a' })).toContainEqual(['tournaments']);
  });
  it('reads the lists of the super admin again after a registration and an entry', () => {
    expect(staleKeys({ position: '9', type: 'TeamRegistered', teamId: 'a' })).toEqual([...staff, ['superadmin', 'teams'], ['team', 'a']]);
    expect(staleKeys({ position: '9', type: 'TeamEnteredTournament', tournamentId: 't', teamId: 'a' })).toEqual([
      ...staff,
      ['tournament-matches', 't'],
      ['standings', 't'],
      ['tournament', 't'],
      ['tournaments'],
      ['superadmin', 'tournaments'],
      ['superadmin', 'teams'],
      ['team', 'a'],
    ]);
    expect(staleKeys({ position: '9', type: 'TournamentDetailsChanged', tournamentId: 't' })).toContainEqual(['superadmin', 'tournaments']);
  });
  it('reads the rosters again, and not everything, when somebody joins a team or a registration expires', () => {
    const rosters = [...staff, ['superadmin', 'teams'], ['team', 'a'], ['match'], ['tournament']];
    for (const type of ['CoachAppointed', 'TeamRegistrationExpired']) expect(staleKeys({ position: '9', type, teamId: 'a' })).toEqual(rosters);
    expect(staleKeys({ position: '9', type: 'PlayerAddedToTeam', teamId: 'a', playerId: 'p' })).toEqual([
      ...staff,
      ['player', 'p'],
      ...rosters.slice(staff.length),
    ]);
  });
  it('reads again what shows a tournament beside each match after its details were changed, and the players when a match is moved', () => {
    expect(staleKeys({ position: '9', type: 'TournamentDetailsChanged', tournamentId: 't' })).toEqual(
      expect.arrayContaining([['match'], ['player'], ['team']]),
    );
    expect(staleKeys({ position: '9', type: 'MatchRescheduled', matchId: 'm' })).toContainEqual(['player']);
    expect(staleKeys({ position: '9', type: 'StatEntryReversed', matchId: 'm', playerId: 'p' })).not.toContainEqual(['player']);
  });
  it('reads everything again when a name may have changed anywhere', () => {
    expect(staleKeys({ position: '9', type: 'TeamDetailsCorrected', teamId: 'a' })).toBe('everything');
    for (const type of ['PersonDetailsRecorded', 'PersonErased']) expect(staleKeys({ position: '9', type, playerId: 'p', teamId: 'a' })).toBe('everything');
    expect(staleKeys({ position: '9', type: 'PersonErased' })).toBe('everything');
  });
});

describe('withoutNewcomers', () => {
  it('passes over the details of who joins a team among the same changes, and over nobody else', () => {
    const ofPlayer = { position: '1', type: 'PersonDetailsRecorded', teamId: 'a', playerId: 'p' };
    const added = { position: '2', type: 'PlayerAddedToTeam', teamId: 'a', playerId: 'p' };
    const ofCoach = { position: '3', type: 'PersonDetailsRecorded', teamId: 'a' };
    const appointed = { position: '4', type: 'CoachAppointed', teamId: 'a' };
    const renamed = { position: '5', type: 'PersonDetailsRecorded', teamId: 'a', playerId: 'q' };
    expect(withoutNewcomers([ofPlayer, added, ofCoach, appointed, renamed])).toEqual([added, appointed, renamed]);
    expect(withoutNewcomers([ofPlayer, ofCoach])).toEqual([ofPlayer, ofCoach]);
    expect(withoutNewcomers([ofPlayer, appointed])).toEqual([ofPlayer, appointed]);
  });
});

describe('createSseReader', () => {
  const stream =
    'retry: 1000\n\n: hello\n\nid: 7\nevent: change\ndata: {"position":"7","type":"X"}\n\nevent: reset\ndata: \n\nid: 8\r\ndata: a\r\ndata: b\r\n\r\n';
  const expected: SseMessage[] = [
    { id: '7', event: 'change', data: '{"position":"7","type":"X"}' },
    { id: '7', event: 'reset', data: '' },
    { id: '8', event: 'message', data: 'a\nb' },
  ];
  it.each([stream.length, 1, 2, 3, 7, 16])('reads the same messages in pieces of %i', (size) => {
    const messages: SseMessage[] = [];
    const read = createSseReader((message) => messages.push(message));
    for (let at = 0; at < stream.length; at += size) read(stream.slice(at, at + size));
    expect(messages).toEqual(expected);
  });
});

describe('parseChange', () => {
  it('takes a change and nothing else', () => {
    expect(parseChange('{"position":"7","type":"X","matchId":"m"}')).toEqual({ position: '7', type: 'X', matchId: 'm' });
    for (const data of ['', 'null', '[]', '{"position":7}', '{"type":"X"}', '{']) expect(parseChange(data)).toBeUndefined();
  });
});
