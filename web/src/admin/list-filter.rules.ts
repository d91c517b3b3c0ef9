import { plainFigures } from '../lib/digits.rules.ts';
import { holdEveryWord } from '../lib/word-search.rules.ts';

/** Figures alone, in groups as phones are written: `+977 984-1023776`, `(01) 4412345`. A day as addresses have it is none. */
const inGroups = /^(?!\d{4}-\d{2}-\d{2}$)(?=.*\d)[\d ()+-]+$/;

/** The figures of such a text, with the `+` before them; undefined of any other. */
const figuresIn = (text: string): string | undefined => {
  const figures = plainFigures(text).trim();
  return inGroups.test(figures) ? figures.replace(/[ ()-]/g, '') : undefined;
};

/** The country's code before what is looked for: a list may hold that number without it. Up to ten figures that begin like the code are a number. */
const countryCode = /^(?:(?:\+|00)977(?=\d)|977(?=\d{8}))/;

/** Whether a row with these texts is left by what was typed into the filter: every word stands in one of them, or the number in one of its numbers. */
export const matchesFilter = (typed: string, texts: readonly (string | undefined)[]): boolean => {
  const given = texts.filter((text) => text !== undefined);
  const number = figuresIn(typed)?.replace(countryCode, '').replaceAll('+', '');
  if (number === undefined) return holdEveryWord(given, typed);
  // Not group by group in a number: that of '984 100 001' would be found in 9841000010 too.
  const words = given.filter((text) => figuresIn(text) === undefined);
  return given.some((text) => figuresIn(text)?.includes(number)) || holdEveryWord(words, typed);
};
