import type { TeamName } from '@courtledger/contracts/team/team.answers';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { listTournaments } from '../tournament/tournament.data.ts';
import { getTeamNames } from './admin.data.ts';
import { Crested, ListTab, type List } from './list-tab.tsx';
import { QueryState } from './query-state.tsx';

type User = TeamName & { readonly enteredIn: readonly string[] };

const list: List<User> = {
  caption: 'Users', noun: 'user',
  empty: 'No users yet',
  idOf: (user) => user.teamId,
  filter: 'Filter by team, coach or tournament',
  textsOf: (user) => [user.teamName, user.coachName, ...user.enteredIn],
  columns: [
    { title: 'Team', kind: 'name', cell: (user) => <Crested id={user.teamId} name={user.teamName} /> },
    { title: 'Coach', cell: (user) => user.coachName },
    { title: 'Tournaments', className: 'mute', cell: (user) => user.enteredIn.join(', ') },
  ],
};

/** Teams that entered a tournament, with their coaches: what is public. Phones are for admins alone. */
export const SuperAdminUsersTab = (): ReactElement => {
  const tournaments = useQuery(listTournaments());
  const all = tournaments.data?.allTournaments ?? [];
  const teamIds = [...new Set(all.flatMap((tournament) => tournament.teams))];
  const users = useQuery({
    ...getTeamNames(teamIds),
    enabled: tournaments.data !== undefined,
    select: (names): readonly User[] => names.map((name) => ({ ...name, enteredIn: all.filter((tournament) => tournament.teams.includes(name.teamId)).map((tournament) => tournament.name) })),
  });
  // Without them nobody is asked for.
  if (tournaments.isLoadingError) return <QueryState query={tournaments} />;
  return <ListTab list={list} query={users} />;
};
