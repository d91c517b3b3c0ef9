import { AdminAuditTab } from './admin-audit-tab.tsx';
import { AdminMatchesTab } from './admin-matches-tab.tsx';
import { AdminPlayersTab } from './admin-players-tab.tsx';
import { AdminRequestsTab } from './admin-requests-tab.tsx';
import { AdminTeamsTab } from './admin-teams-tab.tsx';
import { AdminTournamentsTab } from './admin-tournaments-tab.tsx';
import { AdminUsersTab } from './admin-users-tab.tsx';
import type { DashboardTab } from './dashboard.tsx';

/** The tabs of an admin, in order. A new one is a line here and a file beside it. */
export const adminTabs: readonly [DashboardTab, ...DashboardTab[]] = [
  { id: 'tournaments', title: 'Tournaments', create: 'Create Tournament', Panel: AdminTournamentsTab },
  { id: 'users', title: 'Users', Panel: AdminUsersTab },
  { id: 'teams', title: 'Teams', Panel: AdminTeamsTab },
  { id: 'matches', title: 'Matches', Panel: AdminMatchesTab },
  { id: 'players', title: 'Players', Panel: AdminPlayersTab },
  { id: 'requests', title: 'Requests', Panel: AdminRequestsTab },
  { id: 'audit', title: 'Audit', Panel: AdminAuditTab },
];
