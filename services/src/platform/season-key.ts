import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { join } from 'node:path';
import { makeFileOnceSync } from './durable-file.ts';
import { damagedKeyText, KeyRefused } from './key-file.ts';

const what = 'holds no Ed25519 key';

/** `publicKey`: SubjectPublicKeyInfo. It and signatures are base64. */
export type SeasonKey = { readonly publicKey: string; readonly sign: (bytes: Buffer) => string };

/**
 * The key of this server under which season files are signed: `DATA_DIR/keys/season.pem` (Ed25519, 0600), made once.
 * @throws KeyRefused when the file there is damaged, or holds a key of another kind
 */
export const openSeasonKey = (dataDir: string): SeasonKey => {
  const path = join(dataDir, 'keys', 'season.pem');
  const pem = makeFileOnceSync(path, () => generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }));
  let key: KeyObject;
  try {
    key = createPrivateKey(pem);
  } catch (error) {
    throw new KeyRefused(damagedKeyText(path, what), { cause: error });
  }
  // A file that says Ed25519 and is signed otherwise is genuine for nobody.
  if (key.asymmetricKeyType !== 'ed25519') throw new KeyRefused(damagedKeyText(path, what));
  return {
    publicKey: createPublicKey(key).export({ type: 'spki', format: 'der' }).toString('base64'),
    sign: (bytes) => sign(null, bytes, key).toString('base64'),
  };
};
