import { createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import { join } from 'node:path';
import { makeFileOnceSync } from './durable-file.ts';

export type SeasonKey = { /** SubjectPublicKeyInfo, base64. */ readonly publicKey: string; /** Base64. */ readonly sign: (bytes: Buffer) => string };

/** The key of this server under which season files are signed: `DATA_DIR/keys/season.pem` (Ed25519, 0600), made once. Throws when the file there is damaged. */
export const openSeasonKey = (dataDir: string): SeasonKey => {
  const pem = makeFileOnceSync(join(dataDir, 'keys', 'season.pem'), () => generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }));
  const key = createPrivateKey(pem);
  return { publicKey: createPublicKey(key).export({ type: 'spki', format: 'der' }).toString('base64'), sign: (bytes) => sign(null, bytes, key).toString('base64') };
};
