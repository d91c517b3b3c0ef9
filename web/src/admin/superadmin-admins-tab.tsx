import type { AdminAnswer } from '@courtledger/contracts/admin/admin.answers';
import { IconPencil } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactElement } from 'react';
import { Crest } from '../ui/crest.tsx';
import { ScriptText } from '../ui/script-text.tsx';
import { listAdmins } from './admin.data.ts';
import { AdminFormModal } from './admin-form-modal.tsx';
import { AuditAction, ListTab, RowAction, RowActions } from './list-tab.tsx';
import type { SuperAdminTabProps } from './superadmin-tab.ts';

const columns = [
  { key: 'name', title: 'Username' },
  { key: 'phone', title: 'Phone number' },
  { key: 'email', title: 'Email' },
  { key: 'acts', title: 'Actions', className: 'num' },
] as const;

/** Admin accounts. */
export const SuperAdminAdminsTab = ({ creating, onCreated, onAudit }: SuperAdminTabProps): ReactElement => {
  const admins = useQuery(listAdmins());
  const [opened, setOpened] = useState<AdminAnswer>();
  return (
    <>
      <ListTab
        query={admins}
        caption="Admins"
        columns={columns}
        filter="Search admins"
        textsOf={(admin) => [admin.username, admin.phoneNumber, admin.email]}
        noun="admin"
        empty="No admins yet"
      >
        {(admin) => (
          <tr key={admin._id}>
            <th scope="row">
              <span className="who">
                <Crest name={admin.username} logo={undefined} size={36} />
                <span>
                  <ScriptText text={admin.username} />
                </span>
              </span>
            </th>
            <td data-l="Phone number">{admin.phoneNumber}</td>
            <td data-l="Email" className="mute">
              {admin.email}
            </td>
            <RowActions>
              <RowAction
                Icon={IconPencil}
                title="Edit Admin"
                label={`Edit Admin ${admin.username}`}
                onPress={() => {
                  setOpened(admin);
                }}
              />
              <AuditAction
                of={admin.username}
                onPress={() => {
                  onAudit({ kind: 'admin', id: admin._id });
                }}
              />
            </RowActions>
          </tr>
        )}
      </ListTab>
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
