import type { ReactElement, ReactNode } from 'react';

type BusyButtonProps = {
  readonly className: string;
  readonly busy?: boolean;
  /** The specification's word while busy. */
  readonly busyText?: string;
  readonly children: ReactNode;
  readonly type?: 'button' | 'submit';
  readonly onClick?: () => void;
  /** Locked for another reason, which the children say. */
  readonly disabled?: boolean;
  /** Does nothing, and keeps the focus: id of the element that says why. */
  readonly lockedBy?: string | undefined;
  /** The second click of a double click is none: what came in between has not been read. */
  readonly single?: boolean;
};

/** A button that is locked, not disabled, while its work is under way: the focus stays on it. */
export const BusyButton = ({ className, busy = false, busyText = '', children, type = 'button', onClick, disabled = false, lockedBy, single = false }: BusyButtonProps): ReactElement => (
  <button
    // oxlint-disable-next-line react/button-has-type -- one of the two, by its own type
    type={type}
    className={className}
    aria-disabled={busy || lockedBy !== undefined}
    aria-describedby={lockedBy}
    disabled={disabled}
    onClick={(event) => {
      if (busy || lockedBy !== undefined || (single && event.detail > 1)) event.preventDefault();
      else onClick?.();
    }}
  >
    {busy && <span className="spin" aria-hidden="true" />}
    {busy ? busyText : children}
  </button>
);
