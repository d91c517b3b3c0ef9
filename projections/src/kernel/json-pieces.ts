/** The JSON text of an object that has at least one field, without its closing brace: the front piece of a longer one. */
export const openObject = (value: object): string => JSON.stringify(value).slice(0, -1);

/** A JSON array of JSON texts. */
export const arrayOf = (texts: readonly string[]): string => `[${texts.join(',')}]`;
