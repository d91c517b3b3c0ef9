import { conflict, expectValid, invalid, notFound, type FieldError } from '@courtledger/contracts/kernel/errors';
import type { EntryId, MatchId, PersonId, TeamId, TournamentId } from '@courtledger/contracts/kernel/ids';
import { INCREMENT_MAX } from '@courtledger/contracts/kernel/limits';
import { fieldTexts, outcomeTexts } from '@courtledger/contracts/kernel/texts';
import { correctionTexts } from '@courtledger/contracts/match/correction-texts';
import type { MatchEvent, Participation } from '@courtledger/contracts/match/match.events';
import type { Decider } from '../platform/stream-state.ts';

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
  /** The player's status once the entry stood: an entry without a status means 'played'. Tells the repetition of an entry from another one under the same id. */
  readonly status: Participation;
  reversed: boolean;
};

/**
 * A player of this match: unreversed increments, and the participation that was recorded last. The stat row exists while there is either; 'Not Played' alone makes no row.
 * `said`: the last status that somebody said; another one that is recorded follows from entries. `quiet`: the entries that came without a status since somebody said that the player did not play: while one of them stands, he played.
 */
type MatchPlayer = { unreversed: number; recorded: Participation | undefined; said: Participation | undefined; readonly quiet: Set<EntryId> };

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

/** A line of statistics: what it adds for one player, and the status that was said ('' when none was). */
export type StatLine = StatNumbers & { readonly playerId: PersonId; readonly notplayed: Participation | '' };

/** The ids of a team's players: who is not among them is not on that team. */
export type Roster = { has(playerId: PersonId): boolean };

/** The preview that a correction was decided on. `revision`: of the match, when it was computed. `stands`: of everything else that it says. */
export type Previewed = { readonly revision: number; readonly stands: boolean };

export type MatchCommand =
  | { readonly type: 'assignMatch'; readonly matchId: MatchId; readonly tournamentId: TournamentId; readonly teamAId: TeamId; readonly teamBId: TeamId; readonly date: string; readonly time: string; readonly entered: { has(teamId: TeamId): boolean } | undefined }
  /** `entryIds`: one for each line of both lists, in order. */
  | { readonly type: 'recordMatchStats'; readonly team1Players: readonly StatLine[]; readonly team2Players: readonly StatLine[]; readonly rosterA: Roster; readonly rosterB: Roster; readonly entryIds: readonly EntryId[] }
  | { readonly type: 'recordStatIncrement'; readonly entryId: EntryId; readonly line: StatLine; readonly rosterA: Roster; readonly rosterB: Roster }
  | { readonly type: 'reverseStatEntry'; readonly entryId: EntryId; readonly targetEntryId: EntryId; readonly reason: string; readonly previewed?: Previewed | undefined }
  /** `reversalId`, `entryId`: of the two facts that a move is made of. */
  | { readonly type: 'moveStatEntry'; readonly reversalId: EntryId; readonly entryId: EntryId; readonly targetEntryId: EntryId; readonly playerId: PersonId; readonly reason: string; readonly previewed?: Previewed | undefined; readonly rosterA: Roster; readonly rosterB: Roster }
  | { readonly type: 'nameMatchMvp'; readonly playerId: PersonId | null }
  | { readonly type: 'rescheduleMatch'; readonly date: string | undefined; readonly time: string | undefined }
  | { readonly type: 'cancelMatch' };

const initial = (): MatchState => ({ revision: -1, status: 'none', matchId: '', tournamentId: '', teamAId: '', teamBId: '', date: '', time: '', mvp: null, entries: new Map(), players: new Map(), standing: new Map(), moved: new Map() });

const playerOf = (state: MatchState, playerId: PersonId): MatchPlayer => {
  let player = state.players.get(playerId);
  if (player === undefined) {
    player = { unreversed: 0, recorded: undefined, said: undefined, quiet: new Set() };
    state.players.set(playerId, player);
  }
  return player;
};

/** The status in a player's stat row; undefined when there is no row. */
const statusOf = (player: MatchPlayer | undefined): Participation | undefined => {
  if (player === undefined) return undefined;
  if (player.unreversed > 0) return player.recorded ?? 'played';
  return player.recorded === 'Not Played' ? undefined : player.recorded;
};

