import { createContext, useContext, useEffect, useRef, type KeyboardEvent, type ReactElement, type ReactNode } from 'react';
import { BusyButton } from '../ui/busy-button.tsx';
import { Question, type QuestionTexts } from '../ui/question.tsx';

/** What closing a dialog would interrupt, or lose. */
export type DialogHold = {
  /** A command is under way: its answer belongs to this dialog. */
  readonly busy: boolean;
  /** Something was typed or chosen that has not been sent. */
  readonly changed: boolean;
};

/** Nothing stands in the way. */
export const freeToClose: DialogHold = { busy: false, changed: false };

/** What a dialog asks before it does something that cannot be taken back. */
export type AskedFirst = QuestionTexts & { readonly onGo: () => void };

type DialogState = {
  readonly busy: boolean;
  /** Closes the dialog, unless something holds it. */
  readonly close: () => void;
  readonly hold: (hold: DialogHold) => void;
  /** Puts a question in place of the buttons below. */
  readonly ask: (question: AskedFirst) => void;
};
export const DialogContext = createContext<DialogState>({ busy: false, close: () => {}, hold: () => {}, ask: () => {} });

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

type AskingButtonProps = { readonly question: AskedFirst; readonly children: ReactNode };

/** A button whose work cannot be taken back: it asks, and no more; locked while a command is under way. */
export const AskingButton = ({ question, children }: AskingButtonProps): ReactElement => {
  const { busy, ask } = useContext(DialogContext);
  return (
    <BusyButton
      className="btn btn--s"
      busy={busy}
      busyText="Saving..."
      onClick={() => {
        ask(question);
      }}
    >
      {children}
    </BusyButton>
  );
};

type DialogQuestionProps = {
  readonly question: AskedFirst;
  /** The last field that had the focus, to go on from there. */
  readonly focusedBefore: () => HTMLElement | null;
  readonly onAnswered: () => void;
};

/** Stands where the buttons stood: nothing goes unless that is said. The focus stays on the two answers. */
export const DialogQuestion = ({ question: { onGo, ...texts }, focusedBefore, onAnswered }: DialogQuestionProps): ReactElement => {
  const group = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const before = focusedBefore();
    const dialog = group.current?.closest<HTMLElement>('[role=dialog]');
    return () => {
      (before?.isConnected ? before : dialog)?.focus({ preventScroll: true });
    };
  }, [focusedBefore]);
  const stayInside = (event: KeyboardEvent): void => {
    if (event.key !== 'Tab') return;
    event.preventDefault();
    event.stopPropagation();
    group.current?.querySelector<HTMLElement>('button:not(:focus)')?.focus();
  };
  const go = (): void => {
    onAnswered();
    onGo();
  };
  return <Question {...texts} className="modal__f" textClassName="modal__q" ref={group} onKeyDown={stayInside} onKeep={onAnswered} onGo={go} />;
};
