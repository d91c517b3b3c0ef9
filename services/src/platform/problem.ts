import { DomainError, type ErrorCode } from '@courtledger/contracts/kernel/errors';
import type { Problem as ProblemBody } from '@courtledger/contracts/kernel/problem';
import { outcomeTexts } from '@courtledger/contracts/kernel/texts';
import { LogUnavailable, UnknownOutcome, WrongRevision } from '../event-log/event-log.ts';
import { isDiskRefusal, isOutOfFiles } from './durable-failure.ts';

/** The one table from code to HTTP status, with the title of RFC 9457. */
export const problems: Readonly<Record<ErrorCode, { readonly status: number; readonly title: string }>> = {
  invalid: { status: 400, title: 'Some fields are not valid' },
  malformed: { status: 400, title: 'The request cannot be read' },
  unauthenticated: { status: 401, title: 'Log in first' },
  forbidden: { status: 403, title: 'Not allowed' },
  'cross-site': { status: 403, title: 'Request from another site' },
  'not-found': { status: 404, title: 'Not found' },
  'method-not-allowed': { status: 405, title: 'Method not allowed' },
  conflict: { status: 409, title: 'Not possible in the current state' },
  'key-reused': { status: 409, title: 'Idempotency key used before' },
  'too-large': { status: 413, title: 'Too large' },
  'unsupported-media': { status: 415, title: 'Type not supported' },
  throttled: { status: 429, title: 'Too many requests' },
  unavailable: { status: 503, title: 'Not available at the moment' },
  'outcome-unknown': { status: 503, title: 'Outcome not known' },
  internal: { status: 500, title: outcomeTexts.internalError },
};

/** Refusals that look like an attack when there are many: of rights, and not of what was sent or of the state. */
export const isOfRights = (code: ErrorCode): boolean => [401, 403, 429].includes(problems[code].status);

export type Problem = { readonly code: ErrorCode; readonly status: number; readonly body: ProblemBody; readonly retryAfter: number | undefined };

/** Failures of the log that reach the edge, as domain errors. Anything else that is unknown becomes `internal`, and its text stays here. */
const domainErrorOf = (error: unknown): DomainError => {
  if (error instanceof DomainError) return error;
  if (error instanceof LogUnavailable)
    return new DomainError('unavailable', 'Nothing can be saved at the moment. Please try again soon.', { retryAfter: 2, cause: error });
  if (error instanceof UnknownOutcome)
    return new DomainError('outcome-unknown', 'It is not known whether this was saved. Repeating the same request is safe.', { retryAfter: 2, cause: error });
  if (error instanceof WrongRevision) return new DomainError('conflict', 'Somebody else changed this at the same time. Please try again.', { cause: error });
  if (isDiskRefusal(error))
    return new DomainError('unavailable', 'The disk takes nothing at the moment: it is full, or it fails. Please try again when there is room.', {
      retryAfter: 5,
      cause: error,
    });
  if (isOutOfFiles(error)) return new DomainError('unavailable', 'Too many ask at the moment. Please try again soon.', { retryAfter: 2, cause: error });
  return new DomainError('internal', outcomeTexts.internalError, { cause: error });
};

/**
 * The answer to an error. Only a `DomainError` brings its own words: no text of a library reaches a caller.
 * @param instance the id of the request, under which the log has the details
 */
export const problemOf = (error: unknown, instance: string): Problem => {
  const { code, message, errors, retryAfter } = domainErrorOf(error);
  const { status, title } = problems[code];
  const body = { type: `/api/docs#problem-${code}`, title, status, detail: message, instance, message };
  return {
    code,
    status,
    body: errors.length === 0 ? body : { ...body, errors: [...errors] },
    retryAfter: retryAfter ?? (status === 429 || status === 503 ? 1 : undefined),
  };
};

/**
 * Why a call was answered 503, where that is a state of the log or of the site that is known and may last: undefined for everything else, such as a disk that
 * fails, whose place in the code may tell more. In words of our own.
 */
export const knownState = (error: unknown): string | undefined => {
  if (error instanceof LogUnavailable || error instanceof UnknownOutcome) return error.message;
  if (!(error instanceof DomainError) || problems[error.code].status !== 503) return undefined;
  return error.cause === undefined ? error.message : knownState(error.cause);
};
