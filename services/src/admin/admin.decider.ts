import type { AdminEvent } from '@courtledger/contracts/admin/admin.events';
import { conflict, notFound } from '@courtledger/contracts/kernel/errors';
import type { AdminId } from '@courtledger/contracts/kernel/ids';
import type { Decider } from '../platform/stream-state.ts';

export type AdminAccount = {
  readonly adminId: AdminId;
  readonly username: string;
  readonly email: string;
  readonly phoneNumber: string;
  readonly passwordHash: string;
};
export type AdminState = { account: AdminAccount | undefined };

export type AdminCommand =
  | { readonly type: 'createAdmin'; readonly account: AdminAccount }
  /** `passwordHash` when a new password was given. */
  | {
      readonly type: 'changeAdmin';
      readonly username: string | undefined;
      readonly email: string | undefined;
      readonly phoneNumber: string | undefined;
      readonly passwordHash: string | undefined;
    }
  /** The same password under stronger parameters, seen at a login that was decided on `oldHash`: another password set meanwhile is kept. */
  | { readonly type: 'rehashPassword'; readonly oldHash: string; readonly passwordHash: string };

const initial = (): AdminState => ({ account: undefined });

const evolve = (state: AdminState, event: AdminEvent): AdminState => {
  switch (event.type) {
    case 'AdminCreated':
      state.account = event.data;
      return state;
    case 'AdminDetailsChanged': {
      const { username, email, phoneNumber } = event.data.changes;
      const { account } = state;
      if (account !== undefined)
        state.account = { ...account, username: username ?? account.username, email: email ?? account.email, phoneNumber: phoneNumber ?? account.phoneNumber };
      return state;
    }
    case 'AdminPasswordChanged':
      if (state.account !== undefined) state.account = { ...state.account, passwordHash: event.data.passwordHash };
      return state;
    default:
      return event satisfies never;
  }
};

const decide = ({ account }: AdminState, command: AdminCommand): readonly AdminEvent[] => {
  if (command.type === 'createAdmin') {
    if (account !== undefined) throw conflict('This admin exists already');
    return [{ type: 'AdminCreated', data: command.account }];
  }
  if (account === undefined) throw notFound('There is no such admin');
  const { adminId } = account;
  switch (command.type) {
    case 'changeAdmin': {
      const { username, email, phoneNumber, passwordHash } = command;
      const changes = {
        ...(username !== undefined && username !== account.username && { username }),
        ...(email !== undefined && email !== account.email && { email }),
        ...(phoneNumber !== undefined && phoneNumber !== account.phoneNumber && { phoneNumber }),
      };
      const events: AdminEvent[] = [];
      if (Object.keys(changes).length > 0) events.push({ type: 'AdminDetailsChanged', data: { adminId, changes } });
      if (passwordHash !== undefined) events.push({ type: 'AdminPasswordChanged', data: { adminId, passwordHash, rehash: false } });
      return events;
    }
    case 'rehashPassword':
      return command.oldHash === account.passwordHash
        ? [{ type: 'AdminPasswordChanged', data: { adminId, passwordHash: command.passwordHash, rehash: true } }]
        : [];
    default:
      return command satisfies never;
  }
};

/** An admin's account (specification sections 3 and 6). */
export const adminDecider: Decider<AdminState, AdminCommand, AdminEvent> = { initial, evolve, decide };
