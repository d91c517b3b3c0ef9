import type { AdminTournament } from '@courtledger/contracts/tournament/tournament.answers';
import { IconPencil, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactElement } from 'react';
import { listAdminTournaments } from './admin.data.ts';
import type { OnAudit } from './audit.data.ts';
import { AssignMatchModal } from './assign-match-modal.tsx';
import { AuditAction, ListTab, RowAction, type List } from './list-tab.tsx';
import { TournamentFormModal } from './tournament-form-modal.tsx';

/** The states of the modal (specification section 4). */
export type TournamentsModal =
  | { readonly kind: 'closed' }
  | { readonly kind: 'create' }
  | { readonly kind: 'edit'; readonly tournament: AdminTournament }
  | { readonly kind: 'assignMatch'; readonly tournament: AdminTournament };

const list: List<AdminTournament> = {
  caption: 'Tournaments',
  noun: 'tournament',
  empty: 'No tournament data available',
  idOf: (tournament) => tournament._id,
  filter: 'Filter by name or organizer',
  textsOf: (tournament) => [tournament.name, tournament.organizer.name, tournament.organizer.phoneNumber],
  columns: [
    { title: 'Name', kind: 'name', cell: (tournament) => tournament.name },
    { title: 'Organizer name', cell: (tournament) => tournament.organizer.name },
    { title: 'Organizer phone', cell: (tournament) => tournament.organizer.phoneNumber },
  ],
};

type AdminTournamentsTabProps = { readonly creating: boolean; readonly onCreated: () => void; readonly onAudit: OnAudit };

/** Tournaments with Edit and Add Match. */
export const AdminTournamentsTab = ({ creating, onCreated, onAudit }: AdminTournamentsTabProps): ReactElement => {
  const tournaments = useQuery(listAdminTournaments());
  const [opened, setOpened] = useState<TournamentsModal>({ kind: 'closed' });
  const modal: TournamentsModal = creating ? { kind: 'create' } : opened;
  const close = (): void => {
    setOpened({ kind: 'closed' });
    onCreated();
  };
  return (
    <>
      <ListTab
        list={list}
        query={tournaments}
        renderActions={(tournament) => (
          <>
            <RowAction
              Icon={IconPencil}
              title="Edit"
              label={`Edit ${tournament.name}`}
              onPress={() => {
                setOpened({ kind: 'edit', tournament });
              }}
            />
            <RowAction
              Icon={IconPlus}
              title="Add Match"
              label={`Add Match to ${tournament.name}`}
              onPress={() => {
                setOpened({ kind: 'assignMatch', tournament });
              }}
            />
            <AuditAction of={tournament.name} subject={{ kind: 'tournament', id: tournament._id }} onAudit={onAudit} />
          </>
        )}
      />
      {modal.kind === 'create' && <TournamentFormModal account="admin" onClose={close} />}
      {modal.kind === 'edit' && <TournamentFormModal account="admin" tournament={modal.tournament} onClose={close} />}
      {modal.kind === 'assignMatch' && <AssignMatchModal tournament={modal.tournament} onClose={close} />}
    </>
  );
};
