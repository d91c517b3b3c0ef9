import type { RegisteredTeam } from '@courtledger/contracts/team/team.answers';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { Instant } from '../ui/instant.tsx';
import { ScriptText } from '../ui/script-text.tsx';
import { listSuperAdminTeams, listSuperAdminTournaments } from './admin.data.ts';
import type { DashboardTabProps } from './dashboard.tsx';
import { Crested, type List } from './list-tab.tsx';
import { QueryState } from './query-state.tsx';
import { TeamList } from './team-list.tsx';

/** `enteredIn`: names of tournaments. */
type User = RegisteredTeam & { readonly enteredIn: readonly string[] };

const Coach = ({ name, numbers }: { readonly name: string; readonly numbers: readonly (string | undefined)[] }): ReactElement => (
  <>
    <ScriptText text={name} />
    <br />
    <span className="nowrap-w">{numbers.filter(Boolean).join(', ')}</span>
  </>
);

const list: List<User> = {
  caption: 'Users',
  noun: 'user',
  empty: 'No users yet',
  idOf: (team) => team._id,
  filter: 'Filter by team, number or coach',
  textsOf: ({ team_details: details, coach, enteredIn }) => [
    details.name,
    details.teamPrimaryNumber,
    coach.name,
    coach.phone_number,
    coach.contact_number_2,
    ...enteredIn,
  ],
  columns: [
    { title: 'Team', kind: 'name', cell: ({ _id, team_details: { name, logo } }) => <Crested id={_id} name={name} logo={logo} /> },
    { title: 'Contact number', className: 'nowrap', cell: (team) => team.team_details.teamPrimaryNumber },
    {
      title: 'Coach',
      cell: ({ coach }) => (coach.name === undefined ? '-' : <Coach name={coach.name} numbers={[coach.phone_number, coach.contact_number_2]} />),
    },
    { title: 'Tournaments', className: 'mute', cell: (team) => team.enteredIn.join(', ') || 'None yet' },
    { title: 'Registered', className: 'mute nowrap-w', cell: (team) => <Instant at={team.registeredAt} /> },
  ],
};

/** Whom to call: the contacts of every registered team and of its coach; Edit corrects them in the super admin's name (docs/decisions/super-admin-tabs.md). */
export const SuperAdminUsersTab = ({ onAudit }: Pick<DashboardTabProps, 'onAudit'>): ReactElement => {
  const tournaments = useQuery(listSuperAdminTournaments());
  const users = useQuery({
    ...listSuperAdminTeams(),
    select: (teams): readonly User[] =>
      teams.map((team) => ({
        ...team,
        enteredIn: (tournaments.data ?? []).filter((tournament) => tournament.teams.includes(team._id)).map((tournament) => tournament.name),
      })),
  });
  // Whether a team has entered is not known before.
  return tournaments.data ? <TeamList account="superadmin" list={list} query={users} onAudit={onAudit} /> : <QueryState query={tournaments} />;
};
