import type { AsOf } from '@courtledger/contracts/kernel/fields';
import { numberText } from '@courtledger/contracts/kernel/minus';
import { formerNames } from '@courtledger/contracts/player/former-names';
import { loadPast } from '../kernel/past-documents.ts';
import type { Reader } from '../kernel/read-model.ts';
import { storedDocument } from '../kernel/stored-document.ts';
import { matches, type MatchDocument } from '../match/match.documents.ts';
import { people } from '../player/person.documents.ts';
import { requests } from '../request/request.documents.ts';
import { teams } from '../team/team.documents.ts';
import { tournaments } from '../tournament/tournament.documents.ts';
import { foldMatchesUntil } from './past-matches.ts';

/** Names for ids that facts tell of, each looked up once. Erased people are 'Former player'. */
export type Names = {
  readonly player: (id: string) => string;
  /** Of any kind: who has no name is told by what it belongs to, and only who was erased is 'Former …'. */
  readonly person: (id: string) => string;
  readonly team: (id: string) => string;
  readonly tournament: (id: string) => string;
  /** As the account was called just before a position; one that was not yet there, as it was called first. */ readonly admin: (
    id: string,
    before: bigint,
  ) => string;
  readonly match: (id: string) => string;
  /** The two teams of a match alone: where its day stands beside them. */
  readonly pair: (id: string) => string;
};

/** Looks up each id once. */
export const remembered = <T>(find: (id: string) => T): ((id: string) => T) => {
  const known = new Map<string, T>();
  return (id) => {
    if (!known.has(id)) known.set(id, find(id));
    return known.get(id) as T;
  };
};

const personName = (reader: Reader, id: string, team: (id: string) => string): string => {
  const person = storedDocument(reader, people, id);
  if (person === undefined || person.kind === null) return 'a person';
  const { kind, details, erased, teamId, requestId } = person;
  if (erased || details === null) return formerNames[kind];
  if (details.name !== undefined && details.name !== '') return details.name;
  const request = requestId === null ? undefined : storedDocument(reader, requests, requestId);
  if (kind === 'requester') return `the requester of ${request?.tournamentName ?? 'a tournament'}`;
  return `the ${kind === 'team-contact' ? 'contact' : kind} of ${teamId === null ? 'a team' : team(teamId)}`;
};

/** The pair of a match, whichever of its teams stands first. */
const pairOf = (teamAId: string, teamBId: string): string => [teamAId, teamBId].toSorted().join(' ');

/**
 * Whether the two teams of a match have another one, in whichever tournament, or had one that was cancelled: the ledger alone still tells of that.
 */
const rematches = (reader: Reader): ((match: MatchDocument) => boolean) => {
  const tournamentsOf = remembered((teamId) =>
    reader
      .rows("SELECT DISTINCT tournament_id FROM ledger WHERE match_id IS NULL AND team_id = ? AND type = 'TeamEnteredTournament'", teamId)
      .map(([id]) => String(id)),
  );
  const pairsOf = remembered((tournamentId) => {
    const pairs = new Map<string, number>();
    const assigned = "SELECT data ->> '$.teamAId', data ->> '$.teamBId' FROM ledger WHERE tournament_id = ? AND type = 'MatchAssigned'";
    for (const [teamAId, teamBId] of reader.rows(assigned, tournamentId)) {
      const pair = pairOf(String(teamAId), String(teamBId));
      pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
    }
    return pairs;
  });
  return ({ teamAId, teamBId }) => tournamentsOf(teamAId).reduce((sum, id) => sum + (pairsOf(id).get(pairOf(teamAId, teamBId)) ?? 0), 0) > 1;
};

/** Names of now, or teams and tournaments by those of `until`. Only for the length of one answer: names change. */
export const namesOf = (reader: Reader, until?: AsOf): Names => {
  const load = loadPast(reader, until);
  const team = remembered((id) => load(teams, id)?.name ?? 'a team');
  const pair = remembered((id) => {
    const match = storedDocument(reader, matches, id);
    return match === undefined ? 'a match' : `${team(match.teamAId)} v ${team(match.teamBId)}`;
  });
  const hasRematch = rematches(reader);
  const usernames = remembered((id) =>
    reader
      .rows(
        `SELECT CAST(position AS TEXT), coalesce(data ->> '$.username', data ->> '$.changes.username') AS username FROM ledger
         WHERE admin_id = ? AND type IN ('AdminCreated', 'AdminDetailsChanged') AND username IS NOT NULL ORDER BY ledger.position`,
        id,
      )
      .map(([position, username]) => ({ position: BigInt(String(position)), username: String(username) })),
  );
  return {
    team,
    player: remembered((id) => storedDocument(reader, people, id)?.details?.name ?? formerNames.player),
    person: remembered((id) => personName(reader, id, team)),
    tournament: remembered((id) => load(tournaments, id)?.details?.name ?? 'a tournament'),
    admin: (id, before) => {
      const known = usernames(id);
      return (known.findLast(({ position }) => position < before) ?? known[0])?.username ?? 'an admin';
    },
    pair,
    match: remembered((id) => {
      const match = storedDocument(reader, matches, id);
      if (match === undefined || !hasRematch(match)) return pair(id);
      const { date, time } = foldMatchesUntil(reader, [id], until).read(matches, id) ?? match;
      return `${pair(id)} (${`${date} ${time}`.trim()})`;
    }),
  };
};

export type NamedKind = 'match' | 'team' | 'player' | 'tournament';
/** The same for ids that somebody typed: undefined for what does not exist. */
export const subjectNamesOf = (reader: Reader): ((kind: NamedKind, id: string) => string | undefined) => {
  const names = namesOf(reader);
  const isThere: Readonly<Record<NamedKind, (id: string) => boolean>> = {
    match: (id) => storedDocument(reader, matches, id) !== undefined,
    team: (id) => storedDocument(reader, teams, id) !== undefined,
    player: (id) => storedDocument(reader, people, id) !== undefined,
    tournament: (id) => storedDocument(reader, tournaments, id) !== undefined,
  };
  return (kind, id) => (isThere[kind](id) ? (kind === 'player' ? names.person(id) : names[kind](id)) : undefined);
};

/** `1 match`, `−1 rebound`, `0 points`: the one rule of plurals in what is told. */
export const countText = (count: number, noun: string, nouns = `${noun}s`): string => `${numberText(count)} ${Math.abs(count) === 1 ? noun : nouns}`;

const statistics = ['points', 'assists', 'rebounds'] as const;
type Numbers = Readonly<Record<(typeof statistics)[number], number>>;
const statisticText = (numbers: Numbers, name: (typeof statistics)[number]): string => countText(numbers[name], name.slice(0, -1));

/** `2 points, −1 rebound`: what is not 0. */
export const numbersText = (numbers: Numbers): string => {
  const said = statistics.flatMap((name) => (numbers[name] === 0 ? [] : [statisticText(numbers, name)]));
  return said.length === 0 ? 'nothing' : said.join(', ');
};

/** `2 points, 0 assists, 1 rebound`: all three. */
export const totalsText = (numbers: Numbers): string => statistics.map((name) => statisticText(numbers, name)).join(', ');
