import { pageHeads } from '@courtledger/contracts/kernel/page-head';
import { fieldTexts, outcomeTexts } from '@courtledger/contracts/kernel/texts';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState, type FormEvent, type ReactElement } from 'react';
import { ApiError, newKey } from '../lib/api-client.ts';
import { DocumentHead } from '../lib/document-head.tsx';
import { leavesOpen } from '../lib/leaves-open.rules.ts';
import { largeImageOrRefusal } from '../lib/shrink-photo.ts';
import { toastError, toastSuccess } from '../lib/toasts.ts';
import { useUnloadQuestion } from '../lib/unload-question.ts';
import { BusyButton } from '../ui/busy-button.tsx';
import { FileField } from '../ui/file-field.tsx';
import { TextField, focusField } from '../ui/form-field.tsx';
import { OutcomeBanner, type Outcome } from '../ui/outcome-banner.tsx';
import { keepUnsent, recallUnsent, requestTournament, type Sent } from './request-tournament.data.ts';
import './request-tournament-page.css';
import {
  emptyRequest,
  isTyped,
  missingFieldText,
  missingFields,
  missingText,
  unansweredText,
  wrongFields,
  type RequestField,
  type RequestFields,
} from './request-tournament.rules.ts';

/** The button says 'Submitting...' at least this long (specification section 9). */
const submitMs = 2000;

/** How often the form is on the screen: what becomes of a request is told elsewhere when its page was left. */
let shown = 0;

type Faults = Readonly<Partial<Record<string, string>>>;

/** The poster as it can be sent. */
const preparePoster = async (file: File): Promise<File | 'refused'> => {
  const prepared = await largeImageOrRefusal(file);
  return typeof prepared === 'string' ? 'refused' : prepared;
};

/**
 * Sends the request, and the poster once it is ready: a large picture takes its time, and one that is refused waits until it was replaced or removed.
 * @param again it was sent under this key before, without an answer
 */
const sendWhenReady = async (request: RequestFields, preparing: Promise<File | 'refused' | undefined>, key: string, again: boolean): Promise<Sent> => {
  const poster = await preparing;
  if (poster === 'refused') return poster;
  const [sent] = await Promise.allSettled([
    requestTournament(request, poster, key),
    new Promise((resolve) => {
      setTimeout(resolve, submitMs);
    }),
  ]);
  if (sent.status === 'fulfilled') return 'recorded';
  const { status, faults } = sent.reason instanceof ApiError ? sent.reason : new ApiError(0, '');
  // The server has it under this key, with another poster.
  if (again && status === 409) return 'recorded';
  // A file is looked at before the key: another poster may be refused of a request that is there.
  return { faults, unanswered: leavesOpen(status, again) || (again && (status === 413 || status === 415)) };
};

const unansweredOutcome: Outcome = { kind: 'bad', text: unansweredText };

