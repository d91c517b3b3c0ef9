import { fileHints } from '@courtledger/contracts/kernel/texts';
import type { AdminPlayer } from '@courtledger/contracts/player/player.answers';
import type { ReactElement } from 'react';
import { phoneDigits, shortNumberDigits } from '../lib/digits.rules.ts';
import { documentOrRefusal, photoBesideDocumentOrRefusal } from '../lib/shrink-photo.ts';
import { correctPlayer } from './admin.data.ts';
import { CorrectDetailsModal } from './correct-details-modal.tsx';

const fields = [
  { field: 'name', label: 'Player name' },
  { field: 'mobileNumber', label: 'Contact number', digits: phoneDigits },
  { field: 'jerseyNumber', label: 'Jersey number', digits: shortNumberDigits },
  { field: 'age', label: 'Age', digits: shortNumberDigits },
  { field: 'height', label: 'Height in cm', digits: shortNumberDigits },
  { field: 'weight', label: 'Weight in kg', digits: shortNumberDigits },
] as const;

type PlayerFormModalProps = { readonly player: AdminPlayer; readonly onClose: () => void };

/** Corrects a player. */
export const PlayerFormModal = ({ player, onClose }: PlayerFormModalProps): ReactElement => (
  <CorrectDetailsModal
    title="Edit Player"
    submitText="Update Player"
    doneText="Player updated"
    fields={fields}
    current={{
      name: player.name,
      mobileNumber: player.mobileNumber,
      jerseyNumber: player.jerseyNumber,
      age: String(player.age),
      height: String(player.height),
      weight: String(player.weight),
    }}
    files={[
      {
        slot: 'image',
        label: 'Player photo',
        icon: 'camera',
        accept: 'image/*',
        hint: fileHints.smallImage,
        current: player.image,
        prepare: photoBesideDocumentOrRefusal,
      },
      { slot: 'document', label: 'ID document', icon: 'document', accept: '.pdf,.jpg,.jpeg,.png', hint: fileHints.idDocument, prepare: documentOrRefusal },
    ]}
    send={(changed) => correctPlayer(player._id, changed)}
    onClose={onClose}
  />
);
