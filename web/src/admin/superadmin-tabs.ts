import { lazy } from 'react';
import type { DashboardTab } from './dashboard.tsx';

/** The tabs of the super admin, in order. A new one is a line here and a file beside it. */
export const superAdminTabs: readonly [DashboardTab, ...DashboardTab[]] = [
  { id: 'admins', title: 'Admin History', create: 'Create Admin', Panel: lazy(async () => ({ default: (await import('./superadmin-admins-tab.tsx')).SuperAdminAdminsTab })) },
  { id: 'tournaments', title: 'Tournament', Panel: lazy(async () => ({ default: (await import('./superadmin-tournaments-tab.tsx')).SuperAdminTournamentsTab })) },
  { id: 'users', title: 'Users', Panel: lazy(async () => ({ default: (await import('./superadmin-users-tab.tsx')).SuperAdminUsersTab })) },
  { id: 'operations', title: 'Operations', Panel: lazy(async () => ({ default: (await import('./operations-tab.tsx')).OperationsTab })) },
  { id: 'audit', title: 'Audit', Panel: lazy(async () => ({ default: (await import('./superadmin-audit-tab.tsx')).SuperAdminAuditTab })) },
];
