import type { ReactElement } from 'react';
import { AuditList } from './audit-list.tsx';

/** The audit with the accounts of admins. */
export const SuperAdminAuditTab = (): ReactElement => <AuditList account="superadmin" />;
