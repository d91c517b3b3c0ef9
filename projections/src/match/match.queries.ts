import { dayToWire } from '@courtledger/contracts/kernel/days';
import type { MatchId, PersonId } from '@courtledger/contracts/kernel/ids';
import type { Correction, HistoryRow } from '@courtledger/contracts/match/match.answers';
import { arrayOf } from '../kernel/json-pieces.ts';
import type { Reader } from '../kernel/read-model.ts';
import { correctingFactsOf, inActs } from './corrections.rules.ts';
import { MATCH_ANSWER, STAT_ROWS } from './match.views.ts';
import { movesOf, readMatchLedger, type MatchFact, type Numbers } from '../operations/match-ledger.ts';
import { countText, namesOf, numbersText } from '../operations/told-names.ts';
import { playersOfMatches } from '../operations/told-players.ts';

/** `(SELECT ?)`: by a plain parameter of a join SQLite would compile the statement anew for each match. */
const OF_ONE = 'FROM matches m JOIN match_stats s ON s.match_id = m.id WHERE m.id = (SELECT ?)';

/** One match (getMatch), JSON text; undefined when there is none, or it was cancelled. */
export const getMatch = (reader: Reader, matchId: MatchId): string | undefined => reader.text(`SELECT ${MATCH_ANSWER} ${OF_ONE}`, matchId);

/** All matches by day and time (listMatches): stored fragments, joined. */
export const listMatches = (reader: Reader): string =>
  arrayOf(reader.texts(`SELECT m.list_frame || ${STAT_ROWS} || '}' FROM matches m JOIN match_stats s ON s.match_id = m.id ORDER BY m.date, m.time, m.ordinal`));

/** One match as it stands at a revision of its stream: whether the stored answer is what a command left. */
export const matchAtRevision = (reader: Reader, matchId: MatchId): { readonly revision: number; readonly answer: string } | undefined => {
  const row = reader.row(`SELECT s.revision, ${MATCH_ANSWER} ${OF_ONE}`, matchId);
  return row === undefined ? undefined : { revision: Number(row[0]), answer: String(row[1]) };
};

/** Names of everybody that the match's facts tell of, as a fact at a position tells them. */
const playersOf = (reader: Reader, matchId: MatchId): ((playerId: PersonId | null | undefined, at: bigint) => string) => {
  const players = playersOfMatches(reader, namesOf(reader));
  return (playerId, at) => players(matchId, at)(playerId ?? '');
};

/** By entry: the reversal that stands, which is one that is not itself reversed. Reversals come after what they reverse. */
const standingReversals = (facts: readonly MatchFact[]): ReadonlyMap<string, string> => {
  const reversedBy = new Map<string, string>();
  for (const {
    data: { entryId, targetEntryId },
  } of facts.toReversed()) {
    if (entryId !== undefined && targetEntryId !== undefined && !reversedBy.has(entryId)) reversedBy.set(targetEntryId, entryId);
  }
  return reversedBy;
};

/** Every fact of a match, oldest first, with the player's running total after it. For admins. Undefined when there never was such a match. */
export const getMatchHistory = (reader: Reader, matchId: MatchId): string | undefined =>
  reader.snapshot(() => {
    const facts = readMatchLedger(reader, matchId);
    if (facts.length === 0) return undefined;
    const nameOf = playersOf(reader, matchId);
    const reversedBy = standingReversals(facts);
    const history = facts.map(({ position, at, type, data, metadata, amount: { points, assists, rebounds }, after, reversed }): HistoryRow => {
      const { entryId, targetEntryId, playerId, teamId, notplayed, impliedBy, reason, date, time } = data;
      const { role, id, name } = metadata.actor;
      const row: HistoryRow = {
        position: position.toString(),
        at,
        actor: { role, id, name },
        type,
        points,
        assists,
        rebounds,
        reversed,
        commandId: metadata.commandId,
      };
      if (entryId !== undefined) row.entryId = entryId;
      if (targetEntryId !== undefined) row.targetEntryId = targetEntryId;
      if (playerId !== undefined && playerId !== null) {
        row.player_id = playerId;
        row.playerName = nameOf(playerId, position);
        row.runningTotal = after;
      }
      if (teamId !== undefined) row.team_id = teamId;
      if (notplayed !== undefined) row.notplayed = notplayed;
      if (impliedBy !== undefined) row.impliedBy = impliedBy;
      if (date !== undefined) row.date = dayToWire(date);
      if (time !== undefined) row.time = time;
      const reversal = reversedBy.get(entryId ?? '');
      if (reversal !== undefined) row.reversedBy = reversal;
      if (reason !== undefined) row.reason = reason;
      return row;
    });
    return JSON.stringify(history);
  });

const changeOf = (value: number, one: string): string[] => (value === 0 ? [] : [`${value > 0 ? '+' : ''}${countText(value, one)}`]);
const changesOf = ({ points, assists, rebounds }: Numbers): string =>
  [...changeOf(points, 'point'), ...changeOf(assists, 'assist'), ...changeOf(rebounds, 'rebound')].join(', ') || 'no change';

/** A change of status, or what an entry or a reversal adds. */
const toldOf = ({ data, stood, amount }: MatchFact): string =>
  data.notplayed === undefined ? changesOf(amount) : `${stood.status === undefined ? '' : `${stood.status} → `}${data.notplayed}`;

/** A late entry or status is recorded as any other one is: nobody was asked why. */
const lateReason = 'Recorded after the match, no reason was given';

/**
 * Every reversal of a match from the moment it is made, every entry that came after its day, and every status that changed then whether it counts; newest
 * first. For everybody. Undefined when there is no such match.
 */
export const listMatchCorrections = (reader: Reader, matchId: MatchId): string | undefined =>
  reader.snapshot(() => {
    if (reader.row('SELECT 1 FROM matches WHERE id = ?', matchId) === undefined) return undefined;
    const nameOf = playersOf(reader, matchId);
    const facts = readMatchLedger(reader, matchId);
    const moves = movesOf(facts);
    const acts = inActs(correctingFactsOf(facts, ({ position }) => moves.has(position)));
    const corrections = acts.toReversed().map((act): Correction => {
      const [{ fact, afterDay }] = act;
      const { at, data, position } = fact;
      const move = moves.get(position);
      const what =
        move === undefined
          ? act.map((one) => `${nameOf(one.fact.data.playerId, position)}: ${toldOf(one.fact)}`).join('; ')
          : `${numbersText(move.entry.amount)} moved from ${nameOf(data.playerId, position)} to ${nameOf(move.entry.data.playerId, position)}`;
      return { at, what, reason: fact.type === 'StatEntryReversed' ? (data.reason ?? '') : lateReason, afterDay };
    });
    return JSON.stringify(corrections);
  });
