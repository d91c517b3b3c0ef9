import { expect, it } from 'vitest';
import { adminEmailStream, adminStream } from '../admin/admin.events.ts';
import { matchStream } from '../match/match.events.ts';
import { auditStream, personStream } from '../player/person.events.ts';
import { requestStream } from '../request/request.events.ts';
import { teamStream } from '../team/team.events.ts';
import { tournamentStream } from '../tournament/tournament.events.ts';
import type { EventMetadata } from './event.ts';
import { isOfAnotherProgram } from './other-programs.ts';

const id = '018f3b1c-0000-7000-8000-000000000001';
const ours: EventMetadata = {
  commandId: id,
  correlationId: id,
  causationId: id,
  actor: { role: 'system', id: 'x', name: 'x' },
  time: '2026-11-21T10:00:00.000Z',
  schemaVersion: 1,
};
const isPassedOver = (event: { readonly type?: string; readonly stream?: string; readonly metadata?: unknown }): boolean =>
  isOfAnotherProgram({ type: 'OrderPlaced', stream: 'order-1', metadata: {}, ...event } as Parameters<typeof isOfAnotherProgram>[0]);

it.each([
  ['without metadata', {}],
  ['with metadata of its own', { metadata: { user: 'a' } }],
  ['with a time of its own', { metadata: { time: ours.time } }],
  ['with a version of its own', { metadata: { schemaVersion: 1 } }],
  ['with a version, and a time that is none', { metadata: { ...ours, time: 'no moment' } }],
  ['with metadata that are null', { metadata: null }],
  ['in a stream whose name no store of ours takes', { stream: 'match-\u0007' }],
  ['in a stream that is called like a kind of ours alone', { stream: 'match' }],
  ['in a stream that names a kind of ours further on', { stream: 'order-match-1' }],
])('an event %s is passed over', (_, event) => {
  expect(isPassedOver(event)).toBe(true);
});

it.each([
  ['of a type of ours', { type: 'MatchCancelled' }],
  ['with metadata of ours', { metadata: ours }],
])('an event %s is not', (_, event) => {
  expect(isPassedOver(event)).toBe(false);
});

it('an event in a stream of ours is not', () => {
  const streams = [
    adminStream(id),
    adminEmailStream('f'.repeat(64)),
    auditStream(ours.time),
    matchStream(id),
    personStream(id),
    requestStream(id),
    teamStream(id),
    tournamentStream(id),
  ];
  expect(streams.filter((stream) => isPassedOver({ stream }))).toEqual([]);
});

const unparsed = (event: object): boolean =>
  isOfAnotherProgram({
    type: 'OrderPlaced',
    stream: 'order-1',
    ...event,
    get metadata(): never {
      throw new Error('It was asked for');
    },
  });

it('an event of a type or in a stream of ours is not asked for its metadata, which would have to be parsed', () => {
  expect([unparsed({ type: 'MatchCancelled' }), unparsed({ stream: matchStream(id) })]).toEqual([false, false]);
  expect(() => unparsed({})).toThrow('It was asked for');
});
