import { numberText } from '@courtledger/contracts/kernel/minus';
import { dayToWire } from '@courtledger/contracts/kernel/days';
import type { AsOf } from '@courtledger/contracts/kernel/fields';
import type { MatchId, PersonId, TeamId } from '@courtledger/contracts/kernel/ids';
import { isTraced, type TraceAnswer, type TraceEntry, type TraceKind, type TracePart, type TraceStat } from '@courtledger/contracts/operations/audit.answers';
import { foldBranch } from '../kernel/branch.ts';
import { storedDocument } from '../kernel/stored-document.ts';
import { boundPosition, ofMatch } from '../kernel/ledger.ts';
import { comparePositions } from '../kernel/placed.ts';
import type { Reader } from '../kernel/read-model.ts';
import { wholeActs } from '../kernel/whole-acts.ts';
import { matches, type MatchDocument, type StatLine } from '../match/match.documents.ts';
import { isShown, statusOf } from '../match/match-rows.rules.ts';
import { average } from '../player/averages.rules.ts';
import { players } from '../player/person.documents.ts';
import { resultFor } from '../tournament/standings.rules.ts';
import { tournaments } from '../tournament/tournament.documents.ts';
import { lastReversalsOf, movesOf, readMatchLedger, type MatchFact, type Numbers } from './match-ledger.ts';
import { compareMatches, foldMatchesUntil, wasAdded } from './past-matches.ts';
import { countText, namesOf, type Names } from './told-names.ts';
import { playersOfMatches, type PlayersOfMatch } from './told-players.ts';

export type TraceQuestion = {
  readonly of: TraceKind;
  /** One that `tracedNumbers` pairs with the kind; there is no other number. */
  readonly stat: string;
  readonly match?: string | undefined;
  readonly team?: string | undefined;
  readonly player?: string | undefined;
  readonly tournament?: string | undefined;
  readonly asOf?: AsOf | undefined;
};

type Question = Omit<TraceQuestion, 'stat'> & { readonly stat: TraceStat };
/** Names, and those of players in a match. */
type TracedNames = Names & { readonly inMatch: PlayersOfMatch };
type CountedStat = keyof Numbers;
const isCounted = (stat: TraceStat): stat is CountedStat => stat === 'points' || stat === 'assists' || stat === 'rebounds';

/** What a number is called, in front of whose it is. */
const heads: Readonly<Record<TraceStat, string>> = {
  points: 'Points of',
  assists: 'Assists of',
  rebounds: 'Rebounds of',
  played: 'Matches played by',
  rank: 'Rank of',
  wins: 'Wins of',
  losses: 'Losses of',
  pointsFor: 'Points scored by',
  pointsAgainst: 'Points conceded by',
  difference: 'Point difference of',
};

/** What became of the entries of a match. */
const fatesOf = (facts: readonly MatchFact[]) => ({ moves: movesOf(facts), lastReversals: lastReversalsOf(facts) });

/** A fact of a player as an entry: what it added of the statistic, or that it counts as one match. */
const entryOf = (
  fact: MatchFact,
  matchId: MatchId,
  { amount, runningTotal }: Pick<TraceEntry, 'amount' | 'runningTotal'>,
  names: TracedNames,
  { moves, lastReversals }: ReturnType<typeof fatesOf>,
): TraceEntry[] => {
  const { playerId, teamId, entryId, reason } = fact.data;
  if (playerId === undefined || playerId === null || teamId === undefined) return [];
  const { actor, commandId } = fact.metadata;
  const move = moves.get(fact.position);
  const why = reason ?? move?.reversal.data.reason;
  const isGiven = fact.position === move?.entry.position;
  const taking = move !== undefined && !isGiven ? move : fact.reversed ? moves.get(lastReversals.get(entryId ?? '')?.position ?? -1n) : undefined;
  const playerIn = (half: MatchFact | undefined): TraceEntry['movedTo'] =>
    typeof half?.data.playerId === 'string'
      ? { player_id: half.data.playerId, playerName: names.inMatch(matchId, half.position)(half.data.playerId) }
      : undefined;
  const [movedFrom, movedTo] = [playerIn(isGiven ? move.reversal : undefined), playerIn(taking?.entry)];
  return [
    {
      position: fact.position.toString(),
      at: fact.at,
      actor: { role: actor.role, id: actor.id, name: actor.name },
      type: move === undefined ? fact.type : 'StatEntryMoved',
      match_id: matchId,
      ...(entryId !== undefined && { entryId }),
      player_id: playerId,
      playerName: names.inMatch(matchId, fact.position)(playerId),
      team_id: teamId,
      amount,
      runningTotal,
      reversed: fact.reversed,
      restores: fact.restores,
      ...(movedFrom && { movedFrom }),
      ...(movedTo && { movedTo }),
      ...(why !== undefined && { reason: why }),
      commandId,
    },
  ];
};

