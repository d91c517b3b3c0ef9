import { outcomeTexts } from '@courtledger/contracts/kernel/texts';
import type { AdminPlayer } from '@courtledger/contracts/player/player.answers';
import { IconFileText, IconPencil } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useState, type ReactElement } from 'react';
import { PersonPhoto } from '../ui/picture.tsx';
import { listPlayers } from './admin.data.ts';
import type { OnAudit } from './audit.data.ts';
import { goneTexts, isErasedPlayer, playerNamed } from './erased-person.rules.ts';
import { AuditAction, ListTab, RowAction, type List } from './list-tab.tsx';
import { PlayerDocumentModal } from './player-document-modal.tsx';
import { PlayerFormModal } from './player-form-modal.tsx';
import { useGone } from './use-gone.ts';

const list: List<AdminPlayer> = {
  caption: 'Players',
  noun: 'player',
  empty: 'No Players',
  failed: (error) => (error?.status === 404 ? outcomeTexts.noPlayersFound : outcomeTexts.playersFailed),
  idOf: (player) => player._id,
  filter: 'Filter by name, number or team',
  textsOf: (player) => [playerNamed(player), player.mobileNumber, player.currentTeam.name],
  columns: [
    { title: 'Image', kind: 'bare', cell: (player) => <PersonPhoto className="people" image={player.image} name={player.name} decorative /> },
    { title: 'Name', kind: 'name', cell: playerNamed },
    { title: 'Mobile number', className: 'nowrap', cell: (player) => player.mobileNumber },
    { title: 'Team', cell: (player) => player.currentTeam.name },
  ],
};

/** Players with their numbers and documents. */
export const AdminPlayersTab = ({ onAudit }: { readonly onAudit: OnAudit }): ReactElement => {
  const players = useQuery(listPlayers());
  const [opened, setOpened] = useState<{ readonly kind: 'edit' | 'document'; readonly player: AdminPlayer }>();
  const close = useCallback((): void => {
    setOpened(undefined);
  }, []);
  const now = players.data?.find(({ _id }) => _id === opened?.player._id);
  const erased = opened !== undefined && now !== undefined && isErasedPlayer(now) && !isErasedPlayer(opened.player);
  const gone = opened !== undefined && players.data !== undefined && now === undefined ? goneTexts.playerExpired : erased ? goneTexts.erased : undefined;
  useGone(gone, close);
  return (
    <>
      <ListTab
        list={list}
        query={players}
        renderActions={(player) => (
          <>
            <RowAction
              Icon={IconPencil}
              title="Edit"
              label={`Edit ${playerNamed(player)}`}
              onPress={() => {
                setOpened({ kind: 'edit', player });
              }}
            />
            {player.document && (
              <RowAction
                Icon={IconFileText}
                title="Document"
                label={`ID document of ${playerNamed(player)}`}
                onPress={() => {
                  setOpened({ kind: 'document', player });
                }}
              />
            )}
            <AuditAction of={playerNamed(player)} subject={{ kind: 'player', id: player._id }} onAudit={onAudit} />
          </>
        )}
      />
      {gone === undefined && opened?.kind === 'edit' && <PlayerFormModal player={opened.player} onClose={close} />}
      {gone === undefined && opened?.kind === 'document' && <PlayerDocumentModal player={opened.player} onClose={close} />}
    </>
  );
};
