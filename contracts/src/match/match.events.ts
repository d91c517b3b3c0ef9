import { z } from 'zod';
import { fact, factDay, factIdOf, factTime, type FactsOf } from '../kernel/facts.ts';
import type { EntryId, MatchId, PersonId, TeamId, TournamentId } from '../kernel/ids.ts';
import { participations } from '../kernel/limits.ts';
import { streamOf } from '../kernel/streams.ts';

/** 'played' counts for averages; everything else is shown as DNP (specification section 4). */
const participation = z.enum(participations);
export type Participation = z.output<typeof participation>;
const increment = z.int();

export const matchFacts = {
  MatchAssigned: fact(
    1,
    z.object({
      matchId: factIdOf<MatchId>(),
      tournamentId: factIdOf<TournamentId>(),
      teamAId: factIdOf<TeamId>(),
      teamBId: factIdOf<TeamId>(),
      date: factDay,
      time: factTime,
    }),
  ),
  MatchRescheduled: fact(1, z.object({ matchId: factIdOf<MatchId>(), date: factDay, time: factTime })),
  /**
   * What one line added: increments, possibly negative. An unreversed entry implies 'played' unless a participation was recorded.
   */
  StatIncrementRecorded: fact(
    1,
    z.object({
      matchId: factIdOf<MatchId>(),
      entryId: factIdOf<EntryId>(),
      playerId: factIdOf<PersonId>(),
      teamId: factIdOf<TeamId>(),
      points: increment,
      assists: increment,
      rebounds: increment,
    }),
  ),
  /**
   * `entryId`: of an entry that held nothing but this status, so that its repetition is told from another one under the same id.
   * `impliedBy`: nobody said this status; the entry did whose numbers came without one, or the reversal that took the last such entry back, or brought it back
   * (absent from facts of before it was noted).
   */
  PlayerParticipationRecorded: fact(
    1,
    z.object({
      matchId: factIdOf<MatchId>(),
      entryId: factIdOf<EntryId>().optional(),
      playerId: factIdOf<PersonId>(),
      teamId: factIdOf<TeamId>(),
      notplayed: participation,
      impliedBy: factIdOf<EntryId>().optional(),
    }),
  ),
  /**
   * A reversal is an entry itself (`entryId`) and names its target. The numbers are what the reversal adds: the negated target's.
   * A reversal of a reversal restores the original. `movedToEntryId`: of the entry that a move recorded beside it, for another player
   * (absent from moves of before it was noted). A move of an entry that was restored targets the reversal that restored it.
   */
  StatEntryReversed: fact(
    1,
    z.object({
      matchId: factIdOf<MatchId>(),
      entryId: factIdOf<EntryId>(),
      targetEntryId: factIdOf<EntryId>(),
      playerId: factIdOf<PersonId>(),
      teamId: factIdOf<TeamId>(),
      points: increment,
      assists: increment,
      rebounds: increment,
      reason: z.string(),
      movedToEntryId: factIdOf<EntryId>().optional(),
    }),
  ),
  MatchMvpNamed: fact(1, z.object({ matchId: factIdOf<MatchId>(), playerId: factIdOf<PersonId>().nullable() })),
  MatchCancelled: fact(1, z.object({ matchId: factIdOf<MatchId>() })),
};
export type MatchEvent = FactsOf<typeof matchFacts>;
export const matchStream = (matchId: MatchId): string => streamOf('match', matchId);
