import { IconEye } from '@tabler/icons-react';
import type { TournamentListItem } from '@courtledger/contracts/tournament/tournament.answers';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { Link } from 'react-router-dom';
import { paths } from '../app/paths.ts';
import { formatDate } from '../lib/format.rules.ts';
import { listTournaments } from '../tournament/tournament.data.ts';
import type { DashboardTabProps } from './dashboard.tsx';
import { AuditAction, ListTab, type List } from './list-tab.tsx';

const list: List<TournamentListItem> = {
  caption: 'Tournaments', noun: 'tournament',
  empty: 'No tournament data available',
  idOf: (tournament) => tournament._id,
  filter: 'Filter by name or organizer',
  textsOf: (tournament) => [tournament.name, tournament.organizer.name, tournament.location],
  columns: [
    { title: 'Name', kind: 'name', cell: (tournament) => tournament.name },
    { title: 'Organizer name', cell: (tournament) => tournament.organizer.name },
    { title: 'Start date', cell: (tournament) => formatDate(tournament.startDate) },
    { title: 'Teams', cell: (tournament) => tournament.teams.length },
  ],
};

/** All tournaments, as everybody may see them: a super admin is not an admin by that. */
export const SuperAdminTournamentsTab = ({ onAudit }: DashboardTabProps): ReactElement => (
  <ListTab
    list={list}
    query={useQuery({ ...listTournaments(), select: (lists) => lists.allTournaments })}
    renderActions={({ _id, name }) => (
      <>
        <Link className="btn btn--s btn--sm" to={paths.tournament.to(_id)} aria-label={`View ${name}`}>
          <IconEye className="i i-s" stroke={1.75} aria-hidden="true" />
          View
        </Link>
        <AuditAction of={name} onPress={() => { onAudit({ kind: 'tournament', id: _id }); }} />
      </>
    )}
  />
);
