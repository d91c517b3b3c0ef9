import type { EventMetadata } from '@courtledger/contracts/kernel/event';
import type { EntryId, MatchId, PersonId, TeamId } from '@courtledger/contracts/kernel/ids';
import type { Participation } from '@courtledger/contracts/match/match.events';
import { ofMatch } from '../kernel/ledger.ts';
import type { Reader } from '../kernel/read-model.ts';
import { isShown } from '../match/match-rows.rules.ts';

export type Numbers = { readonly points: number; readonly assists: number; readonly rebounds: number };
export const noNumbers: Numbers = { points: 0, assists: 0, rebounds: 0 };
const plus = (a: Numbers, b: Numbers): Numbers => ({ points: a.points + b.points, assists: a.assists + b.assists, rebounds: a.rebounds + b.rebounds });

/** What a fact of a match may tell. */
export type MatchTold = Partial<Numbers> & {
  readonly entryId?: EntryId;
  readonly targetEntryId?: EntryId;
  readonly playerId?: PersonId | null;
  readonly teamId?: TeamId;
  readonly date?: string;
  readonly time?: string;
  readonly notplayed?: Participation;
  readonly impliedBy?: EntryId;
  readonly reason?: string;
};

/** One fact of a match with what stood before and after it. */
export type MatchFact = {
  readonly position: bigint;
  readonly at: string;
  readonly type: string;
  readonly data: MatchTold;
  readonly metadata: EventMetadata;
  /** What it adds, and its player's running total around it. Zero where it adds nothing. */
  readonly amount: Numbers;
  readonly before: Numbers;
  readonly after: Numbers;
  /** Of what is no number: the day and time, the MVP, the status. */
  readonly stood: { readonly when?: string | undefined; readonly mvp?: string | null | undefined; readonly status?: Participation | undefined };
  /** A reversal that takes back another one, and so restores an entry. */
  readonly restores: boolean;
  /** The entry was taken back by a reversal that stands. */
  readonly reversed: boolean;
  /** An entry stands after it: the match has a result. A status alone says nothing of one. */
  readonly hasResult: boolean;
  /** Somebody has a row after it, if only by a status: the standings count the match. */
  readonly counts: boolean;
};

/** Every fact of a match, oldest first; at most up to a position. Empty when there never was such a match. */
export const readMatchLedger = (reader: Reader, matchId: MatchId, last?: bigint): MatchFact[] => {
  const select = `SELECT CAST(position AS TEXT), time, type, data, metadata FROM ledger WHERE ${ofMatch()}`;
  const rows =
    last === undefined ? reader.rows(`${select} ORDER BY position`, matchId) : reader.rows(`${select} AND position <= ? ORDER BY position`, matchId, last);
  const told = rows.map(([position, at, type, data, metadata]) => ({
    position: BigInt(String(position)),
    at: String(at),
    type: String(type),
    data: JSON.parse(String(data)) as MatchTold,
    metadata: JSON.parse(String(metadata)) as EventMetadata,
  }));
  const reversed = new Set<string>();
  // From the end: a reversal counts unless it was reversed itself.
  for (const { data } of told.toReversed()) if (data.targetEntryId !== undefined && !reversed.has(data.entryId ?? '')) reversed.add(data.targetEntryId);
  const totals = new Map<string, Numbers>();
  const statuses = new Map<string, Participation>();
  /** Entries of a player that stand: they mean 'played' where no status says otherwise. */
  const standing = new Map<string, number>();
  let entries = 0;
  const shown = new Set<string>();
  const taking = new Set<string>();
  let when: string | undefined;
  let mvp: string | null | undefined;
  return told.map((fact): MatchFact => {
    const { data } = fact;
    const amount = { points: data.points ?? 0, assists: data.assists ?? 0, rebounds: data.rebounds ?? 0 };
    const player = data.playerId ?? undefined;
    const before = player === undefined ? noNumbers : (totals.get(player) ?? noNumbers);
    const after = plus(before, amount);
    const stood = {
      when,
      mvp,
      status: player === undefined ? undefined : (statuses.get(player) ?? ((standing.get(player) ?? 0) > 0 ? ('played' as const) : undefined)),
    };
    if (player !== undefined) totals.set(player, after);
    if (data.date !== undefined) when = `${data.date} ${data.time ?? ''}`.trim();
    if (fact.type === 'MatchMvpNamed') mvp = data.playerId ?? null;
    if (player !== undefined && data.notplayed !== undefined) statuses.set(player, data.notplayed);
    const restores = data.targetEntryId !== undefined && taking.has(data.targetEntryId);
    if (data.targetEntryId !== undefined && data.entryId !== undefined && !restores) taking.add(data.entryId);
    if (player !== undefined) {
      const change = fact.type === 'StatIncrementRecorded' || restores ? 1 : fact.type === 'StatEntryReversed' ? -1 : 0;
      standing.set(player, (standing.get(player) ?? 0) + change);
      entries += change;
      if (isShown({ entries: standing.get(player) ?? 0, participation: statuses.get(player) ?? null })) shown.add(player);
      else shown.delete(player);
    }
    return Object.assign(fact, {
      amount,
      before,
      after,
      stood,
      restores,
      reversed: data.entryId !== undefined && reversed.has(data.entryId),
      hasResult: entries > 0,
      counts: shown.size > 0,
    });
  });
};

/** The reversal and the entry of each move, by the positions of both. What the same command records beside them (a participation) is no half of it. */
export const movesOf = (facts: readonly MatchFact[]): ReadonlyMap<bigint, { readonly reversal: MatchFact; readonly entry: MatchFact }> => {
  const reversals = new Map(facts.filter(({ type }) => type === 'StatEntryReversed').map((fact) => [fact.metadata.commandId, fact]));
  const moves = new Map<bigint, { reversal: MatchFact; entry: MatchFact }>();
  for (const entry of facts) {
    const reversal = entry.type === 'StatIncrementRecorded' ? reversals.get(entry.metadata.commandId) : undefined;
    if (reversal !== undefined) for (const { position } of [reversal, entry]) moves.set(position, { reversal, entry });
  }
  return moves;
};

/** The last of the reversals that hang on an entry, by that entry and by each of them but the last: what stands of it now. */
export const lastReversalsOf = (facts: readonly MatchFact[]): ReadonlyMap<string, MatchFact> => {
  const targets = new Map<string, string>();
  const last = new Map<string, MatchFact>();
  for (const fact of facts) {
    const { entryId, targetEntryId } = fact.data;
    if (entryId === undefined || targetEntryId === undefined) continue;
    targets.set(entryId, targetEntryId);
    for (let id: string | undefined = targetEntryId; id !== undefined; id = targets.get(id)) last.set(id, fact);
  }
  return last;
};
