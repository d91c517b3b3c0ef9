import type { TeamName } from '@courtledger/contracts/team/team.answers';
import { IconUsers } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactElement } from 'react';
import { formatInstant } from '../lib/format.rules.ts';
import { listTournaments } from '../tournament/tournament.data.ts';
import { getTeamNames, listRegisteredTeams } from './admin.data.ts';
import type { DashboardTabProps } from './dashboard.tsx';
import { AuditAction, Crested, ListTab, RowAction, type List } from './list-tab.tsx';
import { QueryState } from './query-state.tsx';
import { RosterModal } from './roster-modal.tsx';

type User = TeamName & { readonly at: string; readonly enteredIn: readonly string[] };

const list: List<User> = {
  caption: 'Users', noun: 'user',
  empty: 'No users yet',
  idOf: (user) => user.teamId,
  filter: 'Filter by team, coach or tournament',
  textsOf: (user) => [user.teamName, user.coachName, ...user.enteredIn],
  columns: [
    { title: 'Team', kind: 'name', cell: (user) => <Crested id={user.teamId} name={user.teamName} /> },
    { title: 'Coach', cell: (user) => user.coachName || '-' },
    { title: 'Tournaments', className: 'mute', cell: (user) => user.enteredIn.join(', ') || 'None yet' },
    { title: 'Registered', className: 'mute', cell: (user) => formatInstant(user.at) },
  ],
};

/** Every registered team, with what a super admin may see of it. Contacts, and Edit, are for admins alone (docs/decisions/super-admin-tabs.md). */
export const SuperAdminUsersTab = ({ onAudit }: Pick<DashboardTabProps, 'onAudit'>): ReactElement => {
  const [opened, setOpened] = useState<User>();
  const tournaments = useQuery(listTournaments());
  const registered = useQuery(listRegisteredTeams());
  const all = tournaments.data?.allTournaments ?? [];
  const teams = registered.data ?? [];
  const registeredAt = new Map(teams.map(({ teamId, at }) => [teamId, at]));
  const users = useQuery({
    ...getTeamNames(teams.map(({ teamId }) => teamId)),
    enabled: registered.data !== undefined && tournaments.data !== undefined,
    select: (names): readonly User[] =>
      names.map((name) => ({ ...name, at: registeredAt.get(name.teamId) ?? '', enteredIn: all.filter((tournament) => tournament.teams.includes(name.teamId)).map((tournament) => tournament.name) })),
  });
  // Without both of them nobody is asked for.
  const lacking = [registered, tournaments].find((query) => query.isLoadingError);
  if (lacking) return <QueryState query={lacking} />;
  return (
    <>
      <p className="mute adm__alert">Phone numbers of teams and coaches, and Edit, are in the Users tab of an admin.</p>
      <ListTab
        list={list}
        query={users}
        renderActions={(user) => (
          <>
            <RowAction Icon={IconUsers} title="Roster" label={`Roster of ${user.teamName}`} onPress={() => { setOpened(user); }} />
            <AuditAction of={user.teamName} onPress={() => { onAudit({ kind: 'team', id: user.teamId }); }} />
          </>
        )}
      />
      {opened && <RosterModal id={opened.teamId} name={opened.teamName} onClose={() => { setOpened(undefined); }} />}
    </>
  );
};
