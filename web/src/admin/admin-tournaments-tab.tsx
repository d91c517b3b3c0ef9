import type { AdminTournament } from '@courtledger/contracts/tournament/tournament.answers';
import { IconPencil, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactElement } from 'react';
import { formatCount } from '../lib/format.rules.ts';
import { Ledger } from '../ui/ledger.tsx';
import { ScriptText } from '../ui/script-text.tsx';
import { listAdminTournaments } from './admin.data.ts';
import { Tools, matchesFilter } from './admin-shell.tsx';
import { AssignMatchModal } from './assign-match-modal.tsx';
import { ListState } from './list-state.tsx';
import { TournamentFormModal } from './tournament-form-modal.tsx';

/** The states of the modal (specification section 4). */
export type TournamentsModal = { readonly kind: 'closed' } | { readonly kind: 'create' } | { readonly kind: 'edit'; readonly tournament: AdminTournament } | { readonly kind: 'assignMatch'; readonly tournament: AdminTournament };

const columns = [
  { key: 'name', title: 'Name' },
  { key: 'organizer', title: 'Organizer name' },
  { key: 'phone', title: 'Organizer phone' },
  { key: 'acts', title: 'Actions', className: 'num' },
] as const;

type AdminTournamentsTabProps = { readonly creating: boolean; readonly onCreated: () => void };

/** Tournaments with Edit and Add Match. */
export const AdminTournamentsTab = ({ creating, onCreated }: AdminTournamentsTabProps): ReactElement => {
  const tournaments = useQuery(listAdminTournaments());
  const [typed, setTyped] = useState('');
  const [opened, setOpened] = useState<TournamentsModal>({ kind: 'closed' });
  const modal: TournamentsModal = creating ? { kind: 'create' } : opened;
  const shown = (tournaments.data ?? []).filter((tournament) => matchesFilter(typed, [tournament.name, tournament.organizer.name, tournament.organizer.phoneNumber]));
  const close = (): void => {
    setOpened({ kind: 'closed' });
    onCreated();
  };
  return (
    <>
      <Tools label="Filter by name or organizer" text={typed} onText={setTyped} counted={formatCount(shown.length, 'tournament')} />
      <ListState query={tournaments} empty="No tournament data available" shown={shown.length}>
        <Ledger caption="Tournaments" className="cards-m" columns={columns}>
          {shown.map((tournament) => (
            <tr key={tournament._id}>
              <th scope="row">
                <ScriptText text={tournament.name} />
              </th>
              <td data-l="Organizer name">
                <ScriptText text={tournament.organizer.name} />
              </td>
              <td data-l="Organizer phone">{tournament.organizer.phoneNumber}</td>
              <td>
                <span className="row-acts">
                  <button
                    type="button"
                    className="btn btn--s btn--sm"
                    aria-label={`Edit ${tournament.name}`}
                    onClick={() => {
                      setOpened({ kind: 'edit', tournament });
                    }}
                  >
                    <IconPencil className="i i-s" stroke={1.75} aria-hidden="true" />
                    Edit
                  </button>
                  <button
                    type="button"
                    className="btn btn--s btn--sm"
                    aria-label={`Add Match to ${tournament.name}`}
                    onClick={() => {
                      setOpened({ kind: 'assignMatch', tournament });
                    }}
                  >
                    <IconPlus className="i i-s" stroke={1.75} aria-hidden="true" />
                    Add Match
                  </button>
                </span>
              </td>
            </tr>
          ))}
        </Ledger>
      </ListState>
      {modal.kind === 'create' && <TournamentFormModal onClose={close} />}
      {modal.kind === 'edit' && <TournamentFormModal tournament={modal.tournament} onClose={close} />}
      {modal.kind === 'assignMatch' && <AssignMatchModal tournament={modal.tournament} onClose={close} />}
    </>
  );
};
