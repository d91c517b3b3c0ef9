import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { Link } from 'react-router-dom';
import { paths } from '../app/paths.ts';
import { getTeam } from '../team/team.data.ts';
import { Ledger } from '../ui/ledger.tsx';
import { PersonPhoto } from '../ui/picture.tsx';
import { ScriptText } from '../ui/script-text.tsx';
import { EmptyState } from '../ui/states.tsx';
import { AdminModal } from './admin-modal.tsx';
import { QueryState } from './query-state.tsx';

const columns = [
  { key: 'player', title: 'Player' },
  { key: 'number', title: 'Jersey number', className: 'num' },
] as const;

/** Who plays for a team. */
export const RosterModal = ({
  id,
  name,
  onClose,
}: {
  /** Of the team, and what it is called. */
  readonly id: string;
  readonly name: string;
  readonly onClose: () => void;
}): ReactElement => {
  const roster = useQuery(getTeam(id));
  return (
    <AdminModal title="Roster" subtitle={<ScriptText text={name} />} width={560} onClose={onClose}>
      <QueryState query={roster} />
      {roster.data?.players.length === 0 && <EmptyState text="No players available for this team." />}
      {roster.data && roster.data.players.length > 0 && (
        <Ledger caption={`Players of ${name}`} columns={columns}>
          {roster.data.players.map((player) => (
            <tr key={player._id}>
              <th scope="row">
                <span className="who">
                  <PersonPhoto className="people" image={player.image} name={player.name} decorative />
                  <Link className="link" to={paths.player.to(player._id)}>
                    <ScriptText text={player.name} />
                  </Link>
                </span>
              </th>
              <td className="num">
                <span className="jersey">{player.jerseyNumber || '-'}</span>
              </td>
            </tr>
          ))}
        </Ledger>
      )}
    </AdminModal>
  );
};
