import type { TeamAnswer } from '@courtledger/contracts/team/team.answers';
import { IconPencil } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactElement } from 'react';
import { listTeams } from './admin.data.ts';
import { ListTab, RowAction, type List } from './list-tab.tsx';
import { TeamFormModal } from './team-form-modal.tsx';

const list: List<TeamAnswer> = {
  caption: 'Users', noun: 'user',
  empty: 'No users yet',
  idOf: (team) => team._id,
  filter: 'Filter by name or number',
  textsOf: ({ team_details: details, coach }) => [details.name, details.teamPrimaryNumber, coach.name, coach.phone_number, coach.contact_number_2],
  columns: [
    { title: 'Team', kind: 'name', cell: (team) => team.team_details.name },
    { title: 'Contact number', className: 'nowrap', cell: (team) => team.team_details.teamPrimaryNumber },
    { title: 'Coach name', cell: ({ coach }) => coach.name ?? '-' },
    { title: 'Coach contact', cell: ({ coach }) => [coach.phone_number, coach.contact_number_2].filter(Boolean).join(', ') || '-' },
    { title: 'Players', cell: (team) => team.players.length },
  ],
};

/** Whom to call: the contacts of every registered team and of its coach; Edit corrects them. */
export const AdminUsersTab = (): ReactElement => {
  const teams = useQuery(listTeams());
  const [opened, setOpened] = useState<TeamAnswer>();
  return (
    <>
      <ListTab
        list={list}
        query={teams}
        renderActions={(team) => <RowAction Icon={IconPencil} title="Edit" label={`Edit ${team.team_details.name}`} onPress={() => { setOpened(team); }} />}
      />
      {opened && <TeamFormModal account="admin" team={opened} onClose={() => { setOpened(undefined); }} />}
    </>
  );
};
