import { lazyTab, type DashboardTab } from './dashboard.tsx';

/** The tabs of the super admin, in order. A new one is a line here and a file beside it. */
export const superAdminTabs: readonly [DashboardTab, ...DashboardTab[]] = [
  {
    id: 'admins',
    title: 'Admin History',
    create: 'Create Admin',
    Panel: lazyTab(async () => (await import('./superadmin-admins-tab.tsx')).SuperAdminAdminsTab),
  },
  { id: 'tournaments', title: 'Tournament', Panel: lazyTab(async () => (await import('./superadmin-tournaments-tab.tsx')).SuperAdminTournamentsTab) },
  { id: 'users', title: 'Users', Panel: lazyTab(async () => (await import('./superadmin-users-tab.tsx')).SuperAdminUsersTab) },
  { id: 'operations', title: 'Operations', Panel: lazyTab(async () => (await import('./operations-tab.tsx')).OperationsTab) },
  { id: 'audit', title: 'Audit', Panel: lazyTab(async () => (await import('./superadmin-audit-tab.tsx')).SuperAdminAuditTab) },
];
