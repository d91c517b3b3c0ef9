import type { AdminAnswer } from '@courtledger/contracts/admin/admin.answers';
import { IconPencil } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactElement } from 'react';
import { formatCount } from '../lib/format.rules.ts';
import { Crest } from '../ui/crest.tsx';
import { Ledger } from '../ui/ledger.tsx';
import { ScriptText } from '../ui/script-text.tsx';
import { listAdmins } from './admin.data.ts';
import { AdminFormModal } from './admin-form-modal.tsx';
import { Tools, matchesFilter } from './admin-shell.tsx';
import { ListState } from './list-state.tsx';
import type { SuperAdminTabProps } from './superadmin-tab.ts';

const columns = [
  { key: 'name', title: 'Username' },
  { key: 'phone', title: 'Phone number' },
  { key: 'email', title: 'Email' },
  { key: 'acts', title: 'Actions', className: 'num' },
] as const;

/** Admin accounts. */
export const SuperAdminAdminsTab = ({ creating, onCreated }: SuperAdminTabProps): ReactElement => {
  const admins = useQuery(listAdmins());
  const [typed, setTyped] = useState('');
  const [opened, setOpened] = useState<AdminAnswer>();
  const shown = (admins.data ?? []).filter((admin) => matchesFilter(typed, [admin.username, admin.phoneNumber, admin.email]));
  return (
    <>
      <Tools label="Search admins" text={typed} onText={setTyped} counted={formatCount(shown.length, 'admin')} />
      <ListState query={admins} empty="No admins yet" shown={shown.length}>
        <Ledger caption="Admins" className="cards-m" columns={columns}>
          {shown.map((admin) => (
            <tr key={admin._id}>
              <th scope="row">
                <span className="who">
                  <Crest id={admin._id} name={admin.username} logo={undefined} size={36} />
                  <span>
                    <ScriptText text={admin.username} />
                  </span>
                </span>
              </th>
              <td data-l="Phone number">{admin.phoneNumber}</td>
              <td data-l="Email" className="mute">
                {admin.email}
              </td>
              <td>
                <span className="row-acts">
                  <button
                    type="button"
                    className="btn btn--s btn--sm"
                    aria-label={`Edit Admin ${admin.username}`}
                    onClick={() => {
                      setOpened(admin);
                    }}
                  >
                    <IconPencil className="i i-s" stroke={1.75} aria-hidden="true" />
                    Edit Admin
                  </button>
                </span>
              </td>
            </tr>
          ))}
        </Ledger>
      </ListState>
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