/** The facts of a match up to then: a time is cut in each stream by itself, as where matches are folded. */
const factsUntil = (reader: Reader, matchId: MatchId, asOf: AsOf | undefined): MatchFact[] => {
  if (asOf === undefined) return readMatchLedger(reader, matchId);
  if (asOf.kind === 'position') return readMatchLedger(reader, matchId, boundPosition(asOf.position));
  return readMatchLedger(
    reader,
    matchId,
    BigInt(reader.text(`SELECT CAST(ifnull(max(position), 0) AS TEXT) FROM ledger WHERE ${ofMatch()} AND time <= ?`, matchId, asOf.time) ?? '0'),
  );
};

/** The entries of some players of one match, with what each added and its running total by player. */
const entriesOf = (
  reader: Reader,
  matchId: MatchId,
  stat: CountedStat,
  isWanted: (playerId: PersonId, teamId: TeamId) => boolean,
  names: TracedNames,
  asOf: AsOf | undefined,
): TraceEntry[] => {
  const facts = factsUntil(reader, matchId, asOf);
  const fates = fatesOf(facts);
  return facts.flatMap((fact): TraceEntry[] => {
    if (fact.type !== 'StatIncrementRecorded' && fact.type !== 'StatEntryReversed') return [];
    if (fact.amount[stat] === 0 || !isWanted(fact.data.playerId ?? '', fact.data.teamId ?? '')) return [];
    return entryOf(fact, matchId, { amount: fact.amount[stat], runningTotal: fact.after[stat] }, names, fates);
  });
};

/** The one fact by which a match counts as played by a player: the status as it was recorded last, else the first entry that stands. */
const playedEntryOf = (reader: Reader, matchId: MatchId, player: string, line: StatLine, names: TracedNames, asOf: AsOf | undefined): TraceEntry[] => {
  const facts = factsUntil(reader, matchId, asOf);
  const own = facts.filter(({ data }) => data.playerId === player);
  const fact =
    line.participation === null
      ? own.find(({ type, reversed }) => type === 'StatIncrementRecorded' && !reversed)
      : own.findLast(({ type }) => type === 'PlayerParticipationRecorded');
  return fact === undefined ? [] : entryOf(fact, matchId, { amount: 1, runningTotal: 1 }, names, fatesOf(facts));
};

const asPlayed = (a: { readonly match: MatchDocument }, b: { readonly match: MatchDocument }): number => compareMatches(a.match, b.match);
const byPosition = (a: TraceEntry, b: TraceEntry): number => comparePositions(a.position, b.position);

const ofMatchPlayer = (reader: Reader, question: Question, names: TracedNames): TraceAnswer | undefined => {
  const { match: matchId, player, stat, asOf } = question;
  if (matchId === undefined || player === undefined || !isCounted(stat)) return undefined;
  const match = foldMatchesUntil(reader, [matchId], asOf).read(matches, matchId);
  const teamId = storedDocument(reader, players, player)?.teamId;
  // Whoever could have an entry has a 0.
  const value =
    match?.lines.get(player)?.[stat] ??
    (match !== undefined && match.born !== null && (teamId === match.teamAId || teamId === match.teamBId) && wasAdded(reader, player, asOf) ? 0 : undefined);
  if (value === undefined) return undefined;
  const entries = entriesOf(reader, matchId, stat, (id) => id === player, names, asOf);
  return {
    title: `${heads[stat]} ${names.inMatch(matchId)(player)} in ${names.match(matchId)}`,
    value,
    rule: 'The sum of the entries and their reversals.',
    parts: [],
    entries,
  };
};

const scoreOf = (match: MatchDocument, teamId: TeamId): number => (teamId === match.teamAId ? match.score1 : match.score2);
const otherOf = (match: MatchDocument, teamId: TeamId): string => (teamId === match.teamAId ? match.teamBId : match.teamAId);

