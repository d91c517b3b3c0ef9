import { outcomeTexts } from '@courtledger/contracts/kernel/texts';
import { useState, type ReactElement } from 'react';
import { digitsOnly } from '../lib/digits.rules.ts';
import { FileField } from '../ui/file-field.tsx';
import { formMessage } from '../ui/field-message.rules.ts';
import { TextField } from '../ui/form-field.tsx';
import { EditForm } from './edit-form.tsx';
import { changedBody } from './edit-form.rules.ts';
import { useCommand } from './use-command.ts';

/** One text of the form, under its wire name. */
export type DetailField<Field extends string> = { readonly field: Field; readonly label: string; /** Takes digits only, at most so many. */ readonly digits?: number };

/** One file of the form, under its wire name. */
export type DetailFile = {
  readonly slot: string;
  readonly label: string;
  readonly icon: 'camera' | 'picture' | 'document';
  readonly accept: string;
  readonly hint: string;
  /** The picture that is kept now. */
  readonly current?: string | undefined;
  /** The file as it can be sent; undefined when it cannot. */
  readonly prepare: (file: File) => Promise<File | undefined>;
  /** What is said of a file that cannot be sent. */
  readonly refusal: string;
};

type CorrectDetailsModalProps<Field extends string> = {
  readonly title: string;
  readonly submitText: string;
  readonly doneText: string;
  readonly fields: readonly DetailField<Field>[];
  /** What stands, read once as the dialog opens: what arrives later must not look like a change of this form. */
  readonly current: Readonly<Record<Field, string>>;
  readonly files: readonly DetailFile[];
  readonly send: (changed: FormData) => Promise<unknown>;
  readonly onClose: () => void;
};

/** Corrects the details of a player or a team; only what was changed is sent. */
export const CorrectDetailsModal = <Field extends string>({ title, submitText, doneText, fields, current, files, send, onClose }: CorrectDetailsModalProps<Field>): ReactElement => {
  const [before] = useState(current);
  const [form, setForm] = useState(before);
  const [chosen, setChosen] = useState<Readonly<Record<string, File>>>({});
  const [alert, setAlert] = useState<string>();
  const labels = Object.fromEntries([...fields.map(({ field, label }) => [field, label] as const), ...files.map(({ slot, label }) => [slot, label] as const)]);
  const command = useCommand((failure) => formMessage(failure.message, labels) || outcomeTexts.internalError);
  const changed = changedBody(before, form, chosen);
  const choose = async ({ slot, prepare, refusal }: DetailFile, file: File): Promise<void> => {
    const ready = await prepare(file);
    command.forget();
    setAlert(ready ? undefined : refusal);
    if (ready) setChosen((now) => ({ ...now, [slot]: ready }));
  };
  const save = async (): Promise<void> => {
    setAlert(changed ? undefined : 'Nothing has been changed.');
    if (changed) await command.finish(() => send(changed), doneText, onClose);
  };
  return (
    <EditForm title={title} width={720} command={command} submitText={submitText} changed={changed !== undefined} alert={alert ?? command.refusal} save={save} onClose={onClose}>
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
              setAlert(undefined);
              setForm((now) => ({ ...now, [field]: digits === undefined ? value : digitsOnly(value, digits) }));
            }}
          />
        ))}
        {files.map((file) => (
          <FileField key={file.slot} name={file.slot} label={file.label} icon={file.icon} accept={file.accept} hint={file.hint} file={chosen[file.slot]} current={file.current} error={command.faultOf(file.slot)} onChoose={(picked) => void choose(file, picked)} />
        ))}
      </div>
    </EditForm>
  );
};
