import { closeTournamentRequest, listTournamentRequests, requestTournament } from '@courtledger/contracts/request/request.api';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openFeatureBench, visitor, type FeatureBench } from '../platform/testing/feature-bench.ts';
import { refusal } from '../platform/testing/refusal.ts';

let bench: FeatureBench;
beforeEach(async () => {
  bench = await openFeatureBench();
});
afterEach(() => {
  bench.close();
});
const body = {
  tournamentName: 'Butwal Open',
  contactPhone1: '9811111111',
  contactPhone2: '+977 71-540000',
  organizerName: 'Ram',
  location: 'Butwal',
  prizePool: '1 lakh',
};

it('takes a request, answers its id only, and lists it', async () => {
  const first = await bench.send(requestTournament, { caller: visitor, body, files: [], key: 'k' });
  const { _id } = first.body as { _id: string };
  expect(first.body).toStrictEqual({ _id });
  bench.restart();
  expect((await bench.send(requestTournament, { caller: visitor, body, files: [], key: 'k' })).body).toStrictEqual({ _id });
  expect(await bench.read(listTournamentRequests)).toStrictEqual([
    { _id, ...body, email: '', poster: '', status: 'open', note: '', requestedAt: expect.any(String) as string },
  ]);
});

it('closes a request, once', async () => {
  const { _id } = (await bench.send(requestTournament, { caller: visitor, body: { ...body, email: 'Ram@example.com' } })).body as { _id: string };
  const close = (status: string, key?: string) =>
    bench.send(closeTournamentRequest, { params: { id: _id }, body: { status, note: 'See you' }, ...(key !== undefined && { key }) });
  const closed = await close('accepted', 'k');
  expect(closed.body).toMatchObject({ ...body, email: 'ram@example.com', poster: '/media/poster-0.png', status: 'accepted', note: 'See you' });
  expect(await bench.read(listTournamentRequests)).toStrictEqual([closed.body]);
  bench.restart();
  expect(await close('accepted', 'k')).toStrictEqual(closed);
  expect(await refusal(close('declined'))).toBe('conflict: This request is accepted already');
  expect(await refusal(bench.send(closeTournamentRequest, { params: { id: 'nope' }, body: { status: 'accepted' } }))).toBe(
    'not-found: There is no such request',
  );
});
