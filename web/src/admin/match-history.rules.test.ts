import type { HistoryRow } from '@courtledger/contracts/match/match.answers';
import { expect, test } from 'vitest';
import { canReverse, entryInWords, factInWords, isRestoring, linesOf, reversedBy, totalsInWords, undoneInWords } from './match-history.rules.ts';
import { durationInWords } from './operations.rules.ts';

const row = (more: Partial<HistoryRow>): HistoryRow => ({
  position: '1',
  at: '2026-11-21T06:00:00.000Z',
  actor: { role: 'admin', id: 'a', name: 'Asha' },
  type: 'StatIncrementRecorded',
  points: 2,
  assists: 0,
  rebounds: 0,
  reversed: false,
  commandId: 'c1',
  ...more,
});

/** Each at a position of its own. */
const inOrder = (rows: readonly HistoryRow[]): readonly HistoryRow[] => rows.map((one, index) => Object.assign(one, { position: String(index) }));

/** The entries and reversals that can be reversed, and by which that is. */
const reversible = (rows: readonly HistoryRow[]) =>
  linesOf(rows)
    .filter(canReverse)
    .map((line) => [line.entryId, reversedBy(line)]);

test('a move is one line: the new entry, with the reason and whom it came from', () => {
  const [first, reversal, moved, own] = [
    row({}),
    row({ type: 'StatEntryReversed', commandId: 'c2', points: -2, player_id: 'p1', playerName: 'Anish', reason: 'Number 5' }),
    row({ commandId: 'c2', playerName: 'Bishal' }),
    row({ type: 'StatEntryReversed', commandId: 'c3', points: -2, reason: 'Twice' }),
  ];
  expect(linesOf([first, reversal, moved, own])).toEqual([first, { ...moved, movedFrom: 'Anish', movedFromId: 'p1', reason: 'Number 5' }, own]);
});

test('an entry that counts no more because it was moved says to whom, and only while that is why', () => {
  const entry = row({ entryId: 'e', player_id: 'p1', playerName: 'Anish', reversed: true });
  const move = [
    row({ type: 'StatEntryReversed', commandId: 'c2', entryId: 'r1', targetEntryId: 'e', points: -2, player_id: 'p1', playerName: 'Anish' }),
    row({ commandId: 'c2', entryId: 'e2', player_id: 'p2', playerName: 'Bishal' }),
  ];
  expect(linesOf([entry, ...move]).map(({ movedTo, movedFrom }) => [movedTo, movedFrom])).toEqual([
    ['Bishal', undefined],
    [undefined, 'Anish'],
  ]);
  // Restored, and then taken back for good.
  const since = [
    ['r2', 'r1', 2],
    ['r3', 'r2', -2],
  ].map(([entryId, targetEntryId, points]) =>
    row({ type: 'StatEntryReversed', commandId: String(entryId), entryId: String(entryId), targetEntryId: String(targetEntryId), points: Number(points) }),
  );
  expect(linesOf([entry, ...move, ...since])[0]?.movedTo).toBeUndefined();
});

test('a match that was moved says from when to when, each time', () => {
  const at = (position: string, type: string, day: string, time: string): HistoryRow => row({ position, type, points: 0, date: `${day}T00:00:00.000Z`, time });
  const lines = linesOf([
    at('1', 'MatchAssigned', '2026-11-21', '09:30'),
    row({ position: '2' }),
    at('3', 'MatchRescheduled', '2026-11-22', ''),
    at('4', 'MatchRescheduled', '2026-11-22', '17:15'),
  ]);
  expect(lines.map(factInWords)).toEqual([
    'Match assigned: 21 November 2026 09:30',
    'Points +2',
    'Match rescheduled: 21 November 2026 09:30 → 22 November 2026',
    'Match rescheduled: 22 November 2026 → 22 November 2026 17:15',
  ]);
});

test('of what is no time, no status and no MVP nothing is said to have stood before', () => {
  const rows = inOrder([
    row({ type: 'MatchAssigned', points: 0, date: '2026-11-21T00:00:00.000Z', time: '09:30' }),
    row({ entryId: 'e', player_id: 'p1' }),
    row({ type: 'StatEntryReversed', entryId: 'r', targetEntryId: 'e', points: -2, player_id: 'p1', commandId: 'c2' }),
    row({ type: 'MatchCancelled', points: 0 }),
  ]);
  expect(linesOf(rows).filter((line) => 'before' in line)).toEqual([]);
});

test('an MVP that was taken away is not said to be named', () => {
  expect([row({ type: 'MatchMvpNamed', player_id: 'p1', playerName: 'Anish' }), row({ type: 'MatchMvpNamed' })].map(factInWords)).toEqual([
    'MVP named',
    'MVP withdrawn',
  ]);
});

