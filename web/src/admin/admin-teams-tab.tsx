import type { TeamAnswer } from '@courtledger/contracts/team/team.answers';
import { IconPencil, IconUsers } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactElement } from 'react';
import { Crest } from '../ui/crest.tsx';
import { ScriptText } from '../ui/script-text.tsx';
import { listTeams } from './admin.data.ts';
import type { OnAudit } from './audit.data.ts';
import { AuditAction, ListTab, RowAction, RowActions } from './list-tab.tsx';
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
export const AdminTeamsTab = ({ onAudit }: { readonly onAudit: OnAudit }): ReactElement => {
  const teams = useQuery(listTeams());
  const [opened, setOpened] = useState<{ readonly kind: 'edit' | 'roster'; readonly team: TeamAnswer }>();
  const close = (): void => {
    setOpened(undefined);
  };
  return (
    <>
      <ListTab
        query={teams}
        caption="Teams"
        columns={columns}
        filter="Filter by team, origin or coach"
        textsOf={({ team_details: details, coach }) => [details.name, details.origin, coach.name, coach.phone_number]}
        noun="team"
        empty="No teams yet"
      >
        {(team) => (
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
            <td data-l="Coach contact" className="nowrap">{team.coach.phone_number ?? '-'}</td>
            <RowActions>
              <RowAction
                Icon={IconPencil}
                title="Edit"
                label={`Edit ${team.team_details.name}`}
                onPress={() => {
                  setOpened({ kind: 'edit', team });
                }}
              />
              <RowAction
                Icon={IconUsers}
                title="Roster"
                label={`Roster of ${team.team_details.name}`}
                onPress={() => {
                  setOpened({ kind: 'roster', team });
                }}
              />
              <AuditAction
                of={team.team_details.name}
                onPress={() => {
                  onAudit({ kind: 'team', id: team._id });
                }}
              />
            </RowActions>
          </tr>
        )}
      </ListTab>
      {opened?.kind === 'edit' && <TeamFormModal team={opened.team} onClose={close} />}
      {opened?.kind === 'roster' && <RosterModal team={opened.team} onClose={close} />}
    </>
  );
};