const evolve = (state: MatchState, event: MatchEvent): MatchState => {
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
      state.entries.set(entryId, { entryId, playerId, teamId, points, assists, rebounds, rootId: entryId, originId: state.moved.get(entryId) ?? entryId, targetEntryId: undefined, reason: undefined, status: player.recorded ?? 'played', reversed: false });
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
      if (entryId !== undefined) state.entries.set(entryId, { entryId, playerId, teamId, points: 0, assists: 0, rebounds: 0, rootId: entryId, originId: entryId, targetEntryId: undefined, reason: undefined, status: notplayed, reversed: false });
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
      state.entries.set(entryId, { entryId, playerId, teamId, points, assists, rebounds, rootId, originId, targetEntryId, reason, status: player.recorded ?? 'played', reversed: false });
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

/** Whether any player has a stat row: an unreversed entry, or a recorded participation other than 'Not Played'. */
const hasRows = (state: MatchState): boolean => {
  for (const player of state.players.values()) if (statusOf(player) !== undefined) return true;
  return false;
};

type CommandOf<T extends MatchCommand['type']> = Extract<MatchCommand, { type: T }>;

const assignMatch = (state: MatchState, { matchId, tournamentId, teamAId, teamBId, date, time, entered }: CommandOf<'assignMatch'>): readonly MatchEvent[] => {
  if (state.status !== 'none') throw conflict('This match exists already');
  if (entered === undefined) throw notFound('There is no such tournament');
  if (teamAId === teamBId) throw invalid('teamBId', fieldTexts.assignMatch);
  const missing = Object.entries({ teamAId, teamBId }).filter(([, teamId]) => !entered.has(teamId));
  expectValid(missing.map(([path]) => ({ path, message: `${path} has not entered this tournament` })));
  return [{ type: 'MatchAssigned', data: { matchId, tournamentId, teamAId, teamBId, date, time } }];
};

const isZero = (numbers: StatNumbers): boolean => numbers.points === 0 && numbers.assists === 0 && numbers.rebounds === 0;

const numberErrors = (numbers: StatNumbers, path: string): readonly FieldError[] =>
  (['points', 'assists', 'rebounds'] as const)
    .filter((name) => !Number.isSafeInteger(numbers[name]) || Math.abs(numbers[name]) > INCREMENT_MAX)
    .map((name) => ({ path: `${path}${name}`, message: fieldTexts.increment.replace('{field}', `${path}${name}`) }));

/** What one line causes. The participation comes before the increment, so that the entry stands with the status that it was sent with. */
const lineEvents = (state: MatchState, teamId: TeamId, line: StatLine, entryId: EntryId): readonly MatchEvent[] => {
  const { playerId, points, assists, rebounds } = line;
  const player = state.players.get(playerId);
  const before = statusOf(player);
  const zero = isZero(line);
  // Numbers with no status mean 'played'; a line of zeros with no status says nothing, and one with 'Not Played' says nothing about who has no row.
  const said = line.notplayed === '' ? (zero ? undefined : 'played') : line.notplayed;
  const nothingSaid = said === undefined || (zero && said === 'Not Played' && before === undefined);
  // What the row would say without a word about participation: numbers bring back a row under the status that was last recorded.
  const after = zero ? before : (player?.recorded ?? 'played');
  const events: MatchEvent[] = [];
  // What is said while the same only follows from entries is recorded as well, or it would go with them.
  const isFirstSaid = line.notplayed !== '' && player !== undefined && player.quiet.size > 0;
  if (!nothingSaid && (said !== after || isFirstSaid)) events.push({ type: 'PlayerParticipationRecorded', data: { matchId: state.matchId, playerId, teamId, notplayed: said, ...(line.notplayed === '' && { impliedBy: entryId }) } });
  if (!zero) events.push({ type: 'StatIncrementRecorded', data: { matchId: state.matchId, entryId, playerId, teamId, points, assists, rebounds } });
  return events;
};

/** The lines of one player added up. `path`: of the last of them. */
type MergedLine = { readonly line: StatLine; readonly entryId: EntryId; readonly path: string };

/** Repeated lines of a player add up to one, which is one entry and has an entry's limits; the last status that was said counts. Keeps the order of first mention and the id of the first line. */
const mergeLines = (lines: readonly StatLine[], entryIds: readonly EntryId[], name: string): readonly MergedLine[] => {
  const merged = new Map<PersonId, MergedLine>();
  for (const [index, line] of lines.entries()) {
    const entryId = entryIds[index];
    if (entryId === undefined) throw new Error('A line has no entry id');
    const first = merged.get(line.playerId);
    merged.set(line.playerId, {
      entryId: first?.entryId ?? entryId,
      line: {
        playerId: line.playerId,
        points: (first?.line.points ?? 0) + line.points,
        assists: (first?.line.assists ?? 0) + line.assists,
        rebounds: (first?.line.rebounds ?? 0) + line.rebounds,
        notplayed: line.notplayed === '' ? (first?.line.notplayed ?? '') : line.notplayed,
      },
      path: `${name}[${String(index)}].`,
    });
  }
  return [...merged.values()];
};

const lineErrors = (lines: readonly StatLine[], roster: Roster, name: string): readonly FieldError[] =>
  lines.flatMap((line, index) => {
    const path = `${name}[${String(index)}].`;
    return [...(roster.has(line.playerId) ? [] : [{ path: `${path}playerId`, message: `${path}playerId is not a player of that team` }]), ...numberErrors(line, path)];
  });

const recordMatchStats = (state: MatchState, { team1Players, team2Players, rosterA, rosterB, entryIds }: CommandOf<'recordMatchStats'>): readonly MatchEvent[] => {
  expectValid([...lineErrors(team1Players, rosterA, 'team1Players'), ...lineErrors(team2Players, rosterB, 'team2Players')]);
  const [mergedA, mergedB] = [mergeLines(team1Players, entryIds, 'team1Players'), mergeLines(team2Players, entryIds.slice(team1Players.length), 'team2Players')];
  expectValid([...mergedA, ...mergedB].flatMap(({ line, path }) => numberErrors(line, path)));
  return [...mergedA.flatMap(({ line, entryId }) => lineEvents(state, state.teamAId, line, entryId)), ...mergedB.flatMap(({ line, entryId }) => lineEvents(state, state.teamBId, line, entryId))];
};

const teamOf = (state: MatchState, playerId: PersonId, rosterA: Roster, rosterB: Roster): TeamId => {
  if (rosterA.has(playerId)) return state.teamAId;
  if (rosterB.has(playerId)) return state.teamBId;
  throw invalid('playerId', 'playerId is not a player of this match');
};

const recordStatIncrement = (state: MatchState, { entryId, line, rosterA, rosterB }: CommandOf<'recordStatIncrement'>): readonly MatchEvent[] => {
  expectValid(numberErrors(line, ''));
  const zero = isZero(line);
  if (zero && line.notplayed === '') throw invalid('points', fieldTexts.emptyEntry);
  const known = state.entries.get(entryId);
  if (known !== undefined) {
    const same =
      known.targetEntryId === undefined &&
      known.playerId === line.playerId &&
      known.points === line.points &&
      known.assists === line.assists &&
      known.rebounds === line.rebounds &&
      known.status === (line.notplayed === '' ? 'played' : line.notplayed);
    if (!same) throw conflict('This entry was recorded with other content');
    return [];
  }
  const teamId = teamOf(state, line.playerId, rosterA, rosterB);
  const events = lineEvents(state, teamId, line, entryId);
  // A status alone is this entry: it is remembered under the entry's id. Beside numbers, the increment is.
  return zero ? events.map((event) => (event.type === 'PlayerParticipationRecorded' ? { ...event, data: { ...event.data, entryId } } : event)) : events;
};

/** Nobody corrects on what is not so any more. What cannot be done at all is said in its own words before. */
const asPreviewed = (state: MatchState, previewed: Previewed | undefined, events: readonly MatchEvent[]): readonly MatchEvent[] => {
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
const isRestored = (state: MatchState, entry: MatchEntry): boolean => entry.reversed && entry.targetEntryId === undefined && state.standing.get(entry.rootId) === true;

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
  for (const entry of state.entries.values()) if (entry.originId === originId && entry.entryId === entry.rootId && entry.rootId !== rootId && state.standing.get(entry.rootId) === true) return true;
  return false;
};

/** A 'played' that nobody said goes with the last of the entries that came without a status, and comes back with the first: a stray entry, taken back or moved away, leaves the status as it was. */
const impliedStatus = (state: MatchState, entryId: EntryId, { rootId, playerId, teamId }: MatchEntry): readonly MatchEvent[] => {
  const player = state.players.get(playerId);
  if (player?.said === undefined || !player.quiet.has(rootId)) return [];
  const comesBack = state.standing.get(rootId) === false;
  const status = comesBack || [...player.quiet].some((other) => other !== rootId && state.standing.get(other) === true) ? 'played' : player.said;
  return status === player.recorded ? [] : [{ type: 'PlayerParticipationRecorded', data: { matchId: state.matchId, playerId, teamId, notplayed: status, impliedBy: entryId } }];
};

/** @param beside what a move records for the other player: the entry `id` and its facts */
const reverseStatEntry = (state: MatchState, { entryId, targetEntryId, reason }: Omit<CommandOf<'reverseStatEntry'>, 'type' | 'previewed'>, beside?: { readonly id: EntryId; readonly facts: readonly MatchEvent[] }): readonly MatchEvent[] => {
  const target = correctedEntry(state, targetEntryId);
  if (target.reversed) throw conflict(correctionTexts.undone[kindOf(state, target)][state.standing.get(target.rootId) === true ? 'counts' : 'countsNot']);
  // Numbers that were moved count once: half of a move is not taken back while the other half stands.
  if (state.standing.get(target.rootId) === false && standsElsewhere(state, target)) throw conflict(correctionTexts.moved);
  if (state.entries.has(entryId)) throw conflict('This entry was recorded with other content');
  const { playerId, teamId } = target;
  const numbers = { points: negated(target.points), assists: negated(target.assists), rebounds: negated(target.rebounds) };
  return [
    { type: 'StatEntryReversed', data: { matchId: state.matchId, entryId, targetEntryId, playerId, teamId, ...numbers, reason, ...(beside !== undefined && { movedToEntryId: beside.id }) } },
    ...(beside?.facts ?? []),
    ...impliedStatus(state, entryId, target),
  ];
};

/** A move is a reversal of what stands and the same numbers for another player, in one append: nothing in between is ever seen. */
const moveStatEntry = (state: MatchState, { reversalId, entryId, targetEntryId, playerId, reason, rosterA, rosterB }: CommandOf<'moveStatEntry'>): readonly MatchEvent[] => {
  const target = correctedEntry(state, targetEntryId);
  if (target.targetEntryId !== undefined) throw conflict(state.standing.get(target.rootId) === true ? correctionTexts.reversalCounts : correctionTexts.reversalStands);
  const teamId = teamOf(state, playerId, rosterA, rosterB);
  if (playerId === target.playerId) throw invalid('playerId', 'This entry is of that player already');
  const { points, assists, rebounds } = target;
  const facts = lineEvents(state, teamId, { playerId, points, assists, rebounds, notplayed: '' }, entryId);
  return reverseStatEntry(state, { entryId: reversalId, targetEntryId: endOfChain(state, target).entryId, reason }, { id: entryId, facts });
};

const nameMatchMvp = (state: MatchState, playerId: PersonId | null): readonly MatchEvent[] => {
  // Whoever was named and has lost the statistics since is shown as MVP no more: naming them again would say that they are.
  if (playerId !== null && statusOf(state.players.get(playerId)) === undefined) throw conflict('The MVP needs statistics in this match');
  return playerId === state.mvp ? [] : [{ type: 'MatchMvpNamed', data: { matchId: state.matchId, playerId } }];
};

/** The match's ledger (specification sections 4, 5 and 9; api-contract, 'POST /match/match/update' and 'Beyond the specification'). */
export const matchDecider: Decider<MatchState, MatchCommand, MatchEvent> = { initial, evolve, decide };
