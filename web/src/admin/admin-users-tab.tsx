import { useQuery } from '@tanstack/react-query';
import { useState, type ReactElement } from 'react';
import { formatCount } from '../lib/format.rules.ts';
import { Ledger } from '../ui/ledger.tsx';
import { ScriptText } from '../ui/script-text.tsx';
import { listTeams } from './admin.data.ts';
import { Tools, matchesFilter } from './admin-shell.tsx';
import { ListState } from './list-state.tsx';

const columns = [
  { key: 'team', title: 'Team' },
  { key: 'phone', title: 'Contact number' },
  { key: 'coach', title: 'Coach name' },
  { key: 'coach-phone', title: 'Coach contact' },
] as const;

/** Whom to call: the contacts of every registered team and of its coach. */
export const AdminUsersTab = (): ReactElement => {
  const teams = useQuery(listTeams());
  const [typed, setTyped] = useState('');
  const shown = (teams.data ?? []).filter(({ team_details: details, coach }) => matchesFilter(typed, [details.name, details.teamPrimaryNumber, coach.name, coach.phone_number, coach.contact_number_2]));
  return (
    <>
      <Tools label="Filter by name or number" text={typed} onText={setTyped} counted={formatCount(shown.length, 'user')} />
      <ListState query={teams} empty="No users yet" shown={shown.length}>
        <Ledger caption="Users" className="cards-m" columns={columns}>
          {shown.map(({ _id, team_details: details, coach }) => (
            <tr key={_id}>
              <th scope="row">
                <ScriptText text={details.name} />
              </th>
              <td data-l="Contact number">{details.teamPrimaryNumber}</td>
              <td data-l="Coach name">
                <ScriptText text={coach.name ?? '-'} />
              </td>
              <td data-l="Coach contact">{[coach.phone_number, coach.contact_number_2].filter(Boolean).join(', ') || '-'}</td>
            </tr>
          ))}
        </Ledger>
      </ListState>
    </>
  );
};
