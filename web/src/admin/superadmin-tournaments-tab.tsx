import type { AdminTournament } from '@courtledger/contracts/tournament/tournament.answers';
import { IconEye, IconPencil } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactElement } from 'react';
import { Link } from 'react-router-dom';
import { paths } from '../app/paths.ts';
import { formatDate } from '../lib/format.rules.ts';
import { listSuperAdminTournaments } from './admin.data.ts';
import type { DashboardTabProps } from './dashboard.tsx';
import { AuditAction, ListTab, RowAction, type List } from './list-tab.tsx';
import { TournamentFormModal } from './tournament-form-modal.tsx';

const list: List<AdminTournament> = {
  caption: 'Tournaments',
  noun: 'tournament',
  empty: 'No tournament data available',
  idOf: (tournament) => tournament._id,
  filter: 'Filter by name or organizer',
  textsOf: (tournament) => [tournament.name, tournament.organizer.name, tournament.organizer.phoneNumber, tournament.location],
  columns: [
    { title: 'Name', kind: 'name', cell: (tournament) => tournament.name },
    { title: 'Organizer name', cell: (tournament) => tournament.organizer.name },
    { title: 'Organizer phone', className: 'nowrap', cell: (tournament) => tournament.organizer.phoneNumber },
    { title: 'Start date', className: 'nowrap', cell: (tournament) => formatDate(tournament.startDate) },
    { title: 'Teams', cell: (tournament) => tournament.teams.length },
  ],
};

/** Tournaments as admins see them; Edit changes them in the super admin's name (docs/decisions/super-admin-tabs.md). */
export const SuperAdminTournamentsTab = ({ onAudit }: Pick<DashboardTabProps, 'onAudit'>): ReactElement => {
  const tournaments = useQuery(listSuperAdminTournaments());
  const [edited, setEdited] = useState<AdminTournament>();
  return (
    <>
      <ListTab
        list={list}
        query={tournaments}
        renderActions={(tournament) => (
          <>
            <Link className="btn btn--s btn--sm" to={paths.tournament.to(tournament._id)} aria-label={`View ${tournament.name}`}>
              <IconEye className="i i-s" stroke={1.75} aria-hidden="true" />
              View
            </Link>
            <RowAction
              Icon={IconPencil}
              title="Edit"
              label={`Edit ${tournament.name}`}
              onPress={() => {
                setEdited(tournament);
              }}
            />
            <AuditAction of={tournament.name} subject={{ kind: 'tournament', id: tournament._id }} onAudit={onAudit} />
          </>
        )}
      />
      {edited && (
        <TournamentFormModal
          account="superadmin"
          tournament={edited}
          onClose={() => {
            setEdited(undefined);
          }}
        />
      )}
    </>
  );
};
