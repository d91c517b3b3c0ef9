import type { AdminAnswer } from '@courtledger/contracts/admin/admin.answers';
import { PASSWORD_MIN } from '@courtledger/contracts/kernel/limits';
import { outcomeTexts } from '@courtledger/contracts/kernel/texts';
import { useState, type ReactElement } from 'react';
import { failureText } from '../lib/api-client.ts';
import { formMessage } from '../ui/field-message.rules.ts';
import { TextField, focusField } from '../ui/form-field.tsx';
import { changeAdmin, createAdmin, type AdminToSave } from './admin.data.ts';
import { adminFaults } from './admin-form.rules.ts';
import { changedNames } from './edit-form.rules.ts';
import { EditForm } from './edit-form.tsx';
import { useCommand } from './use-command.ts';
import { useDoubtedFields } from './use-doubted-fields.ts';

const labels = { username: 'Username', phoneNumber: 'Phone number', email: 'Email', password: 'Password' };

/** Without an `admin`: a new one. */
type AdminFormModalProps = { readonly admin?: AdminAnswer; readonly onClose: () => void };

/** 'Create Admin' or 'Edit Admin', which sends only what was changed. */
export const AdminFormModal = ({ admin, onClose }: AdminFormModalProps): ReactElement => {
  const [before] = useState<AdminToSave>({ username: admin?.username ?? '', password: '', email: admin?.email ?? '', phoneNumber: admin?.phoneNumber ?? '' });
  const [form, setForm] = useState(before);
  const { doubted, sending } = useDoubtedFields();
  // What somebody else changes meanwhile is not put back. An empty password keeps the old one.
  const changed = changedNames(before, form, doubted);
  const [faults, setFaults] = useState<ReturnType<typeof adminFaults>>([]);
  const command = useCommand((failure) =>
    failure.status === 500 ? outcomeTexts.internalError : formMessage(failureText(failure, outcomeTexts.internalError), labels),
  );
  const save = async (element: HTMLFormElement): Promise<void> => {
    const found = adminFaults(form, admin !== undefined);
    setFaults(found);
    if (found[0]) {
      focusField(element, found[0].field);
      return;
    }
    // With nothing changed as well: the specification has a text for each answer, and none for a form that says nothing (section 8).
    await command.finish(
      () =>
        admin
          ? sending(changed, () => changeAdmin(admin._id, Object.fromEntries(changed.map((name) => [name, form[name]]))))
          : createAdmin(form, command.keyFor(JSON.stringify(form))),
      admin ? outcomeTexts.adminUpdated : outcomeTexts.adminCreated,
      onClose,
    );
  };
  const field = (name: keyof AdminToSave): { name: string; value: string; error: string | undefined; onChange: (value: string) => void } => ({
    name,
    value: form[name],
    error: faults.find((fault) => fault.field === name)?.message ?? command.faultOf(name),
    onChange: (value) => {
      setForm((now) => ({ ...now, [name]: value }));
      setFaults((now) => now.filter((fault) => fault.field !== name));
      command.forget(name);
    },
  });
  return (
    <EditForm
      title={admin ? 'Edit Admin' : 'Create Admin'}
      width={560}
      command={command}
      submitText={admin ? 'Update' : 'Create'}
      changed={changed.length > 0}
      alert={command.refusal}
      save={save}
      onClose={onClose}
    >
      <div className="grid2">
        <TextField label={labels.username} autoComplete="off" {...field('username')} />
        <TextField label={labels.phoneNumber} inputMode="tel" {...field('phoneNumber')} />
        <TextField full label={labels.email} type="email" {...field('email')} />
        <TextField
          full
          label={labels.password}
          type="password"
          autoComplete="new-password"
          hint={admin ? 'Leave empty to keep the password' : `At least ${String(PASSWORD_MIN)} characters`}
          optional={admin !== undefined}
          {...field('password')}
        />
      </div>
    </EditForm>
  );
};
