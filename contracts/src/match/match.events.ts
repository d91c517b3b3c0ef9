import { z } from 'zod';
import { fact, factDay, factId, factTime, type FactsOf } from '../kernel/facts.ts';
import { streamOf } from '../kernel/streams.ts';

/** 'played' counts for averages; everything else is shown as DNP (specification section 4). */
export const participation = z.enum(['played', 'Not Played', 'DNP']);
export type Participation = z.output<typeof participation>;
const increment = z.int();

export const matchFacts = {
  MatchAssigned: fact(1, z.object({ matchId: factId, tournamentId: factId, teamAId: factId, teamBId: factId, date: factDay, time: factTime })),
  MatchRescheduled: fact(1, z.object({ matchId: factId, date: factDay, time: factTime })),
  /**
   * What one line added: increments, possibly negative. An unreversed entry implies 'played' unless a participation was recorded.
   */
  StatIncrementRecorded: fact(1, z.object({ matchId: factId, entryId: factId, playerId: factId, teamId: factId, points: increment, assists: increment, rebounds: increment })),
  /**
   * `entryId`: of an entry that held nothing but this status, so that its repetition is told from another one under the same id.
   * `impliedBy`: nobody said this status; the entry did whose numbers came without one, or the reversal that took the last such entry back, or brought it back (absent from facts of before it was noted).
   */
  PlayerParticipationRecorded: fact(1, z.object({ matchId: factId, entryId: factId.optional(), playerId: factId, teamId: factId, notplayed: participation, impliedBy: factId.optional() })),
  /**
   * A reversal is an entry itself (`entryId`) and names its target. The numbers are what the reversal adds: the negated target's.
   * A reversal of a reversal restores the original. `movedToEntryId`: of the entry that a move recorded beside it, for another player
   * (absent from moves of before it was noted). A move of an entry that was restored targets the reversal that restored it.
   */
  StatEntryReversed: fact(1, z.object({ matchId: factId, entryId: factId, targetEntryId: factId, playerId: factId, teamId: factId, points: increment, assists: increment, rebounds: increment, reason: z.string(), movedToEntryId: factId.optional() })),
  MatchMvpNamed: fact(1, z.object({ matchId: factId, playerId: factId.nullable() })),
  MatchCancelled: fact(1, z.object({ matchId: factId })),
};
export type MatchEvent = FactsOf<typeof matchFacts>;
export const matchStream = (matchId: string): string => streamOf('match', matchId);
