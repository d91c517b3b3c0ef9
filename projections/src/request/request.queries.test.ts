import { listTournamentRequests as listEndpoint } from '@courtledger/contracts/request/request.api';
import { expect, test } from 'vitest';
import { projected } from '../kernel/testing/projected.ts';
import { RecordedLog } from '../kernel/testing/recorded-log.ts';
import { listTournamentRequests } from './request.queries.ts';

const asked = (log: RecordedLog, id: string): void => {
  log.person(`${id}-person`, 'requester', { name: `Gita ${id}`, phone: '01-5550111', phone2: '01-5550112', email: 'gita@example.org' });
  log.record(`request-${id}`, 'TournamentRequested', {
    requestId: id,
    tournamentName: `Hill Cup ${id}`,
    location: 'Ilam',
    prizePool: '1 lakh',
    poster: null,
    requesterId: `${id}-person`,
  });
};

test('requests newest first, with contact details and what became of them', () => {
  const log = new RecordedLog();
  asked(log, 'r1');
  asked(log, 'r2');
  log.record('request-r1', 'TournamentRequestClosed', { requestId: 'r1', status: 'declined', note: 'Too late' });
  using model = projected(log);
  const requests = listEndpoint.response.parse(JSON.parse(listTournamentRequests(model.reader)));
  expect(requests.map(({ _id, status, note, closedAt }) => [_id, status, note, closedAt === undefined])).toEqual([
    ['r2', 'open', '', true],
    ['r1', 'declined', 'Too late', false],
  ]);
  expect(requests[0]).toMatchObject({
    tournamentName: 'Hill Cup r2',
    contactPhone1: '01-5550111',
    contactPhone2: '01-5550112',
    email: 'gita@example.org',
    organizerName: 'Gita r2',
    poster: '',
  });
});

test('an erased requester leaves the request without contact', () => {
  const log = new RecordedLog();
  asked(log, 'r1');
  log.erase('r1-person', 'requester');
  using model = projected(log);
  expect(listEndpoint.response.parse(JSON.parse(listTournamentRequests(model.reader)))[0]).toMatchObject({
    organizerName: 'Former requester',
    contactPhone1: '',
    contactPhone2: '',
    email: '',
    tournamentName: 'Hill Cup r1',
  });
});
