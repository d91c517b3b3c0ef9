import type { MatchId, TeamId } from '@courtledger/contracts/kernel/ids';
import { ofMatch } from '../kernel/ledger.ts';
import type { Reader } from '../kernel/read-model.ts';
import { remembered, type Names } from './told-names.ts';

/** What a player wears from a position on. */
type Worn = { readonly position: bigint; readonly number: string; readonly teamId: TeamId };

const withoutRepeats = (worn: readonly (Worn | undefined)[]): readonly Worn[] =>
  worn.filter((one) => one !== undefined).filter(({ number }, index, all) => number !== all[index - 1]?.number);

/** One number, or all of them as they followed each other, the one of now last: `number 7, now 77`, `number 7, then 9, now 77`. */
const numbersText = (worn: readonly Worn[]): string =>
  worn.length === 0
    ? ''
    : `number ${worn.map(({ number }, index) => (index === 0 ? number : `${index === worn.length - 1 ? 'now' : 'then'} ${number}`)).join(', ')}`;

/**
 * Names of players in what is told of a match. Erased players have one name, and others may: where a match tells of several of one name, each is told with the
 * jersey number (also with the team where somebody else of them wore the same one, and with the end of the id where nothing else tells them apart), which is a
 * fact of the team that stays and no personal detail. A fact is told with the number of then; the match as a whole, without a position, with every number that
 * its facts were told with, and the one of now. So nobody is called in one answer what somebody else is called there, and whoever has two numbers there is seen
 * to. Only for the length of one answer.
 * @param also players of whom more is told than the match's facts know (who should have been given an entry)
 */
export type PlayersOfMatch = (matchId: MatchId, at?: bigint, also?: readonly string[]) => Names['player'];

export const playersOfMatches = (reader: Reader, names: Pick<Names, 'player' | 'team'>): PlayersOfMatch => {
  const wornBy = remembered((id) =>
    reader
      .rows(
        `SELECT CAST(position AS TEXT), data ->> '$.jerseyNumber', team_id FROM ledger
         WHERE match_id IS NULL AND player_id = ? AND type IN ('PlayerAddedToTeam', 'PlayerJerseyNumberChanged') ORDER BY ledger.position`,
        id,
      )
      .map(([position, number, teamId]): Worn => ({ position: BigInt(String(position)), number: String(number), teamId: String(teamId) })),
  );
  const wornAt = (id: string, at: bigint): Worn | undefined => wornBy(id).findLast(({ position }) => position <= at);
  const teamOf = (id: string): string => names.team(wornBy(id).at(-1)?.teamId ?? '');
  /** By player, where the match's facts tell of it. */
  const factsIn = remembered((matchId) => {
    const facts = reader
      .rows(`SELECT player_id, CAST(position AS TEXT) FROM ledger WHERE ${ofMatch()} AND player_id IS NOT NULL ORDER BY ledger.position`, matchId)
      .map(([id, position]) => ({ id: String(id), position: BigInt(String(position)) }));
    return Map.groupBy(facts, ({ id }) => id);
  });
  /** What a player wore at its facts of a match, or wears now where there are none. */
  const wornIn = remembered((matchId) =>
    remembered((id) => {
      const facts = factsIn(matchId).get(id);
      return withoutRepeats(facts === undefined ? [wornBy(id).at(-1)] : facts.map(({ position }) => wornAt(id, position)));
    }),
  );
  return (matchId, at, also = []) => {
    const thenOf = wornIn(matchId);
    return (id) => {
      const name = names.player(id);
      const others = [...new Set([...factsIn(matchId).keys(), ...also])].filter((other) => other !== id && names.player(other) === name);
      if (others.length === 0) return name;
      const told = withoutRepeats(at === undefined ? [...thenOf(id), wornBy(id).at(-1)] : [wornAt(id, at)]);
      // The same way in all of an answer: of any fact that tells of either.
      const own = new Set([...thenOf(id), ...(at === undefined ? [] : told)].map(({ number }) => number));
      const rivals = others.filter((other) => thenOf(other).some(({ number }) => own.has(number)));
      if (told.length > 0 && rivals.length === 0) return `${name} (${numbersText(told)})`;
      if (told.length > 0 && rivals.every((other) => teamOf(other) !== teamOf(id))) return `${name} (${numbersText(told)} of ${teamOf(id)})`;
      return `${name} (id …${id.slice(-8)})`;
    };
  };
};
