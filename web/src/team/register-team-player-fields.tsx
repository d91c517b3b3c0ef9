import { fileHints } from '@courtledger/contracts/kernel/texts';
import type { ReactElement } from 'react';
import { phoneDigits, shortNumberDigits } from '../lib/digits.rules.ts';
import { FileField } from '../ui/file-field.tsx';
import { TextField } from '../ui/form-field.tsx';
import type { DraftPart } from './register-team-draft.ts';
import type { PlayerFields } from './register-team.rules.ts';
import type { Registration } from './use-register-team.ts';

export const playerLabels = {
  name: 'Player name',
  mobileNumber: 'Contact number',
  age: 'Age',
  jerseyNumber: 'Jersey number',
  height: 'Height in cm',
  weight: 'Weight in kg',
  image: 'Player photo',
  document: 'ID document',
} as const;
const numberFields = ['age', 'jerseyNumber', 'height', 'weight'] as const satisfies readonly (keyof PlayerFields)[];

type NewPlayerFieldsProps = {
  readonly registration: Registration;
  /** Of which command there is no answer yet: what was sent with it stays as it is. */
  readonly unanswered: DraftPart | undefined;
  /** The player is on the way. */
  readonly adding: boolean;
  readonly faultOf: (field: string) => string | undefined;
  /** Something else stands in that field now. */
  readonly onChange: (field: string) => void;
};

/** What a player is asked for. */
export const NewPlayerFields = ({ registration, unanswered, adding, faultOf, onChange }: NewPlayerFieldsProps): ReactElement => {
  const { player } = registration.draft;
  const text = (name: keyof PlayerFields, read: (typed: string) => string) => ({
    name,
    label: playerLabels[name],
    value: player[name],
    readOnly: unanswered !== undefined,
    error: faultOf(name),
    onChange: (typed: string): void => {
      onChange(name);
      registration.changePlayer({ [name]: read(typed) });
    },
  });
  const file = (name: 'image' | 'document') => ({
    name,
    label: playerLabels[name],
    file: registration.files[name],
    readOnly: adding || unanswered === 'entry',
    busy: registration.shrinking.has(name),
    error: registration.refused[name] ?? faultOf(name),
    onChoose: (chosen: File): void => {
      onChange(name);
      void registration.chooseFile(name, chosen);
    },
  });
  return (
    <>
      <fieldset className="grid2">
        <legend className="sr">New player</legend>
        <TextField {...text('name', (typed) => typed)} />
        <TextField {...text('mobileNumber', phoneDigits)} inputMode="numeric" />
      </fieldset>
      <div className="grid4">
        {numberFields.map((field) => (
          <TextField key={field} {...text(field, shortNumberDigits)} inputMode="numeric" />
        ))}
      </div>
      <div className="grid2">
        <FileField {...file('image')} icon="camera" accept="image/*" hint={fileHints.smallImage} />
        <FileField {...file('document')} icon="document" accept=".pdf,.jpg,.jpeg,.png,application/pdf,image/*" hint={fileHints.idDocument} />
      </div>
    </>
  );
};
