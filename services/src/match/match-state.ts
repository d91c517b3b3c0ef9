import type { EntryId, MatchId, PersonId, TeamId, TournamentId } from '@courtledger/contracts/kernel/ids';
import type { MatchEvent, Participation } from '@courtledger/contracts/match/match.events';

export type StatNumbers = { readonly points: number; readonly assists: number; readonly rebounds: number };

/** An entry of the ledger: a stat increment, the reversal of an entry, or a status alone (whose numbers are all zero, as no other's are). */
export type MatchEntry = StatNumbers & {
  readonly entryId: EntryId;
  readonly playerId: PersonId;
  readonly teamId: TeamId;
  /** The increment at the root of a chain of reversals (itself, for an increment). */
  readonly rootId: EntryId;
  /** The increment whose numbers these are: of an entry that a move recorded, that of the first entry; otherwise the root. */
  readonly originId: EntryId;
  /** For a reversal: what it reverses. */
  readonly targetEntryId: EntryId | undefined;
  readonly reason: string | undefined;
  /**
   * The player's status once the entry stood: an entry without a status means 'played'. Tells the repetition of an entry from another one under the same id.
   */
  readonly status: Participation;
  reversed: boolean;
};

/**
 * A player of this match: unreversed increments, and the participation that was recorded last. The stat row exists while there is either; 'Not Played' alone
 * makes no row. `said`: the last status that somebody said; another one that is recorded follows from entries. `quiet`: the entries that came without a status
 * since somebody said that the player did not play: while one of them stands, he played.
 */
export type MatchPlayer = { unreversed: number; recorded: Participation | undefined; said: Participation | undefined; readonly quiet: Set<EntryId> };

export type MatchState = {
  /** Of the last fact; -1 before the first. */
  revision: number;
  status: 'none' | 'assigned' | 'cancelled';
  matchId: MatchId;
  tournamentId: TournamentId;
  teamAId: TeamId;
  teamBId: TeamId;
  date: string;
  time: string;
  mvp: PersonId | null;
  readonly entries: Map<EntryId, MatchEntry>;
  readonly players: Map<PersonId, MatchPlayer>;
  /** Increments that stand, by entry: false when reversed. */
  readonly standing: Map<EntryId, boolean>;
  /** Entries that moves record, and whose numbers they hold: by entry, the increment that was entered first. */
  readonly moved: Map<EntryId, EntryId>;
};

/** Before the first fact. */
export const noMatch = (): MatchState => ({
  revision: -1,
  status: 'none',
  matchId: '',
  tournamentId: '',
  teamAId: '',
  teamBId: '',
  date: '',
  time: '',
  mvp: null,
  entries: new Map(),
  players: new Map(),
  standing: new Map(),
  moved: new Map(),
});

const playerOf = (state: MatchState, playerId: PersonId): MatchPlayer => {
  let player = state.players.get(playerId);
  if (player === undefined) {
    player = { unreversed: 0, recorded: undefined, said: undefined, quiet: new Set() };
    state.players.set(playerId, player);
  }
  return player;
};

/** An entry that reverses none: the root of its chain, and it stands. */
const rootEntry = (entry: Omit<MatchEntry, 'rootId' | 'targetEntryId' | 'reason' | 'reversed'>): MatchEntry => ({
  ...entry,
  rootId: entry.entryId,
  targetEntryId: undefined,
  reason: undefined,
  reversed: false,
});

/** The status in a player's stat row; undefined when there is no row. */
export const statusOf = (player: MatchPlayer | undefined): Participation | undefined => {
  if (player === undefined) return undefined;
  if (player.unreversed > 0) return player.recorded ?? 'played';
  return player.recorded === 'Not Played' ? undefined : player.recorded;
};

/** What the match is once a fact is recorded. Changes the state that it is given. */
export const evolveMatch = (state: MatchState, event: MatchEvent): MatchState => {
  state.revision += 1;
  switch (event.type) {
    case 'MatchAssigned': {
      const { matchId, tournamentId, teamAId, teamBId, date, time } = event.data;
      return Object.assign(state, { status: 'assigned', matchId, tournamentId, teamAId, teamBId, date, time });
    }
    case 'MatchRescheduled':
      state.date = event.data.date;
      state.time = event.data.time;
      return state;
    case 'StatIncrementRecorded': {
      const { entryId, playerId, teamId, points, assists, rebounds } = event.data;
      const player = playerOf(state, playerId);
      player.unreversed += 1;
      // Whatever came with a status has that one recorded, and said.
      if (player.recorded === 'played' && player.said !== 'played') player.quiet.add(entryId);
      state.standing.set(entryId, true);
      const originId = state.moved.get(entryId) ?? entryId;
      state.entries.set(entryId, rootEntry({ entryId, playerId, teamId, points, assists, rebounds, originId, status: player.recorded ?? 'played' }));
      return state;
    }
    case 'PlayerParticipationRecorded': {
      const { entryId, playerId, teamId, notplayed, impliedBy } = event.data;
      const player = playerOf(state, playerId);
      player.recorded = notplayed;
      if (impliedBy === undefined) {
        player.said = notplayed;
        player.quiet.clear();
      }
      if (entryId !== undefined)
        state.entries.set(entryId, rootEntry({ entryId, playerId, teamId, points: 0, assists: 0, rebounds: 0, originId: entryId, status: notplayed }));
      return state;
    }
    case 'StatEntryReversed': {
      const { entryId, targetEntryId, playerId, teamId, points, assists, rebounds, reason, movedToEntryId } = event.data;
      const target = state.entries.get(targetEntryId);
      const rootId = target?.rootId ?? targetEntryId;
      const originId = target?.originId ?? rootId;
      if (movedToEntryId !== undefined) state.moved.set(movedToEntryId, originId);
      if (target !== undefined) target.reversed = true;
      // Each reversal turns the increment at the root: off, and on again.
      const stands = !(state.standing.get(rootId) ?? true);
      state.standing.set(rootId, stands);
      const player = playerOf(state, playerId);
      player.unreversed += stands ? 1 : -1;
      state.entries.set(entryId, {
        entryId,
        playerId,
        teamId,
        points,
        assists,
        rebounds,
        rootId,
        originId,
        targetEntryId,
        reason,
        status: player.recorded ?? 'played',
        reversed: false,
      });
      return state;
    }
    case 'MatchMvpNamed':
      state.mvp = event.data.playerId;
      return state;
    case 'MatchCancelled':
      state.status = 'cancelled';
      return state;
    default:
      return event satisfies never;
  }
};

/** Whether any player has a stat row: an unreversed entry, or a recorded participation other than 'Not Played'. */
export const hasRows = (state: MatchState): boolean => {
  for (const player of state.players.values()) if (statusOf(player) !== undefined) return true;
  return false;
};

/** As of an entry that holds a status only. */
export const isZero = (numbers: StatNumbers): boolean => numbers.points === 0 && numbers.assists === 0 && numbers.rebounds === 0;
