import type { ReactElement } from 'react';
import { Banner, bringIntoView } from '../ui/banner.tsx';
import { LoginInNewTab } from './login-link.tsx';
import { saysUnknown, type CommandState } from './use-command.ts';

type FailureNotesProps = {
  readonly command: CommandState;
  /** What the button that sends says. */
  readonly submitText: string;
};

/** What can be done about a failure: log in beside the form, which keeps what was typed; or ask again for what may have been recorded. */
export const FailureNotes = ({ command: { failure, refusal = '', unsettled, doubtful }, submitText }: FailureNotesProps): ReactElement => (
  <>
    {failure?.status === 401 && (
      <small>
        <LoginInNewTab />
        {`, then press ${submitText} here again.`}
      </small>
    )}
    {unsettled && <small>{`It is not known whether this was recorded. ${submitText} asks again for exactly this, and nothing is counted twice.`}</small>}
    {doubtful && !unsettled && !saysUnknown.test(refusal) && (
      <small>{`It is not known whether this was recorded. ${submitText} may be pressed again: the result is the same.`}</small>
    )}
  </>
);

/**
 * Why a command did not succeed, until the next attempt, in view wherever the button stands: in the server's words where there are any. `submitText`: what the
 * button says that sends it again.
 */
export const CommandFailure = ({ command, submitText }: { readonly command: CommandState; readonly submitText?: string }): ReactElement | null =>
  command.refusal === undefined ? null : (
    <Banner kind="bad" text={command.refusal} ref={bringIntoView}>
      {submitText !== undefined && <FailureNotes command={command} submitText={submitText} />}
    </Banner>
  );
