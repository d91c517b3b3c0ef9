import type { TeamName } from '@courtledger/contracts/team/team.answers';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { listTournaments } from '../tournament/tournament.data.ts';
import { Crest } from '../ui/crest.tsx';
import { ScriptText } from '../ui/script-text.tsx';
import { getTeamNames } from './admin.data.ts';
import { ListTab } from './list-tab.tsx';

const columns = [
  { key: 'team', title: 'Team' },
  { key: 'coach', title: 'Coach' },
  { key: 'tournaments', title: 'Tournaments' },
] as const;

type User = TeamName & { readonly enteredIn: readonly string[] };

/** Teams that entered a tournament, with their coaches: what is public. Phones are for admins alone. */
export const SuperAdminUsersTab = (): ReactElement => {
  const tournaments = useQuery(listTournaments());
  const all = tournaments.data?.allTournaments ?? [];
  const teamIds = [...new Set(all.flatMap((tournament) => tournament.teams))];
  const users: UseQueryResult<readonly User[]> = useQuery({
    ...getTeamNames(teamIds),
    enabled: tournaments.data !== undefined,
    select: (names) => names.map((name) => ({ ...name, enteredIn: all.filter((tournament) => tournament.teams.includes(name.teamId)).map((tournament) => tournament.name) })),
  });
  return (
    <ListTab
      query={users}
      caption="Users"
      columns={columns}
      filter="Filter by team, coach or tournament"
      textsOf={(user) => [user.teamName, user.coachName, ...user.enteredIn]}
      noun="user"
      empty="No users yet"
    >
      {(user) => (
        <tr key={user.teamId}>
          <th scope="row">
            <span className="who">
              <Crest id={user.teamId} name={user.teamName} logo={undefined} size={36} />
              <span>
                <ScriptText text={user.teamName} />
              </span>
            </span>
          </th>
          <td data-l="Coach">
            <ScriptText text={user.coachName} />
          </td>
          <td data-l="Tournaments" className="mute">
            <ScriptText text={user.enteredIn.join(', ')} />
          </td>
        </tr>
      )}
    </ListTab>
  );
};
