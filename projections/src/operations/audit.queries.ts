import { actorRoles, LAST_POSITION, type Actor, type EventMetadata } from '@courtledger/contracts/kernel/event';
import type { AsOf } from '@courtledger/contracts/kernel/fields';
import type { MatchId } from '@courtledger/contracts/kernel/ids';
import type { AuditLine } from '@courtledger/contracts/operations/audit.answers';
import { personIdOf } from '@courtledger/contracts/player/person.events';
import { storedDocument } from '../kernel/stored-document.ts';
import { boundPosition, factsOfTournament, ofMatch } from '../kernel/ledger.ts';
import type { Reader } from '../kernel/read-model.ts';
import type { SqlValue } from '../kernel/table.ts';
import { foldName } from '../kernel/text-order.ts';
import { wholeActs } from '../kernel/whole-acts.ts';
import { players } from '../player/person.documents.ts';
import { auditTexts, readState, type AuditFact, type AuditTexts } from './audit-texts.ts';
import { movesOf, readMatchLedger, type MatchFact } from './match-ledger.ts';
import { namesOf, type Names } from './told-names.ts';
import { playersOfMatches } from './told-players.ts';

export type AuditSubject = {
  readonly match?: string | undefined;
  readonly team?: string | undefined;
  readonly player?: string | undefined;
  readonly tournament?: string | undefined;
  readonly admin?: string | undefined;
};
export type AuditFilters = {
  readonly type?: string | undefined;
  /** Role, id or a part of the name of who acted. */
  readonly actor?: string | undefined;
  readonly from?: AsOf | undefined;
  readonly to?: AsOf | undefined;
  readonly asOf?: AsOf | undefined;
  /** Where the page before ended. */
  readonly before?: bigint | undefined;
  readonly limit: number;
  /** Facts about accounts of admins are shown to the super admin only. */
  readonly accounts: boolean;
};

type Move = { readonly reversal: MatchFact; readonly entry: MatchFact; readonly texts: AuditTexts };
type Condition = { readonly sql: string; readonly values: readonly SqlValue[] };

/** Rows that one page looks at where no index leads to the subject: the page may then be short. */
const mostScanned = 20_000;

/** Who was the MVP when another one was named, or none: it is taken from somebody, of whom the fact tells nothing. */
const mvpBefore = `(SELECT earlier.player_id FROM ledger AS earlier
        WHERE earlier.match_number = ledger.match_number AND earlier.type = 'MatchMvpNamed' AND earlier.position < ledger.position
        ORDER BY earlier.position DESC LIMIT 1)`;

/** Everybody who ever belonged to a team (parameter: its id), contacts and coaches that were replaced among them. */
const peopleOfTeam = `SELECT coalesce(player_id, data ->> '$.contactId', data ->> '$.changes.contactId') FROM ledger
        WHERE match_id IS NULL AND team_id = ? AND type IN ('TeamRegistered', 'CoachAppointed', 'PlayerAddedToTeam', 'TeamDetailsCorrected')`;

