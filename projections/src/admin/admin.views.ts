import type { AdminAnswer } from '@courtledger/contracts/admin/admin.answers';
import { view } from '../kernel/projection.ts';
import { table } from '../kernel/table.ts';
import { admins, revokedSessions } from './admin.documents.ts';

/** `answer`: the account of listAdmins. */
const adminTable = table(
  'admins',
  { id: 'TEXT NOT NULL' },
  { ordinal: 'INTEGER NOT NULL', username: 'TEXT NOT NULL', email: 'TEXT NOT NULL', answer: 'TEXT NOT NULL' },
  { indexes: ['email'] },
);

export const adminView = view('admin', admins, [adminTable], (id, admin, _documents, write) => {
  const { born, username, email, phoneNumber } = admin;
  if (born === null) {
    write.remove(adminTable, [id]);
    return;
  }
  const answer: AdminAnswer = { _id: id, username, email, phoneNumber };
  write.put(adminTable, [id, BigInt(born), username, email, JSON.stringify(answer)]);
});

/** `expires`: the second since 1970 at which the token would have expired anyway. */
const revokedSessionTable = table(
  'revoked_sessions',
  { jti: 'TEXT NOT NULL' },
  { role: 'TEXT NOT NULL', subject_id: 'TEXT NOT NULL', expires: 'INTEGER NOT NULL' },
);

export const revokedSessionView = view('revoked-session', revokedSessions, [revokedSessionTable], (jti, { role, subjectId, expires }, _documents, write) => {
  write.put(revokedSessionTable, [jti, role, subjectId, expires]);
});
