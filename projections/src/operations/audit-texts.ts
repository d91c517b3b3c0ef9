import type { AdminId, MatchId, PersonId, TeamId, TournamentId } from '@courtledger/contracts/kernel/ids';
import { personIdOf } from '@courtledger/contracts/player/person.events';
import type { Reader } from '../kernel/read-model.ts';
import type { MatchFact } from './match-ledger.ts';
import { numbersText, totalsText, type Names } from './told-names.ts';

/** What a ledger row tells of a fact. Personal details and credentials are not among it. */
export type AuditFact = { readonly position: bigint; readonly stream: string; readonly at: string; readonly type: string; readonly data: Told };
export type Told = {
  readonly tournamentId?: TournamentId;
  readonly matchId?: MatchId;
  readonly teamId?: TeamId;
  readonly playerId?: PersonId | null;
  readonly personId?: PersonId;
  readonly adminId?: AdminId;
  readonly subjectId?: string;
  readonly kind?: string;
  readonly reason?: string;
  readonly name?: string;
  readonly username?: string;
  readonly tournamentName?: string;
  readonly jerseyNumber?: string;
  readonly status?: string;
  readonly note?: string;
  readonly role?: string;
  readonly rehash?: boolean;
  readonly changes?: Readonly<Record<string, unknown>>;
};
export type AuditTexts = {
  readonly what: string;
  readonly before?: string | undefined;
  readonly after?: string | undefined;
  readonly reason?: string | undefined;
};

/** `name.child: value` for everything in a change. */
const flat = (value: Readonly<Record<string, unknown>>, prefix = ''): [string, string][] =>
  Object.entries(value).flatMap(([key, inner]): [string, string][] => {
    if (inner === undefined || inner === null) return [];
    if (typeof inner === 'object') return flat(inner as Record<string, unknown>, `${prefix}${key}.`);
    return [[prefix + key, typeof inner === 'string' ? inner : JSON.stringify(inner)]];
  });

export type StateBefore = (fact: AuditFact, index: 'tournament_id' | 'team_id' | 'admin_id' | 'player_id', id: string) => ReadonlyMap<string, string>;

/** What the facts of a stream had said before one of them, field by field. Streams are read once. */
export const readState = (reader: Reader): StateBefore => {
  const streams = new Map<string, { readonly position: bigint; readonly fields: [string, string][] }[]>();
  return (fact, index, id) => {
    let facts = streams.get(fact.stream + index + id);
    if (facts === undefined) {
      const unmatched = index === 'admin_id' ? '' : 'match_id IS NULL AND ';
      facts = reader
        .rows(`SELECT CAST(position AS TEXT), data FROM ledger WHERE ${unmatched}${index} = ? AND stream = ? ORDER BY position`, id, fact.stream)
        .map(([position, data]) => {
          const told = (data === null || data === undefined ? {} : JSON.parse(String(data))) as Record<string, unknown> & Told;
          return { position: BigInt(String(position)), fields: flat(told.changes ?? told) };
        });
      streams.set(fact.stream + index + id, facts);
    }
    const known = new Map<string, string>();
    for (const { position, fields } of facts) {
      if (position >= fact.position) break;
      for (const [key, value] of fields) known.set(key, value);
    }
    return known;
  };
};

const listed = (fields: readonly [string, string][]): string => fields.map(([key, value]) => `${key}: ${value === '' ? '(empty)' : value}`).join('; ');

const changed = (fact: AuditFact, before: ReadonlyMap<string, string>, names: Names): Pick<AuditTexts, 'before' | 'after'> => {
  const fields = flat(fact.data.changes ?? {});
  // Another person, whose id tells nobody anything.
  const told = ([key, value]: readonly [string, string]): [string, string] =>
    key === 'contactId' ? ['contact', value === '' ? '' : names.person(value)] : [key, value];
  return { before: listed(fields.map(([key]) => told([key, before.get(key) ?? '']))), after: listed(fields.map(told)) };
};

