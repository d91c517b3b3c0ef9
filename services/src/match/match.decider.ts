import { conflict, expectValid, invalid, notFound } from '@courtledger/contracts/kernel/errors';
import type { MatchId, PersonId, TeamId, TournamentId } from '@courtledger/contracts/kernel/ids';
import { fieldTexts, outcomeTexts } from '@courtledger/contracts/kernel/texts';
import type { MatchEvent } from '@courtledger/contracts/match/match.events';
import type { Decider } from '../platform/stream-state.ts';
import { evolveMatch, hasRows, noMatch, statusOf, type MatchState } from './match-state.ts';
import { asPreviewed, moveStatEntry, reverseStatEntry, type MoveStatEntry, type Previewed, type ReverseStatEntry } from './stat-correction.ts';
import { recordMatchStats, recordStatIncrement, type RecordMatchStats, type RecordStatIncrement } from './stat-recording.ts';

/** `entered`: the teams of the tournament; undefined when there is no such tournament. */
type AssignMatch = {
  readonly matchId: MatchId;
  readonly tournamentId: TournamentId;
  readonly teamAId: TeamId;
  readonly teamBId: TeamId;
  readonly date: string;
  readonly time: string;
  readonly entered: { has(teamId: TeamId): boolean } | undefined;
};

/** A correction that was decided on a preview holds only as long as that does. */
type Corrected = { readonly previewed?: Previewed | undefined };

export type MatchCommand =
  | ({ readonly type: 'assignMatch' } & AssignMatch)
  | ({ readonly type: 'recordMatchStats' } & RecordMatchStats)
  | ({ readonly type: 'recordStatIncrement' } & RecordStatIncrement)
  | ({ readonly type: 'reverseStatEntry' } & ReverseStatEntry & Corrected)
  | ({ readonly type: 'moveStatEntry' } & MoveStatEntry & Corrected)
  | { readonly type: 'nameMatchMvp'; readonly playerId: PersonId | null }
  | { readonly type: 'rescheduleMatch'; readonly date: string | undefined; readonly time: string | undefined }
  | { readonly type: 'cancelMatch' };

const decide = (state: MatchState, command: MatchCommand): readonly MatchEvent[] => {
  if (command.type === 'assignMatch') return assignMatch(state, command);
  if (state.status === 'none') throw notFound('There is no such match');
  if (state.status === 'cancelled') throw conflict('This match was cancelled');
  switch (command.type) {
    case 'recordMatchStats':
      return recordMatchStats(state, command);
    case 'recordStatIncrement':
      return recordStatIncrement(state, command);
    case 'reverseStatEntry':
      return asPreviewed(state, command.previewed, reverseStatEntry(state, command));
    case 'moveStatEntry':
      return asPreviewed(state, command.previewed, moveStatEntry(state, command));
    case 'nameMatchMvp':
      return nameMatchMvp(state, command.playerId);
    case 'rescheduleMatch': {
      const { date = state.date, time = state.time } = command;
      return date === state.date && time === state.time ? [] : [{ type: 'MatchRescheduled', data: { matchId: state.matchId, date, time } }];
    }
    case 'cancelMatch':
      // A match whose entries are all reversed has no rows: it is upcoming again and may be cancelled (api-contract, 'GET /match/matches/{id}').
      if (hasRows(state)) throw conflict(outcomeTexts.matchNotCancelled);
      return [{ type: 'MatchCancelled', data: { matchId: state.matchId } }];
    default:
      return command satisfies never;
  }
};

const assignMatch = (state: MatchState, { matchId, tournamentId, teamAId, teamBId, date, time, entered }: AssignMatch): readonly MatchEvent[] => {
  if (state.status !== 'none') throw conflict('This match exists already');
  if (entered === undefined) throw notFound('There is no such tournament');
  if (teamAId === teamBId) throw invalid('teamBId', fieldTexts.assignMatch);
  const missing = Object.entries({ teamAId, teamBId }).filter(([, teamId]) => !entered.has(teamId));
  expectValid(missing.map(([path]) => ({ path, message: `${path} has not entered this tournament` })));
  return [{ type: 'MatchAssigned', data: { matchId, tournamentId, teamAId, teamBId, date, time } }];
};

const nameMatchMvp = (state: MatchState, playerId: PersonId | null): readonly MatchEvent[] => {
  // Whoever was named and has lost the statistics since is shown as MVP no more: naming them again would say that they are.
  if (playerId !== null && statusOf(state.players.get(playerId)) === undefined) throw conflict('The MVP needs statistics in this match');
  return playerId === state.mvp ? [] : [{ type: 'MatchMvpNamed', data: { matchId: state.matchId, playerId } }];
};

/** The match's ledger (specification sections 4, 5 and 9; api-contract, 'POST /match/match/update' and 'Beyond the specification'). */
export const matchDecider: Decider<MatchState, MatchCommand, MatchEvent> = { initial: noMatch, evolve: evolveMatch, decide };
