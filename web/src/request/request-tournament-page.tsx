import { CONTACT_PHONE_MAX, LARGE_IMAGE_BYTES, LARGE_IMAGE_EDGE } from '@courtledger/contracts/kernel/limits';
import { pageHeads } from '@courtledger/contracts/kernel/page-head';
import { fieldTexts, outcomeTexts } from '@courtledger/contracts/kernel/texts';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState, type FormEvent, type ReactElement } from 'react';
import { ApiError, newKey } from '../lib/api-client.ts';
import { DocumentHead } from '../lib/document-head.tsx';
import { preparePhoto } from '../lib/shrink-photo.ts';
import { useUnloadQuestion } from '../lib/unload-question.ts';
import { BusyButton } from '../ui/busy-button.tsx';
import { FileField } from '../ui/file-field.tsx';
import { TextField, focusField } from '../ui/form-field.tsx';
import { OutcomeBanner, type Outcome } from '../ui/outcome-banner.tsx';
import { keepUnsent, recallUnsent, requestTournament } from './request-tournament.data.ts';
import './request-tournament-page.css';
import { emptyRequest, isTyped, missingFieldText, missingFields, missingText, wrongFields, type RequestField } from './request-tournament.rules.ts';

/** The button says 'Submitting...' at least this long (specification section 9). */
const submitMs = 2000;

type Faults = Readonly<Partial<Record<string, string>>>;

/** The poster as it can be sent. */
const preparePoster = async (file: File): Promise<File | 'refused'> => {
  const prepared = await preparePhoto(file, LARGE_IMAGE_BYTES, LARGE_IMAGE_EDGE);
  return prepared.kind === 'ready' ? prepared.file : 'refused';
};

