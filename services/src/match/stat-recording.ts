import { conflict, expectValid, invalid, type FieldError } from '@courtledger/contracts/kernel/errors';
import type { EntryId, PersonId, TeamId } from '@courtledger/contracts/kernel/ids';
import { INCREMENT_MAX } from '@courtledger/contracts/kernel/limits';
import { fieldTexts } from '@courtledger/contracts/kernel/texts';
import type { MatchEvent, Participation } from '@courtledger/contracts/match/match.events';
import { isZero, statusOf, type MatchState, type StatNumbers } from './match-state.ts';

/** A line of statistics: what it adds for one player, and the status that was said ('' when none was). */
export type StatLine = StatNumbers & { readonly playerId: PersonId; readonly notplayed: Participation | '' };

/** The ids of a team's players: who is not among them is not on that team. */
export type Roster = { has(playerId: PersonId): boolean };

/** Of the match's teams as they are when a command is decided. */
export type Rosters = { readonly rosterA: Roster; readonly rosterB: Roster };

/** `entryIds`: one for each line of both lists, in order. */
export type RecordMatchStats = Rosters & {
  readonly team1Players: readonly StatLine[];
  readonly team2Players: readonly StatLine[];
  readonly entryIds: readonly EntryId[];
};

export type RecordStatIncrement = Rosters & { readonly entryId: EntryId; readonly line: StatLine };

const numberErrors = (numbers: StatNumbers, path: string): readonly FieldError[] =>
  (['points', 'assists', 'rebounds'] as const)
    .filter((name) => !Number.isSafeInteger(numbers[name]) || Math.abs(numbers[name]) > INCREMENT_MAX)
    .map((name) => ({ path: `${path}${name}`, message: fieldTexts.increment.replace('{field}', `${path}${name}`) }));

/** What one line causes. The participation comes before the increment, so that the entry stands with the status that it was sent with. */
export const lineEvents = (state: MatchState, teamId: TeamId, line: StatLine, entryId: EntryId): readonly MatchEvent[] => {
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
  if (!nothingSaid && (said !== after || isFirstSaid))
    events.push({
      type: 'PlayerParticipationRecorded',
      data: { matchId: state.matchId, playerId, teamId, notplayed: said, ...(line.notplayed === '' && { impliedBy: entryId }) },
    });
  if (!zero) events.push({ type: 'StatIncrementRecorded', data: { matchId: state.matchId, entryId, playerId, teamId, points, assists, rebounds } });
  return events;
};

/** The lines of one player added up. `path`: of the last of them. */
type MergedLine = { readonly line: StatLine; readonly entryId: EntryId; readonly path: string };

/**
 * Repeated lines of a player add up to one, which is one entry and has an entry's limits; the last status that was said counts. Keeps the order of first
 * mention and the id of the first line.
 */
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
    return [
      ...(roster.has(line.playerId) ? [] : [{ path: `${path}playerId`, message: `${path}playerId is not a player of that team` }]),
      ...numberErrors(line, path),
    ];
  });

/** The form of a match, sent as a whole: all of its lines, or none. @throws DomainError `invalid` with every field that is wrong */
export const recordMatchStats = (state: MatchState, { team1Players, team2Players, rosterA, rosterB, entryIds }: RecordMatchStats): readonly MatchEvent[] => {
  expectValid([...lineErrors(team1Players, rosterA, 'team1Players'), ...lineErrors(team2Players, rosterB, 'team2Players')]);
  const [mergedA, mergedB] = [
    mergeLines(team1Players, entryIds, 'team1Players'),
    mergeLines(team2Players, entryIds.slice(team1Players.length), 'team2Players'),
  ];
  expectValid([...mergedA, ...mergedB].flatMap(({ line, path }) => numberErrors(line, path)));
  return [
    ...mergedA.flatMap(({ line, entryId }) => lineEvents(state, state.teamAId, line, entryId)),
    ...mergedB.flatMap(({ line, entryId }) => lineEvents(state, state.teamBId, line, entryId)),
  ];
};

/** The team that a player plays for in this match. @throws DomainError `invalid` for a player of neither */
export const teamOf = (state: MatchState, playerId: PersonId, { rosterA, rosterB }: Rosters): TeamId => {
  if (rosterA.has(playerId)) return state.teamAId;
  if (rosterB.has(playerId)) return state.teamBId;
  throw invalid('playerId', 'playerId is not a player of this match');
};

/** One entry from the side of the court; the same one again causes nothing. @throws DomainError `invalid`; `conflict` when its id is another entry's */
export const recordStatIncrement = (state: MatchState, { entryId, line, ...rosters }: RecordStatIncrement): readonly MatchEvent[] => {
  expectValid(numberErrors(line, ''));
  const { playerId, notplayed } = line;
  if (isZero(line) && notplayed === '') throw invalid('points', fieldTexts.emptyEntry);
  const known = state.entries.get(entryId);
  if (known !== undefined) {
    const same =
      known.targetEntryId === undefined &&
      known.playerId === playerId &&
      known.points === line.points &&
      known.assists === line.assists &&
      known.rebounds === line.rebounds &&
      known.status === (notplayed === '' ? 'played' : notplayed);
    if (!same) throw conflict('This entry was recorded with other content');
    return [];
  }
  const teamId = teamOf(state, playerId, rosters);
  // A status alone is an entry of its own, and recorded as one also where it changes nothing: a repetition that comes late would be taken for a new one.
  if (isZero(line) && notplayed !== '')
    return [{ type: 'PlayerParticipationRecorded', data: { matchId: state.matchId, playerId, teamId, notplayed, entryId } }];
  return lineEvents(state, teamId, line, entryId);
};