/** Which rows are about the subject. What a match's facts say of a player or a team is found by their matches. */
const about = (reader: Reader, { match, team, player, tournament, admin }: AuditSubject): Condition[] => {
  const conditions: Condition[] = [];
  if (match !== undefined) conditions.push({ sql: ofMatch(), values: [match] });
  if (tournament !== undefined) conditions.push({ sql: `position IN (${factsOfTournament('position')})`, values: [tournament, tournament] });
  if (team !== undefined) {
    conditions.push({
      // Of its matches, also those that were cancelled: what is about the match, and about its own players.
      sql: `position IN (SELECT position FROM ledger WHERE match_id IS NULL AND team_id = ?
        UNION SELECT position FROM ledger WHERE match_id IS NULL AND player_id IN (${peopleOfTeam})
        UNION SELECT position FROM ledger
          WHERE match_number IN (SELECT position FROM ledger WHERE type = 'MatchAssigned' AND ? IN (data ->> '$.teamAId', data ->> '$.teamBId'))
            AND (team_id IS NULL OR team_id = ?))`,
      values: [team, team, team, team],
    });
  }
  if (player !== undefined) {
    const ids = storedDocument(reader, players, player)?.matches.map(([id]) => id) ?? [];
    conditions.push({
      sql: `position IN (SELECT position FROM ledger WHERE match_id IS NULL AND player_id = ?
        UNION SELECT position FROM ledger WHERE ${ofMatch('IN (SELECT value FROM json_each(?))')}
            AND (player_id = ? OR (type = 'MatchMvpNamed' AND ${mvpBefore} = ?)))`,
      values: [player, JSON.stringify(ids), player, player],
    });
  }
  if (admin !== undefined) conditions.push({ sql: "(admin_id = ? OR metadata ->> '$.actor.id' = ?)", values: [admin, admin] });
  return conditions;
};

/**
 * A command id tells acts apart; the two halves of a move stand together in the log, the reversal first, between them at most what the entry makes of its
 * player's participation.
 */
const beside = (sign: '<' | '>'): string =>
  `SELECT type, metadata ->> '$.commandId' AS command FROM ledger AS other WHERE other.position ${sign} ledger.position
        ORDER BY other.position ${sign === '<' ? 'DESC' : 'ASC'} LIMIT 2`;
const isHalf = (type: string, of: string, sign: '<' | '>'): string =>
  `(type = '${type}' AND EXISTS (SELECT 1 FROM (${beside(sign)}) WHERE type = '${of}' AND command = ledger.metadata ->> '$.commandId'))`;
const isReversalOfMove = isHalf('StatEntryReversed', 'StatIncrementRecorded', '>');
/** Both halves: whoever asks about a player or a team may have been given the entry, or have lost it. */
const isOfMove = `(${isReversalOfMove} OR ${isHalf('StatIncrementRecorded', 'StatEntryReversed', '<')})`;

const isRole = (text: string): boolean => (actorRoles as readonly string[]).includes(text);

/**
 * Whether somebody is meant by a text: the role, the id, or a part of the name, letters of either case. The word of a role means the role, not everybody whose
 * name has it in it.
 */
export const isRecordedBy = ({ id, name, role }: Pick<Actor, 'id' | 'name'> & { readonly role: string }, text: string): boolean => {
  const wanted = foldName(text);
  return [id, name, role].some((one) => foldName(one) === wanted) || (!isRole(wanted) && foldName(name).includes(wanted));
};

const isBy = (fold: 'lower' | 'folded', role: boolean): string => {
  const folded = (field: keyof Actor): string => `${fold}(metadata ->> '$.actor.${field}')`;
  return `(? IN (${folded('id')}, ${folded('name')}, ${folded('role')})${role ? '' : ` OR instr(${folded('name')}, ?) > 0`})`;
};

/**
 * The same as a condition on rows of the ledger. Of ASCII, as most rows are, SQLite's own `lower` says the same, four times as fast: a search looks at every
 * row.
 */
export const recordedBy = (text: string): { readonly sql: string; readonly values: readonly SqlValue[] } => {
  const wanted = foldName(text);
  const role = isRole(wanted);
  return {
    sql: `CASE WHEN octet_length(metadata) = length(metadata) THEN ${isBy('lower', role)} ELSE ${isBy('folded', role)} END`,
    values: Array.from({ length: role ? 2 : 4 }, () => wanted),
  };
};

const bound = (at: AsOf, sign: '<=' | '>='): Condition =>
  at.kind === 'position' ? { sql: `position ${sign} ?`, values: [boundPosition(at.position)] } : { sql: `time ${sign} ?`, values: [at.time] };

