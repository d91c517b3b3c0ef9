import type { ReactElement } from 'react';
import { AuditList } from './audit-list.tsx';
import type { DashboardTabProps } from './dashboard.tsx';

/** The audit without the accounts of admins. */
export const AdminAuditTab = ({ audited }: DashboardTabProps): ReactElement => <AuditList account="admin" subject={audited} />;
