import { allEndpoints } from '@courtledger/contracts/kernel/all-endpoints';
import type { AuditLine } from '@courtledger/contracts/operations/audit.answers';
import { formerNames } from '@courtledger/contracts/player/former-names';
import { adminById } from '@courtledger/projections/admin/admin.queries';
import { ofMatch } from '@courtledger/projections/kernel/ledger';
import type { Reader } from '@courtledger/projections/kernel/read-model';
import { isRecordedBy, type AuditSubject } from '@courtledger/projections/operations/audit.queries';
import { countText, namesOf, remembered, subjectNamesOf, type NamedKind } from '@courtledger/projections/operations/told-names';
import { teamOfPerson } from '@courtledger/projections/operations/retention.queries';
import { playersOfMatches, type PlayersOfMatch } from '@courtledger/projections/operations/told-players';
import { problems } from '../platform/problem.ts';
import type { RefusalSubject, SubjectKind } from '../platform/refusal-subject.ts';
import type { Refusal, RefusalPlace, RefusalQuery, Refusals } from '../platform/refusals.ts';
import { refusedActs } from './audit-refused-acts.ts';

/** What is asked of refusals: as of facts, with ISO times. */
export type RefusalsAsked = AuditSubject & {
  readonly actor?: string | undefined;
  /** Whether what concerns accounts of admins is told. */
  readonly accounts: boolean;
} & RefusalQuery;

/** Names for ids of anything that a refusal can be about; undefined for what does not exist. */
export type SubjectNames = (kind: NamedKind | 'admin', id: string) => string | undefined;
export const subjectNamesIn = (reader: Reader): SubjectNames => {
  const named = subjectNamesOf(reader);
  const admin = remembered((id) => adminById(reader, id)?.username);
  return (kind, id) => (kind === 'admin' ? admin(id) : named(kind, id));
};

const isEndpoint = (name: string): name is keyof typeof allEndpoints => Object.hasOwn(allEndpoints, name);

/** Whom a refusal was about, and of an entry that was to be moved whose it was. */
type Subjects = {
  readonly subjects: readonly RefusalSubject[];
  /** Of the players of a sheet. */
  readonly teamsOfLines: ReadonlySet<string>;
  readonly from?: { readonly player: string; readonly team: string } | undefined;
};

/** Names in what a refusal was about: of erased players in one match each is told apart, as in what was recorded of it. */
const namesInMatch = (nameOf: SubjectNames, playersIn: PlayersOfMatch, { subjects }: Subjects): SubjectNames => {
  const match = subjects.find(({ kind }) => kind === 'match')?.id;
  const named = subjects.flatMap(({ kind, id }) => (kind === 'player' ? [id] : []));
  return (kind, id) => {
    const name = nameOf(kind, id);
    return kind === 'player' && match !== undefined && name === formerNames.player ? playersIn(match, undefined, named)(id) : name;
  };
};

/** `take back an entry (Player 1, Pokhara Lynx v Dharan Dukes), 3 times within a minute`. A match says its teams and its tournament. */
const whatOf = ({ endpoint, count }: Pick<Refusal, 'endpoint' | 'count'>, { subjects, from }: Subjects, nameOf: SubjectNames): string => {
  if (endpoint === '') return `Refused: ${countText(count, 'more call')} of the same minute`;
  const act = isEndpoint(endpoint) ? refusedActs[endpoint] : endpoint;
  const isOfMatch = subjects.some(({ kind }) => kind === 'match');
  const order: readonly (SubjectKind & (NamedKind | 'admin'))[] = isOfMatch ? ['player', 'match'] : ['player', 'team', 'tournament', 'admin'];
  const named = (kind: SubjectKind & (NamedKind | 'admin')): readonly string[] =>
    subjects.flatMap((subject) => (subject.kind === kind ? (nameOf(kind, subject.id) ?? []) : []));
  const to = subjects.find(({ kind, id }) => kind === 'player' && id !== from?.player)?.id;
  const [owner, receiver] = [from && nameOf('player', from.player), to === undefined ? undefined : nameOf('player', to)];
  const ways = owner === undefined ? named('player') : [receiver === undefined ? `from ${owner}` : `from ${owner} to ${receiver}`];
  const names = new Set(order.flatMap((kind) => (kind === 'player' ? ways : named(kind))));
  return `Refused: ${act}${names.size === 0 ? '' : ` (${[...names].join(', ')})`}${count > 1 ? `, ${String(count)} times within a minute` : ''}`;
};

