import type { AdminEmailEvent } from '@courtledger/contracts/admin/admin.events';
import { conflict } from '@courtledger/contracts/kernel/errors';
import type { AdminId } from '@courtledger/contracts/kernel/ids';
import type { Decider } from '../platform/stream-state.ts';

export type AdminEmailState = { holder: AdminId | undefined };

export type AdminEmailCommand = { readonly type: 'claimEmail' | 'releaseEmail'; readonly adminId: AdminId };

const initial = (): AdminEmailState => ({ holder: undefined });

const evolve = (state: AdminEmailState, event: AdminEmailEvent): AdminEmailState => {
  switch (event.type) {
    case 'AdminEmailClaimed':
      state.holder = event.data.adminId;
      return state;
    case 'AdminEmailReleased':
      state.holder = undefined;
      return state;
    default:
      return event satisfies never;
  }
};

const decide = ({ holder }: AdminEmailState, { type, adminId }: AdminEmailCommand): readonly AdminEmailEvent[] => {
  switch (type) {
    case 'claimEmail':
      if (holder === adminId) return [];
      if (holder !== undefined) throw conflict('This e-mail address is already in use', 'email');
      return [{ type: 'AdminEmailClaimed', data: { adminId } }];
    case 'releaseEmail':
      return holder === adminId ? [{ type: 'AdminEmailReleased', data: { adminId } }] : [];
    default:
      return type satisfies never;
  }
};

/** Who holds an e-mail address: at most one account. */
export const adminEmailDecider: Decider<AdminEmailState, AdminEmailCommand, AdminEmailEvent> = { initial, evolve, decide };