/** 'Register Your Tournament': a request that an admin reads. */
export const RequestTournamentPage = (): ReactElement => {
  const form = useRef<HTMLFormElement>(null);
  const client = useQueryClient();
  const [begun] = useState(() => recallUnsent(client));
  const [request, setRequest] = useState(begun?.request ?? emptyRequest);
  const [poster, setPoster] = useState(begun?.poster);
  /** A new one whenever what would be sent changes; of what may have been recorded it stays the same, so that it is recorded once. */
  const key = useRef(begun?.key ?? newKey());
  /** The poster that was chosen last, once it is ready; 'refused' when it cannot be sent. */
  const preparing = useRef<Promise<File | 'refused' | undefined>>(Promise.resolve(poster));
  const [shrinking, setShrinking] = useState(false);
  const [posterRefusal, setPosterRefusal] = useState<string>();
  const [faults, setFaults] = useState<Faults>({});
  const [notice, setNotice] = useState<Outcome>();
  const [sending, setSending] = useState(begun?.sending);
  const busy = sending !== undefined;
  const [unanswered, setUnanswered] = useState(begun?.unanswered ?? false);
  const [focusOn, setFocusOn] = useState<{ readonly field: string }>();
  useUnloadQuestion(isTyped(request) || poster !== undefined || shrinking);
  useEffect(() => {
    keepUnsent(client, isTyped(request) || poster !== undefined ? { request, poster, key: key.current, unanswered, ...(sending && { sending }) } : undefined);
  }, [client, request, poster, unanswered, sending]);
  useEffect(() => {
    if (focusOn) focusField(form.current, focusOn.field);
  }, [focusOn]);

  const change =
    (field: RequestField) =>
    (value: string): void => {
      setRequest((before) => ({ ...before, [field]: value }));
      setFaults((before) => ({ ...before, [field]: undefined }));
      key.current = newKey();
    };
  const choosePoster = async (file: File): Promise<void> => {
    // Now, not once it is ready: the form may be sent before, and wait for it under this key.
    if (!unanswered) key.current = newKey();
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
  };
  const removePoster = (): void => {
    preparing.current = Promise.resolve(undefined);
    setShrinking(false);
    setPoster(undefined);
    setPosterRefusal(undefined);
    setFaults((before) => ({ ...before, poster: undefined }));
    if (!unanswered) key.current = newKey();
  };
  const settle = useCallback(
    (sent: Sent): void => {
      setSending(undefined);
      if (sent === 'refused') {
        setFocusOn({ field: 'poster' });
        return;
      }
      if (sent === 'recorded') {
        keepUnsent(client, undefined);
        setUnanswered(false);
        if (shown === 0) toastSuccess(outcomeTexts.requestSent);
        setNotice({ kind: 'ok', text: outcomeTexts.requestSent });
        setRequest(emptyRequest);
        preparing.current = Promise.resolve(undefined);
        setPoster(undefined);
        setFaults({});
        key.current = newKey();
        return;
      }
      const before = recallUnsent(client);
      if (before) keepUnsent(client, { request: before.request, poster: before.poster, key: before.key, unanswered: sent.unanswered });
      if (shown === 0) toastError(outcomeTexts.requestFailed);
      setUnanswered(sent.unanswered);
      setNotice({ kind: 'bad', text: outcomeTexts.requestFailed });
      setFaults(Object.fromEntries(sent.faults.map(({ path, message }) => [path, message])));
      if (sent.faults[0]) setFocusOn({ field: sent.faults[0].path });
    },
    [client],
  );
  useEffect(() => {
    shown += 1;
    // On its way since before the page was left, and opened again.
    void begun?.sending?.then(settle);
    return () => {
      shown -= 1;
    };
  }, [begun, settle]);
  const send = (): void => {
    setNotice(undefined);
    const one = sendWhenReady(request, preparing.current, key.current, unanswered);
    setSending(one);
    void one.then(settle);
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (busy) return;
    const missing = missingFields(request);
    const found = missing.length > 0 ? missing.map((field) => ({ field, message: missingFieldText(field) })) : wrongFields(request);
    const [first] = found;
    if (first === undefined) {
      send();
      return;
    }
    setNotice(missing.length > 0 ? { kind: 'bad', text: missingText(missing) } : undefined);
    setFaults(Object.fromEntries(found.map(({ field, message }) => [field, message])));
    setFocusOn({ field: first.field });
  };
  const field = (
    name: RequestField,
  ): { name: RequestField; value: string; error: string | undefined; readOnly: boolean; onChange: (value: string) => void } => ({
    name,
    value: request[name],
    error: faults[name],
    readOnly: busy || unanswered,
    onChange: change(name),
  });
  const outcome = notice ?? (unanswered && !busy ? unansweredOutcome : undefined);
  return (
    <div className="wrap request">
      <DocumentHead {...pageHeads.request} />
      <div className="head">
        <div>
          <h1 className="h1">Register Your Tournament</h1>
          <p className="mute">Tell us about your event. An admin reads every request before the event is published.</p>
        </div>
      </div>
      {outcome && (
        <OutcomeBanner className="request__notice" outcome={outcome}>
          {unanswered && outcome === notice && <p className="mute">{unansweredText}</p>}
        </OutcomeBanner>
      )}
      <form className="card grid2 request__form" ref={form} onSubmit={submit} noValidate>
        <TextField full label="Tournament name" {...field('tournamentName')} />
        <TextField label="Contact phone 1" inputMode="tel" autoComplete="tel" {...field('contactPhone1')} />
        <TextField label="Contact phone 2" inputMode="tel" {...field('contactPhone2')} />
        <TextField label="Email (optional)" type="email" optional autoComplete="email" {...field('email')} />
        <TextField label="Organizer name" autoComplete="organization" {...field('organizerName')} />
        <TextField label="Location" {...field('location')} />
        <TextField label="Prize pool" {...field('prizePool')} />
        <FileField
          full
          name="poster"
          label="Poster (optional)"
          icon="picture"
          accept="image/*"
          hint="An image, portrait works best"
          file={poster}
          readOnly={busy}
          busy={shrinking}
          error={posterRefusal ?? faults['poster']}
          onChoose={(file) => void choosePoster(file)}
          onRemove={poster === undefined && posterRefusal === undefined ? undefined : removePoster}
        />
        <div className="full">
          <BusyButton type="submit" className="btn btn--p btn--full btn--lg" busy={busy} busyText="Submitting...">
            Register Tournament
          </BusyButton>
        </div>
      </form>
    </div>
  );
};
