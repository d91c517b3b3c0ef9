import { useState, type ReactElement } from 'react';
import { formatNumber } from '../lib/format.rules.ts';
import './live-number.css';

/** A number that flashes once, ember to chalk, when it changes while it is being looked at. */
export const LiveNumber = ({ value, className = '' }: { readonly value: number; readonly className?: string }): ReactElement => {
  const [shown, setShown] = useState({ value, changes: 0 });
  if (shown.value !== value) setShown({ value, changes: shown.changes + 1 });
  return (
    <span key={shown.changes} className={`${className} ${shown.changes > 0 ? 'flash' : ''}`.trim()}>
      {formatNumber(value)}
    </span>
  );
};
