const plain = (text: string): string => text.normalize('NFC').toLocaleLowerCase('en').trim();

/** At most this many rows fit without becoming a page of their own. */
export const rowsShown = 8;

/** Tournaments whose name or place holds every word of the query; none for an empty query. */
export const findTournaments = <T extends { readonly name: string; readonly location: string }>(tournaments: readonly T[], query: string): readonly T[] => {
  const words = plain(query).split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  return tournaments.filter((tournament) => words.every((word) => plain(`${tournament.name} ${tournament.location}`).includes(word)));
};

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
  const word = plain(query);
  const at = word === '' ? -1 : smallLetters(name).indexOf(word);
  if (at < 0) return [{ text: name, hit: false, at: 0 }];
  return [
    { text: name.slice(0, at), hit: false, at: 0 },
    { text: name.slice(at, at + word.length), hit: true, at },
    { text: name.slice(at + word.length), hit: false, at: at + word.length },
  ].filter((part) => part.text !== '');
};
