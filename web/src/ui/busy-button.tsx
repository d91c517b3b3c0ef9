import type { ReactElement } from 'react';
import { LockableButton, type LockableButtonProps } from './lockable-button.tsx';

type BusyButtonProps = LockableButtonProps & {
  readonly busy: boolean;
  /** The specification's word while busy. */
  readonly busyText: string;
};

/** A button that says so, and is locked, while its work is under way. */
export const BusyButton = ({ busy, busyText, children, ...button }: BusyButtonProps): ReactElement => (
  <LockableButton {...button} locked={busy || button.lockedBy !== undefined}>
    {busy && <span className="spin" aria-hidden="true" />}
    {busy ? busyText : children}
  </LockableButton>
);