const factOf = ([position, stream, time, type, data, metadata]: readonly SqlValue[]): AuditFact & { readonly metadata: EventMetadata } => ({
  position: BigInt(String(position)),
  stream: String(stream),
  at: String(time),
  type: String(type),
  data: data === null || data === undefined ? {} : (JSON.parse(String(data)) as AuditFact['data']),
  metadata: JSON.parse(String(metadata)) as EventMetadata,
});

const lineOf = (fact: AuditFact & { readonly metadata: EventMetadata }, texts: AuditTexts, type: string): AuditLine => {
  const { actor, commandId, causationId } = fact.metadata;
  const { tournamentId, matchId, teamId, playerId, personId, adminId } = fact.data;
  const player = playerId ?? personId ?? personIdOf(fact.stream);
  return {
    position: fact.position.toString(),
    at: fact.at,
    actor: { role: actor.role, id: actor.id, name: actor.name },
    type,
    what: texts.what,
    before: texts.before ?? null,
    after: texts.after ?? null,
    ...(texts.reason !== undefined && { reason: texts.reason }),
    commandId,
    cause: causationId,
    stream: fact.stream,
    ...(tournamentId !== undefined && { tournament_id: tournamentId }),
    ...(matchId !== undefined && { match_id: matchId }),
    ...(teamId !== undefined && { team_id: teamId }),
    ...(player !== undefined && { player_id: player }),
    ...(adminId !== undefined && { admin_id: adminId }),
  };
};

/**
 * A move, at the position of its first fact: before that nothing of it stands, and as of it all of it does. It is about whoever was given the entry, and about
 * whoever it was taken from.
 */
const moveLine = (fact: AuditFact & { readonly metadata: EventMetadata }, { reversal, entry, texts }: Move): AuditLine => ({
  ...lineOf(
    { ...fact, position: reversal.position, at: reversal.at, data: { ...fact.data, teamId: entry.data.teamId ?? '', playerId: entry.data.playerId ?? null } },
    texts,
    'StatEntryMoved',
  ),
  ...(reversal.data.teamId !== undefined && { from_team_id: reversal.data.teamId }),
  ...(typeof reversal.data.playerId === 'string' && { from_player_id: reversal.data.playerId }),
});

/** Matches of the page, each folded once: lines of entries tell the running total around them. */
const matchFolds = (reader: Reader) => {
  const folds = new Map<string, { readonly facts: ReadonlyMap<bigint, MatchFact>; readonly moves: ReturnType<typeof movesOf> }>();
  return (matchId: MatchId) => {
    let fold = folds.get(matchId);
    if (fold === undefined) {
      const facts = readMatchLedger(reader, matchId);
      fold = { facts: new Map(facts.map((fact) => [fact.position, fact])), moves: movesOf(facts) };
      folds.set(matchId, fold);
    }
    return fold;
  };
};

/** Tells facts of the ledger, for the length of one answer, with the names of now or of `until`. `move`: the move that a fact is a half of. */
const tellerOf = (reader: Reader, until?: AsOf): ((fact: AuditFact) => { readonly texts: AuditTexts; readonly move: Move | undefined }) => {
  const names: Names = namesOf(reader, until);
  const playersIn = playersOfMatches(reader, names);
  const foldOf = matchFolds(reader);
  const stateOf = readState(reader);
  return (fact: AuditFact) => {
    const { matchId } = fact.data;
    const fold = matchId === undefined ? undefined : foldOf(matchId);
    const told = fold?.facts.get(fact.position);
    if (told === undefined) return { texts: auditTexts.fact(fact, names, stateOf), move: undefined };
    const halves = fold?.moves.get(told.position);
    const inMatch: Names = { ...names, player: playersIn(matchId ?? '', fact.position) };
    const texts = auditTexts.ofMatch(told, matchId ?? '', inMatch);
    return halves === undefined
      ? { texts, move: undefined }
      : { texts: auditTexts.half(told, texts, halves, inMatch), move: { ...halves, texts: auditTexts.move(halves, matchId ?? '', inMatch) } };
  };
};

