import type { Access, Endpoint } from '@courtledger/contracts/kernel/endpoint';
import type { Caller } from './call.ts';

/**
 * Who may call what: the one table, read by the binding of every endpoint and by the test of every route with every role. Deny by default: what is not listed
 * may not.
 */
const roles: Readonly<Record<Access, readonly Caller['role'][]>> = {
  public: ['visitor', 'registrant', 'admin', 'superadmin'],
  // Which team's registrant it is, authentication has settled already: a Caller holds only the team whose cookie counted.
  registrant: ['registrant', 'admin'],
  admin: ['admin'],
  // A super admin is not an admin by that, nor the other way round: what both may do has an endpoint for each.
  superadmin: ['superadmin'],
};

/** True when callers of that role may use the endpoint (api-contract, 'Who is calling'). */
export const mayCall = (endpoint: Pick<Endpoint, 'access'>, role: Caller['role']): boolean => roles[endpoint.access].includes(role);
