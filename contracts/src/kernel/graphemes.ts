const graphemes = new Intl.Segmenter('ne', { granularity: 'grapheme' });

/** The letters of a text as a person counts them: a Devanagari syllable is one. */
export const graphemesOf = (text: string): readonly string[] => Array.from(graphemes.segment(text), ({ segment }) => segment);
