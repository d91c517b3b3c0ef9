import type { ReactElement } from 'react';
import { AuditList } from './audit-list.tsx';
import type { SuperAdminTabProps } from './superadmin-tab.ts';

/** The audit with the accounts of admins. */
export const SuperAdminAuditTab = ({ audited }: SuperAdminTabProps): ReactElement => <AuditList account="superadmin" subject={audited} />;
