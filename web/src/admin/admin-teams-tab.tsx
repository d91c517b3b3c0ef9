import type { TeamAnswer } from '@courtledger/contracts/team/team.answers';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { listTeams } from './admin.data.ts';
import type { OnAudit } from './audit.data.ts';
import { Crested, type List } from './list-tab.tsx';
import { TeamList } from './team-list.tsx';

const list: List<TeamAnswer> = {
  caption: 'Teams',
  noun: 'team',
  empty: 'No teams yet',
  idOf: (team) => team._id,
  filter: 'Filter by team, origin or coach',
  textsOf: ({ team_details: details, coach }) => [details.name, details.origin, coach.name, coach.phone_number],
  columns: [
    { title: 'Team name', kind: 'name', cell: ({ _id, team_details: { name, logo } }) => <Crested id={_id} name={name} logo={logo} /> },
    { title: 'Origin', cell: (team) => team.team_details.origin },
    { title: 'Coach name', cell: ({ coach }) => coach.name ?? '-' },
    { title: 'Coach contact', className: 'nowrap', cell: ({ coach }) => coach.phone_number ?? '-' },
  ],
};

/** Teams with their coaches; Edit corrects them. */
export const AdminTeamsTab = ({ onAudit }: { readonly onAudit: OnAudit }): ReactElement => (
  <TeamList account="admin" list={list} query={useQuery(listTeams())} onAudit={onAudit} />
);
