import { hash, randomBytes } from 'node:crypto';
import { personStreamPrefix, type EventText } from './prepare-append.ts';

/** What the first event of a log is chained to. */
export const chainRoot = '0'.repeat(64);

/** Digests of person streams are salted: without the salt nobody can test a guess of an erased person's details against the digest that stays. */
export const saltFor = (stream: string): string | null => (stream.startsWith(personStreamPrefix) ? randomBytes(16).toString('hex') : null);

/** SHA-256 (hex) of an event's data, the part that erasure blanks. */
export const digestOf = (salt: string | null, data: string): string => hash('sha256', salt === null ? data : `${salt}\n${data}`, 'hex');

/**
 * SHA-256 (hex) over everything that is never blanked, the digest and the hash of the event before. Metadata, version and time stand here and not in the
 * digest, so that they stay verifiable after erasure. No field holds a line break (`prepareEvents`), so the joined text says only one thing.
 */
export const chainHash = (before: string, position: number, stream: string, revision: number, event: Omit<EventText, 'data'>, digest: string): string =>
  hash(
    'sha256',
    `${before}\n${position}\n${stream}\n${revision}\n${event.type}\n${event.id}\n${event.version}\n${event.time}\n${digest}\n${event.metadata}`,
    'hex',
  );
