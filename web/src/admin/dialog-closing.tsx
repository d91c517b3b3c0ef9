import { createContext, useContext, useEffect, useId, useRef, type KeyboardEvent, type ReactElement, type ReactNode } from 'react';

/** What closing a dialog would interrupt, or lose. */
export type DialogHold = {
  /** A command is under way: its answer belongs to this dialog. */
  readonly busy: boolean;
  /** Something was typed or chosen that has not been sent. */
  readonly changed: boolean;
};

/** Nothing stands in the way. */
export const freeToClose: DialogHold = { busy: false, changed: false };

type DialogState = { readonly busy: boolean; /** Closes the dialog, unless something holds it. */ readonly close: () => void; readonly hold: (hold: DialogHold) => void };
export const DialogContext = createContext<DialogState>({ busy: false, close: () => {}, hold: () => {} });

/** Tells the dialog around a form in it what closing would interrupt or lose. */
export const useDialogHold = ({ busy, changed }: DialogHold): void => {
  const { hold } = useContext(DialogContext);
  useEffect(() => {
    hold({ busy, changed });
    return () => {
      hold(freeToClose);
    };
  }, [hold, busy, changed]);
};

/** The button below that closes the dialog; locked, not disabled, while a command is under way. */
export const CloseAction = ({ children }: { readonly children: ReactNode }): ReactElement => {
  const { busy, close } = useContext(DialogContext);
  return (
    <button type="button" className="btn btn--s" aria-disabled={busy} onClick={close}>
      {children}
    </button>
  );
};

type DiscardQuestionProps = { /** The last field that had the focus, to go on from there. */ readonly focusedBefore: () => HTMLElement | null; readonly onKeep: () => void; readonly onDiscard: () => void };

/** Stands where the buttons stood: what was typed goes only when that is said. The focus stays on the two answers. */
export const DiscardQuestion = ({ focusedBefore, onKeep, onDiscard }: DiscardQuestionProps): ReactElement => {
  const id = useId();
  const keep = useRef<HTMLButtonElement>(null);
  const discard = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const before = focusedBefore();
    const dialog = keep.current?.closest<HTMLElement>('[role=dialog]');
    keep.current?.focus();
    return () => {
      (before?.isConnected ? before : dialog)?.focus({ preventScroll: true });
    };
  }, [focusedBefore]);
  const stayInside = (event: KeyboardEvent): void => {
    if (event.key !== 'Tab') return;
    event.preventDefault();
    event.stopPropagation();
    (document.activeElement === keep.current ? discard : keep).current?.focus();
  };
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role, jsx-a11y/no-noninteractive-element-interactions -- a fieldset's legend is no item of a row; the keys are those of its buttons
    <div className="modal__f" role="group" aria-labelledby={id} onKeyDown={stayInside}>
      <b id={id} className="modal__q">
        Discard what you typed?
      </b>
      <button type="button" className="btn btn--s" ref={keep} onClick={onKeep}>
        Keep editing
      </button>
      <button type="button" className="btn btn--p" ref={discard} onClick={onDiscard}>
        Discard
      </button>
    </div>
  );
};
