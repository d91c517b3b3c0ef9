import { conflict, invalid, notFound } from '@courtledger/contracts/kernel/errors';
import type { EntryId, PersonId } from '@courtledger/contracts/kernel/ids';
import { correctionTexts } from '@courtledger/contracts/match/correction-texts';
import type { MatchEvent } from '@courtledger/contracts/match/match.events';
import { isZero, type MatchEntry, type MatchState } from './match-state.ts';
import { lineEvents, teamOf, type Rosters } from './stat-recording.ts';

/** The preview that a correction was decided on. `revision`: of the match, when it was computed. `stands`: of everything else that it says. */
export type Previewed = { readonly revision: number; readonly stands: boolean };

export type ReverseStatEntry = { readonly entryId: EntryId; readonly targetEntryId: EntryId; readonly reason: string };

/** `reversalId`, `entryId`: of the two facts that a move is made of. */
export type MoveStatEntry = Rosters & ReverseStatEntry & { readonly reversalId: EntryId; readonly playerId: PersonId };

/** Nobody corrects on what is not so any more. What cannot be done at all is said in its own words before. */
export const asPreviewed = (state: MatchState, previewed: Previewed | undefined, events: readonly MatchEvent[]): readonly MatchEvent[] => {
  if (previewed !== undefined && !(previewed.stands && previewed.revision === state.revision)) throw conflict(correctionTexts.outdated);
  return events;
};

/** What a reversal adds: never -0, which JSON would not keep. */
const negated = (value: number): number => (value === 0 ? 0 : -value);

/** The entry to take back or move. A status alone has nothing to negate. */
const correctedEntry = (state: MatchState, entryId: EntryId): MatchEntry => {
  const target = state.entries.get(entryId);
  if (target === undefined) throw notFound('There is no such entry in this match');
  if (isZero(target)) throw conflict('This entry holds a status only: record another status instead');
  return target;
};

/** Whether an entry was taken back and counts again. */
const isRestored = (state: MatchState, entry: MatchEntry): boolean =>
  entry.reversed && entry.targetEntryId === undefined && state.standing.get(entry.rootId) === true;

/** What an entry of the ledger is: reversals hang on one another, and take back and restore by turns. */
const kindOf = (state: MatchState, { targetEntryId }: MatchEntry): 'entry' | 'takingBack' | 'restoring' => {
  const target = targetEntryId === undefined ? undefined : state.entries.get(targetEntryId);
  return target === undefined ? 'entry' : kindOf(state, target) === 'takingBack' ? 'restoring' : 'takingBack';
};

/** What a move of an entry has to reverse: the entry, or what restored it last. Reversals of an entry hang on one another, and one is not reversed. */
const endOfChain = (state: MatchState, entry: MatchEntry): MatchEntry => {
  if (!isRestored(state, entry)) return entry;
  for (const other of state.entries.values()) if (other.rootId === entry.rootId && !other.reversed) return other;
  throw new Error(`Every reversal of ${entry.entryId} is reversed`);
};

/** Whether numbers that a move gave to somebody stand in an entry now. */
const standsElsewhere = (state: MatchState, { rootId, originId }: MatchEntry): boolean => {
  for (const entry of state.entries.values())
    if (entry.originId === originId && entry.entryId === entry.rootId && entry.rootId !== rootId && state.standing.get(entry.rootId) === true) return true;
  return false;
};

/**
 * A 'played' that nobody said goes with the last of the entries that came without a status, and comes back with the first: a stray entry, taken back or moved
 * away, leaves the status as it was.
 */
const impliedStatus = (state: MatchState, entryId: EntryId, { rootId, playerId, teamId }: MatchEntry): readonly MatchEvent[] => {
  const player = state.players.get(playerId);
  if (player?.said === undefined || !player.quiet.has(rootId)) return [];
  const comesBack = state.standing.get(rootId) === false;
  const status = comesBack || [...player.quiet].some((other) => other !== rootId && state.standing.get(other) === true) ? 'played' : player.said;
  return status === player.recorded
    ? []
    : [{ type: 'PlayerParticipationRecorded', data: { matchId: state.matchId, playerId, teamId, notplayed: status, impliedBy: entryId } }];
};

/**
 * Takes an entry back, or restores one that was taken back.
 * @param beside what a move records for the other player: the entry `id` and its facts
 * @throws DomainError `not-found`; `conflict`, in words of what the entry is, when that cannot be done
 */
export const reverseStatEntry = (
  state: MatchState,
  { entryId, targetEntryId, reason }: ReverseStatEntry,
  beside?: { readonly id: EntryId; readonly facts: readonly MatchEvent[] },
): readonly MatchEvent[] => {
  const target = correctedEntry(state, targetEntryId);
  if (target.reversed) throw conflict(correctionTexts.undone[kindOf(state, target)][state.standing.get(target.rootId) === true ? 'counts' : 'countsNot']);
  // Numbers that were moved count once: half of a move is not taken back while the other half stands.
  if (state.standing.get(target.rootId) === false && standsElsewhere(state, target)) throw conflict(correctionTexts.moved);
  if (state.entries.has(entryId)) throw conflict('This entry was recorded with other content');
  const { playerId, teamId } = target;
  const numbers = { points: negated(target.points), assists: negated(target.assists), rebounds: negated(target.rebounds) };
  return [
    {
      type: 'StatEntryReversed',
      data: {
        matchId: state.matchId,
        entryId,
        targetEntryId,
        playerId,
        teamId,
        ...numbers,
        reason,
        ...(beside !== undefined && { movedToEntryId: beside.id }),
      },
    },
    ...(beside?.facts ?? []),
    ...impliedStatus(state, entryId, target),
  ];
};

/** A move is a reversal of what stands and the same numbers for another player, in one append: nothing in between is ever seen. */
export const moveStatEntry = (
  state: MatchState,
  { reversalId, entryId, targetEntryId, playerId, reason, ...rosters }: MoveStatEntry,
): readonly MatchEvent[] => {
  const target = correctedEntry(state, targetEntryId);
  if (target.targetEntryId !== undefined)
    throw conflict(state.standing.get(target.rootId) === true ? correctionTexts.reversalCounts : correctionTexts.reversalStands);
  const teamId = teamOf(state, playerId, rosters);
  if (playerId === target.playerId) throw invalid('playerId', 'This entry is of that player already');
  const { points, assists, rebounds } = target;
  const facts = lineEvents(state, teamId, { playerId, points, assists, rebounds, notplayed: '' }, entryId);
  return reverseStatEntry(state, { entryId: reversalId, targetEntryId: endOfChain(state, target).entryId, reason }, { id: entryId, facts });
};
