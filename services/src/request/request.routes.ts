import type { RequestId } from '@courtledger/contracts/kernel/ids';
import type { RequestAnswer, RequestCreated } from '@courtledger/contracts/request/request.answers';
import { closeTournamentRequest, listTournamentRequests, requestTournament } from '@courtledger/contracts/request/request.api';
import { requestStream, type RequestEvent } from '@courtledger/contracts/request/request.events';
import { formerNames } from '@courtledger/contracts/player/former-names';
import * as queries from '@courtledger/projections/request/request.queries';
import { toFact } from '../event-log/upcast.ts';
import type { Bound } from '../platform/call.ts';
import { createdId } from '../platform/command-context.ts';
import { bindCommand, bindRead } from '../platform/endpoint.ts';
import type { FeatureDeps } from '../platform/feature-deps.ts';
import { detailsAt, withNewPerson } from '../platform/person-record.ts';
import type { StreamPlace } from '../platform/stream-answers.ts';
import { requestDecider, type RequestCommand } from './request.decider.ts';

export type RequestRoutesDeps = Pick<FeatureDeps, 'log' | 'commands' | 'reader' | 'newId' | 'vault'>;

/** Requests for tournaments (api-contract, calls under /tournaments/requests). The requester's details first, then the request. */
export const requestRoutes = (deps: RequestRoutesDeps): readonly Bound[] => {
  const { commands, reader, newId } = deps;
  return [
    bindRead(listTournamentRequests, () => ({ json: queries.listTournamentRequests(reader()) })),

    bindCommand(requestTournament, async ({ body, files, context }) =>
      commands.once(context, async () => {
        const requestId = createdId(context, 'request', newId);
        const requesterId = createdId(context, 'requester', newId);
        const { tournamentName, location, prizePool, organizerName, contactPhone1, contactPhone2, email } = body;
        const command = (poster: string | null): RequestCommand => ({
          type: 'requestTournament',
          requestId,
          tournamentName,
          location,
          prizePool,
          poster,
          requesterId,
        });
        let outcome = await commands.rehearse(requestDecider, requestStream(requestId), command(null), context);
        if (outcome === undefined) {
          outcome = await withNewPerson(
            deps,
            { personId: requesterId, kind: 'requester', teamId: null },
            context,
            async () => ({ name: organizerName, phone: contactPhone1, phone2: contactPhone2, ...(email !== '' && { email }) }),
            async () => commands.handle(requestDecider, requestStream(requestId), command((await files.poster?.keepImage()) ?? null), context),
          );
        }
        const answer: RequestCreated = { _id: requestId };
        return { body: answer, position: outcome.position, pending: outcome.pending };
      }),
    ),

    bindCommand(closeTournamentRequest, async ({ params, body: { status, note }, context }) => {
      const outcome = await commands.handle(requestDecider, requestStream(params.id), { type: 'closeTournamentRequest', status, note }, context);
      return { body: await requestAnswer(deps, params.id, outcome), position: outcome.position, pending: outcome.pending };
    }),
  ];
};

/** The request as the command left it, from its own stream and its requester's. */
const requestAnswer = async (
  deps: Pick<RequestRoutesDeps, 'log' | 'vault'>,
  requestId: RequestId,
  { revision, position }: StreamPlace,
): Promise<RequestAnswer> => {
  const events = (await deps.log.readStream(requestStream(requestId), 0, revision + 1)) ?? [];
  let answer: RequestAnswer | undefined;
  for (const event of events) {
    const fact = toFact(event) as RequestEvent;
    switch (fact.type) {
      case 'TournamentRequested': {
        const { tournamentName, location, prizePool, poster, requesterId } = fact.data;
        const requester = await detailsAt(deps, requesterId, position);
        answer = {
          _id: requestId,
          tournamentName,
          contactPhone1: requester?.phone ?? '',
          contactPhone2: requester?.phone2 ?? '',
          email: requester?.email ?? '',
          organizerName: requester?.name ?? formerNames.requester,
          location,
          prizePool,
          poster: poster ?? '',
          status: 'open',
          note: '',
          requestedAt: event.time,
        };
        break;
      }
      case 'TournamentRequestClosed':
        if (answer !== undefined) answer = { ...answer, status: fact.data.status, note: fact.data.note, closedAt: event.time };
        break;
      default:
        fact satisfies never;
    }
  }
  if (answer === undefined) throw new Error(`The request ${requestId} is not in the log`);
  return answer;
};
