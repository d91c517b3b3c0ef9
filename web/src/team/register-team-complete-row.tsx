import { IconArrowLeft } from '@tabler/icons-react';
import { useEffect, useRef, useState, type ReactElement } from 'react';
import { BusyButton } from '../ui/busy-button.tsx';
import { Question } from '../ui/question.tsx';

type CompleteRowProps = {
  /** How many players are still needed. */
  readonly needed: number;
  /** The player that is being added is waited for. */
  readonly adding: boolean;
  readonly completing: boolean;
  /** What is asked first: somebody was begun beside it who is not added. */
  readonly askedFirst: string | undefined;
  /** Back to who is not added. */
  readonly onKeep: () => void;
  readonly onBack: () => void;
  readonly onComplete: () => void;
};

/** The end of step 3: back, or complete the registration; not past a player that was not added without a question. */
export const CompleteRow = ({ needed, adding, completing, askedFirst, onKeep, onBack, onComplete }: CompleteRowProps): ReactElement => {
  const [asking, setAsking] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const answered = useRef(false);
  useEffect(() => {
    if (asking || !answered.current) return;
    answered.current = false;
    // Where the answer was given there is no button any more.
    button.current?.focus();
  }, [asking]);
  if (asking && askedFirst === undefined) setAsking(false);
  if (asking && askedFirst !== undefined) {
    return (
      <Question
        className="wiz__end"
        row="acts"
        text={askedFirst}
        note="Once the registration is completed, no player can be added here."
        keep="Go back to it"
        go="Complete without"
        onKeep={() => {
          setAsking(false);
          onKeep();
        }}
        onGo={() => {
          setAsking(false);
          answered.current = true;
          onComplete();
        }}
      />
    );
  }
  return (
    <div className="acts wiz__end">
      <button type="button" className="btn btn--q" disabled={completing} onClick={onBack}>
        <IconArrowLeft className="i" stroke={1.75} aria-hidden="true" />
        Back to Coach Details
      </button>
      <BusyButton
        className="btn btn--p"
        ref={button}
        busy={completing}
        busyText="Completing..."
        disabled={needed > 0 || adding}
        onClick={() => {
          if (askedFirst === undefined) onComplete();
          else setAsking(true);
        }}
      >
        {needed > 0 ? `Need ${String(needed)} more player(s)` : 'Complete Registration'}
      </BusyButton>
    </div>
  );
};
