import type { IncomingMessage, ServerResponse } from 'node:http';
import { PROBLEM_TYPE } from '@courtledger/contracts/kernel/problem';
import type { Problem } from './problem.ts';
import { isCrumbled } from './body-room.ts';
import type { FlatHeaders } from './headers.ts';

/** An answer on its way out, of either door. */
export type Answer = { readonly status: number; readonly headers: FlatHeaders; readonly body: string | Buffer | undefined };

/** A body this long that nobody wants is still read to its end, so that the connection can be used again. */
const readToEnd = 1_048_576;
/**
 * So many bytes of what is longer are read while the answer is under way: closing at once would reset the connection before a client that sends all of it first
 * has read why. A photo of a phone's camera is within it; S19 allows 10 MB behind the limit.
 */
export const lingerBytes = 8_388_608;
/** For as long as they keep coming: a slow line takes its time, who holds the connection open does not get it. */
const lingerMilliseconds = 20_000;
const silentMilliseconds = 2000;

const hasUnreadBody = (request: IncomingMessage): boolean =>
  !request.complete && (request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > readToEnd);

/** Reads on and throws away until the body ends, or the patience does. */
const linger = async (request: IncomingMessage): Promise<void> =>
  new Promise((resolve) => {
    let size = 0;
    let pieces = 0;
    const done = (): void => {
      clearTimeout(whole);
      clearTimeout(silence);
      request.off('data', onData).off('end', done).off('close', done).off('error', done);
      resolve();
    };
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      pieces += 1;
      silence.refresh();
      if (size > lingerBytes || isCrumbled(pieces, size)) done();
    };
    const whole = setTimeout(done, lingerMilliseconds);
    const silence = setTimeout(done, silentMilliseconds);
    request.on('data', onData).on('end', done).on('close', done).on('error', done);
    request.resume();
  });

/** Writes an answer. `Content-Length` is added; HEAD gets the headers alone. A client that has gone is no error. */
export const sendAnswer = (request: IncomingMessage, response: ServerResponse, answer: Answer): void => {
  if (response.headersSent || response.destroyed) return;
  const { status, headers, body } = answer;
  const length = body === undefined ? 0 : typeof body === 'string' ? Buffer.byteLength(body, 'utf8') : body.length;
  const bodiless = status === 304 || status === 204;
  const all = bodiless ? [...headers] : [...headers, 'Content-Length', String(length)];
  if (hasUnreadBody(request)) {
    response.writeHead(status, [...all, 'Connection', 'close']);
    if (body !== undefined && request.method !== 'HEAD') response.write(body);
    else response.flushHeaders();
    void linger(request).then(() => response.end());
    return;
  }
  // Node reads on by itself only where nobody had begun to: what a refused form has left would stand before the next request for ever.
  if (!request.complete) request.resume();
  response.writeHead(status, all);
  if (request.method === 'HEAD' || bodiless || body === undefined) response.end();
  // A text of ASCII alone: head and body go out in one write that has nothing to encode.
  else if (typeof body === 'string' && length === body.length) response.end(body, 'latin1');
  else response.end(body);
};

/** Every 401 names a scheme (RFC 9110, section 15.5.2); of this one no browser makes a window that asks for a password. */
const challenge: FlatHeaders = ['WWW-Authenticate', 'Bearer'];

/** The answer that tells of a failure, never to be kept by a cache. */
export const problemAnswer = (problem: Problem, base: FlatHeaders, more: FlatHeaders = []): Answer => {
  const { status, retryAfter } = problem;
  const own = [...(status === 401 ? challenge : []), ...(retryAfter === undefined ? [] : ['Retry-After', String(Math.max(1, Math.ceil(retryAfter)))])];
  return {
    status,
    headers: [...base, 'Content-Type', `${PROBLEM_TYPE}; charset=utf-8`, 'Cache-Control', 'no-store', ...own, ...more],
    body: JSON.stringify(problem.body),
  };
};
