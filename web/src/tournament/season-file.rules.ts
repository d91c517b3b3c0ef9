import { tableOf } from './season-table.rules.ts';

/** What a season file says of itself (`scripts/check-season-file.mjs` checks the same on the command line). */
type Fact = { readonly type: string; readonly time?: unknown; readonly data: Readonly<Record<string, unknown>> };
type Result = {
  readonly _id: string;
  readonly team_1: string;
  readonly team_2: string;
  readonly score_1: number;
  readonly score_2: number;
  readonly hasStats: boolean;
};
type Row = {
  readonly rank: number;
  readonly teamId: string;
  readonly teamName: string;
  readonly played: number;
  readonly wins: number;
  readonly losses: number;
  readonly points: number;
  readonly pointsFor: number;
  readonly pointsAgainst: number;
  readonly difference: number;
};
export type Season = {
  readonly format: string;
  readonly position?: unknown;
  readonly tournament: { readonly name: string };
  readonly teams: readonly { readonly _id: string; readonly name: string }[];
  readonly facts: readonly Fact[];
  readonly results: readonly Result[];
  readonly standings: readonly Row[];
};
export type SeasonSeal = { readonly algorithm: string; readonly publicKey: string; readonly signature: string };

/** Whether what the page shows and never counts is there: the lists and the names. Throws where something else stands in their place. */
const isWhole = ({ format, tournament, teams, facts, results, standings }: Season): boolean =>
  format === 'courtledger-season/1' &&
  typeof tournament.name === 'string' &&
  [teams, facts, results, standings].every((list) => Array.isArray(list)) &&
  teams.every(({ _id, name }) => typeof _id === 'string' && typeof name === 'string') &&
  standings.every(({ teamName }) => typeof teamName === 'string');

const byteOrderMark = [0xef, 0xbb, 0xbf];

/** The bytes that were signed, what they say, and the signature; undefined when it is no season file. */
export const splitSeasonFile = (bytes: Uint8Array): { readonly signed: Uint8Array; readonly season: Season; readonly seal: SeasonSeal } | undefined => {
  const end = bytes.indexOf(10);
  if (end < 0) return undefined;
  try {
    // What an editor of texts adds, a byte order mark before the line and a carriage return after it, says nothing: no JSON has either.
    const signed = bytes.subarray(byteOrderMark.every((byte, at) => bytes[at] === byte) ? byteOrderMark.length : 0, bytes[end - 1] === 13 ? end - 1 : end);
    const season = JSON.parse(new TextDecoder().decode(signed)) as Season;
    const seal = JSON.parse(new TextDecoder().decode(bytes.subarray(end + 1))) as SeasonSeal;
    return isWhole(season) && seal.algorithm === 'Ed25519' && typeof seal.publicKey === 'string' && typeof seal.signature === 'string'
      ? { signed, season, seal }
      : undefined;
  } catch {
    return undefined;
  }
};

type Line = { readonly team: string; points: number; entries: number; recorded: boolean };
type Match = { readonly a: string; readonly b: string; readonly lines: Map<string, Line>; readonly gives: Map<string, boolean>; cancelled: boolean };
const text = (value: unknown): string => (typeof value === 'string' ? value : '');
/** JSON can name numbers beyond all numbers: written again, they are null, and so is a score that says nothing. */
const number = (value: unknown): number => (Number.isSafeInteger(value) ? (value as number) : 0);

/** The scores added up again from the entries: a line counts while an entry of it stands, or its last status is not 'Not Played'. */
export const recountResults = (facts: readonly Fact[]): Result[] => {
  const matches = new Map<string, Match>();
  for (const { type, data } of facts) {
    const matchId = text(data['matchId']);
    if (type === 'MatchAssigned')
      matches.set(matchId, { a: text(data['teamAId']), b: text(data['teamBId']), lines: new Map(), gives: new Map(), cancelled: false });
    const match = matches.get(matchId);
    if (!match) continue;
    if (type === 'MatchCancelled') match.cancelled = true;
    if (type !== 'StatIncrementRecorded' && type !== 'StatEntryReversed' && type !== 'PlayerParticipationRecorded') continue;
    const playerId = text(data['playerId']);
    const line = match.lines.get(playerId) ?? { team: text(data['teamId']), points: 0, entries: 0, recorded: false };
    match.lines.set(playerId, line);
    if (type === 'PlayerParticipationRecorded') {
      line.recorded = data['notplayed'] !== 'Not Played';
      continue;
    }
    const gives = type === 'StatIncrementRecorded' || !(match.gives.get(text(data['targetEntryId'])) ?? true);
    match.gives.set(text(data['entryId']), gives);
    line.entries += gives ? 1 : -1;
    line.points += number(data['points']);
  }
  return [...matches].flatMap(([_id, { a, b, lines, cancelled }]) => {
    const shown = [...lines.values()].filter(({ entries, recorded }) => entries > 0 || recorded);
    const score = (team: string): number => shown.reduce((sum, line) => (line.team === team ? sum + line.points : sum), 0);
    return cancelled ? [] : [{ _id, team_1: a, team_2: b, score_1: score(a), score_2: score(b), hasStats: shown.length > 0 }];
  });
};

