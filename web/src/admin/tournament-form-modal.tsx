import { posterSource } from '@courtledger/contracts/kernel/page-head';
import { fieldTexts, fileHints, outcomeTexts } from '@courtledger/contracts/kernel/texts';
import type { AdminTournament } from '@courtledger/contracts/tournament/tournament.answers';
import { useState, type ReactElement } from 'react';
import { failureText, type ApiError } from '../lib/api-client.ts';
import type { Role } from '../lib/session.ts';
import { largeImageOrRefusal } from '../lib/shrink-photo.ts';
import { formatAmount, prizeTotal } from '../lib/format.rules.ts';
import { FileField } from '../ui/file-field.tsx';
import { formMessage } from '../ui/field-message.rules.ts';
import { SelectField, TextField, focusField } from '../ui/form-field.tsx';
import { changeTournament, createTournament } from './admin.data.ts';
import { DateField } from './date-field.tsx';
import { nothingChanged } from './edit-form.rules.ts';
import { EditForm } from './edit-form.tsx';
import {
  bodyOf,
  changedParts,
  emptiedParts,
  emptyTournament,
  formOf,
  isTournamentImage,
  missingParts,
  missingPartText,
  tournamentImages,
  tournamentParts,
  type TournamentForm,
  type TournamentImages,
  type TournamentPart,
} from './tournament-form.rules.ts';
import { useChosenFiles } from './use-chosen-files.ts';
import { useHeldCommand } from './use-command.ts';

/** Alerts by status (specification section 8). */
const createAlert = (failure: ApiError): string => {
  const { status } = failure;
  if (status === 400) return outcomeTexts.badRequest;
  if (status === 401) return outcomeTexts.notAuthorized;
  return status === 500 ? outcomeTexts.internalError : failureText(failure, outcomeTexts.internalError);
};
const updateAlert = (failure: ApiError): string => failureText(failure, outcomeTexts.internalError);

const texts = [
  ['location', 'Location'],
  ['organizer[name]', 'Organizer name'],
  ['organizer[phoneNumber]', 'Organizer phone number'],
] as const satisfies readonly (readonly [TournamentPart, string])[];
const prizes = [
  ['prizePool[firstPrize]', 'First prize'],
  ['prizePool[secondPrize]', 'Second prize'],
  ['prizePool[thirdPrize]', 'Third prize'],
  ['prizePool[mvp]', 'MVP'],
  // The label of the entry fee is the specification's own (section 2).
  ['prizePool[entryFee]', 'Man of the Match Prize'],
] as const satisfies readonly (readonly [TournamentPart, string])[];

const trueOrFalse = ['true', 'false'].map((value) => ({ value, title: value }));

const dates: ReadonlySet<TournamentPart> = new Set(['startDate', 'endDate', 'registeringStartDate']);

/** The image as it can be sent, or the text of its refusal: as it was chosen, called what it is. */
const prepareImage = async (file: File): Promise<File | string> => (isTournamentImage(file) ? largeImageOrRefusal(file) : fieldTexts.largeImage);

const labels = {
  name: 'Name',
  startDate: 'Start date',
  endDate: 'End date',
  registeringStartDate: 'Registering start date',
  registerable: 'Registerable',
  league: 'League',
  eventName: 'Event name',
  featured: 'Featured',
  posterImage: 'Poster image',
  organizerImage: 'Organizer image',
  ...Object.fromEntries([...texts, ...prizes]),
};

const shownTotal = (form: TournamentForm): string => {
  const total = prizeTotal({
    firstPrize: form['prizePool[firstPrize]'],
    secondPrize: form['prizePool[secondPrize]'],
    thirdPrize: form['prizePool[thirdPrize]'],
    mvp: form['prizePool[mvp]'],
  });
  return total === undefined ? 'NA' : `NPR ${formatAmount(total)}`;
};

/** Whose dialog it is. A new one, without a `tournament`, is an admin's. */
type TournamentFormModalProps = (
  | { readonly account: 'admin'; readonly tournament?: undefined }
  | { readonly account: Role; readonly tournament: AdminTournament }
) & { readonly onClose: () => void };

