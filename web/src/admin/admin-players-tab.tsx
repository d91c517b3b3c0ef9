import { outcomeTexts } from '@courtledger/contracts/kernel/texts';
import type { AdminPlayer } from '@courtledger/contracts/player/player.answers';
import { IconFileText, IconPencil } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactElement } from 'react';
import { formatCount } from '../lib/format.rules.ts';
import { Ledger } from '../ui/ledger.tsx';
import { PersonPhoto } from '../ui/picture.tsx';
import { ScriptText } from '../ui/script-text.tsx';
import { listPlayers, playerDocumentAddress } from './admin.data.ts';
import { Tools, matchesFilter } from './admin-shell.tsx';
import { ListState } from './list-state.tsx';
import { PlayerFormModal } from './player-form-modal.tsx';

const columns = [
  { key: 'image', title: 'Image' },
  { key: 'name', title: 'Name' },
  { key: 'phone', title: 'Mobile number' },
  { key: 'team', title: 'Team' },
  { key: 'acts', title: 'Actions', className: 'num' },
] as const;

/** Players with their numbers and documents. */
export const AdminPlayersTab = (): ReactElement => {
  const players = useQuery(listPlayers());
  const [typed, setTyped] = useState('');
  const [opened, setOpened] = useState<AdminPlayer>();
  const shown = (players.data ?? []).filter((player) => matchesFilter(typed, [player.name, player.mobileNumber, player.currentTeam.name]));
  return (
    <>
      <Tools label="Filter by name, number or team" text={typed} onText={setTyped} counted={formatCount(shown.length, 'player')} />
      <ListState query={players} empty="No Players" shown={shown.length} failed={(error) => (error?.status === 404 ? outcomeTexts.noPlayersFound : outcomeTexts.playersFailed)}>
        <Ledger caption="Players" className="cards-m" columns={columns}>
          {shown.map((player) => (
            <tr key={player._id}>
              <td>
                <PersonPhoto className="people" image={player.image} name={player.name} decorative />
              </td>
              <th scope="row">
                <ScriptText text={player.name} />
              </th>
              <td data-l="Mobile number">{player.mobileNumber}</td>
              <td data-l="Team">
                <ScriptText text={player.currentTeam.name} />
              </td>
              <td>
                <span className="row-acts">
                  <button
                    type="button"
                    className="btn btn--s btn--sm"
                    aria-label={`Edit ${player.name}`}
                    onClick={() => {
                      setOpened(player);
                    }}
                  >
                    <IconPencil className="i i-s" stroke={1.75} aria-hidden="true" />
                    Edit
                  </button>
                  {player.document && (
                    <a className="btn btn--s btn--sm" href={playerDocumentAddress(player._id)} target="_blank" rel="noreferrer" aria-label={`ID document of ${player.name}`}>
                      <IconFileText className="i i-s" stroke={1.75} aria-hidden="true" />
                      Document
                    </a>
                  )}
                </span>
              </td>
            </tr>
          ))}
        </Ledger>
      </ListState>
      {opened && (
        <PlayerFormModal
          player={opened}
          onClose={() => {
            setOpened(undefined);
          }}
        />
      )}
    </>
  );
};
