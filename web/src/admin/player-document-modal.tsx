import type { AdminPlayer } from '@courtledger/contracts/player/player.answers';
import { IconDownload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, type ReactElement } from 'react';
import { ScriptText } from '../ui/script-text.tsx';
import { getPlayerDocument } from './admin.data.ts';
import { AdminModal } from './admin-modal.tsx';
import { QueryState } from './query-state.tsx';

const endings: Readonly<Record<string, string>> = { 'application/pdf': 'pdf', 'image/jpeg': 'jpg', 'image/png': 'png' };

type PlayerDocumentModalProps = { readonly player: AdminPlayer; readonly onClose: () => void };

/** The ID document of a player: a picture is shown, a PDF can be saved. Opening this is recorded once. */
export const PlayerDocumentModal = ({ player, onClose }: PlayerDocumentModalProps): ReactElement => {
  const document = useQuery(getPlayerDocument(player._id));
  const file = document.data;
  const address = file?.address;
  useEffect(
    () => () => {
      if (address !== undefined) URL.revokeObjectURL(address);
    },
    [address],
  );
  const isPicture = file?.type.startsWith('image/') ?? false;
  return (
    <AdminModal
      title="ID document"
      subtitle={<ScriptText text={player.name} />}
      width={720}
      onClose={onClose}
      footer={
        <>
          {file && <span className="mute">This view has been recorded.</span>}
          <button type="button" className="btn btn--s" onClick={onClose}>
            Close
          </button>
          {file && (
            <a className="btn btn--p" href={file.address} download={`id-document.${endings[file.type] ?? 'bin'}`}>
              <IconDownload className="i" stroke={1.75} aria-hidden="true" />
              Save
            </a>
          )}
        </>
      }
    >
      <QueryState query={document} />
      {file && isPicture && <img className="iddoc" src={file.address} alt={`ID document of ${player.name}`} />}
      {file && !isPicture && <p className="mute">A PDF is not opened inside this page. Save it to read it.</p>}
    </AdminModal>
  );
};
