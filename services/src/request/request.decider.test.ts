import type { RequestEvent } from '@courtledger/contracts/request/request.events';
import { describe, expect, it } from 'vitest';
import { given, refused } from '../platform/testing/specification.ts';
import { requestDecider, type RequestCommand } from './request.decider.ts';

const data = { requestId: 'r', tournamentName: 'Cup', location: 'Butwal', prizePool: '1 lakh', poster: null, requesterId: 'p' };
const requested: RequestEvent = { type: 'TournamentRequested', data };
const closed = (status: 'accepted' | 'declined', note: string): RequestEvent => ({ type: 'TournamentRequestClosed', data: { requestId: 'r', status, note } });
const close = (status: 'accepted' | 'declined', note = ''): RequestCommand => ({ type: 'closeTournamentRequest', status, note });

describe('a tournament request', () => {
  it('is sent', () => {
    expect(given(requestDecider, []).when({ type: 'requestTournament', ...data })).toStrictEqual([requested]);
  });
  it('is closed, once', () => {
    expect(given(requestDecider, [requested]).when(close('accepted', 'Welcome'))).toStrictEqual([closed('accepted', 'Welcome')]);
    expect(given(requestDecider, [requested, closed('accepted', 'Welcome')]).when(close('accepted', 'Welcome'))).toStrictEqual([]);
  });
  it('is not sent twice, not closed otherwise, and not closed before it is sent', () => {
    expect(given(requestDecider, [requested]).when({ type: 'requestTournament', ...data })).toStrictEqual(refused('conflict', 'This request was sent already'));
    expect(given(requestDecider, [requested, closed('accepted', '')]).when(close('declined'))).toStrictEqual(
      refused('conflict', 'This request is accepted already'),
    );
    expect(given(requestDecider, []).when(close('declined'))).toStrictEqual(refused('not-found', 'There is no such request'));
  });
});
