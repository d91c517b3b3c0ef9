import { useEffect, useLayoutEffect, useRef, type FormEvent, type ReactElement, type ReactNode } from 'react';
import { Banner, bringIntoView } from '../ui/banner.tsx';
import { BusyButton } from '../ui/busy-button.tsx';
import { focusField } from '../ui/form-field.tsx';
import { AdminModal } from './admin-modal.tsx';
import { FailureNotes } from './command-failure.tsx';
import { CloseAction } from './dialog-closing.tsx';
import { saysUnknown, type CommandState } from './use-command.ts';

type HeldFieldsProps = { readonly command: CommandState; readonly children: ReactNode };

/** Fields that show what was sent with a key, and nothing else, until it is known what became of it. The focus waits on the button that sends. */
export const HeldFields = ({ command: { held }, children }: HeldFieldsProps): ReactElement => {
  const fields = useRef<HTMLFieldSetElement>(null);
  const left = useRef<HTMLElement>(undefined);
  useLayoutEffect(() => {
    const send = fields.current?.form?.querySelector<HTMLElement>('[type=submit]');
    const focused = document.activeElement;
    if (held && focused instanceof HTMLElement && fields.current?.contains(focused)) {
      left.current = focused;
      send?.focus();
    } else if (!held) {
      if (focused === send) left.current?.focus();
      left.current = undefined;
    }
  }, [held]);
  return (
    <fieldset className="held" ref={fields} disabled={held}>
      {children}
    </fieldset>
  );
};

type EditFormProps = {
  readonly title: string;
  readonly subtitle?: ReactNode;
  /** Widest measure in CSS pixels. */
  readonly width: number;
  readonly command: CommandState;
  readonly closeText?: string;
  /** What the button that sends says. */
  readonly submitText: string;
  /** What the button says that sends a failed command again, where that is another one. */
  readonly repeatText?: string | undefined;
  readonly busyText?: string;
  /** Nothing can be sent as it stands; `note` says why. */
  readonly locked?: boolean;
  /** The fields show by themselves that they are `held`. */
  readonly holdsFields?: boolean;
  /** Something was typed or chosen that has not been sent: closing asks first. */
  readonly changed: boolean;
  /** What stands beside the buttons. */
  readonly note?: ReactNode;
  /** What is wrong, above the fields; undefined while nothing is. */
  readonly alert: string | undefined;
  /** A second line of the alert: what the server added. */
  readonly alertNote?: string | undefined;
  /** Checks and sends; called once at a time. */
  readonly save: (form: HTMLFormElement) => Promise<void>;
  readonly onClose: () => void;
  readonly children: ReactNode;
};

/** A form in a dialog: its alert, its fields, Close, and a button that is locked while what it sent is under way. */
export const EditForm = ({
  title,
  subtitle,
  width,
  command,
  closeText = 'Close',
  submitText,
  repeatText = submitText,
  busyText = 'Saving...',
  locked = false,
  holdsFields = false,
  changed,
  note,
  alert,
  alertNote,
  save,
  onClose,
  children,
}: EditFormProps): ReactElement => {
  const sent = useRef<HTMLFormElement>(undefined);
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    sent.current = event.currentTarget;
    if (!command.busy && !locked) void save(event.currentTarget);
  };
  const { failure } = command;
  useEffect(() => {
    // What the server finds wrong may be far from its message, as what the form finds itself.
    const [fault] = failure?.faults ?? [];
    if (fault) focusField(sent.current ?? null, fault.path);
  }, [failure]);
  return (
    <AdminModal
      title={title}
      subtitle={subtitle}
      width={width}
      onClose={onClose}
      held={{ busy: command.busy, changed: changed || command.unsettled }}
      onSubmit={submit}
      footer={
        <>
          {note}
          <CloseAction>{closeText}</CloseAction>
          <BusyButton type="submit" className="btn btn--p" busy={command.busy} busyText={busyText} disabled={locked}>
            {submitText}
          </BusyButton>
        </>
      }
    >
      {alert !== undefined && (
        <Banner key={alert} kind="bad" text={alert} ref={bringIntoView}>
          {alertNote !== undefined && alertNote !== '' && !(command.unsettled && saysUnknown.test(alertNote)) && <small>{alertNote}</small>}
          <FailureNotes command={command} submitText={repeatText} />
        </Banner>
      )}
      {holdsFields ? children : <HeldFields command={command}>{children}</HeldFields>}
    </AdminModal>
  );
};
