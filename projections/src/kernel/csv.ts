/** How a formula begins, also in the wide letters of East Asia, which spreadsheets read alike. */
const formulaSign = /^[=+\-@\t\r＝＋－＠]/;
/** Where another separator than the comma is the country's own, a cell that is not quoted ends there. */
const toQuote = /[",;\t\r\n]/;

/** A cell of a spreadsheet: quoted where it must be, and never a formula. */
const cell = (value: string | number): string => {
  if (typeof value === 'number') return String(value);
  const safe = formulaSign.test(value) ? `'${value}` : value;
  return toQuote.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

/** Comma-separated values (RFC 4180, CRLF). Texts that a spreadsheet would take for formulas begin with an apostrophe; numbers stand as they are. */
export const csvOf = (rows: readonly (readonly (string | number)[])[]): string => rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');
