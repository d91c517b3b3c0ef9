import { ImpossibleFact, type Projection } from '../kernel/projection.ts';
import { people } from '../player/person.documents.ts';
import { requests } from './request.documents.ts';
import { requestView } from './request.views.ts';

export const requestProjection: Projection = {
  name: 'request',
  on: {
    TournamentRequested({ position, revision, time, data }, documents) {
      const request = documents.change(requests, data.requestId);
      if (request.born !== null) throw new ImpossibleFact(`Request ${data.requestId} is made already`);
      request.revision = revision;
      request.born = position.toString();
      request.requestedAt = time;
      request.tournamentName = data.tournamentName;
      request.location = data.location;
      request.prizePool = data.prizePool;
      request.poster = data.poster;
      request.requesterId = data.requesterId;
      documents.change(people, data.requesterId).requestId = data.requestId;
      documents.touch(requestView, data.requestId);
    },
    TournamentRequestClosed({ revision, time, data }, documents) {
      const request = documents.change(requests, data.requestId);
      if (request.born === null) throw new ImpossibleFact(`Request ${data.requestId} was never made`);
      request.revision = revision;
      request.status = data.status;
      request.note = data.note;
      request.closedAt = time;
      documents.touch(requestView, data.requestId);
    },
  },
};
