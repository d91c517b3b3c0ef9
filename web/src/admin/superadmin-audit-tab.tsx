import type { ReactElement } from 'react';
import { AuditList } from './audit-list.tsx';
import type { DashboardTabProps } from './dashboard.tsx';

/** The audit with the accounts of admins. */
export const SuperAdminAuditTab = ({ audited }: DashboardTabProps): ReactElement => <AuditList account="superadmin" subject={audited} />;
