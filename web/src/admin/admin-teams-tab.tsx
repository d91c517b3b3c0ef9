import type { TeamAnswer } from '@courtledger/contracts/team/team.answers';
import { IconPencil, IconUsers } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactElement } from 'react';
import { listTeams } from './admin.data.ts';
import type { OnAudit } from './audit.data.ts';
import { AuditAction, Crested, ListTab, RowAction, type List } from './list-tab.tsx';
import { RosterModal } from './roster-modal.tsx';
import { TeamFormModal } from './team-form-modal.tsx';

const list: List<TeamAnswer> = {
  caption: 'Teams', noun: 'team',
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
export const AdminTeamsTab = ({ onAudit }: { readonly onAudit: OnAudit }): ReactElement => {
  const teams = useQuery(listTeams());
  const [opened, setOpened] = useState<{ readonly kind: 'edit' | 'roster'; readonly team: TeamAnswer }>();
  const close = (): void => {
    setOpened(undefined);
  };
  return (
    <>
      <ListTab
        list={list}
        query={teams}
        renderActions={(team) => {
          const { name } = team.team_details;
          return (
            <>
              <RowAction Icon={IconPencil} title="Edit" label={`Edit ${name}`} onPress={() => { setOpened({ kind: 'edit', team }); }} />
              <RowAction Icon={IconUsers} title="Roster" label={`Roster of ${name}`} onPress={() => { setOpened({ kind: 'roster', team }); }} />
              <AuditAction of={name} onPress={() => { onAudit({ kind: 'team', id: team._id }); }} />
            </>
          );
        }}
      />
      {opened?.kind === 'edit' && <TeamFormModal account="admin" team={opened.team} onClose={close} />}
      {opened?.kind === 'roster' && <RosterModal id={opened.team._id} name={opened.team.team_details.name} onClose={close} />}
    </>
  );
};
