import { conflict, notFound } from '@courtledger/contracts/kernel/errors';
import type { PersonId, RequestId } from '@courtledger/contracts/kernel/ids';
import type { RequestEvent } from '@courtledger/contracts/request/request.events';
import type { Decider } from '../platform/stream-state.ts';

export type RequestState = { requestId: RequestId; status: 'none' | 'open' | 'accepted' | 'declined'; note: string };

export type RequestCommand =
  | {
      readonly type: 'requestTournament';
      readonly requestId: RequestId;
      readonly tournamentName: string;
      readonly location: string;
      readonly prizePool: string;
      readonly poster: string | null;
      readonly requesterId: PersonId;
    }
  | { readonly type: 'closeTournamentRequest'; readonly status: 'accepted' | 'declined'; readonly note: string };

const initial = (): RequestState => ({ requestId: '', status: 'none', note: '' });

const evolve = (state: RequestState, event: RequestEvent): RequestState => {
  switch (event.type) {
    case 'TournamentRequested':
      state.requestId = event.data.requestId;
      state.status = 'open';
      return state;
    case 'TournamentRequestClosed':
      state.status = event.data.status;
      state.note = event.data.note;
      return state;
    default:
      return event satisfies never;
  }
};

const decide = (state: RequestState, command: RequestCommand): readonly RequestEvent[] => {
  switch (command.type) {
    case 'requestTournament': {
      if (state.status !== 'none') throw conflict('This request was sent already');
      const { requestId, tournamentName, location, prizePool, poster, requesterId } = command;
      return [{ type: 'TournamentRequested', data: { requestId, tournamentName, location, prizePool, poster, requesterId } }];
    }
    case 'closeTournamentRequest': {
      if (state.status === 'none') throw notFound('There is no such request');
      const { status, note } = command;
      if (state.status === status && state.note === note) return [];
      if (state.status !== 'open') throw conflict(`This request is ${state.status} already`);
      return [{ type: 'TournamentRequestClosed', data: { requestId: state.requestId, status, note } }];
    }
    default:
      return command satisfies never;
  }
};

/** A visitor's request for a tournament (specification section 2, 'Tournament request form'). */
export const requestDecider: Decider<RequestState, RequestCommand, RequestEvent> = { initial, evolve, decide };
