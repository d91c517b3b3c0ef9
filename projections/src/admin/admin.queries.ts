import type { AdminId } from '@courtledger/contracts/kernel/ids';
import { arrayOf } from '../kernel/json-pieces.ts';
import type { Reader } from '../kernel/read-model.ts';

/** All admins in the order of creation. For the super admin. */
export const listAdmins = (reader: Reader): string => arrayOf(reader.texts('SELECT answer FROM admins ORDER BY ordinal'));

export type AdminAccount = {
  readonly id: string;
  readonly username: string;
  readonly email: string;
  readonly passwordHash: string;
  /** Changes with each change of the password that is no rehash: the position of that fact. */
  readonly tokenVersion: string;
};

const ACCOUNT = `SELECT a.id, a.username, a.email, c.document ->> '$.passwordHash', c.document ->> '$.changedPosition'
   FROM admins a JOIN credential_documents c ON c.key = a.id`;
const accountOf = (row: readonly unknown[] | undefined): AdminAccount | undefined => {
  if (row === undefined) return undefined;
  const [id = '', username = '', email = '', passwordHash = '', tokenVersion = ''] = row.map(String);
  return { id, username, email, passwordHash, tokenVersion };
};

/**
 * For authentication only: asked for at nearly every command. By a plain parameter of a join SQLite would compile the statement anew each time, by `(SELECT ?)`
 * it does not.
 */
export const adminById = (reader: Reader, adminId: AdminId): AdminAccount | undefined => accountOf(reader.row(`${ACCOUNT} WHERE a.id = (SELECT ?)`, adminId));

/** For authentication only. `email` in lower case. */
export const adminByEmail = (reader: Reader, email: string): AdminAccount | undefined =>
  accountOf(reader.row(`${ACCOUNT} WHERE a.email = ? ORDER BY a.ordinal LIMIT 1`, email));

/** Whether a SessionRevoked names this token. */
export const isRevoked = (reader: Reader, jti: string): boolean => reader.row('SELECT 1 FROM revoked_sessions WHERE jti = ?', jti) !== undefined;
