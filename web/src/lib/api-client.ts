import { parsePosition } from '@courtledger/contracts/kernel/event';
import { bearerFor, type Role } from './session.ts';

/** Where every call goes (specification section 9). */
export const apiBase = '/api';

/** One fault of a request body, by its wire name. */
export type FieldFault = { readonly path: string; readonly message: string };

/** An answer that is not a success, or none at all (`status` 0: the network failed). `message` is the one text a person reads. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly faults: readonly FieldFault[];
  /** The server's request id, for support. */
  readonly requestId: string | undefined;
  constructor(status: number, message: string, faults: readonly FieldFault[] = [], requestId?: string) {
    super(message);
    this.status = status;
    this.faults = faults;
    this.requestId = requestId;
  }
}

/** The network did not fail, and nothing came for as long as anybody waits: asking again would be to wait as long again. */
export class Silence extends ApiError {
  constructor() {
    super(0, '');
  }
}

/** Whether the server has answered, and says no: asking again changes nothing. Of what it had no time for (429) it says neither. */
export const isRefusal = (error: unknown): boolean => error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429;

/** What a person reads of a failure: the server's words, where there are any. @param otherwise of an answer without words */
export const failureText = (error: Error, otherwise: string): string =>
  error.message || (error instanceof ApiError && error.status === 0 ? 'The server does not answer' : otherwise);

/** The position that the first read of this page showed: a live connection made later asks for what followed it, so nothing falls between. */
let firstRead: string | undefined;
const firstReadWaiters = new Set<() => void>();
/** The newest position that this page knows to be committed: reads ask for at least that. */
let newest: bigint | undefined;

/** See `firstRead`. */
export const firstReadPosition = (): string | undefined => firstRead;

/** Settles once a first answer has been read: a page that reads nothing needs no live connection. */
export const whenFirstRead = async (): Promise<void> => {
  if (firstRead !== undefined) return;
  await new Promise<void>((resolve) => {
    firstReadWaiters.add(resolve);
  });
};

/** Notes the position of an answer that has just been read. */
export const noteRead = (position: string | null): void => {
  if (firstRead !== undefined || position === null || parsePosition(position) === undefined) return;
  firstRead = position;
  for (const waiter of firstReadWaiters) waiter();
  firstReadWaiters.clear();
};

/** Tells later reads that the log has reached `position` (a change that arrived live, or a write of our own). */
export const notePosition = (position: string): void => {
  const parsed = parsePosition(position);
  if (parsed !== undefined && (newest === undefined || parsed > newest)) newest = parsed;
};

/** Later reads ask for no more than `position`: what was known of the log before is not true any more. */
export const restartAt = (position: string): void => {
  newest = parsePosition(position);
};

/**
 * So long without a word is no answer, as on a line that is cut: a network that has died may not say so. Most people have given up by then, and whoever keeps
 * a score has to be told that it is not known. A sign of life begins it anew: a large answer may take longer on a slow line.
 */
const silenceMs = 30_000;
/** No browser tells how much of a file it has sent: the server takes a request for two minutes (its `requestMs`), and has half a minute more to answer. */
const uploadMs = 150_000;
type CallOptions = {
  readonly signal?: AbortSignal | undefined;
  /** Whose token goes along; without it the cookies alone speak. */
  readonly as?: Role | undefined;
  /** 1 to 200 visible ASCII characters: the same key with the same body is applied once. */
  readonly idempotencyKey?: string | undefined;
  /** Sent to its end though the page is closed meanwhile. */
  readonly keepalive?: boolean;
};

const problem = async (response: Response): Promise<ApiError> => {
  const body: unknown = await response.json().catch(() => undefined);
  const fields = (typeof body === 'object' && body !== null ? body : {}) as { message?: unknown; errors?: unknown; instance?: unknown };
  const message = typeof fields.message === 'string' && fields.message !== '' ? fields.message : '';
  const faults = Array.isArray(fields.errors) ? (fields.errors as FieldFault[]) : [];
  return new ApiError(response.status, message, faults, typeof fields.instance === 'string' ? fields.instance : undefined);
};

/** The same answer; `heard` is called for each piece of it that comes. */
const overheard = (response: Response, heard: () => void): Response =>
  response.body === null
    ? response
    : new Response(
        response.body.pipeThrough(
          new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
            transform: (piece, onwards) => {
              heard();
              onwards.enqueue(piece);
            },
          }),
        ),
        response,
      );

/** @param read takes what it needs of a success: an answer that breaks off, or stops coming, is none */
const call = async <T>(
  method: string,
  path: string,
  body: BodyInit | undefined,
  headers: Headers,
  options: CallOptions,
  read: (response: Response) => Promise<T>,
): Promise<T> => {
  const { signal } = options;
  const token = options.as && bearerFor(options.as);
  if (token) headers.set('Authorization', `Bearer ${token}`);
  if (options.idempotencyKey) headers.set('Idempotency-Key', options.idempotencyKey);
  const silence = new AbortController();
  const expectWord = (ms: number): ReturnType<typeof setTimeout> =>
    setTimeout(() => {
      silence.abort();
    }, ms);
  let patience = expectWord(body instanceof FormData ? uploadMs : silenceMs);
  const heard = (): void => {
    clearTimeout(patience);
    patience = expectWord(silenceMs);
  };
  try {
    const response = await fetch(`${apiBase}${path}`, {
      method,
      headers,
      credentials: 'include',
      keepalive: options.keepalive ?? false,
      ...(body !== undefined && { body }),
      signal: signal ? AbortSignal.any([signal, silence.signal]) : silence.signal,
    });
    heard();
    const answer = overheard(response, heard);
    if (!answer.ok) throw await problem(answer);
    return await read(answer);
  } catch (error) {
    if (signal?.aborted || error instanceof ApiError) throw error;
    throw silence.signal.aborted ? new Silence() : new ApiError(0, '');
  } finally {
    clearTimeout(patience);
  }
};

/** Reads an answer. Throws `ApiError`. */
export const apiGet = async <T>(path: string, options: CallOptions = {}): Promise<T> => {
  const headers = new Headers({ Accept: 'application/json' });
  if (newest !== undefined) headers.set('X-Min-Position', String(newest));
  return call('GET', path, undefined, headers, options, async (response) => {
    const answer = (await response.json()) as T;
    noteRead(response.headers.get('X-Read-Position'));
    return answer;
  });
};

/** Reads a file, with the type that the server says. Throws `ApiError`. */
export const apiGetFile = async (path: string, options: CallOptions = {}): Promise<Blob> =>
  call('GET', path, undefined, new Headers(), options, async (response) => response.blob());

/** Sends a command: a plain object as JSON, a `FormData` as multipart. Throws `ApiError`. */
export const apiSend = async <T>(method: 'POST' | 'PUT' | 'DELETE', path: string, body?: FormData | object, options: CallOptions = {}): Promise<T> => {
  const headers = new Headers({ Accept: 'application/json' });
  const isForm = body instanceof FormData;
  if (body !== undefined && !isForm) headers.set('Content-Type', 'application/json');
  return call(method, path, body === undefined ? undefined : isForm ? body : JSON.stringify(body), headers, options, async (response) => {
    notePosition(response.headers.get('X-Commit-Position') ?? '');
    return (response.status === 204 ? undefined : await response.json()) as T;
  });
};

/** A new idempotency key, or id of an entry: one a command, kept over its retries. */
export const newKey = (): string => {
  // randomUUID is missing where the page is not served securely (a phone on the gym's own network).
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID();
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
};