const logIns: ReadonlySet<string> = new Set([allEndpoints.logInAdmin.name, allEndpoints.logInSuperAdmin.name]);
/** The server's own words, or what the code means. */
const reasonOf = ({ endpoint, code, message }: Refusal): string =>
  message !== '' ? message : code === 'unauthenticated' && logIns.has(endpoint) ? 'Wrong credentials' : problems[code].title;

const actorOfRefusal = ({ actor, actorName }: Refusal, nameOf: SubjectNames): AuditLine['actor'] => {
  const end = actor.indexOf(':');
  const [role, id] = end < 0 ? [actor, ''] : [actor.slice(0, end), actor.slice(end + 1)];
  // Earlier releases kept no names.
  const former: Readonly<Record<string, string>> = { visitor: 'Visitor', registrant: 'Team registration', superadmin: 'Super admin', operator: 'Operator' };
  return {
    role,
    id: role === 'visitor' || role === 'operator' ? role : id,
    name: role === 'admin' ? (nameOf('admin', id) ?? '') : actorName !== '' ? actorName : (former[role] ?? ''),
  };
};

/** Those that concern an account of an admin, also where there is none to name: of a new one, or under an id that nobody has. */
const ofAccounts: ReadonlySet<string> = new Set([allEndpoints.createAdmin.name, allEndpoints.changeAdmin.name]);
const moves: ReadonlySet<string> = new Set([allEndpoints.moveStatEntry.name, allEndpoints.previewMove.name]);
const idNames = { match: 'match_id', team: 'team_id', player: 'player_id', tournament: 'tournament_id', admin: 'admin_id' } as const;
const lineOf = (refusal: Refusal, about: Subjects, actor: AuditLine['actor'], nameOf: SubjectNames): AuditLine => ({
  position: null,
  at: refusal.time,
  actor,
  type: 'Refused',
  what: whatOf(refusal, about, nameOf),
  before: null,
  after: null,
  reason: reasonOf(refusal),
  commandId: refusal.requestId,
  cause: refusal.requestId,
  stream: '',
  // A match has two teams: the first is named.
  ...Object.fromEntries(about.subjects.toReversed().flatMap(({ kind, id }) => (kind === 'entry' || kind === 'line' ? [] : [[idNames[kind], id]]))),
  ...(about.from && { from_team_id: about.from.team, from_player_id: about.from.player }),
});

/** What a refusal was about, with the player and the team of an entry that it named, and the teams of the persons that it named. */
const subjectsIn = (reader: Reader): ((refusal: Pick<Refusal, 'endpoint' | 'subjects'>) => Subjects) => {
  const ownersIn = remembered((match) =>
    remembered((entry) => {
      const row = reader.row(`SELECT player_id, team_id FROM ledger WHERE ${ofMatch()} AND entry_id = ?`, match, entry);
      return row === undefined ? undefined : { player: String(row[0]), team: String(row[1]) };
    }),
  );
  const teamOf = remembered((person) => teamOfPerson(reader, person));
  return ({ endpoint, subjects }) => {
    const withTeams = subjects.flatMap((subject): readonly RefusalSubject[] => {
      const team = subject.kind === 'player' ? teamOf(subject.id) : undefined;
      return team === undefined ? [subject] : [subject, { kind: 'team', id: team }];
    });
    const teamsOfLines = new Set(subjects.flatMap(({ kind, id }) => (kind === 'line' ? (teamOf(id) ?? []) : [])));
    const entry = subjects.find(({ kind }) => kind === 'entry')?.id;
    const match = subjects.find(({ kind }) => kind === 'match')?.id;
    const owner = entry === undefined || match === undefined ? undefined : ownersIn(match)(entry);
    if (owner === undefined) return { subjects: withTeams, teamsOfLines };
    const owners: readonly RefusalSubject[] = [
      { kind: 'player', id: owner.player },
      { kind: 'team', id: owner.team },
    ];
    // As a recorded move is told: it is about whoever it goes to, and then about whoever it comes from.
    return moves.has(endpoint) ? { subjects: [...withTeams, ...owners], teamsOfLines, from: owner } : { subjects: [...owners, ...withTeams], teamsOfLines };
  };
};

