import type { IncomingMessage } from 'node:http';
import { DomainError } from '@courtledger/contracts/kernel/errors';
import { createBodyRoom, isCrumbled } from './body-room.ts';

/** The longest JSON body: two full rosters of statistics stay far below. */
const jsonLimit = 262_144;
/**
 * What longer bodies may take together while they are on their way. A login, an entry and a sheet of two rosters are shorter: they find a place whatever others
 * send.
 */
const memory = createBodyRoom(64 * 1024 * 1024);
const uncounted = 16_384;

const tooLarge = (): DomainError => new DomainError('too-large', 'The request body is too large');
const malformed = (message: string): DomainError => new DomainError('malformed', message);

/** The media type of a request in lower case, without parameters; '' when none is said. */
export const mediaTypeOf = (request: IncomingMessage): string => (request.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';

const isJson = (mediaType: string): boolean => mediaType === 'application/json' || /^application\/[\w.-]+\+json$/.test(mediaType);

/** Collects a body up to a limit. What comes after the limit is not read here: `sendAnswer` sees to it. */
const collect = async (request: IncomingMessage, address: string): Promise<Buffer> => {
  if (Number(request.headers['content-length'] ?? 0) > jsonLimit) throw tooLarge();
  // A request that announces no body has ended before anybody listens, and tells nobody (`optimizeEmptyRequests`).
  if (request.readableEnded) return Buffer.alloc(0);
  return new Promise<Buffer>((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let held = 0;
    const giveBack = (): void => {
      memory.giveBack(address, held);
      held = 0;
    };
    const leave = (): void => {
      giveBack();
      request.off('data', onData).off('end', onEnd).off('error', onGone).off('close', onGone);
    };
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      if (size > jsonLimit) {
        leave();
        request.pause();
        reject(tooLarge());
        return;
      }
      if (isCrumbled(chunks.length + 1, size)) {
        leave();
        request.pause();
        reject(malformed('The request body comes in too many pieces'));
        return;
      }
      if (size > uncounted) {
        if (!memory.take(address, size - held)) {
          leave();
          request.pause();
          reject(new DomainError('unavailable', 'Too much is being sent at the moment, please try again', { retryAfter: 5 }));
          return;
        }
        held = size;
      }
      chunks.push(chunk);
    };
    const onEnd = (): void => {
      // The other listeners may stay: a request that has ended calls none of them.
      request.off('close', onGone);
      giveBack();
      resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks, size));
    };
    const onGone = (): void => {
      leave();
      reject(malformed('The request was not sent to its end'));
    };
    request.on('data', onData).on('end', onEnd).on('error', onGone).on('close', onGone);
  });
};

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads a JSON body. No body at all is an empty object, so that the schema says what is missing.
 * @param address where it comes from (`clientAddress`)
 * @throws DomainError `unsupported-media` (another content type), `too-large`, `malformed` (not UTF-8, not JSON, cut off), `unavailable` (too much is on its
 * way)
 */
export const readJson = async (request: IncomingMessage, address: string): Promise<unknown> => {
  const mediaType = mediaTypeOf(request);
  if (mediaType !== '' && !isJson(mediaType)) throw new DomainError('unsupported-media', 'The request body must be JSON (Content-Type: application/json)');
  if (request.headers['content-encoding'] !== undefined && request.headers['content-encoding'] !== 'identity')
    throw new DomainError('unsupported-media', 'The request body must not be compressed');
  const bytes = await collect(request, address);
  if (bytes.length === 0) return {};
  if (mediaType === '') throw new DomainError('unsupported-media', 'The request body must be JSON (Content-Type: application/json)');
  try {
    return JSON.parse(utf8.decode(bytes)) as unknown;
  } catch {
    // Without the cause: a parser's text quotes what was sent.
    throw malformed('The request body is not valid JSON');
  }
};
