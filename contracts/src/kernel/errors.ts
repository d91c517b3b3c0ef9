/**
 * Errors are codes in the domain; exactly one table (`services/src/platform/problem.ts`) maps a code to an HTTP status.
 */
export const errorCodes = [
  'invalid', // input that does not fit: carries field errors
  'malformed', // the request itself cannot be read (JSON, multipart, header, query)
  'unauthenticated', // no, invalid or expired credential; bad login
  'forbidden', // known but not allowed; also a team that is not the registrant's or does not exist
  'cross-site', // a browser's cross-site write without a bearer
  'not-found',
  'method-not-allowed',
  'conflict', // the current state does not allow it: the message says what the state is
  'key-reused', // the Idempotency-Key was used with another body
  'too-large', // file or body
  'unsupported-media', // wrong or undecodable file, or wrong content type of the request
  'throttled',
  'unavailable', // no writes now (disk full, log away, queue full), or the read model is not there yet
  'outcome-unknown', // the write may or may not have happened: the same key may be repeated
  'internal',
] as const;
export type ErrorCode = (typeof errorCodes)[number];

/** One wrong field, by its wire name. */
export type FieldError = { readonly path: string; readonly message: string };

/** Thrown by deciders and handlers. `message` is the one text a person reads; it never holds a library's text. */
export class DomainError extends Error {
  override readonly name = 'DomainError';
  readonly code: ErrorCode;
  readonly errors: readonly FieldError[];
  /** Seconds after which a retry makes sense (429, 503). */
  readonly retryAfter: number | undefined;
  constructor(code: ErrorCode, message: string, more: { errors?: readonly FieldError[]; retryAfter?: number; cause?: unknown } = {}) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause });
    this.code = code;
    this.errors = more.errors ?? [];
    this.retryAfter = more.retryAfter;
  }
}

/** An `invalid` error for one field. */
export const invalid = (path: string, message: string): DomainError => new DomainError('invalid', message, { errors: [{ path, message }] });
/** Throws an `invalid` error when a field is wrong: all of them are told, and the message is the first one's. */
export const expectValid = (errors: readonly FieldError[]): void => {
  const [first] = errors;
  if (first !== undefined) throw new DomainError('invalid', first.message, { errors });
};
/** What is asked for does not go with what is recorded (409). @param path the field that says it, where it is one */
export const conflict = (message: string, path?: string): DomainError =>
  new DomainError('conflict', message, { errors: path === undefined ? [] : [{ path, message }] });
/** What the address or the body names does not exist (404). */
export const notFound = (message: string): DomainError => new DomainError('not-found', message);

/** What an error says; of whatever else was thrown, its text. Never for a client: it may be a library's. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
