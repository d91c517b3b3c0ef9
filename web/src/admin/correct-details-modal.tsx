import { outcomeTexts } from '@courtledger/contracts/kernel/texts';
import { useQueryClient } from '@tanstack/react-query';
import { useState, type ReactElement } from 'react';
import { ApiError, failureText } from '../lib/api-client.ts';
import { FileField } from '../ui/file-field.tsx';
import { formMessage } from '../ui/field-message.rules.ts';
import { TextField, focusField } from '../ui/form-field.tsx';
import { EditForm } from './edit-form.tsx';
import { changedBody, nothingChanged } from './edit-form.rules.ts';
import { useChosenFiles } from './use-chosen-files.ts';
import { useCommand } from './use-command.ts';
import { useDoubtedFields } from './use-doubted-fields.ts';

/** One text of the form, under its wire name. */
export type DetailField<Field extends string> = {
  readonly field: Field;
  readonly label: string;
  /** Takes digits only: those that it keeps of what was typed. */
  readonly digits?: (typed: string) => string;
};

/** One file of the form, under its wire name. */
export type DetailFile = {
  readonly slot: string;
  readonly label: string;
  readonly icon: 'camera' | 'picture' | 'document';
  readonly accept: string;
  readonly hint: string;
  /** The picture that is kept now. */
  readonly current?: string | undefined;
  /** The file as it can be sent, or the text of its refusal. */
  readonly prepare: (file: File) => Promise<File | string>;
};

/** The wire names of what the form shows of one person, and what is said when it is erased while the form is open. */
export type ErasedPart = { readonly names: readonly string[]; readonly said: string };

type CorrectDetailsModalProps<Field extends string> = {
  readonly title: string;
  readonly submitText: string;
  readonly doneText: string;
  readonly fields: readonly DetailField<Field>[];
  /**
   * What stands, read once as the dialog opens, and again of what is erased meanwhile: anything else that arrives later must not look like a change of this
   * form.
   */
  readonly current: Readonly<Record<Field, string>>;
  readonly files: readonly DetailFile[];
  /** Of whom everything is erased now: each part the same object at every render. */
  readonly erased?: readonly ErasedPart[];
  readonly send: (changed: FormData) => Promise<unknown>;
  readonly onClose: () => void;
};

const nobody: readonly ErasedPart[] = [];

/** Corrects the details of a player or a team; only what was changed is sent, with what was sent before without an answer. */
export const CorrectDetailsModal = <Field extends string>({
  title,
  submitText,
  doneText,
  fields,
  current,
  files,
  erased = nobody,
  send,
  onClose,
}: CorrectDetailsModalProps<Field>): ReactElement => {
  const [before, setBefore] = useState(current);
  const [form, setForm] = useState(before);
  const chosen = useChosenFiles();
  const { doubted, sending, drop } = useDoubtedFields();
  const [alert, setAlert] = useState<string>();
  const [said, setSaid] = useState<string>();
  const [known, setKnown] = useState(erased);
  const client = useQueryClient();
  const since = erased.filter((part) => !known.includes(part));
  if (since.length > 0) {
    // Before anything is shown: the picture, the texts, and what was typed or chosen for that person.
    const names = new Set(since.flatMap((part) => part.names));
    const emptied = <Values extends typeof current>(values: Values): Values => ({
      ...values,
      ...Object.fromEntries(Object.entries(current).filter(([name]) => names.has(name))),
    });
    setKnown([...known, ...since]);
    setBefore(emptied);
    setForm(emptied);
    for (const name of names) chosen.remove(name);
    drop(names);
    setSaid([said, ...since.map((part) => part.said)].filter(Boolean).join(' '));
  }
  const labels = Object.fromEntries([...fields.map(({ field, label }) => [field, label] as const), ...files.map(({ slot, label }) => [slot, label] as const)]);
  const command = useCommand((failure) => formMessage(failureText(failure, outcomeTexts.internalError), labels));
  const changed = changedBody(before, form, chosen.files, doubted);
  const touch = (name: string): void => {
    command.forget(name);
    setAlert(undefined);
  };
  const remove = (slot: string) => (): void => {
    touch(slot);
    chosen.remove(slot);
  };
  const save = async (formElement: HTMLFormElement): Promise<void> => {
    // What was refused would stay behind without a word.
    const refused = files.find(({ slot }) => chosen.refused[slot] !== undefined);
    if (refused) {
      focusField(formElement, refused.slot);
      return;
    }
    setAlert(
      changed
        ? undefined
        : doubted.size === 0
          ? nothingChanged
          : 'Nothing else has been changed. Whether the file was recorded shows when this is opened again.',
    );
    if (!changed) return;
    const correct = async (): Promise<void> => {
      try {
        await sending(changed.keys(), () => send(changed));
      } catch (error) {
        // Something stands otherwise than this form was opened with: perhaps the person was erased.
        if (error instanceof ApiError && error.status === 409) void client.invalidateQueries();
        throw error;
      }
    };
    await command.finish(correct, doneText, onClose);
  };
  return (
    <EditForm
      title={title}
      width={720}
      command={command}
      submitText={submitText}
      locked={chosen.preparing.size > 0}
      changed={changed !== undefined}
      alert={alert ?? command.refusal ?? said}
      save={save}
      onClose={onClose}
    >
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
              touch(field);
              setForm((now) => ({ ...now, [field]: digits?.(value) ?? value }));
            }}
          />
        ))}
        {files.map((file) => (
          <FileField
            key={file.slot}
            name={file.slot}
            label={file.label}
            icon={file.icon}
            accept={file.accept}
            hint={file.hint}
            file={chosen.files[file.slot]}
            current={file.current}
            busy={chosen.preparing.has(file.slot)}
            error={chosen.refused[file.slot] ?? command.faultOf(file.slot)}
            onChoose={(picked) => {
              touch(file.slot);
              void chosen.choose(file.slot, picked, file.prepare);
            }}
            onRemove={chosen.isRemovable(file.slot) ? remove(file.slot) : undefined}
          />
        ))}
      </div>
    </EditForm>
  );
};