/** Sentences for facts of the ledger, as the audit has them; for the length of one answer. A move is told where it ends. */
export const sentencesOf = (reader: Reader): ((fact: AuditFact) => string) => {
  const tell = tellerOf(reader);
  return (fact) => {
    const { texts, move } = tell(fact);
    return (move?.entry.position === fact.position ? move.texts : texts).what;
  };
};

/**
 * `places`: of each line, the position of the row that it was told by: before that the next page goes on, where this one is cut there. A move that is told by
 * its entry has the position of its reversal. `next`: the same for the whole page.
 */
export type FactPage = { readonly lines: readonly AuditLine[]; readonly places: readonly bigint[]; readonly next: string | null };

/** A page of the audit, newest first: facts only (refusals stand outside the log). */
export const listAudit = (reader: Reader, subject: AuditSubject, filters: AuditFilters): FactPage =>
  reader.snapshot(() => {
    const conditions = about(reader, subject);
    // No index leads to all that an admin did: the page looks at so many rows at most.
    const isScan = [subject.match, subject.team, subject.player, subject.tournament].every((id) => id === undefined);
    const { type, actor, from, limit, accounts } = filters;
    const [to, asOf] = [wholeActs(reader, filters.to), wholeActs(reader, filters.asOf)];
    if (type === 'StatEntryMoved')
      conditions.push({ sql: subject.player === undefined && subject.team === undefined ? isReversalOfMove : isOfMove, values: [] });
    else if (type !== undefined) conditions.push({ sql: 'type = ?', values: [type] });
    if (actor !== undefined) conditions.push(recordedBy(actor));
    if (from !== undefined) conditions.push(bound(from, '>='));
    if (to !== undefined) conditions.push(bound(to, '<='));
    if (asOf !== undefined) conditions.push(bound(asOf, '<='));
    if (!accounts) conditions.push({ sql: 'admin_id IS NULL', values: [] });
    const before = boundPosition(filters.before ?? LAST_POSITION);
    let floor: string | undefined;
    if (isScan) {
      floor = reader.text('SELECT CAST(position AS TEXT) FROM ledger WHERE position < ? ORDER BY position DESC LIMIT 1 OFFSET ?', before, mostScanned);
      if (floor !== undefined) conditions.push({ sql: 'position > ?', values: [BigInt(floor)] });
    }
    const where = ['position < ?', ...conditions.map(({ sql }) => sql)].join(' AND ');
    const rows = reader.rows(
      `SELECT CAST(position AS TEXT), stream, time, type, data, metadata FROM ledger WHERE ${where} ORDER BY position DESC LIMIT ?`,
      before,
      ...conditions.flatMap(({ values }) => values),
      limit,
    );
    const tell = tellerOf(reader, asOf);
    const isToldByReversal = ({ data }: MatchFact): boolean =>
      (subject.player === undefined || data.playerId === subject.player) && (subject.team === undefined || data.teamId === subject.team);
    /** A page may begin inside a move. */
    const isBefore = ({ position }: MatchFact): boolean => from?.kind === 'position' && position < from.position;
    const lines: AuditLine[] = [];
    const places: bigint[] = [];
    for (const row of rows) {
      const fact = factOf(row);
      const { texts, move } = tell(fact);
      // Told once: by its reversal, or by its entry where the reversal is another player's or team's than was asked for. Who asks for facts of one type is told
      // those.
      if (move === undefined || (type !== undefined && type !== 'StatEntryMoved')) lines.push(lineOf(fact, texts, fact.type));
      else if (!isBefore(move.reversal) && (fact.type === 'StatEntryReversed' || !isToldByReversal(move.reversal))) lines.push(moveLine(fact, move));
      if (lines.length > places.length) places.push(fact.position);
    }
    const last = rows.length === limit ? String(rows.at(-1)?.[0]) : floor === undefined ? null : String(BigInt(floor) + 1n);
    return { lines, places, next: last };
  });