const ofMatchTeam = (reader: Reader, { match: matchId, team, stat, asOf }: Question, names: TracedNames): TraceAnswer | undefined => {
  if (matchId === undefined || team === undefined || !isCounted(stat)) return undefined;
  const match = foldMatchesUntil(reader, [matchId], asOf).read(matches, matchId);
  if (match === undefined || match.born === null || (team !== match.teamAId && team !== match.teamBId)) return undefined;
  const nameOf = names.inMatch(matchId);
  const parts = [...match.lines].flatMap(([player_id, line]) =>
    line.teamId === team && isShown(line)
      ? [
          {
            label: nameOf(player_id),
            value: numberText(line[stat]),
            counts: line[stat],
            match_id: matchId,
            player_id,
            trace: { of: 'match-player' as const, stat, match: matchId, player: player_id },
          },
        ]
      : [],
  );
  const entries = entriesOf(reader, matchId, stat, (_, teamId) => teamId === team, names, asOf);
  const value = stat === 'points' ? scoreOf(match, team) : parts.reduce((sum, { counts }) => sum + counts, 0);
  return {
    title: `${stat === 'points' ? 'Score of' : heads[stat]} ${names.team(team)} in ${names.match(matchId)}`,
    value,
    rule: `The sum of its players' ${stat}.`,
    parts,
    entries,
  };
};

const isPlayed = ({ line }: { readonly line: StatLine }): boolean => statusOf(line) === 'played';
const matchIdsOf = (reader: Reader, player: string): string[] => storedDocument(reader, players, player)?.matches.map(([id]) => id) ?? [];

const ofPlayer = (reader: Reader, { player, tournament, stat, asOf, of }: Question, names: TracedNames): TraceAnswer | undefined => {
  if (player === undefined || !wasAdded(reader, player, asOf)) return undefined;
  if (tournament !== undefined && storedDocument(reader, tournaments, tournament) === undefined) return undefined;
  const ids = matchIdsOf(reader, player);
  const documents = foldMatchesUntil(reader, ids, asOf);
  const shown = ids
    .flatMap((id) => {
      const match = documents.read(matches, id);
      const line = match?.lines.get(player);
      return match === undefined || match.cancelled || line === undefined || !isShown(line) || (tournament !== undefined && match.tournamentId !== tournament)
        ? []
        : [{ id, line, match }];
    })
    .toSorted(asPlayed);
  const played = shown.filter(isPlayed).length;
  const who = names.player(player);
  const where = tournament === undefined ? '' : ` in ${names.tournament(tournament)}`;
  /** A status has no entries of its own to open: it is told by the entry here. */
  const partOf = ({ id, match }: (typeof shown)[number], value: string, counts: number): TracePart => ({
    label: names.pair(id),
    value,
    counts,
    date: dayToWire(match.date),
    match_id: id,
    player_id: player,
    ...(isCounted(stat) && { trace: { of: 'match-player', stat, match: id, player } }),
  });
  if (!isCounted(stat)) {
    const entries = shown
      .filter(isPlayed)
      .flatMap(({ id, line }) => playedEntryOf(reader, id, player, line, names, asOf))
      .toSorted(byPosition);
    return {
      title: `${heads[stat]} ${who}${where}`,
      value: played,
      rule: "The matches with the status 'played', which numbers mean as well where no other status was recorded.",
      parts: shown.map((one) => partOf(one, statusOf(one.line), Number(isPlayed(one)))),
      entries,
    };
  }
  const total = shown.reduce((sum, { line }) => sum + line[stat], 0);
  const parts = shown.map((one) =>
    partOf(one, isPlayed(one) ? numberText(one.line[stat]) : `${numberText(one.line[stat])} (${statusOf(one.line)})`, one.line[stat]),
  );
  const entries = shown.flatMap(({ id }) => entriesOf(reader, id, stat, (playerId) => playerId === player, names, asOf)).toSorted(byPosition);
  if (of === 'player-total')
    return {
      title: `${heads[stat]} ${who}${where}`,
      value: total,
      rule: tournament === undefined ? 'The sum over all matches.' : 'The sum over the matches of the tournament.',
      parts,
      entries,
    };
  return {
    title: `${heads[stat]} ${who} per match${where}`,
    value: average(total, played),
    rule: `${numberText(total)} ${stat} in ${countText(played, 'match', 'matches')} played, to one decimal.`,
    parts,
    entries,
  };
};

