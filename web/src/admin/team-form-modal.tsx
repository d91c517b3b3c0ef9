import { PHONE_DIGITS } from '@courtledger/contracts/kernel/limits';
import { fieldTexts } from '@courtledger/contracts/kernel/texts';
import type { TeamAnswer } from '@courtledger/contracts/team/team.answers';
import { useState, type FormEvent, type ReactElement } from 'react';
import { digitsOnly } from '../lib/digits.rules.ts';
import { shrinkPhoto } from '../lib/shrink-photo.ts';
import { toastSuccess } from '../lib/toasts.ts';
import { Banner } from '../ui/banner.tsx';
import { BusyButton } from '../ui/busy-button.tsx';
import { FileField } from '../ui/file-field.tsx';
import { TextField } from '../ui/form-field.tsx';
import { correctTeam } from './admin.data.ts';
import { AdminModal } from './admin-modal.tsx';
import { changedBody } from './edit-form.rules.ts';
import { useCommand } from './use-command.ts';

const phones = ['teamPrimaryNumber', 'coachphoneNumber', 'contact_number_2'] as const;
const fields = [
  ['name', 'Team name'],
  ['origin', 'Origin / Location'],
  ['teamPrimaryNumber', 'Primary number'],
  ['coachname', 'Coach name'],
  ['coachphoneNumber', 'Coach primary number'],
  ['contact_number_2', 'Coach secondary number'],
] as const;
type Field = (typeof fields)[number][0];

const formOf = ({ team_details: details, coach }: TeamAnswer): Readonly<Record<Field, string>> => ({
  name: details.name,
  origin: details.origin,
  teamPrimaryNumber: details.teamPrimaryNumber,
  coachname: coach.name ?? '',
  coachphoneNumber: coach.phone_number ?? '',
  contact_number_2: coach.contact_number_2 ?? '',
});

type TeamFormModalProps = { readonly team: TeamAnswer; readonly onClose: () => void };

/** Corrects a team and its coach; only what was changed is sent. */
export const TeamFormModal = ({ team, onClose }: TeamFormModalProps): ReactElement => {
  const [before] = useState(() => formOf(team));
  const [form, setForm] = useState(before);
  const [files, setFiles] = useState<{ readonly logo?: File | undefined; readonly coachImage?: File | undefined }>({});
  const [alert, setAlert] = useState<string>();
  const command = useCommand();
  const choose = (slot: 'logo' | 'coachImage') => async (file: File): Promise<void> => {
    const ready = await shrinkPhoto(file);
    setAlert(ready ? undefined : fieldTexts.smallImage);
    if (ready) setFiles((now) => ({ ...now, [slot]: ready }));
  };
  const save = async (): Promise<void> => {
    const body = changedBody(before, form, files);
    setAlert(body ? undefined : 'Nothing has been changed.');
    if (body && (await command.run(() => correctTeam(team._id, body)))) {
      toastSuccess('Team updated');
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
      title="Edit Team"
      width={720}
      onClose={onClose}
      onSubmit={submit}
      footer={
        <>
          <button type="button" className="btn btn--s" onClick={onClose}>
            Close
          </button>
          <BusyButton type="submit" className="btn btn--p" busy={command.busy} busyText="Saving...">
            Update Team
          </BusyButton>
        </>
      }
    >
      {shown !== undefined && <Banner kind="bad" text={shown} />}
      <div className="grid2">
        {fields.map(([field, label]) => {
          const isPhone = phones.some((phone) => phone === field);
          return (
            <TextField
              key={field}
              name={field}
              label={label}
              value={form[field]}
              error={command.faultOf(field)}
              {...(isPhone && { inputMode: 'numeric' as const })}
              onChange={(value) => {
                command.forget();
                setForm((now) => ({ ...now, [field]: isPhone ? digitsOnly(value, PHONE_DIGITS) : value }));
              }}
            />
          );
        })}
        <FileField name="logo" label="Team logo" icon="picture" accept="image/*" hint="Max size: 2MB. Square JPG or PNG preferred" file={files.logo} current={team.team_details.logo} error={command.faultOf('logo')} onChoose={(file) => void choose('logo')(file)} />
        <FileField name="coachImage" label="Coach photo" icon="camera" accept="image/*" hint="Max size: 2MB" file={files.coachImage} current={team.coach.image} error={command.faultOf('coachImage')} onChoose={(file) => void choose('coachImage')(file)} />
      </div>
    </AdminModal>
  );
};
