import type { PersonId } from '@courtledger/contracts/kernel/ids';
import type { RequestStatus } from '@courtledger/contracts/request/request.events';
import type { Collection } from '../kernel/projection.ts';

export type RequestDocument = {
  /** Of the request's own stream; -1 before its first fact. */
  revision: number;
  born: string | null;
  requestedAt: string;
  tournamentName: string;
  location: string;
  prizePool: string;
  poster: string | null;
  requesterId: PersonId;
  status: RequestStatus;
  note: string;
  closedAt: string | null;
};

export const requests: Collection<RequestDocument> = {
  name: 'request',
  initial: () => ({
    revision: -1,
    born: null,
    requestedAt: '',
    tournamentName: '',
    location: '',
    prizePool: '',
    poster: null,
    requesterId: '',
    status: 'open',
    note: '',
    closedAt: null,
  }),
};