const standingsRules: Readonly<Record<string, string>> = {
  rank: 'One more than the teams above: by points, then point difference, then wins, then the matches among them, then points scored.',
  played: 'The number of matches with statistics.',
  wins: 'The matches with the higher score.',
  losses: 'The matches without the higher score: a tie is a loss for both.',
  points: 'Two for a win, one for a loss.',
  pointsFor: 'The sum of its own scores.',
  pointsAgainst: 'The sum of the scores of its opponents.',
  difference: 'Points scored less points conceded.',
};

/** The columns of the standings that add up. */
type SummedStat = 'played' | 'wins' | 'losses' | 'points' | 'pointsFor' | 'pointsAgainst' | 'difference';

const ofStandings = (reader: Reader, { tournament: tournamentId, team, stat, asOf }: Question, names: TracedNames): TraceAnswer | undefined => {
  const rule = standingsRules[stat];
  if (tournamentId === undefined || team === undefined || rule === undefined) return undefined;
  const tournament = storedDocument(reader, tournaments, tournamentId);
  const branch = foldBranch(reader, { tournamentId, ...(asOf !== undefined && { until: asOf }) });
  const row = branch?.standings.rows.find(({ teamId }) => teamId === team);
  if (tournament === undefined || row === undefined) return undefined;
  const title = `${stat === 'points' ? 'Standings points of' : heads[stat]} ${names.team(team)} in ${names.tournament(tournamentId)}`;
  // Also those that were cancelled since: they counted then.
  const ids = reader.texts("SELECT match_id FROM ledger WHERE tournament_id = ? AND type = 'MatchAssigned' ORDER BY position", tournamentId);
  const counted = ids
    .flatMap((id) => {
      const match = branch?.documents.read(matches, id);
      return match === undefined || match.cancelled || match.rows === 0 || (match.teamAId !== team && match.teamBId !== team) ? [] : [{ id, match }];
    })
    .toSorted(asPlayed);
  const isWanted = (teamId: TeamId): boolean => (stat === 'pointsFor' ? teamId === team : stat === 'pointsAgainst' ? teamId !== team : true);
  const entries = counted.flatMap(({ id }) => entriesOf(reader, id, 'points', (_, teamId) => isWanted(teamId), names, asOf)).toSorted(byPosition);
  if (stat === 'rank') {
    // Its own matches; each team above opens its own.
    const above = branch?.standings.rows.filter(({ rank }) => rank < row.rank) ?? [];
    const teams = [...above, row].map((one) => ({
      label: names.team(one.teamId),
      value: `${countText(one.points, 'point')}, ${one.difference > 0 ? '+' : ''}${numberText(one.difference)}`,
      counts: 1,
      team_id: one.teamId,
      trace: { of: 'standings' as const, stat: 'points' as const, tournament: tournamentId, team: one.teamId },
    }));
    return { title, value: row.rank, rule: row.tieBreak === undefined ? rule : `${rule} ${row.tieBreak}.`, parts: teams, entries };
  }
  const summed = stat as SummedStat;
  const parts = counted.map(({ id, match }) => {
    const opponent = otherOf(match, team);
    const [own, other] = [scoreOf(match, team), scoreOf(match, opponent)];
    const scorer = stat === 'pointsAgainst' ? opponent : team;
    const result = { ...resultFor([own, other]), difference: own - other };
    return {
      label: `v ${names.team(opponent)}`,
      value: `${numberText(own)}–${numberText(other)}`,
      counts: result[summed],
      date: dayToWire(match.date),
      match_id: id,
      team_id: team,
      trace: { of: 'match-team' as const, stat: 'points' as const, match: id, team: scorer },
    };
  });
  return { title, value: row[summed], rule, parts, entries };
};

/** Why a number is what it is; undefined when there is no such number. */
export const getTrace = (reader: Reader, { stat, ...asked }: TraceQuestion): TraceAnswer | undefined =>
  reader.snapshot(() => {
    if (!isTraced(asked.of, stat)) return undefined;
    const question: Question = { ...asked, stat, asOf: wholeActs(reader, asked.asOf) };
    const plain = namesOf(reader, question.asOf);
    const names: TracedNames = { ...plain, inMatch: playersOfMatches(reader, plain) };
    switch (question.of) {
      case 'match-player':
        return ofMatchPlayer(reader, question, names);
      case 'match-team':
        return ofMatchTeam(reader, question, names);
      case 'player-total':
      case 'player-average':
        return ofPlayer(reader, question, names);
      case 'standings':
        return ofStandings(reader, question, names);
      default:
        return question.of satisfies never;
    }
  });