/** 'Register Your Tournament': a request that an admin reads. */
export const RequestTournamentPage = (): ReactElement => {
  const form = useRef<HTMLFormElement>(null);
  const client = useQueryClient();
  const [begun] = useState(() => recallUnsent(client));
  const [request, setRequest] = useState(begun?.request ?? emptyRequest);
  const [poster, setPoster] = useState(begun?.poster);
  /** A new one whenever what would be sent changes. */
  const key = useRef(begun?.key ?? newKey());
  /** The poster that was chosen last, once it is ready; 'refused' when it cannot be sent. */
  const preparing = useRef<Promise<File | 'refused' | undefined>>(Promise.resolve(poster));
  const [shrinking, setShrinking] = useState(false);
  const [posterRefusal, setPosterRefusal] = useState<string>();
  const [faults, setFaults] = useState<Faults>({});
  const [notice, setNotice] = useState<Outcome>();
  const [busy, setBusy] = useState(false);
  const [focusOn, setFocusOn] = useState<{ readonly field: string }>();
  useUnloadQuestion(isTyped(request) || poster !== undefined || shrinking);
  useEffect(() => {
    keepUnsent(client, isTyped(request) || poster !== undefined ? { request, poster, key: key.current } : undefined);
  }, [client, request, poster]);
  useEffect(() => {
    if (focusOn) focusField(form.current, focusOn.field);
  }, [focusOn]);

  const change = (field: RequestField) => (value: string): void => {
    setRequest((before) => ({ ...before, [field]: value }));
    setFaults((before) => ({ ...before, [field]: undefined }));
    key.current = newKey();
  };
  const choosePoster = async (file: File): Promise<void> => {
    const prepared = preparePoster(file);
    preparing.current = prepared;
    setShrinking(true);
    const ready = await prepared;
    // Another one was chosen meanwhile, or the form was sent and emptied.
    if (preparing.current !== prepared) return;
    setShrinking(false);
    setPoster(ready === 'refused' ? undefined : ready);
    setPosterRefusal(ready === 'refused' ? fieldTexts.largeImage : undefined);
    setFaults((before) => ({ ...before, poster: undefined }));
    key.current = newKey();
  };
  const removePoster = (): void => {
    preparing.current = Promise.resolve(undefined);
    setShrinking(false);
    setPoster(undefined);
    setPosterRefusal(undefined);
    setFaults((before) => ({ ...before, poster: undefined }));
    key.current = newKey();
  };
  const send = async (): Promise<void> => {
    setBusy(true);
    setNotice(undefined);
    // A large picture takes its time: the request goes with it or, when it is refused, waits until it was replaced or removed.
    const ready = await preparing.current;
    if (ready === 'refused') {
      setBusy(false);
      setFocusOn({ field: 'poster' });
      return;
    }
    const [sent] = await Promise.allSettled([
      requestTournament(request, ready, key.current),
      new Promise((resolve) => {
        setTimeout(resolve, submitMs);
      }),
    ]);
    setBusy(false);
    if (sent.status === 'fulfilled') {
      // Whoever has left the page meanwhile finds an empty form.
      keepUnsent(client, undefined);
      setNotice({ kind: 'ok', text: outcomeTexts.requestSent });
      setRequest(emptyRequest);
      preparing.current = Promise.resolve(undefined);
      setPoster(undefined);
      setFaults({});
      key.current = newKey();
      return;
    }
    const found = sent.reason instanceof ApiError ? sent.reason.faults : [];
    setNotice({ kind: 'bad', text: outcomeTexts.requestFailed });
    setFaults(Object.fromEntries(found.map(({ path, message }) => [path, message])));
    if (found[0]) setFocusOn({ field: found[0].path });
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (busy) return;
    const missing = missingFields(request);
    const found = missing.length > 0 ? missing.map((field) => ({ field, message: missingFieldText(field) })) : wrongFields(request);
    const [first] = found;
    if (first === undefined) {
      void send();
      return;
    }
    setNotice(missing.length > 0 ? { kind: 'bad', text: missingText(missing) } : undefined);
    setFaults(Object.fromEntries(found.map(({ field, message }) => [field, message])));
    setFocusOn({ field: first.field });
  };
  const field = (name: RequestField): { name: RequestField; value: string; error: string | undefined; readOnly: boolean; onChange: (value: string) => void } => ({
    name,
    value: request[name],
    error: faults[name],
    readOnly: busy,
    onChange: change(name),
  });
  return (
    <div className="wrap request">
      <DocumentHead {...pageHeads.request} />
      <div className="head">
        <div>
          <h1 className="h1">Register Your Tournament</h1>
          <p className="mute">Tell us about your event. An admin reads every request before the event is published.</p>
        </div>
      </div>
      {notice && <OutcomeBanner className="request__notice" outcome={notice} />}
      <form className="card grid2 request__form" ref={form} onSubmit={submit} noValidate>
        <TextField full label="Tournament name" {...field('tournamentName')} />
        <TextField label="Contact phone 1" inputMode="tel" maxLength={CONTACT_PHONE_MAX} autoComplete="tel" {...field('contactPhone1')} />
        <TextField label="Contact phone 2" inputMode="tel" maxLength={CONTACT_PHONE_MAX} {...field('contactPhone2')} />
        <TextField label="Email (optional)" type="email" optional autoComplete="email" {...field('email')} />
        <TextField label="Organizer name" autoComplete="organization" {...field('organizerName')} />
        <TextField label="Location" {...field('location')} />
        <TextField label="Prize pool" {...field('prizePool')} />
        <FileField full name="poster" label="Poster (optional)" icon="picture" accept="image/*" hint="An image, portrait works best" file={poster} readOnly={busy} busy={shrinking} error={posterRefusal ?? faults['poster']} onChoose={(file) => void choosePoster(file)} onRemove={poster === undefined && posterRefusal === undefined ? undefined : removePoster} />
        <div className="full">
          <BusyButton type="submit" className="btn btn--p btn--full btn--lg" busy={busy} busyText="Submitting...">
            Register Tournament
          </BusyButton>
        </div>
      </form>
    </div>
  );
};
