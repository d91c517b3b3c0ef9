import { graphemesOf } from '../kernel/graphemes.ts';

/** What some file system takes in no name, and what cannot be seen or turns the rest around; the joiners are part of Devanagari words. */
const notInNames = /[\\/:*?"<>|]|\p{Cc}|(?![\u200C\u200D])\p{Cf}|\p{Zl}|\p{Zp}/gu;
/** Names of files may have 255 bytes, and a character takes up to four. */
const mostCharacters = 60;

/** As much of a text as there is room for, in whole letters: one of Devanagari is several characters. */
const cut = (text: string): string => {
  let kept = '';
  let characters = 0;
  for (const letter of graphemesOf(text)) {
    characters += Array.from(letter).length;
    if (characters > mostCharacters) break;
    kept += letter;
  }
  return kept;
};

/** What a file of a tournament is saved as, wherever it is saved from: `Valley Cup standings.csv`. */
export const downloadName = (tournamentName: string, what: 'standings.csv' | 'season.jsonl'): string => {
  const name = cut(tournamentName.replaceAll(notInNames, ' ').replaceAll(/\s+/g, ' '))
    // What begins with a dot is hidden.
    .replace(/^[. ]+/, '')
    .trimEnd();
  return `${name} ${what}`.trimStart();
};
