import type { FormEvent, ReactElement, ReactNode } from 'react';
import { Banner } from '../ui/banner.tsx';
import { BusyButton } from '../ui/busy-button.tsx';
import { AdminModal } from './admin-modal.tsx';
import type { CommandState } from './use-command.ts';

type EditFormProps = {
  readonly title: string;
  readonly subtitle?: ReactNode;
  /** Widest measure in CSS pixels. */
  readonly width: number;
  readonly command: CommandState;
  /** What the button that sends says. */
  readonly submitText: string;
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
export const EditForm = ({ title, subtitle, width, command, submitText, alert, alertNote, save, onClose, children }: EditFormProps): ReactElement => {
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (!command.busy) void save(event.currentTarget);
  };
  return (
    <AdminModal
      title={title}
      subtitle={subtitle}
      width={width}
      onClose={onClose}
      onSubmit={submit}
      footer={
        <>
          <button type="button" className="btn btn--s" onClick={onClose}>
            Close
          </button>
          <BusyButton type="submit" className="btn btn--p" busy={command.busy} busyText="Saving...">
            {submitText}
          </BusyButton>
        </>
      }
    >
      {alert !== undefined && (
        <Banner kind="bad" text={alert}>
          {alertNote !== undefined && alertNote !== '' && <small>{alertNote}</small>}
        </Banner>
      )}
      {children}
    </AdminModal>
  );
};
