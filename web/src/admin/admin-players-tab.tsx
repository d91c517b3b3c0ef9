import { outcomeTexts } from '@courtledger/contracts/kernel/texts';
import type { AdminPlayer } from '@courtledger/contracts/player/player.answers';
import { IconFileText, IconPencil } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactElement } from 'react';
import { PersonPhoto } from '../ui/picture.tsx';
import { ScriptText } from '../ui/script-text.tsx';
import { listPlayers } from './admin.data.ts';
import type { OnAudit } from './audit.data.ts';
import { AuditAction, ListTab, RowAction, RowActions } from './list-tab.tsx';
import { PlayerDocumentModal } from './player-document-modal.tsx';
import { PlayerFormModal } from './player-form-modal.tsx';

const columns = [
  { key: 'image', title: 'Image' },
  { key: 'name', title: 'Name' },
  { key: 'phone', title: 'Mobile number' },
  { key: 'team', title: 'Team' },
  { key: 'acts', title: 'Actions', className: 'num' },
] as const;

/** Players with their numbers and documents. */
export const AdminPlayersTab = ({ onAudit }: { readonly onAudit: OnAudit }): ReactElement => {
  const players = useQuery(listPlayers());
  const [opened, setOpened] = useState<{ readonly kind: 'edit' | 'document'; readonly player: AdminPlayer }>();
  const close = (): void => {
    setOpened(undefined);
  };
  return (
    <>
      <ListTab
        query={players}
        caption="Players"
        columns={columns}
        filter="Filter by name, number or team"
        textsOf={(player) => [player.name, player.mobileNumber, player.currentTeam.name]}
        noun="player"
        empty="No Players"
        failed={(error) => (error?.status === 404 ? outcomeTexts.noPlayersFound : outcomeTexts.playersFailed)}
      >
        {(player) => (
          <tr key={player._id}>
            <td>
              <PersonPhoto className="people" image={player.image} name={player.name} decorative />
            </td>
            <th scope="row">
              <ScriptText text={player.name} />
            </th>
            <td data-l="Mobile number" className="nowrap">{player.mobileNumber}</td>
            <td data-l="Team">
              <ScriptText text={player.currentTeam.name} />
            </td>
            <RowActions>
              <RowAction
                Icon={IconPencil}
                title="Edit"
                label={`Edit ${player.name}`}
                onPress={() => {
                  setOpened({ kind: 'edit', player });
                }}
              />
              {player.document && (
                <RowAction
                  Icon={IconFileText}
                  title="Document"
                  label={`ID document of ${player.name}`}
                  onPress={() => {
                    setOpened({ kind: 'document', player });
                  }}
                />
              )}
              <AuditAction
                of={player.name}
                onPress={() => {
                  onAudit({ kind: 'player', id: player._id });
                }}
              />
            </RowActions>
          </tr>
        )}
      </ListTab>
      {opened?.kind === 'edit' && <PlayerFormModal player={opened.player} onClose={close} />}
      {opened?.kind === 'document' && <PlayerDocumentModal player={opened.player} onClose={close} />}
    </>
  );
};
