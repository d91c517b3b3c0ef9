import { FREE_TEXT_MAX } from '@courtledger/contracts/kernel/limits';
import type { RequestAnswer } from '@courtledger/contracts/request/request.answers';
import { useEffect, useRef, useState, type ReactElement } from 'react';
import { formatInstant } from '../lib/format.rules.ts';
import { useNow } from '../lib/use-now.ts';
import { BusyButton } from '../ui/busy-button.tsx';
import { TextAreaField } from '../ui/form-field.tsx';
import { Poster } from '../ui/picture.tsx';
import { ScriptText } from '../ui/script-text.tsx';
import { closeTournamentRequest, type RequestClosing } from './admin.data.ts';
import { AdminModal } from './admin-modal.tsx';
import { CommandFailure } from './command-failure.tsx';
import { AskingButton, CloseAction } from './dialog-closing.tsx';
import { useCommand } from './use-command.ts';

type RequestModalProps = {
  /** As it was opened. */
  readonly request: RequestAnswer;
  /** As it stands now: somebody else may have answered it meanwhile. */
  readonly current: RequestAnswer;
  readonly onClose: () => void;
};

/** One request for a tournament: everything that was written, and the answer to it. */
export const RequestModal = ({ request, current, onClose }: RequestModalProps): ReactElement => {
  const now = useNow();
  const [note, setNote] = useState('');
  const [pressed, setPressed] = useState('');
  const command = useCommand();
  const close = async (status: RequestClosing['status']): Promise<void> => {
    setPressed(status === 'accepted' ? 'Accept' : 'Decline');
    const closing = { status, note: note.trim() };
    await command.finish(
      () => closeTournamentRequest(request._id, closing, command.keyFor(JSON.stringify(closing))),
      status === 'accepted' ? 'Request accepted' : 'Request declined',
      onClose,
    );
  };
  const facts = [
    ['Organizer name', request.organizerName],
    ['Contact phone 1', request.contactPhone1],
    ['Contact phone 2', request.contactPhone2],
    ['Email', request.email || 'None'],
    ['Location', request.location],
    ['Prize pool', request.prizePool],
    ['Sent', formatInstant(request.requestedAt, now)],
  ] as const;
  // Who is writing an answer is not interrupted by another one's; once the server has refused it, theirs is shown.
  const { status, note: answered } = command.failure?.status === 409 ? current : request;
  const open = status === 'open';
  const outcome = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    // The buttons have gone, with the focus on one of them.
    if (!open && document.activeElement === document.body) outcome.current?.focus();
  }, [open]);
  return (
    <AdminModal
      title={request.tournamentName}
      width={560}
      onClose={onClose}
      held={{ busy: command.busy, changed: open && note.trim() !== '' }}
      {...(open && {
        footer: (
          <>
            <AskingButton
              question={{
                text: 'Decline this request?',
                note: 'It cannot be accepted any more then.',
                keep: 'Keep it open',
                go: 'Decline',
                onGo: () => void close('declined'),
              }}
            >
              Decline
            </AskingButton>
            <CloseAction>Close</CloseAction>
            <BusyButton className="btn btn--p" busy={command.busy} busyText="Saving..." onClick={() => void close('accepted')}>
              Accept
            </BusyButton>
          </>
        ),
      })}
    >
      <CommandFailure command={command} submitText={pressed} />
      <div className="asked">
        {request.poster !== '' && <Poster className="poster--whole" image={request.poster} name={request.tournamentName} />}
        <dl>
          {facts.map(([title, value]) => (
            <div key={title}>
              <dt>{title}</dt>
              <dd>
                <ScriptText text={value} />
              </dd>
            </div>
          ))}
        </dl>
      </div>
      {open ? (
        <TextAreaField name="note" label="Note (optional)" optional maxLength={FREE_TEXT_MAX} value={note} onChange={setNote} />
      ) : (
        <p className="lines" tabIndex={-1} ref={outcome}>
          <b>{status === 'accepted' ? 'Accepted' : 'Declined'}</b>
          {answered !== '' && `: ${answered}`}
        </p>
      )}
    </AdminModal>
  );
};
