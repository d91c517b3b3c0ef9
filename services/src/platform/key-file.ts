import { randomBytes } from 'node:crypto';
import { basename, join } from 'node:path';
import { makeFileOnceSync } from './durable-file.ts';

const keyBytes = 32;

/** A key that must not be made anew is missing or damaged; the message says which, and what to do. */
export class KeyRefused extends Error {
  override readonly name = 'KeyRefused';
}

/** Keys that the log needs, by their file, and what is lost where a new one takes the place of one. */
export const lostWithKey = {
  'persons.sqlite': 'names, photos and documents of everybody in the log stay unreadable for good',
  'email.key': 'an address that an account has can be given to another account',
  'season.pem': 'season files that were published show another key than the server from then on',
  'address.key': "callers in older refusals cannot be told any more, and the erasures beside older backups count as another server's",
} as const satisfies Readonly<Record<string, string>>;

const isNeeded = (file: string): file is keyof typeof lostWithKey => Object.hasOwn(lostWithKey, file);

/** What to do about a file that is there and is no key, in words. @param what is wrong with it */
export const damagedKeyText = (path: string, what: string): string => {
  const file = basename(path);
  const wayOut = isNeeded(file)
    ? `move the file away, and npm run ops -- new-key ${file} (${lostWithKey[file]})`
    : 'move the file away, and the next start makes a new one (logins, or registrations that are under way, end)';
  const beside = file.endsWith('.sqlite') ? ` (what stands beside it as ${file}-wal or ${file}-shm is of another copy, and goes away first)` : '';
  return `${path} ${what}: bring it back from a backup${beside}. Only when it is lost for good: ${wayOut}`;
};

/**
 * A server key: 32 random bytes made once in `DATA_DIR/keys/<name>.key` (mode 0600) and read ever after.
 * Throws when the file there is not 32 bytes long: a damaged key is never replaced silently, since what was signed or hashed with it would be lost.
 * @param name e.g. `jwt`, `capability`, `email`
 */
export const serverKey = (dataDir: string, name: string): Buffer => {
  const path = join(dataDir, 'keys', `${name}.key`);
  const key = makeFileOnceSync(path, () => randomBytes(keyBytes));
  if (key.length !== keyBytes) throw new KeyRefused(damagedKeyText(path, `should hold ${String(keyBytes)} bytes and holds ${String(key.length)}`));
  return key;
};
