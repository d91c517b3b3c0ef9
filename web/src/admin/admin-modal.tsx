import '@mantine/core/styles/CloseButton.layer.css';
import '@mantine/core/styles/Modal.layer.css';
import '@mantine/core/styles/ModalBase.layer.css';
import '@mantine/core/styles/Overlay.layer.css';
import '@mantine/core/styles/Paper.layer.css';
import '@mantine/core/styles/ScrollArea.layer.css';
import { Modal } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useCallback, useEffect, useMemo, useRef, useState, type FormEvent, type ReactElement, type ReactNode } from 'react';
import { useBackCloses } from '../lib/back-closes.ts';
import { useSecondClickDropped } from '../lib/second-click.ts';
import { Banner } from '../ui/banner.tsx';
import { ScriptText } from '../ui/script-text.tsx';
import { DialogContext, DialogQuestion, freeToClose, type AskedFirst, type DialogHold } from './dialog-closing.tsx';
import { LoginInNewTab } from './login-link.tsx';
import { useUnsent } from './session-watch.ts';
import { selectedTab } from './selected-tab.ts';

/**
 * Gives the focus back to what opened the dialog, once it is gone: Mantine does so only for a dialog that stays mounted. Where that has gone as well, to the
 * tab.
 */
const useFocusBack = (): void => {
  const [opener] = useState(() => document.activeElement);
  const mounted = useRef(false);
  useEffect(() => {
    mounted.current = true;
    return () => {
      mounted.current = false;
      setTimeout(() => {
        if (mounted.current) return;
        if (opener instanceof HTMLElement && opener.isConnected) opener.focus({ preventScroll: true });
        else if (document.activeElement === document.body) selectedTab()?.focus({ preventScroll: true });
      });
    };
  }, [opener]);
};

const discard = { text: 'Discard what you typed?', keep: 'Keep editing', go: 'Discard' };

type AdminModalProps = {
  readonly title: string;
  readonly subtitle?: ReactNode;
  readonly onClose: () => void;
  /** Widest measure in CSS pixels. */
  readonly width: number;
  /** Buttons below; without them the dialog only shows. */
  readonly footer?: ReactNode;
  readonly onSubmit?: (event: FormEvent<HTMLFormElement>) => void;
  /** What closing would interrupt or lose; a form inside can say it itself by `useDialogHold`. */
  readonly held?: DialogHold;
  readonly children: ReactNode;
};

/**
 * A dialog of the dashboards: focus stays inside; Escape, the browser's Back, a press beside it and both Close buttons leave it, unless a command is under way,
 * which is said then. What was typed is discarded only after a question. Fills the screen of a phone.
 */
export const AdminModal = ({ title, subtitle, onClose, width, footer, onSubmit, held = freeToClose, children }: AdminModalProps): ReactElement => {
  useFocusBack();
  useSecondClickDropped();
  const phone = useMediaQuery('(max-width: 900px)', undefined, { getInitialValueInEffect: false });
  const [heldInside, hold] = useState(freeToClose);
  const [question, ask] = useState<AskedFirst>();
  const [refused, setRefused] = useState(false);
  const lastFocused = useRef<HTMLElement>(null);
  const focusedBefore = useCallback(() => lastFocused.current, []);
  const busy = held.busy || heldInside.busy;
  const changed = held.changed || heldInside.changed;
  const asking = question !== undefined;
  if (refused && !busy) setRefused(false);
  const close = useCallback((): void => {
    if (busy) setRefused(true);
    // Escape, while a question stands, is its careful answer.
    else if (asking) ask(undefined);
    else if (changed) ask({ ...discard, onGo: onClose });
    else onClose();
  }, [busy, asking, changed, onClose]);
  useBackCloses(close);
  const ended = useUnsent(changed || busy);
  const dialog = useMemo(() => ({ busy, close, hold, ask }), [busy, close]);
  const body = (
    <>
      <Modal.Body
        inert={asking}
        onFocus={(event) => {
          lastFocused.current = event.target;
        }}
      >
        {ended !== undefined && (
          <Banner kind="bad" text={ended || 'Your login has expired'}>
            <small>
              <LoginInNewTab /> as the same person, then go on here: what you typed stays.
            </small>
          </Banner>
        )}
        {children}
      </Modal.Body>
      {question && (
        <DialogQuestion
          question={question}
          focusedBefore={focusedBefore}
          onAnswered={() => {
            ask(undefined);
          }}
        />
      )}
      {!asking && footer !== undefined && <div className="modal__f">{footer}</div>}
    </>
  );
  return (
    <Modal.Root
      opened
      onClose={close}
      closeOnClickOutside={!asking}
      size={width}
      fullScreen={phone}
      padding={0}
      classNames={{ content: 'modal', header: 'modal__h', title: 'modal__t', body: 'modal__b' }}
    >
      <Modal.Overlay />
      <Modal.Content>
        <Modal.Header>
          <div>
            <Modal.Title>
              <ScriptText text={title} />
            </Modal.Title>
            {subtitle !== undefined && <span className="mute modal__s">{subtitle}</span>}
            <output className="modal__s modal__busy">{refused && 'Not done yet. This stays open until the answer is there.'}</output>
          </div>
          <Modal.CloseButton
            className="iconbtn"
            aria-label="Close dialog"
            aria-disabled={busy}
            size={44}
            style={{ visibility: asking ? 'hidden' : undefined }}
          />
        </Modal.Header>
        <DialogContext value={dialog}>
          {onSubmit ? (
            <form onSubmit={onSubmit} noValidate>
              {body}
            </form>
          ) : (
            body
          )}
        </DialogContext>
      </Modal.Content>
    </Modal.Root>
  );
};
