/** A number's text with the minus sign that everything told has (U+2212): entries, and so scores, may be below zero. */
export const withMinus = (text: string): string => text.replace('-', '−');
/** A number with that sign: `−8`. */
export const numberText = (value: number): string => withMinus(String(value));
