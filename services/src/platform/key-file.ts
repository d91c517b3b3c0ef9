import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { makeFileOnceSync } from './durable-file.ts';

const keyBytes = 32;

/** A key that must not be made anew is missing or damaged; the message says which, and what to do. */
export class KeyRefused extends Error {
  override readonly name = 'KeyRefused';
}

/**
 * A server key: 32 random bytes made once in `DATA_DIR/keys/<name>.key` (mode 0600) and read ever after.
 * Throws when the file there is not 32 bytes long: a damaged key is never replaced silently, since what was signed or hashed with it would be lost.
 * @param name e.g. `jwt`, `capability`, `email`
 */
export const serverKey = (dataDir: string, name: string): Buffer => {
  const path = join(dataDir, 'keys', `${name}.key`);
  const key = makeFileOnceSync(path, () => randomBytes(keyBytes));
  if (key.length !== keyBytes) throw new KeyRefused(`${path} should hold ${keyBytes} bytes and holds ${key.length}: restore it from a backup`);
  return key;
};
