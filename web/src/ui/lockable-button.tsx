import type { ReactElement, ReactNode, Ref } from 'react';

export type LockableButtonProps = {
  readonly className: string;
  readonly children: ReactNode;
  readonly type?: 'button' | 'submit';
  readonly onClick?: () => void;
  /** Locked for another reason, which the children say. */
  readonly disabled?: boolean;
  /** Does nothing, and keeps the focus: id of the element that says why. */
  readonly lockedBy?: string | undefined;
  /** The second click of a double click is none: what came in between has not been read. */
  readonly single?: boolean;
  readonly ref?: Ref<HTMLButtonElement>;
};

/** A button that is locked, not disabled, while it can do nothing: the focus stays on it. @param locked also where nothing but the button itself says why */
export const LockableButton = ({
  className,
  children,
  type = 'button',
  onClick,
  disabled = false,
  lockedBy,
  locked = lockedBy !== undefined,
  single = false,
  ref,
}: LockableButtonProps & { readonly locked?: boolean }): ReactElement => (
  <button
    type={type}
    className={className}
    ref={ref}
    aria-disabled={locked}
    aria-describedby={lockedBy}
    disabled={disabled}
    onClick={(event) => {
      if (locked || (single && event.detail > 1)) event.preventDefault();
      else onClick?.();
    }}
  >
    {children}
  </button>
);
