/** What an answer to a stranger must never hold (S25): places in files or code, statements, names of libraries and their words. */
const telltales: readonly RegExp[] = [
  /\/(?:home|srv|usr|tmp|var|root|opt|etc)\/|node_modules|\.(?:ts|js|mjs|sqlite)\b|file:\/\//i,
  /\bat \S+ \(|\bat .*:\d+:\d+|node:|internal\/|(?:Type|Syntax|Range|Reference|Zod|Multer|Sqlite|Assertion)Error\b|Error:/,
  /\bSELECT\b|\bINSERT INTO\b|\bUPDATE \w+ SET\b|\bDELETE FROM\b|SQLITE_|constraint failed|no such (?:table|column)/,
  /\b(?:zod|multer|busboy|express|jsonwebtoken|better-sqlite3|sharp|libvips|vips|argon2|pino|helmet)\b/i,
  /Unexpected (?:token|end|field)|in JSON|Invalid input|expected string|Cannot read propert|is not (?:a function|iterable)|jwt |malformed part|boundary not found|ENOENT|EACCES|ECONN|ERR_[A-Z]/,
];

/** What of it a text holds; none is []. */
export const telltalesIn = (text: string): readonly string[] => telltales.flatMap((pattern) => pattern.exec(text)?.[0] ?? []);