/** What something was recorded with first; ids of other streams tell nobody anything, and what was left empty neither. */
const created = ({ data }: AuditFact): Pick<AuditTexts, 'after'> => ({
  after: listed(flat(data).filter(([key, value]) => value !== '' && !key.endsWith('Id'))),
});

/** One person in the place of another. */
const replaced = (before: string | undefined, after: string | undefined, names: Names): Pick<AuditTexts, 'before' | 'after'> =>
  before === undefined || before === after || after === undefined ? {} : { before: names.person(before), after: names.person(after) };

/** What a fact outside matches says. */
const factTexts = (fact: AuditFact, names: Names, stateOf: StateBefore): AuditTexts => {
  const { data, type } = fact;
  const team = (): string => names.team(data.teamId ?? '');
  const tournament = (): string => names.tournament(data.tournamentId ?? '');
  const admin = (): string => names.admin(data.adminId ?? '', fact.position);
  switch (type) {
    case 'TournamentCreated':
      return { what: `Created the tournament ${data.name ?? ''}`, ...created(fact) };
    case 'TournamentDetailsChanged':
      return { what: `Changed the tournament ${tournament()}`, ...changed(fact, stateOf(fact, 'tournament_id', data.tournamentId ?? ''), names) };
    case 'TeamEnteredTournament':
      return { what: `Entered ${team()} in ${tournament()}`, before: 'not entered', after: 'entered' };
    case 'TeamWithdrawnFromTournament':
      return { what: `Withdrew ${team()} from ${tournament()}`, before: 'entered', after: 'not entered' };
    case 'TeamRegistered':
      return { what: `Registered the team ${data.name ?? ''}`, ...created(fact) };
    case 'CoachAppointed':
      return { what: `Appointed a coach of ${team()}`, ...replaced(stateOf(fact, 'team_id', data.teamId ?? '').get('personId'), data.personId, names) };
    case 'PlayerAddedToTeam':
      return { what: `Added ${names.player(data.playerId ?? '')} to ${team()}`, after: `number ${data.jerseyNumber ?? ''}` };
    case 'PlayerJerseyNumberChanged':
      return {
        what: `Changed the jersey number of ${names.player(data.playerId ?? '')}`,
        before: stateOf(fact, 'player_id', data.playerId ?? '').get('jerseyNumber') ?? '',
        after: data.jerseyNumber ?? '',
      };
    case 'TeamRegistrationCompleted':
      return { what: `Completed the registration of ${team()}`, before: 'open', after: 'complete' };
    case 'TeamRegistrationExpired':
      return { what: `Closed the abandoned registration of ${team()}`, before: 'open', after: 'expired' };
    case 'TeamDetailsCorrected':
      return { what: `Corrected the team ${team()}`, ...changed(fact, stateOf(fact, 'team_id', data.teamId ?? ''), names) };
    case 'PersonDetailsRecorded':
      // The ledger holds no personal details: that they were recorded is all it may say.
      return { what: `Recorded the personal details of ${names.person(personIdOf(fact.stream) ?? '')}` };
    case 'PersonErased':
      return {
        what: `Erased the personal details of a ${(data.kind ?? 'person').replace('-', ' ')}`,
        before: 'recorded',
        after: 'erased',
        reason: data.reason,
      };
    case 'DocumentViewed':
      return { what: `Viewed the ID document of ${names.player(data.playerId ?? '')}` };
    case 'SessionRevoked':
      return { what: `Logged out (${data.role ?? ''})` };
    case 'AdminCreated':
      return { what: `Created the admin ${data.username ?? ''}`, ...created(fact) };
    case 'AdminDetailsChanged':
      return { what: `Changed the details of the admin ${admin()}`, ...changed(fact, stateOf(fact, 'admin_id', data.adminId ?? ''), names) };
    case 'AdminPasswordChanged':
      return {
        what: data.rehash === true ? `Stored the password of the admin ${admin()} under stronger parameters` : `Changed the password of the admin ${admin()}`,
      };
    case 'AdminEmailClaimed':
      return { what: `Took an e-mail address for the account of ${admin()}` };
    case 'AdminEmailReleased':
      return { what: `Gave up an e-mail address of the account of ${admin()}` };
    case 'TournamentRequested':
      return { what: `Requested the tournament ${data.tournamentName ?? ''}`, ...created(fact) };
    case 'TournamentRequestClosed':
      return {
        what: 'Closed a tournament request',
        before: 'open',
        after: data.status,
        ...(data.note !== undefined && data.note !== '' && { reason: data.note }),
      };
    default:
      return { what: type };
  }
};

