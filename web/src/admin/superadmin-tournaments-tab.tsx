import { IconEye } from '@tabler/icons-react';
import type { TournamentListItem } from '@courtledger/contracts/tournament/tournament.answers';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { Link } from 'react-router-dom';
import { paths } from '../app/paths.ts';
import { formatDate } from '../lib/format.rules.ts';
import { listTournaments } from '../tournament/tournament.data.ts';
import { ScriptText } from '../ui/script-text.tsx';
import { AuditAction, ListTab, RowActions } from './list-tab.tsx';
import type { SuperAdminTabProps } from './superadmin-tab.ts';

const columns = [
  { key: 'name', title: 'Name' },
  { key: 'organizer', title: 'Organizer name' },
  { key: 'start', title: 'Start date' },
  { key: 'teams', title: 'Teams' },
  { key: 'acts', title: 'Actions', className: 'num' },
] as const;

/** All tournaments, as everybody may see them: a super admin is not an admin by that. */
export const SuperAdminTournamentsTab = ({ onAudit }: SuperAdminTabProps): ReactElement => {
  const tournaments: UseQueryResult<readonly TournamentListItem[]> = useQuery({ ...listTournaments(), select: (lists) => lists.allTournaments });
  return (
    <ListTab
      query={tournaments}
      caption="Tournaments"
      columns={columns}
      filter="Filter by name or organizer"
      textsOf={(tournament) => [tournament.name, tournament.organizer.name, tournament.location]}
      noun="tournament"
      empty="No tournament data available"
    >
      {(tournament) => (
        <tr key={tournament._id}>
          <th scope="row">
            <ScriptText text={tournament.name} />
          </th>
          <td data-l="Organizer name">
            <ScriptText text={tournament.organizer.name} />
          </td>
          <td data-l="Start date">{formatDate(tournament.startDate)}</td>
          <td data-l="Teams">{tournament.teams.length}</td>
          <RowActions>
            <Link className="btn btn--s btn--sm" to={paths.tournament.to(tournament._id)} aria-label={`View ${tournament.name}`}>
              <IconEye className="i i-s" stroke={1.75} aria-hidden="true" />
              View
            </Link>
            <AuditAction
              of={tournament.name}
              onPress={() => {
                onAudit({ kind: 'tournament', id: tournament._id });
              }}
            />
          </RowActions>
        </tr>
      )}
    </ListTab>
  );
};
