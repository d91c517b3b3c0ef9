import '@mantine/core/styles/CloseButton.layer.css';
import '@mantine/core/styles/Modal.layer.css';
import '@mantine/core/styles/ModalBase.layer.css';
import '@mantine/core/styles/Overlay.layer.css';
import '@mantine/core/styles/Paper.layer.css';
import '@mantine/core/styles/ScrollArea.layer.css';
import { Modal } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useEffect, useRef, useState, type FormEvent, type ReactElement, type ReactNode } from 'react';

/** Gives the focus back to what opened the dialog, once it is gone: Mantine does so only for a dialog that stays mounted. */
const useFocusBack = (): void => {
  const [opener] = useState(() => document.activeElement);
  const mounted = useRef(false);
  useEffect(() => {
    mounted.current = true;
    return () => {
      mounted.current = false;
      setTimeout(() => {
        if (!mounted.current && opener instanceof HTMLElement && opener.isConnected) opener.focus({ preventScroll: true });
      });
    };
  }, [opener]);
};

type AdminModalProps = {
  readonly title: string;
  readonly subtitle?: ReactNode;
  readonly onClose: () => void;
  /** Widest measure in CSS pixels. */
  readonly width: number;
  /** Buttons below; without them the dialog only shows. */
  readonly footer?: ReactNode;
  readonly onSubmit?: (event: FormEvent<HTMLFormElement>) => void;
  readonly children: ReactNode;
};

/** A dialog of the dashboards: focus stays inside, Escape and both Close buttons leave it. Fills the screen of a phone. */
export const AdminModal = ({ title, subtitle, onClose, width, footer, onSubmit, children }: AdminModalProps): ReactElement => {
  useFocusBack();
  const phone = useMediaQuery('(max-width: 900px)', undefined, { getInitialValueInEffect: false });
  const body = (
    <>
      <Modal.Body>{children}</Modal.Body>
      {footer !== undefined && <div className="modal__f">{footer}</div>}
    </>
  );
  return (
    <Modal.Root opened onClose={onClose} size={width} fullScreen={phone} padding={0} classNames={{ content: 'modal', header: 'modal__h', title: 'modal__t', body: 'modal__b' }}>
      <Modal.Overlay />
      <Modal.Content>
        <Modal.Header>
          <div>
            <Modal.Title>{title}</Modal.Title>
            {subtitle !== undefined && <span className="mute modal__s">{subtitle}</span>}
          </div>
          <Modal.CloseButton className="iconbtn" aria-label="Close dialog" size={44} />
        </Modal.Header>
        {onSubmit ? (
          <form onSubmit={onSubmit} noValidate>
            {body}
          </form>
        ) : (
          body
        )}
      </Modal.Content>
    </Modal.Root>
  );
};