/** Nobody is the recorded MVP. */
const isNobody = (playerId: PersonId | null | undefined): playerId is null | undefined => playerId === null || playerId === undefined;

/** What a fact of a match says, with what stood before and after. */
const matchTexts = (fact: MatchFact, matchId: MatchId, names: Names): AuditTexts => {
  const { type, data, before, after, amount, stood } = fact;
  const player = (): string => names.player(data.playerId ?? '');
  const match = names.match(matchId);
  switch (type) {
    case 'MatchAssigned':
      return { what: `Assigned the match ${match}`, after: `${data.date ?? ''} ${data.time ?? ''}`.trim() };
    case 'MatchRescheduled':
      return { what: `Moved the match ${match}`, before: stood.when, after: `${data.date ?? ''} ${data.time ?? ''}`.trim() };
    case 'StatIncrementRecorded':
      return { what: `Recorded ${numbersText(amount)} for ${player()} in ${match}`, before: totalsText(before), after: totalsText(after) };
    case 'StatEntryReversed':
      return {
        what: `${fact.restores ? 'Restored' : 'Reversed'} an entry of ${player()} in ${match}: ${numbersText(amount)}`,
        before: totalsText(before),
        after: totalsText(after),
        reason: data.reason,
      };
    case 'PlayerParticipationRecorded':
      return {
        what:
          data.impliedBy === undefined ? `Recorded the status of ${player()} in ${match}` : `The status of ${player()} in ${match} followed from the entries`,
        before: stood.status ?? '',
        after: data.notplayed,
      };
    case 'MatchMvpNamed':
      return {
        what: `${isNobody(data.playerId) ? 'Withdrew' : 'Named'} the MVP of ${match}`,
        before: isNobody(stood.mvp) ? 'none' : names.player(stood.mvp),
        after: isNobody(data.playerId) ? 'none' : player(),
      };
    case 'MatchCancelled':
      return { what: `Cancelled the match ${match}`, before: 'assigned', after: 'cancelled' };
    default:
      return { what: type };
  }
};

/** One sentence for the two facts of a move. */
const moveTexts = ({ reversal, entry }: { readonly reversal: MatchFact; readonly entry: MatchFact }, matchId: MatchId, names: Names): AuditTexts => {
  const [from, to] = [names.player(reversal.data.playerId ?? ''), names.player(entry.data.playerId ?? '')];
  return {
    what: `Moved ${numbersText(entry.amount)} from ${from} to ${to} in ${names.match(matchId)}`,
    before: `${from}: ${totalsText(reversal.before)}; ${to}: ${totalsText(entry.before)}`,
    after: `${from}: ${totalsText(reversal.after)}; ${to}: ${totalsText(entry.after)}`,
    reason: reversal.data.reason,
  };
};

/** One of the two facts of a move, told by itself: it says that it is one. */
const halfTexts = (
  fact: MatchFact,
  texts: AuditTexts,
  { reversal, entry }: { readonly reversal: MatchFact; readonly entry: MatchFact },
  names: Names,
): AuditTexts => {
  const isEntry = fact.position === entry.position;
  const other = names.player((isEntry ? reversal : entry).data.playerId ?? '');
  return { ...texts, what: `${texts.what}, moved ${isEntry ? 'from' : 'to'} ${other}`, reason: reversal.data.reason };
};

/** Sentences of audit lines. */
export const auditTexts = { fact: factTexts, ofMatch: matchTexts, half: halfTexts, move: moveTexts };
