import { z } from 'zod';
import { idParams, noAnswer, nothing } from '../kernel/answers.ts';
import { defineEndpoint } from '../kernel/endpoint.ts';
import { changedPassword, contactPhone, credential, email, password, text } from '../kernel/fields.ts';
import { adminAnswer, adminSession, tokenAnswer } from './admin.answers.ts';

const account = { username: text(), email: email(), phoneNumber: contactPhone() };
const fieldOrder = ['username', 'password', 'email', 'phoneNumber'];

export const logInSuperAdmin = defineEndpoint({
  name: 'logInSuperAdmin',
  kind: 'command',
  method: 'POST',
  path: '/superadmin/login',
  summary: 'Logs the super admin in. Anything wrong is 401.',
  access: 'public',
  throttle: 'login',
  params: nothing,
  query: nothing,
  bodyKind: 'json',
  body: z.object({ id: credential(), password: credential() }),
  files: {},
  fieldOrder: ['id', 'password'],
  status: 200,
  response: tokenAnswer,
});

export const logOutSuperAdmin = defineEndpoint({
  name: 'logOutSuperAdmin',
  kind: 'command',
  method: 'POST',
  path: '/superadmin/logout',
  summary: 'Revokes the token and removes the cookie.',
  access: 'superadmin',
  params: nothing,
  query: nothing,
  bodyKind: 'none',
  body: nothing,
  files: {},
  fieldOrder: [],
  status: 204,
  response: noAnswer,
});

export const checkSuperAdminToken = defineEndpoint({
  name: 'checkSuperAdminToken',
  kind: 'read',
  method: 'GET',
  path: '/superadmin/check-token',
  summary: 'Whether the token is valid; the answer is the list of admins.',
  access: 'superadmin',
  checksLogin: true,
  private: true,
  params: nothing,
  query: nothing,
  bodyKind: 'none',
  body: nothing,
  files: {},
  fieldOrder: [],
  status: 200,
  response: z.array(adminAnswer),
});

export const listAdmins = defineEndpoint({
  name: 'listAdmins',
  kind: 'read',
  method: 'GET',
  path: '/superadmin/get-admins',
  summary: 'All admins.',
  access: 'superadmin',
  private: true,
  params: nothing,
  query: nothing,
  bodyKind: 'none',
  body: nothing,
  files: {},
  fieldOrder: [],
  status: 200,
  response: z.array(adminAnswer),
});

export const createAdmin = defineEndpoint({
  name: 'createAdmin',
  kind: 'command',
  method: 'POST',
  path: '/superadmin/create-admin',
  summary: 'Creates an admin account.',
  access: 'superadmin',
  params: nothing,
  query: nothing,
  bodyKind: 'json',
  body: z.object({ ...account, password: password() }),
  files: {},
  fieldOrder,
  status: 201,
  refusals: [429],
  response: adminAnswer,
});

export const changeAdmin = defineEndpoint({
  name: 'changeAdmin',
  kind: 'command',
  method: 'PUT',
  path: '/superadmin/update-admin/:id',
  summary: 'Changes an admin account; only what is sent changes, and an empty password keeps the old one.',
  access: 'superadmin',
  params: idParams,
  query: nothing,
  bodyKind: 'json',
  body: z.object(account).partial().extend({ password: changedPassword() }),
  files: {},
  fieldOrder,
  status: 200,
  refusals: [429],
  response: adminAnswer,
});

export const logInAdmin = defineEndpoint({
  name: 'logInAdmin',
  kind: 'command',
  method: 'POST',
  path: '/admin/login',
  summary: 'Logs an admin in. Anything wrong is 401.',
  access: 'public',
  throttle: 'login',
  params: nothing,
  query: nothing,
  bodyKind: 'json',
  body: z.object({ email: credential(), password: credential() }),
  files: {},
  fieldOrder: ['email', 'password'],
  status: 200,
  response: tokenAnswer,
});

export const logOutAdmin = defineEndpoint({
  name: 'logOutAdmin',
  kind: 'command',
  method: 'POST',
  path: '/admin/logout',
  summary: 'Revokes the token and removes the cookie.',
  access: 'admin',
  params: nothing,
  query: nothing,
  bodyKind: 'none',
  body: nothing,
  files: {},
  fieldOrder: [],
  status: 204,
  response: noAnswer,
});

export const checkAdminToken = defineEndpoint({
  name: 'checkAdminToken',
  kind: 'read',
  method: 'GET',
  path: '/admin/check-token',
  summary: 'Whether the token is valid, and whose it is.',
  access: 'admin',
  checksLogin: true,
  private: true,
  params: nothing,
  query: nothing,
  bodyKind: 'none',
  body: nothing,
  files: {},
  fieldOrder: [],
  status: 200,
  response: adminSession,
});
