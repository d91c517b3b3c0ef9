/** What some file system takes in no name, and what cannot be seen or turns the rest around; the joiners are part of Devanagari words. */
const notInNames = /[\\/:*?"<>|]|\p{Cc}|(?![\u200C\u200D])\p{Cf}|\p{Zl}|\p{Zp}/gu;
/** Names of files may have 255 bytes, and a character takes up to four. */
const mostCharacters = 60;

/** What a file of a tournament is saved as, wherever it is saved from: `Valley Cup standings.csv`. */
export const downloadName = (tournamentName: string, what: 'standings.csv' | 'season.jsonl'): string => {
  const characters = Array.from(tournamentName.replaceAll(notInNames, ' ').replaceAll(/\s+/g, ' ')).slice(0, mostCharacters);
  // What begins with a dot is hidden.
  return `${characters
    .join('')
    .replace(/^[. ]+/, '')
    .trimEnd()} ${what}`.trimStart();
};
