import type { AdminId } from '@courtledger/contracts/kernel/ids';
import { ImpossibleFact, noEffect, type Documents, type Projection } from '../kernel/projection.ts';
import { admins, credentials, revokedSessions, type AdminDocument } from './admin.documents.ts';
import { adminView, revokedSessionView } from './admin.views.ts';

type OfAdmin = { readonly revision: number; readonly data: { readonly adminId: AdminId } };

const created = (event: OfAdmin, documents: Documents): AdminDocument => {
  const admin = documents.change(admins, event.data.adminId);
  if (admin.born === null) throw new ImpossibleFact(`Admin ${event.data.adminId} was never created`);
  admin.revision = event.revision;
  return admin;
};

export const adminProjection: Projection = {
  name: 'admin',
  on: {
    AdminCreated({ position, revision, data }, documents) {
      const admin = documents.change(admins, data.adminId);
      if (admin.born !== null) throw new ImpossibleFact(`Admin ${data.adminId} is created already`);
      admin.revision = revision;
      admin.born = position.toString();
      admin.username = data.username;
      admin.email = data.email;
      admin.phoneNumber = data.phoneNumber;
      const credential = documents.change(credentials, data.adminId);
      credential.passwordHash = data.passwordHash;
      credential.changedPosition = position.toString();
      documents.touch(adminView, data.adminId);
    },
    AdminDetailsChanged(event, documents) {
      const admin = created(event, documents);
      const { username, email, phoneNumber } = event.data.changes;
      if (username !== undefined) admin.username = username;
      if (email !== undefined) admin.email = email;
      if (phoneNumber !== undefined) admin.phoneNumber = phoneNumber;
      documents.touch(adminView, event.data.adminId);
    },
    AdminPasswordChanged(event, documents) {
      created(event, documents);
      const credential = documents.change(credentials, event.data.adminId);
      credential.passwordHash = event.data.passwordHash;
      // The same password under stronger parameters revokes nothing.
      if (!event.data.rehash) credential.changedPosition = event.position.toString();
    },
    SessionRevoked({ data }, documents) {
      const session = documents.change(revokedSessions, data.jti);
      session.role = data.role;
      session.subjectId = data.subjectId;
      session.expires = data.expires;
      documents.touch(revokedSessionView, data.jti);
    },
    AdminEmailClaimed: noEffect,
    AdminEmailReleased: noEffect,
  },
};
