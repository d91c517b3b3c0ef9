import { IconX } from '@tabler/icons-react';
import { useEffect, useEffectEvent, useRef, useState, type FormEvent, type ReactElement, type ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { paths } from '../app/paths.ts';
import { ApiError } from '../lib/api-client.ts';
import { Banner } from '../ui/banner.tsx';
import { OutcomeBanner, type Outcome } from '../ui/outcome-banner.tsx';
import { formMessage } from '../ui/field-message.rules.ts';
import { focusField } from '../ui/form-field.tsx';
import type { DraftPart } from './register-team-draft.ts';
import { keptText, lostText, unansweredText, unkeptText, type Fault } from './register-team.rules.ts';
import type { Registration } from './use-register-team.ts';

/** The wizard goes on by itself this long after a success (specification section 9). */
const advanceMs = 2000;

/** The capability of this registration is gone: it can only be begun again. A manager has no login, so the server's request to log in says nothing to one. */
export const isLost = (error: unknown): boolean => error instanceof ApiError && (error.status === 401 || error.status === 403);

/** Labels of a step's fields by wire name. */
export type Labels = Readonly<Record<string, string>>;

/** What a manager is told of a refusal: the server's own text, where there is one, with the label of the field that it names. */
export const refusalText = (error: unknown, lost: boolean, otherwise: string, labels: Labels): string =>
  lost ? lostText : error instanceof ApiError && error.message !== '' ? formMessage(error.message, labels) : otherwise;

/** Said also after a reload, before anything is sent in vain. */
const lostOutcome: Outcome = { kind: 'bad', text: lostText };

const firstFiles = ' A file can be chosen again: it counts if nothing was saved before.';
const unansweredOutcomes: Readonly<Record<DraftPart, Outcome>> = {
  team: {
    kind: 'bad',
    text:
      unansweredText('your team was saved', 'Save & Continue') +
      ' Keep the logo, or choose the same one again where it is missing: with another one a team that was saved cannot be gone on with.',
  },
  coach: { kind: 'bad', text: unansweredText('the coach was saved', 'Save & Continue') + firstFiles },
  player: { kind: 'bad', text: unansweredText('this player was added', 'Add Player to Team') + firstFiles },
  entry: { kind: 'bad', text: unansweredText('the registration was completed', 'Complete Registration') },
};

type FailureBannerProps = {
  readonly registration: Pick<Registration, 'draft' | 'startAgain'>;
  /** Of the last attempt. */
  readonly outcome: Outcome | undefined;
  /** Sent, and neither answered nor waited for here. */
  readonly unanswered: DraftPart | undefined;
  readonly className?: string;
};

/** Why a step was not saved, or that it is not known; of a registration that is lost also what is left to do. */
export const FailureBanner = ({ registration: { draft, startAgain }, outcome, unanswered, className = '' }: FailureBannerProps): ReactElement | null => {
  const open = unanswered && unansweredOutcomes[unanswered];
  // What else is wrong stands at its field.
  const shown = draft.lost ? lostOutcome : (outcome ?? open);
  if (shown === undefined) return null;
  return (
    <OutcomeBanner outcome={shown} className={className}>
      {open && shown === outcome && <p className="mute">{open.text}</p>}
      {draft.lost && (
        <>
          <p className="mute">{`What you typed and chose goes along.${draft.players.length > 0 ? ' Players that were added have to be added again.' : ''}`}</p>
          <button type="button" className="btn btn--s btn--sm" onClick={startAgain}>
            Start a new registration
          </button>
        </>
      )}
    </OutcomeBanner>
  );
};

type StepFrameProps = {
  readonly title: string;
  readonly registration: Registration;
  /** Of a step that is saved as a whole. */
  readonly whole?: { readonly part: DraftPart; readonly step: SaveStep };
  readonly children: ReactNode;
};

/** Title, close button and banner of a step. A success takes the banner's place until the wizard goes on. */
export const StepFrame = ({ title, registration, whole, children }: StepFrameProps): ReactElement => {
  const heading = useRef<HTMLHeadingElement>(null);
  const first = useRef(true);
  useEffect(() => {
    // A step that opens by itself is read out from its title; on the first one the page has just done so.
    if (first.current && document.activeElement === document.body) heading.current?.focus({ preventScroll: true });
    first.current = false;
  }, []);
  const notice = whole?.step.notice;
  return (
    <div className="wiz__r">
      <div className="wiz__head">
        <h2 className="h2" ref={heading} tabIndex={-1}>
          {title}
        </h2>
        <Link className="iconbtn" to={paths.landing.to()} aria-label="Close">
          <IconX className="i" stroke={1.75} aria-hidden="true" />
        </Link>
      </div>
      {notice?.kind === 'ok' ? (
        <OutcomeBanner outcome={notice} />
      ) : (
        <Banner kind="warn" text="Important: Once you proceed to another step, you cannot edit your added details." />
      )}
      <p className="wiz__kept">{registration.unkept ? unkeptText : keptText}</p>
      {whole && notice?.kind !== 'ok' && (
        <FailureBanner
          className="wiz__bad"
          registration={registration}
          outcome={notice}
          unanswered={!whole.step.busy && registration.draft.unanswered.includes(whole.part) ? whole.part : undefined}
        />
      )}
      {children}
    </div>
  );
};

/** Sends a form, or waits with it until its files are ready: a large photo takes its time on a phone. Gives whether it waits, and what sends it. */
export const useSendWhenReady = (waiting: boolean, send: () => void): { readonly isWaiting: boolean; readonly press: () => void } => {
  const [pressed, setPressed] = useState(false);
  const go = useEffectEvent(() => {
    setPressed(false);
    send();
  });
  useEffect(() => {
    if (!pressed || waiting) return undefined;
    const turn = setTimeout(go);
    return () => {
      clearTimeout(turn);
    };
  }, [pressed, waiting]);
  return {
    isWaiting: pressed,
    press: () => {
      if (waiting) setPressed(true);
      else send();
    },
  };
};

type SaveStep = {
  readonly bindForm: (form: HTMLFormElement | null) => void;
  readonly busy: boolean;
  readonly notice: Outcome | undefined;
  readonly faultOf: (field: string) => string | undefined;
  readonly clearFault: (field: string) => void;
  readonly submit: (event: FormEvent) => void;
};

type SaveStepOptions = {
  /** For a step of a registration that the server knows: it has forgotten it. */
  readonly onLost?: () => void;
  /** A file is not ready yet: what is pressed meanwhile is done once it is. */
  readonly waiting: boolean;
  /** All that is wrong, in order. */
  readonly check: () => readonly Fault[];
  /** Gives what is said of it. */
  readonly save: () => Promise<string>;
  readonly failed: string;
  readonly labels: Labels;
  readonly onDone: () => void;
};

/** Checks and saves step 1 or 2; goes on 2 seconds after the success. */
export const useSaveStep = ({ onLost, waiting, check, save, failed, labels, onDone }: SaveStepOptions): SaveStep => {
  const [form, bindForm] = useState<HTMLFormElement | null>(null);
  const [busy, setBusy] = useState(false);
  const [notice, setNotice] = useState<Outcome>();
  const [faults, setFaults] = useState<readonly Fault[]>([]);
  const [focusOn, setFocusOn] = useState<{ readonly field: string }>();
  const done = useRef(onDone);
  useEffect(() => {
    done.current = onDone;
  });

  useEffect(() => {
    if (focusOn) focusField(form, focusOn.field);
  }, [form, focusOn]);
  useEffect(() => {
    if (notice?.kind !== 'ok') return undefined;
    const timer = setTimeout(() => {
      done.current();
    }, advanceMs);
    return () => {
      clearTimeout(timer);
    };
  }, [notice]);

  const show = (found: readonly Fault[]): void => {
    setFaults(found);
    const [first] = found;
    if (first) setFocusOn({ field: first.field });
  };
  const run = async (): Promise<void> => {
    setNotice(undefined);
    const found = check();
    show(found);
    if (found.length > 0) return;
    setBusy(true);
    try {
      setNotice({ kind: 'ok', text: await save() });
    } catch (error) {
      const gone = onLost !== undefined && isLost(error);
      if (gone) onLost();
      setNotice({ kind: 'bad', text: refusalText(error, gone, failed, labels) });
      show((error instanceof ApiError ? error.faults : []).map(({ path, message }) => ({ field: path, message })));
    } finally {
      setBusy(false);
    }
  };
  const { isWaiting, press } = useSendWhenReady(waiting, () => void run());
  return {
    bindForm,
    busy: busy || isWaiting,
    notice,
    faultOf: (field) => faults.find((fault) => fault.field === field)?.message,
    clearFault: (field) => {
      setFaults((before) => before.filter((fault) => fault.field !== field));
    },
    submit: (event) => {
      event.preventDefault();
      if (!busy && notice?.kind !== 'ok') press();
    },
  };
};

type StepActionsProps = { readonly step: SaveStep; readonly saved: boolean; readonly onBack: () => void; readonly onContinue: () => void };

/** Back and 'Save & Continue'; a step that was saved can only be looked at. */
export const StepActions = ({ step, saved, onBack, onContinue }: StepActionsProps): ReactElement => {
  const locked = step.busy || step.notice?.kind === 'ok';
  return (
    <div className="full acts">
      <button type="button" className="btn btn--s" onClick={onBack}>
        Back
      </button>
      {saved && !locked ? (
        <button type="button" className="btn btn--p" onClick={onContinue}>
          Continue
        </button>
      ) : (
        <button type="submit" className="btn btn--p" aria-disabled={locked}>
          {locked && <span className="spin" aria-hidden="true" />}
          {step.busy ? 'Saving...' : 'Save & Continue'}
        </button>
      )}
    </div>
  );
};
