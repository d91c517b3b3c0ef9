import { lazy, type ComponentType } from 'react';

/** What each tab is told by the page: whether its create button was pressed, and where to say that the dialog is closed. */
export type SuperAdminTabProps = { readonly creating: boolean; readonly onCreated: () => void };

export type SuperAdminTab = {
  readonly id: string;
  readonly title: string;
  /** The text of the page's create button, where the tab has one. */
  readonly create?: string;
  readonly Panel: ComponentType<SuperAdminTabProps>;
};

/** The tabs of the super admin, in order. A new one is a line here and a file beside it. */
export const superAdminTabs: readonly SuperAdminTab[] = [
  { id: 'admins', title: 'Admin History', create: 'Create Admin', Panel: lazy(async () => ({ default: (await import('./superadmin-admins-tab.tsx')).SuperAdminAdminsTab })) },
  { id: 'tournaments', title: 'Tournament', Panel: lazy(async () => ({ default: (await import('./superadmin-tournaments-tab.tsx')).SuperAdminTournamentsTab })) },
  { id: 'users', title: 'Users', Panel: lazy(async () => ({ default: (await import('./superadmin-users-tab.tsx')).SuperAdminUsersTab })) },
];
