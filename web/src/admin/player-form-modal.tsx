import { DOCUMENT_BYTES, PHONE_DIGITS, SHORT_NUMBER_DIGITS } from '@courtledger/contracts/kernel/limits';
import { fieldTexts } from '@courtledger/contracts/kernel/texts';
import type { AdminPlayer } from '@courtledger/contracts/player/player.answers';
import { useState, type FormEvent, type ReactElement } from 'react';
import { digitsOnly } from '../lib/digits.rules.ts';
import { shrinkPhoto } from '../lib/shrink-photo.ts';
import { toastSuccess } from '../lib/toasts.ts';
import { Banner } from '../ui/banner.tsx';
import { BusyButton } from '../ui/busy-button.tsx';
import { FileField } from '../ui/file-field.tsx';
import { TextField } from '../ui/form-field.tsx';
import { correctPlayer } from './admin.data.ts';
import { AdminModal } from './admin-modal.tsx';
import { changedBody } from './edit-form.rules.ts';
import { useCommand } from './use-command.ts';

const fields = [
  { field: 'name', label: 'Player name', digits: undefined },
  { field: 'mobileNumber', label: 'Contact number', digits: PHONE_DIGITS },
  { field: 'jerseyNumber', label: 'Jersey number', digits: SHORT_NUMBER_DIGITS },
  { field: 'age', label: 'Age', digits: SHORT_NUMBER_DIGITS },
  { field: 'height', label: 'Height in cm', digits: SHORT_NUMBER_DIGITS },
  { field: 'weight', label: 'Weight in kg', digits: SHORT_NUMBER_DIGITS },
] as const;
type Field = (typeof fields)[number]['field'];

const formOf = (player: AdminPlayer): Readonly<Record<Field, string>> => ({
  name: player.name,
  mobileNumber: player.mobileNumber,
  jerseyNumber: player.jerseyNumber,
  age: String(player.age),
  height: String(player.height),
  weight: String(player.weight),
});

const documentTypes = new Set(['application/pdf', 'image/jpeg', 'image/png']);

type PlayerFormModalProps = { readonly player: AdminPlayer; readonly onClose: () => void };

/** Corrects a player; only what was changed is sent. */
export const PlayerFormModal = ({ player, onClose }: PlayerFormModalProps): ReactElement => {
  const [before] = useState(() => formOf(player));
  const [form, setForm] = useState(before);
  const [files, setFiles] = useState<{ readonly image?: File | undefined; readonly document?: File | undefined }>({});
  const [alert, setAlert] = useState<string>();
  const command = useCommand();
  const choosePhoto = async (file: File): Promise<void> => {
    const ready = await shrinkPhoto(file);
    setAlert(ready ? undefined : fieldTexts.smallImage);
    if (ready) setFiles((now) => ({ ...now, image: ready }));
  };
  const chooseDocument = (file: File): void => {
    const fits = documentTypes.has(file.type) && file.size <= DOCUMENT_BYTES;
    setAlert(fits ? undefined : fieldTexts.idDocumentRefused);
    if (fits) setFiles((now) => ({ ...now, document: file }));
  };
  const save = async (): Promise<void> => {
    const body = changedBody(before, form, files);
    setAlert(body ? undefined : 'Nothing has been changed.');
    if (body && (await command.run(() => correctPlayer(player._id, body)))) {
      toastSuccess('Player updated');
      onClose();
    }
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!command.busy) void save();
  };
  const shown = alert ?? (command.failure && (command.failure.message || 'Internal Server Error'));
  return (
    <AdminModal
      title="Edit Player"
      width={720}
      onClose={onClose}
      onSubmit={submit}
      footer={
        <>
          <button type="button" className="btn btn--s" onClick={onClose}>
            Close
          </button>
          <BusyButton type="submit" className="btn btn--p" busy={command.busy} busyText="Saving...">
            Update Player
          </BusyButton>
        </>
      }
    >
      {shown !== undefined && <Banner kind="bad" text={shown} />}
      <div className="grid2">
        {fields.map(({ field, label, digits }) => (
          <TextField
            key={field}
            name={field}
            label={label}
            value={form[field]}
            error={command.faultOf(field)}
            {...(digits !== undefined && { inputMode: 'numeric' as const })}
            onChange={(value) => {
              command.forget();
              setForm((now) => ({ ...now, [field]: digits === undefined ? value : digitsOnly(value, digits) }));
            }}
          />
        ))}
        <FileField name="image" label="Player photo" icon="camera" accept="image/*" hint="Max size: 2MB" file={files.image} current={player.image} error={command.faultOf('image')} onChoose={(file) => void choosePhoto(file)} />
        <FileField name="document" label="ID document" icon="document" accept=".pdf,.jpg,.jpeg,.png" hint="pdf, jpg, jpeg or png" file={files.document} error={command.faultOf('document')} onChoose={chooseDocument} />
      </div>
    </AdminModal>
  );
};
