import { useEffect, useId, useRef, type KeyboardEvent, type ReactElement, type Ref } from 'react';
import { LockableButton } from './lockable-button.tsx';

export type QuestionTexts = {
  readonly text: string;
  /** What would go. */
  readonly note?: string;
  /** The careful answer. */
  readonly keep: string;
  /** The other one. */
  readonly go: string;
};

type QuestionProps = QuestionTexts & {
  readonly className: string;
  readonly textClassName?: string;
  /** A row of their own for the answers, the careful one last: for a question of the last button of such a row. */
  readonly row?: string;
  readonly onKeep: () => void;
  readonly onGo: () => void;
  readonly onKeyDown?: (event: KeyboardEvent<HTMLDivElement>) => void;
  readonly ref?: Ref<HTMLDivElement>;
};

/**
 * Stands where the button stood that asks. The careful answer has the focus, and its place: whoever presses twice keeps everything. The second click of a
 * double click answers nothing.
 */
export const Question = ({ text, note, keep, go, className, textClassName, row, onKeep, onGo, onKeyDown, ref }: QuestionProps): ReactElement => {
  const id = useId();
  const careful = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    careful.current?.focus();
  }, []);
  const keeping = (
    <LockableButton key="keep" className="btn btn--s" ref={careful} single onClick={onKeep}>
      {keep}
    </LockableButton>
  );
  const going = (
    <LockableButton key="go" className="btn btn--p" single onClick={onGo}>
      {go}
    </LockableButton>
  );
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role, jsx-a11y/no-noninteractive-element-interactions -- a fieldset's legend is no item of a row; the keys are those of its buttons
    <div className={className} role="group" aria-labelledby={id} aria-describedby={note === undefined ? undefined : `${id}-n`} onKeyDown={onKeyDown} ref={ref}>
      <span className={textClassName}>
        <b id={id}>{text}</b>
        {note !== undefined && (
          <>
            <br />
            <span className="mute" id={`${id}-n`}>
              {note}
            </span>
          </>
        )}
      </span>
      {row === undefined ? [keeping, going] : <div className={row}>{[going, keeping]}</div>}
    </div>
  );
};
