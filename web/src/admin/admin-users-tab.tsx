import type { TeamAnswer } from '@courtledger/contracts/team/team.answers';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { listTeams } from './admin.data.ts';
import type { OnAudit } from './audit.data.ts';
import type { List } from './list-tab.tsx';
import { TeamList } from './team-list.tsx';

const list: List<TeamAnswer> = {
  caption: 'Users',
  noun: 'user',
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
export const AdminUsersTab = ({ onAudit }: { readonly onAudit: OnAudit }): ReactElement => (
  <TeamList account="admin" list={list} query={useQuery(listTeams())} onAudit={onAudit} />
);
