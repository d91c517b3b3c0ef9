import type { TeamAnswer } from '@courtledger/contracts/team/team.answers';
import { IconPencil, IconUsers } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactElement } from 'react';
import { formatCount } from '../lib/format.rules.ts';
import { Crest } from '../ui/crest.tsx';
import { Ledger } from '../ui/ledger.tsx';
import { ScriptText } from '../ui/script-text.tsx';
import { listTeams } from './admin.data.ts';
import { Tools, matchesFilter } from './admin-shell.tsx';
import { ListState } from './list-state.tsx';
import { RosterModal } from './roster-modal.tsx';
import { TeamFormModal } from './team-form-modal.tsx';

const columns = [
  { key: 'name', title: 'Team name' },
  { key: 'origin', title: 'Origin' },
  { key: 'coach', title: 'Coach name' },
  { key: 'contact', title: 'Coach contact' },
  { key: 'acts', title: 'Actions', className: 'num' },
] as const;

/** Teams with their coaches; Edit corrects them. */
export const AdminTeamsTab = (): ReactElement => {
  const teams = useQuery(listTeams());
  const [typed, setTyped] = useState('');
  const [opened, setOpened] = useState<{ readonly kind: 'edit' | 'roster'; readonly team: TeamAnswer }>();
  const shown = (teams.data ?? []).filter(({ team_details: details, coach }) => matchesFilter(typed, [details.name, details.origin, coach.name, coach.phone_number]));
  const close = (): void => {
    setOpened(undefined);
  };
  return (
    <>
      <Tools label="Filter by team, origin or coach" text={typed} onText={setTyped} counted={formatCount(shown.length, 'team')} />
      <ListState query={teams} empty="No teams yet" shown={shown.length}>
        <Ledger caption="Teams" className="cards-m" columns={columns}>
          {shown.map((team) => (
            <tr key={team._id}>
              <th scope="row">
                <span className="who">
                  <Crest id={team._id} name={team.team_details.name} logo={team.team_details.logo} size={36} />
                  <span>
                    <ScriptText text={team.team_details.name} />
                  </span>
                </span>
              </th>
              <td data-l="Origin">
                <ScriptText text={team.team_details.origin} />
              </td>
              <td data-l="Coach name">
                <ScriptText text={team.coach.name ?? '-'} />
              </td>
              <td data-l="Coach contact">{team.coach.phone_number ?? '-'}</td>
              <td>
                <span className="row-acts">
                  <button
                    type="button"
                    className="btn btn--s btn--sm"
                    aria-label={`Edit ${team.team_details.name}`}
                    onClick={() => {
                      setOpened({ kind: 'edit', team });
                    }}
                  >
                    <IconPencil className="i i-s" stroke={1.75} aria-hidden="true" />
                    Edit
                  </button>
                  <button
                    type="button"
                    className="btn btn--s btn--sm"
                    aria-label={`Roster of ${team.team_details.name}`}
                    onClick={() => {
                      setOpened({ kind: 'roster', team });
                    }}
                  >
                    <IconUsers className="i i-s" stroke={1.75} aria-hidden="true" />
                    Roster
                  </button>
                </span>
              </td>
            </tr>
          ))}
        </Ledger>
      </ListState>
      {opened?.kind === 'edit' && <TeamFormModal team={opened.team} onClose={close} />}
      {opened?.kind === 'roster' && <RosterModal team={opened.team} onClose={close} />}
    </>
  );
};