test('a status and an MVP say what stood before', () => {
  const of = (type: string, more: Partial<HistoryRow>): HistoryRow => row({ type, points: 0, player_id: 'p1', playerName: 'Anish', ...more });
  const status = (notplayed: 'played' | 'Not Played' | 'DNP', more: Partial<HistoryRow> = {}): HistoryRow =>
    of('PlayerParticipationRecorded', { notplayed, ...more });
  const bishal = { player_id: 'p2', playerName: 'Bishal' };
  const rows = [
    status('DNP'),
    row({ entryId: 'e', ...bishal }),
    status('Not Played', bishal),
    status('played', { impliedBy: 'e' }),
    of('MatchMvpNamed', {}),
    of('MatchMvpNamed', bishal),
    row({ type: 'MatchMvpNamed', points: 0 }),
    of('MatchMvpNamed', {}),
  ];
  expect(linesOf(inOrder(rows)).map(factInWords)).toEqual([
    'DNP',
    'Points +2',
    'played → Not Played',
    'DNP → played, followed from the entries',
    'MVP named',
    'MVP named, instead of Anish',
    'MVP withdrawn: Bishal',
    'MVP named',
  ]);
  const reversal = (entryId: string, targetEntryId: string): HistoryRow => of('StatEntryReversed', { entryId, targetEntryId, points: -2, ...bishal });
  const taken = [row({ entryId: 'e', ...bishal }), reversal('r1', 'e'), status('DNP', bishal)];
  const restored = [...taken.slice(0, 2), reversal('r2', 'r1'), status('DNP', bishal)];
  // Named MVP, of which there is no entry to take away.
  const named = [row({ entryId: 'e', ...bishal }), of('MatchMvpNamed', bishal), status('DNP', bishal)];
  const last = (facts: readonly HistoryRow[]): string => factInWords(linesOf(inOrder(facts)).at(-1) ?? row({}));
  expect([last(taken), last(restored), last(named)]).toEqual(['DNP', 'played → DNP', 'played → DNP']);
});

test('a fact that is newer than the page is told by its name, and a status of an old one without its own is that of a player who played', () => {
  const facts = ['MatchCancelled', 'PlayerParticipationRecorded', 'ShotClockReset'].map((type) => row({ type, points: 0 }));
  expect(facts.map(factInWords)).toEqual(['Match cancelled', 'played', 'shot clock reset']);
});

test('what has no numbers of its own cannot be reversed, and what has no total says none', () => {
  const others = [
    row({ type: 'MatchAssigned', points: 0 }),
    row({ type: 'PlayerParticipationRecorded', points: 0, entryId: 'd', player_id: 'p1', notplayed: 'DNP' }),
    row({ type: 'MatchMvpNamed', points: 0, player_id: 'p1' }),
    row({ type: 'MatchCancelled', points: 0 }),
  ];
  expect([reversible(others), others.map(totalsInWords)]).toEqual([[], ['', '', '', '']]);
});

test('a total below zero has a real minus sign', () => {
  expect(totalsInWords(row({ runningTotal: { points: -2, assists: 1, rebounds: 0 } }))).toBe('−2 points, 1 assist, 0 rebounds');
});

test('what takes a reversal back restores the entry, and what takes that back takes the entry back', () => {
  const reversal = (entryId: string, targetEntryId: string, points: number) =>
    row({ type: 'StatEntryReversed', commandId: entryId, entryId, targetEntryId, points });
  expect(
    linesOf([row({ entryId: 'e' }), reversal('r1', 'e', -2), reversal('r2', 'r1', 2), reversal('r3', 'r2', -2), reversal('r4', 'r3', 2)]).map(factInWords),
  ).toEqual(['Points +2', 'Taken back: Points −2', 'Restored: Points +2', 'Taken back: Points −2', 'Restored: Points +2']);
});

test('a reversal is about the entry by its own numbers, and is undone by the opposite of what it does', () => {
  const reversal = (entryId: string, targetEntryId: string, points: number) =>
    row({ type: 'StatEntryReversed', commandId: entryId, entryId, targetEntryId, points });
  const lines = linesOf([
    row({ entryId: 'e', points: -3, assists: 1 }),
    row({ ...reversal('r1', 'e', 3), assists: -1, rebounds: -4 }),
    reversal('r2', 'r1', -3),
  ]);
  expect(lines.map((line) => [entryInWords(line), isRestoring(line), undoneInWords(line)])).toEqual([
    ['Points −3, Assists +1', false, 'taken back'],
    ['Points −3, Assists +1, Rebounds +4', true, 'restored'],
    ['Points −3', false, 'taken back'],
  ]);
});

test('reversals of one entry are a line: only its end can be reversed, be it from there or from the entry', () => {
  const reversal = (entryId: string, targetEntryId: string, reversed: boolean) =>
    row({ type: 'StatEntryReversed', commandId: entryId, entryId, targetEntryId, reversed });
  const [other, first] = [row({ entryId: 'f', commandId: 'c2' }), reversal('r1', 'e', true)];
  expect(reversible([row({ entryId: 'e' }), other, first, reversal('r2', 'r1', false)])).toEqual([
    ['e', 'r2'],
    ['f', 'f'],
    ['r2', 'r2'],
  ]);
  // The second reversal is reversed as well, so the first one stands again.
  expect(
    reversible([row({ entryId: 'e', reversed: true }), other, { ...first, reversed: false }, reversal('r2', 'r1', true), reversal('r3', 'r2', false)]),
  ).toEqual([
    ['f', 'f'],
    ['r3', 'r3'],
  ]);
});

test.each([
  [0.2, '1 second'],
  [89.5, '90 seconds'],
  [90, '2 minutes'],
  [5400, '2 hours'],
])('%d seconds are %s', (seconds, words) => {
  expect(durationInWords(seconds)).toBe(words);
});
