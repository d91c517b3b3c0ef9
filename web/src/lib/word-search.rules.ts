/** A text as it is searched: whatever the letter case, and however its letters are composed. */
export const searchable = (text: string): string => text.normalize('NFC').toLocaleLowerCase('en').trim();

/** Whether every word of a query stands somewhere in the texts; of a query without words, always. */
export const holdEveryWord = (texts: readonly string[], query: string): boolean => {
  const searched = texts.map(searchable);
  const words = searchable(query).split(/\s+/).filter(Boolean);
  return words.every((word) => searched.some((text) => text.includes(word)));
};