/** Whether a match has an entry of that id; no while the read model cannot tell. */
export const entryFinder =
  (reader: () => Reader) =>
  (matchId: string, entryId: string): boolean => {
    try {
      return reader().row(`SELECT 1 FROM ledger WHERE ${ofMatch()} AND entry_id = ?`, matchId, entryId) !== undefined;
    } catch {
      return false;
    }
  };

export type ToldRefusal = { readonly place: RefusalPlace; readonly line: AuditLine };
/**
 * Refusals stand outside the log. They are told in the audit of what they were about, in that of the admin who was refused, and in that of everything. Newest
 * first.
 */
export function* refusalsFor(
  refusals: Pick<Refusals, 'find'>,
  reader: Reader,
  { match, team, player, tournament, admin, actor, accounts, ...bounds }: RefusalsAsked,
): Generator<ToldRefusal> {
  const matchesOf = new Set(
    tournament === undefined ? [] : reader.texts("SELECT match_id FROM ledger WHERE tournament_id = ? AND type = 'MatchAssigned'", tournament),
  );
  const matchesOfTeam = new Set(
    team === undefined
      ? []
      : reader.texts("SELECT match_id FROM ledger WHERE type = 'MatchAssigned' AND ? IN (data ->> '$.teamAId', data ->> '$.teamBId')", team),
  );
  const nameOf = subjectNamesIn(reader);
  const playersIn = playersOfMatches(reader, namesOf(reader));
  const withOwners = subjectsIn(reader);
  for (const refusal of refusals.find(bounds)) {
    const about = withOwners(refusal);
    const { subjects, teamsOfLines } = about;
    const isAbout = (kind: SubjectKind, wanted: string | undefined): boolean =>
      wanted === undefined || subjects.some((subject) => subject.kind === kind && subject.id === wanted);
    if (!isAbout('match', match) || !(isAbout('player', player) || isAbout('line', player))) continue;
    // As of facts: what is about a match is about both of its teams, what is about somebody in it about the team of theirs.
    const isOfMatch =
      subjects.some(({ kind, id }) => kind === 'match' && matchesOfTeam.has(id)) && !subjects.some(({ kind }) => kind === 'team' || kind === 'player');
    // A sheet may name players of a team that is none of the match's.
    if (!isAbout('team', team) && !isOfMatch && !(team !== undefined && teamsOfLines.has(team))) continue;
    if (!isAbout('tournament', tournament) && !subjects.some(({ kind, id }) => kind === 'match' && matchesOf.has(id))) continue;
    if (!accounts && (ofAccounts.has(refusal.endpoint) || subjects.some(({ kind }) => kind === 'admin'))) continue;
    const by = actorOfRefusal(refusal, nameOf);
    if (admin !== undefined && by.id !== admin && !isAbout('admin', admin)) continue;
    if (actor !== undefined && !isRecordedBy(by, actor)) continue;
    yield { place: { time: refusal.time, id: refusal.id }, line: lineOf(refusal, about, by, namesInMatch(nameOf, playersIn, about)) };
  }
}
