import { createHmac, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { z } from 'zod';
import { readIfThereSync, replaceFileSync } from './durable-file.ts';
import { KeyRefused } from './key-file.ts';
import type { Passwords } from './passwords.ts';

/** The one super admin. `tokenVersion` changes with id or password: tokens that carry another one are revoked. */
export type SuperAdmin = { readonly id: string; readonly passwordHash: string; readonly tokenVersion: string };

export type OpenedSuperAdmin = {
  readonly account: SuperAdmin;
  /** The password that was made just now: to be printed once (`madePasswordLine`), by whoever opened the product, and never again. */
  readonly madePassword: string | undefined;
};

/** How a password that was made just now is shown, by whatever process made it: only its hash is kept. */
export const madePasswordLine = ({ id, password }: { readonly id: string; readonly password: string }): string =>
  `Super admin (shown this once, keep it):  id ${id}   password ${password}`;

const generatedId = 'superadmin';
const stored = z.object({ id: z.string(), passwordHash: z.string(), tokenVersion: z.string() });

/** Letters and digits that nobody confuses in print; 24 of them are 120 bits. */
const alphabet = 'abcdefghijkmnpqrstuvwxyz23456789';
const makePassword = (): string => {
  const characters = Array.from(randomBytes(24), (byte) => alphabet.charAt(byte % alphabet.length)).join('');
  return characters.replaceAll(/(.{6})(?=.)/g, '$1-');
};

/**
 * The super admin's account (api-contract, 'Who is calling'): from the environment, which wins, else `superadmin` with a password made at the first start, of
 * which `DATA_DIR/keys/super-admin.json` (0600) keeps the hash only.
 * @param fromEnvironment `SUPERADMIN_ID` and `SUPERADMIN_PASSWORD`, both or neither
 * @throws KeyRefused when the file is damaged
 * @param secret the token secret: the version of an environment account is derived under it, so that every gateway has the same one and nothing about the
 * password shows
 */
export const openSuperAdmin = async (
  dataDir: string,
  fromEnvironment: { readonly id: string; readonly password: string } | undefined,
  passwords: Passwords,
  secret: string | Buffer,
): Promise<OpenedSuperAdmin> => {
  if (fromEnvironment !== undefined) {
    const { id, password } = fromEnvironment;
    const tokenVersion = createHmac('sha256', secret)
      .update(JSON.stringify(['super-admin', id, password]))
      .digest('base64url')
      .slice(0, 22);
    return { account: { id, passwordHash: await passwords.hash(password), tokenVersion }, madePassword: undefined };
  }
  const path = join(dataDir, 'keys', 'super-admin.json');
  const known = readIfThereSync(path);
  if (known !== undefined) return { account: parseAccount(path, known), madePassword: undefined };
  const madePassword = makePassword();
  const account: SuperAdmin = { id: generatedId, passwordHash: await passwords.hash(madePassword), tokenVersion: randomBytes(16).toString('base64url') };
  replaceFileSync(path, `${JSON.stringify(account)}\n`);
  return { account, madePassword };
};

const parseAccount = (path: string, text: Buffer): SuperAdmin => {
  let content: unknown;
  try {
    content = JSON.parse(text.toString());
  } catch {
    content = undefined;
  }
  const parsed = stored.safeParse(content);
  // Never replaced silently: whoever damages the file must not get a fresh password printed.
  if (!parsed.success)
    throw new KeyRefused(`${path} is damaged: restore it, remove it to have a new password made, or set SUPERADMIN_ID and SUPERADMIN_PASSWORD`);
  return parsed.data;
};
