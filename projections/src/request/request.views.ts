import type { RequestAnswer } from '@courtledger/contracts/request/request.answers';
import { formerNames } from '@courtledger/contracts/player/former-names';
import { view } from '../kernel/projection.ts';
import { table } from '../kernel/table.ts';
import { people } from '../player/person.documents.ts';
import { requests } from './request.documents.ts';

/** One request of listTournamentRequests, for admins: it holds contact details. */
const requestTable = table('requests', { id: 'TEXT NOT NULL' }, { ordinal: 'INTEGER NOT NULL', answer: 'TEXT NOT NULL' });

export const requestView = view('request', requests, [requestTable], (id, request, documents, write) => {
  if (request.born === null) {
    write.remove(requestTable, [id]);
    return;
  }
  const details = documents.read(people, request.requesterId)?.details;
  const answer: RequestAnswer = {
    _id: id,
    tournamentName: request.tournamentName,
    contactPhone1: details?.phone ?? '',
    contactPhone2: details?.phone2 ?? '',
    email: details?.email ?? '',
    organizerName: details?.name ?? formerNames.requester,
    location: request.location,
    prizePool: request.prizePool,
    poster: request.poster ?? '',
    status: request.status,
    note: request.note,
    requestedAt: request.requestedAt,
    ...(request.closedAt === null ? {} : { closedAt: request.closedAt }),
  };
  write.put(requestTable, [id, BigInt(request.born), JSON.stringify(answer)]);
});