const key = (list: readonly Result[]): string =>
  JSON.stringify(
    list.map((one) => JSON.stringify([one._id, one.team_1, one.team_2, one.score_1, one.score_2, one.hasStats])).toSorted((a, b) => a.localeCompare(b)),
  );

/** Who stands in the table: whoever is entered or played; nobody before the first result. */
const teamsOf = (facts: readonly Fact[], counted: readonly Result[]): string[] => {
  const teams = new Set<string>();
  for (const { type, data } of facts) {
    if (type === 'TeamEnteredTournament') teams.add(text(data['teamId']));
    if (type === 'TeamWithdrawnFromTournament') teams.delete(text(data['teamId']));
  }
  for (const { team_1, team_2 } of counted) teams.add(team_1).add(team_2);
  return counted.length === 0 ? [] : [...teams];
};

/** Exactly so: what comes behind a day, or stands in its place, browsers may take for a date that no calendar has, and 30 February for 2 March. */
const isDay = (date: unknown): date is string => {
  if (typeof date !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(date)) return false;
  const time = Date.parse(`${date}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(date);
};

type When = { readonly day: string; readonly time: string };
/** The day (`2026-11-03`) and time (`14:00`, or nothing) of each match as its last fact says them; none where that is no day. */
export const whenOfMatches = (facts: Season['facts']): ReadonlyMap<string, When> => {
  const known = new Map<string, When>();
  for (const { type, data } of facts) {
    const { matchId, date, time } = data;
    if ((type === 'MatchAssigned' || type === 'MatchRescheduled') && typeof matchId === 'string' && isDay(date))
      known.set(matchId, { day: date, time: text(time) });
  }
  return known;
};

/** Results by day and time, as the results page has them; those of one moment as the file has them, and last what has no day. */
export const inOrderOfPlay = <R extends Pick<Result, '_id'>>(results: readonly R[], known: ReadonlyMap<string, When>): readonly R[] => {
  const keyOf = ({ _id }: R): string => {
    const when = known.get(_id);
    return when === undefined ? 'undated' : when.day + when.time;
  };
  return results
    .map((result) => ({ result, at: keyOf(result) }))
    .toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
    .map(({ result }) => result);
};

/** How far a file goes: the position of the server's log, and when the last of its facts was recorded. Undefined where something else stands in their place. */
export const reachOf = ({ position, facts }: Season): { readonly position: string; readonly at: string } | undefined => {
  const at = facts.at(-1)?.time;
  const isMoment =
    typeof at === 'string' && /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/.test(at) && isDay(at.slice(0, 10)) && !Number.isNaN(Date.parse(at));
  return isMoment && typeof position === 'string' && /^\d{1,19}$/.test(position) ? { position, at } : undefined;
};

const numbers = ['rank', 'played', 'wins', 'losses', 'points', 'pointsFor', 'pointsAgainst', 'difference'] as const;

/** Whether the results and the table follow from the facts; what is wrong, in a sentence, or undefined. */
export const faultOfSeason = ({ facts, results, standings }: Season): string | undefined => {
  const recounted = recountResults(facts);
  if (key(recounted) !== key(results)) return 'The entries do not add up to the scores.';
  const counted = recounted.filter(({ hasStats }) => hasStats);
  const table = new Map(tableOf(teamsOf(facts, counted), counted).map((row) => [row.teamId, row]));
  if (standings.length !== table.size || new Set(standings.map(({ teamId }) => teamId)).size !== table.size)
    return 'The standings do not have every team once.';
  for (const row of standings) {
    const own = table.get(row.teamId);
    if (own === undefined || numbers.some((name) => own[name] !== row[name])) return `The results do not give the standings of ${row.teamName}.`;
  }
  const isOrdered = standings.every((row, at) => {
    const above = standings[at - 1];
    return above === undefined || above.points > row.points || (above.points === row.points && above.difference >= row.difference);
  });
  return isOrdered ? undefined : 'The standings are not in the order of points and point difference.';
};
