import { personsAnswer } from '@courtledger/contracts/operations/audit.answers';
import { expect, test } from 'vitest';
import { projected } from '../kernel/testing/projected.ts';
import { RecordedLog } from '../kernel/testing/recorded-log.ts';
import { findPersons } from './person.queries.ts';

const recorded = (): RecordedLog => {
  const log = new RecordedLog();
  log.person('c1', 'team-contact', { phone: '9800000001' }, 't1');
  log.record('team-t1', 'TeamRegistered', {
    teamId: 't1',
    name: 'Pokhara Lynx',
    origin: 'Pokhara',
    logo: '/media/x.png',
    contactId: 'c1',
    capabilityHash: null,
  });
  log.person(
    'p1',
    'player',
    { name: 'Asha Rai', phone: '9800000002', age: 24, height: 180, weight: 75, photo: '/media/a.png', document: { documentId: 'd1', kind: 'pdf' } },
    't1',
  );
  log.record('team-t1', 'PlayerAddedToTeam', { teamId: 't1', playerId: 'p1', jerseyNumber: '4' });
  log.person('r1', 'requester', { name: 'Gita Rai', phone: '01-5550111', phone2: '01-5550112', email: 'gita@example.org' });
  log.record('request-q1', 'TournamentRequested', {
    requestId: 'q1',
    tournamentName: 'Hill Cup',
    location: 'Ilam',
    prizePool: '',
    poster: null,
    requesterId: 'r1',
  });
  return log;
};

test('persons are found by name, team, request, phone and id, with what goes and what stays', () => {
  using model = projected(recorded());
  const find = (text: string): readonly string[] => personsAnswer.parse(findPersons(model.reader, text)).persons.map(({ personId }) => personId);
  expect(find('rai')).toEqual(['p1', 'r1']);
  expect(find(' LYNX ')).toEqual(['c1', 'p1']);
  expect(find('hill')).toEqual(['r1']);
  expect([find('9800000002'), find('01-5550112'), find('980000000')]).toEqual([['p1'], ['r1'], []]);
  expect([find('c1'), find('%'), find('nobody'), find(' ')]).toEqual([['c1'], [], [], []]);
  expect(findPersons(model.reader, 'asha').persons).toEqual([
    {
      personId: 'p1',
      kind: 'player',
      name: 'Asha Rai',
      of: 'Pokhara Lynx',
      erased: false,
      goes: { details: ['name', 'phone', 'age', 'height', 'weight'], photo: true, document: true },
      stays: { matches: 0, as: 'Former player' },
    },
  ]);
  expect(findPersons(model.reader, 'gita').persons[0]).toMatchObject({
    of: 'Hill Cup',
    goes: { details: ['name', 'phone', 'phone2', 'email'], photo: false, document: false },
    stays: { as: 'Former requester' },
  });
  expect(JSON.stringify(findPersons(model.reader, 'rai'))).not.toMatch(/98000|5550|example/);
});

test('letters of either case are the same in every script, and persons stand in the order of such names', () => {
  const log = new RecordedLog();
  log.team('t1', 'Équipe du Népal', 0);
  log.person('p1', 'player', { name: 'Élodie Śreṣṭha' }, 't1');
  log.person('p2', 'player', { name: 'éloi' });
  log.person('p3', 'player', { name: 'Áb 0' });
  log.person('p4', 'player', { name: 'zora' });
  log.person('r1', 'requester', { name: 'Zoran' });
  log.record('request-q1', 'TournamentRequested', { requestId: 'q1', tournamentName: 'Čup', location: 'Ilam', prizePool: '', poster: null, requesterId: 'r1' });
  using model = projected(log);
  const find = (text: string): readonly string[] => findPersons(model.reader, text).persons.map(({ personId }) => personId);
  expect([find('Áb 0'), find('áb'), find('ŚREṢṬHA'), find('Śreṣṭha'), find('čup')]).toEqual([['p3'], ['p3'], ['p1'], ['p1'], ['r1']]);
  expect(find('ÉLO')).toEqual(['p1', 'p2']);
  log.player('p5', 't1', '5');
  model.projector.apply(log.events);
  expect([find('équipe'), find('Équipe')]).toEqual([
    ['t1-contact', 't1-coach', 'p5'],
    ['t1-contact', 't1-coach', 'p5'],
  ]);
  expect(find('ZO')).toEqual(['p4', 'r1']);
});

test('an erased person is found by id only, with nothing left to go', () => {
  const log = recorded();
  log.erase('p1', 'player');
  using model = projected(log);
  expect(findPersons(model.reader, 'lynx').persons.map(({ personId }) => personId)).toEqual(['c1']);
  expect(findPersons(model.reader, 'p1').persons).toMatchObject([
    { name: 'Former player', erased: true, goes: { details: [], photo: false, document: false } },
  ]);
});

test('more than twenty are not shown, and it is said', () => {
  const log = new RecordedLog();
  for (let number = 10; number < 31; number += 1) log.person(`p${number}`, 'player', { name: `Rai ${number}` }, 't1');
  using model = projected(log);
  const { persons, more } = findPersons(model.reader, 'rai');
  expect([persons.length, more, persons[0]?.name, persons.at(-1)?.name]).toEqual([20, true, 'Rai 10', 'Rai 29']);
  expect(findPersons(model.reader, 'rai 3').more).toBe(false);
});
