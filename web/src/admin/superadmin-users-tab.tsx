import type { TeamName } from '@courtledger/contracts/team/team.answers';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useState, type ReactElement } from 'react';
import { formatCount } from '../lib/format.rules.ts';
import { listTournaments } from '../tournament/tournament.data.ts';
import { Crest } from '../ui/crest.tsx';
import { Ledger } from '../ui/ledger.tsx';
import { ScriptText } from '../ui/script-text.tsx';
import { getTeamNames } from './admin.data.ts';
import { Tools, matchesFilter } from './admin-shell.tsx';
import { ListState } from './list-state.tsx';

const columns = [
  { key: 'team', title: 'Team' },
  { key: 'coach', title: 'Coach' },
  { key: 'tournaments', title: 'Tournaments' },
] as const;

/** Teams that entered a tournament, with their coaches: what is public. Phones are for admins alone. */
export const SuperAdminUsersTab = (): ReactElement => {
  const tournaments = useQuery(listTournaments());
  const all = tournaments.data?.allTournaments ?? [];
  const teamIds = [...new Set(all.flatMap((tournament) => tournament.teams))];
  const names: UseQueryResult<readonly TeamName[]> = useQuery({ ...getTeamNames(teamIds), enabled: tournaments.data !== undefined });
  const [typed, setTyped] = useState('');
  const users = (names.data ?? []).map((name) => ({ teamId: name.teamId, teamName: name.teamName, coachName: name.coachName, enteredIn: all.filter((tournament) => tournament.teams.includes(name.teamId)).map((tournament) => tournament.name) }));
  const shown = users.filter((user) => matchesFilter(typed, [user.teamName, user.coachName, ...user.enteredIn]));
  return (
    <>
      <Tools label="Filter by team, coach or tournament" text={typed} onText={setTyped} counted={formatCount(shown.length, 'user')} />
      <ListState query={names} empty="No users yet" shown={shown.length}>
        <Ledger caption="Users" className="cards-m" columns={columns}>
          {shown.map((user) => (
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
          ))}
        </Ledger>
      </ListState>
    </>
  );
};
