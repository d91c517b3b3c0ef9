import { holdEveryWord, searchable } from '../lib/word-search.rules.ts';

/** At most this many rows fit without becoming a page of their own. */
export const rowsShown = 8;

type Searched = { readonly name: string; readonly eventName: string; readonly location: string };

/** Tournaments whose names or place hold every word of the query; none for an empty query. The upcoming events show the name of the event alone. */
export const findTournaments = <T extends Searched>(tournaments: readonly T[], query: string): readonly T[] =>
  query.trim() === '' ? [] : tournaments.filter(({ name, eventName, location }) => holdEveryWord([name, eventName, location], query));

/** The name of the event, where what was searched is found by it alone: without it nobody sees why the tournament is listed. */
export const eventNameFound = ({ name, eventName, location }: Searched, query: string): string | undefined =>
  holdEveryWord([name, location], query) ? undefined : eventName;

/** In small letters, each of them as long as it was: small, 'İ' is two. */
const smallLetters = (name: string): string =>
  Array.from(name, (letter) => {
    const small = letter.toLocaleLowerCase('en');
    return small.length === letter.length ? small : letter;
  }).join('');

/** `at`: where it begins. */
export type MatchPart = { readonly text: string; readonly hit: boolean; readonly at: number };

/** Cuts a name where the query stands in it, for marking it; the whole name when it does not. */
export const splitMatch = (name: string, query: string): readonly MatchPart[] => {
  const word = searchable(query);
  const at = word === '' ? -1 : smallLetters(name).indexOf(word);
  if (at < 0) return [{ text: name, hit: false, at: 0 }];
  return [
    { text: name.slice(0, at), hit: false, at: 0 },
    { text: name.slice(at, at + word.length), hit: true, at },
    { text: name.slice(at + word.length), hit: false, at: at + word.length },
  ].filter((part) => part.text !== '');
};
