import { storedDocument } from '../kernel/branch.ts';
import type { Reader } from '../kernel/read-model.ts';
import { matches } from '../match/match.documents.ts';
import { FORMER_PLAYER, people } from '../player/person.documents.ts';
import { teams } from '../team/team.documents.ts';
import { tournaments } from '../tournament/tournament.documents.ts';

/** Names of now for ids that facts tell of, each looked up once. Erased people are 'Former player'. */
export type Names = { readonly player: (id: string) => string; readonly team: (id: string) => string; readonly tournament: (id: string) => string; readonly match: (id: string) => string };

/** Looks up each id once. */
export const remembered = <T>(find: (id: string) => T): ((id: string) => T) => {
  const known = new Map<string, T>();
  return (id) => {
    if (!known.has(id)) known.set(id, find(id));
    return known.get(id) as T;
  };
};

/** Only for the length of one answer: names change. */
export const namesOf = (reader: Reader): Names => {
  const team = remembered((id) => storedDocument(reader, teams, id)?.name ?? 'a team');
  return {
    team,
    player: remembered((id) => storedDocument(reader, people, id)?.details?.name ?? FORMER_PLAYER),
    tournament: remembered((id) => storedDocument(reader, tournaments, id)?.details?.name ?? 'a tournament'),
    match: remembered((id) => {
      const match = storedDocument(reader, matches, id);
      return match === undefined ? 'a match' : `${team(match.teamAId)} v ${team(match.teamBId)}`;
    }),
  };
};

/** `2 points, −1 rebound`. */
export const numbersText = (numbers: { readonly points: number; readonly assists: number; readonly rebounds: number }): string => {
  const said = (['points', 'assists', 'rebounds'] as const).flatMap((name) => {
    const value = numbers[name];
    return value === 0 ? [] : [`${value < 0 ? '−' : ''}${String(Math.abs(value))} ${Math.abs(value) === 1 ? name.slice(0, -1) : name}`];
  });
  return said.length === 0 ? 'nothing' : said.join(', ');
};