/** Create or edit a tournament; an edit sends only what was changed. */
export const TournamentFormModal = ({ account, tournament, onClose }: TournamentFormModalProps): ReactElement => {
  const [before] = useState(() => (tournament ? formOf(tournament) : emptyTournament));
  const [form, setForm] = useState(before);
  const { files: images, refused, preparing, choose, isRemovable, remove } = useChosenFiles<keyof TournamentImages>();
  const [alert, setAlert] = useState<string>();
  const [missing, setMissing] = useState<readonly string[]>([]);
  const command = useHeldCommand((failure) => formMessage((tournament ? updateAlert : createAlert)(failure), labels));
  const changed = changedParts(before, form);
  const isChanged = changed.length > 0 || images.posterImage !== undefined || images.organizerImage !== undefined;
  const title = tournament ? 'Edit Tournament' : 'Create Tournament';

  const change =
    (part: TournamentPart) =>
    (value: string): void => {
      setForm((now) => ({ ...now, [part]: value }));
      setMissing((parts) => parts.filter((candidate) => candidate !== part));
      // A date is refused for another one as well.
      command.forget(...(dates.has(part) ? dates : [part]));
    };
  const touchImage = (part: keyof TournamentImages): void => {
    setAlert(undefined);
    setMissing((parts) => parts.filter((candidate) => candidate !== part));
    command.forget(part);
  };
  const chooseImage =
    (part: keyof TournamentImages) =>
    async (file: File): Promise<void> => {
      touchImage(part);
      setAlert(await choose(part, file, prepareImage));
    };
  const removalOf = (part: keyof TournamentImages): (() => void) | undefined =>
    isRemovable(part)
      ? (): void => {
          touchImage(part);
          remove(part);
        }
      : undefined;
  const refusalOf = (part: string): string | undefined => (part === 'posterImage' || part === 'organizerImage' ? refused[part] : undefined);
  const errorOf = (part: string): string | undefined => refusalOf(part) ?? (missing.includes(part) ? missingPartText(part) : command.faultOf(part));
  const content = (): string =>
    JSON.stringify([form, images.posterImage?.name, images.posterImage?.size, images.organizerImage?.name, images.organizerImage?.size]);

  const save = async (formElement: HTMLFormElement): Promise<void> => {
    const refusedPart = tournamentImages.find((part) => refused[part] !== undefined);
    if (refusedPart !== undefined) {
      setAlert(refused[refusedPart]);
      focusField(formElement, refusedPart);
      return;
    }
    setAlert(undefined);
    const lacking = tournament ? emptiedParts(form, changed) : missingParts(form, images);
    setMissing(lacking);
    if (lacking[0] !== undefined) {
      setAlert(tournament ? missingPartText(lacking[0]) : outcomeTexts.badRequest);
      focusField(formElement, lacking[0]);
      return;
    }
    if (tournament && !isChanged) {
      setAlert(nothingChanged);
      return;
    }
    const parts = tournament ? changed : tournamentParts.filter((part) => form[part].trim() !== '');
    const body = bodyOf(form, parts, images);
    const key = command.keyFor(content());
    await command.finish(
      () => (tournament ? changeTournament(account, tournament._id, body, key) : createTournament(body, key)),
      tournament ? outcomeTexts.tournamentUpdated : outcomeTexts.tournamentCreated,
      onClose,
    );
  };
  const shownAlert = (alert && formMessage(alert, labels)) ?? command.refusal;
  const [serverFault] = command.failure?.faults ?? [];
  const serverNote = serverFault && formMessage(serverFault.message, labels);
  return (
    <EditForm
      title={title}
      width={720}
      command={command}
      submitText={tournament ? 'Update Tournament' : 'Create Tournament'}
      locked={preparing.size > 0}
      changed={isChanged}
      alert={shownAlert}
      alertNote={alert === undefined && serverNote !== shownAlert ? serverNote : undefined}
      save={save}
      onClose={onClose}
    >
      <div className="grid2">
        <TextField full name="name" label="Name" value={form.name} error={errorOf('name')} onChange={change('name')} />
        <DateField name="startDate" label="Start date" value={form.startDate} error={errorOf('startDate')} onChange={change('startDate')} />
        <DateField name="endDate" label="End date" value={form.endDate} error={errorOf('endDate')} onChange={change('endDate')} />
        <DateField
          name="registeringStartDate"
          label="Registering start date"
          value={form.registeringStartDate}
          error={errorOf('registeringStartDate')}
          onChange={change('registeringStartDate')}
        />
        {texts.map(([part, label]) => (
          <TextField
            key={part}
            name={part}
            label={label}
            value={form[part]}
            error={errorOf(part)}
            onChange={change(part)}
            {...(part === 'organizer[phoneNumber]' && { inputMode: 'tel' as const })}
          />
        ))}
      </div>
      <h3 className="modal__sub">Prizes in NPR</h3>
      <div className="grid2">
        {prizes.map(([part, label]) => (
          <TextField key={part} name={part} label={label} value={form[part]} error={errorOf(part)} figures onChange={change(part)} />
        ))}
        <div className="field">
          <span className="lab">Prize total</span>
          <output className="sumbox">{shownTotal(form)}</output>
        </div>
        <FileField
          name="posterImage"
          label="Poster image"
          icon="picture"
          accept=".jpeg,.jpg,.png,image/jpeg,image/png"
          hint={fileHints.largeImage}
          file={images.posterImage}
          current={posterSource(tournament?.posterImage)}
          error={errorOf('posterImage')}
          busy={preparing.has('posterImage')}
          onChoose={(file) => void chooseImage('posterImage')(file)}
          onRemove={removalOf('posterImage')}
        />
        <FileField
          name="organizerImage"
          label="Organizer image"
          icon="picture"
          accept=".jpeg,.jpg,.png,image/jpeg,image/png"
          hint={fileHints.largeImage}
          file={images.organizerImage}
          current={tournament?.organizer.image}
          error={errorOf('organizerImage')}
          busy={preparing.has('organizerImage')}
          onChoose={(file) => void chooseImage('organizerImage')(file)}
          onRemove={removalOf('organizerImage')}
        />
        <TextField
          name="registerable"
          label="Registerable"
          value={form.registerable}
          error={errorOf('registerable')}
          hint="'true', or the text that the button shows instead"
          autoCapitalize="none"
          suggestions={['true', 'Registration closed']}
          onChange={change('registerable')}
        />
        <SelectField
          name="league"
          label="League"
          value={form.league}
          error={errorOf('league')}
          options={[...trueOrFalse, ...(trueOrFalse.some(({ value }) => value === form.league) ? [] : [{ value: form.league, title: form.league }])]}
          onChange={change('league')}
        />
        <TextField
          name="eventName"
          label="Event name (optional)"
          optional
          value={form.eventName}
          error={errorOf('eventName')}
          hint="Shown among upcoming events instead of the name"
          onChange={change('eventName')}
        />
        <SelectField name="featured" label="Featured" value={form.featured} error={errorOf('featured')} options={trueOrFalse} onChange={change('featured')} />
      </div>
    </EditForm>
  );
};
