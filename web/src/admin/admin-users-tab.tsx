import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { ScriptText } from '../ui/script-text.tsx';
import { listTeams } from './admin.data.ts';
import { ListTab } from './list-tab.tsx';

const columns = [
  { key: 'team', title: 'Team' },
  { key: 'phone', title: 'Contact number' },
  { key: 'coach', title: 'Coach name' },
  { key: 'coach-phone', title: 'Coach contact' },
] as const;

/** Whom to call: the contacts of every registered team and of its coach. */
export const AdminUsersTab = (): ReactElement => {
  const teams = useQuery(listTeams());
  return (
    <ListTab
      query={teams}
      caption="Users"
      columns={columns}
      filter="Filter by name or number"
      textsOf={({ team_details: details, coach }) => [details.name, details.teamPrimaryNumber, coach.name, coach.phone_number, coach.contact_number_2]}
      noun="user"
      empty="No users yet"
    >
      {({ _id, team_details: details, coach }) => (
        <tr key={_id}>
          <th scope="row">
            <ScriptText text={details.name} />
          </th>
          <td data-l="Contact number" className="nowrap">{details.teamPrimaryNumber}</td>
          <td data-l="Coach name">
            <ScriptText text={coach.name ?? '-'} />
          </td>
          <td data-l="Coach contact">{[coach.phone_number, coach.contact_number_2].filter(Boolean).join(', ') || '-'}</td>
        </tr>
      )}
    </ListTab>
  );
};
