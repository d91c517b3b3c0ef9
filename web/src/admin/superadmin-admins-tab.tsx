import type { AdminAnswer } from '@courtledger/contracts/admin/admin.answers';
import { IconPencil } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactElement } from 'react';
import { EmailText } from '../ui/email-text.tsx';
import { listAdmins } from './admin.data.ts';
import { AdminFormModal } from './admin-form-modal.tsx';
import type { DashboardTabProps } from './dashboard.tsx';
import { AuditAction, Crested, ListTab, RowAction, type List } from './list-tab.tsx';

const list: List<AdminAnswer> = {
  caption: 'Admins',
  noun: 'admin',
  empty: 'No admins yet',
  idOf: (admin) => admin._id,
  filter: 'Search admins',
  textsOf: (admin) => [admin.username, admin.phoneNumber, admin.email],
  columns: [
    { title: 'Username', kind: 'name', cell: (admin) => <Crested name={admin.username} /> },
    { title: 'Phone number', cell: (admin) => admin.phoneNumber },
    { title: 'Email', className: 'mute', cell: (admin) => <EmailText address={admin.email} /> },
  ],
};

/** Admin accounts. */
export const SuperAdminAdminsTab = ({ creating, onCreated, onAudit }: DashboardTabProps): ReactElement => {
  const admins = useQuery(listAdmins());
  const [opened, setOpened] = useState<AdminAnswer>();
  return (
    <>
      <ListTab
        list={list}
        query={admins}
        renderActions={(admin) => (
          <>
            <RowAction
              Icon={IconPencil}
              title="Edit Admin"
              label={`Edit Admin ${admin.username}`}
              onPress={() => {
                setOpened(admin);
              }}
            />
            <AuditAction of={admin.username} subject={{ kind: 'admin', id: admin._id }} onAudit={onAudit} />
          </>
        )}
      />
      {creating && <AdminFormModal onClose={onCreated} />}
      {opened && (
        <AdminFormModal
          admin={opened}
          onClose={() => {
            setOpened(undefined);
          }}
        />
      )}
    </>
  );
};
