/** Names that never become keys: nothing that copies a body carelessly can be reached through them. */
const forbiddenKeys = new Set(['__proto__', 'constructor', 'prototype', '']);

const tidyValue = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(tidyValue);
  return typeof value === 'object' && value !== null ? tidyObject(value) : value;
};

const tidyObject = (value: object): Record<string, unknown> => {
  const tidy = Object.create(null) as Record<string, unknown>;
  for (const [key, inner] of Object.entries(value)) if (!forbiddenKeys.has(key)) tidy[key] = tidyValue(inner);
  return tidy;
};

/**
 * The text parts of a form as a new object without a prototype. Bracketed names are nested already; where a text came under a name that also has children
 * (`organizer` beside `organizer[name]`), the parser keeps the text under the empty key, and it is dropped here. Text under the name of a file field means that
 * nothing was chosen: dropped too.
 */
export const tidyFields = (body: unknown, fileFields: ReadonlySet<string>): Readonly<Record<string, unknown>> => {
  const tidy = tidyObject(typeof body === 'object' && body !== null ? body : {});
  for (const name of fileFields) delete tidy[name];
  return tidy;
};
