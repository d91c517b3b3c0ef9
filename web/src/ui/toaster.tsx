import { IconAlertTriangle, IconCircleCheck, IconX } from '@tabler/icons-react';
import { useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore, type ReactElement } from 'react';
import { dismissToast, onToastsChange, shownToasts, toastDurations, type Toast } from '../lib/toasts.ts';
import './toaster.css';
import { useFocusLeft } from './use-focus-left.ts';

const ToastCard = ({ toast }: { readonly toast: Toast }): ReactElement => {
  const [held, setHeld] = useState(false);
  const place = useFocusLeft<HTMLButtonElement>();
  useEffect(() => {
    if (held) return undefined;
    const timer = setTimeout(() => {
      dismissToast(toast.id);
    }, toastDurations[toast.kind]);
    return () => {
      clearTimeout(timer);
    };
  }, [held, toast]);
  const bad = toast.kind === 'error';
  const Icon = bad ? IconAlertTriangle : IconCircleCheck;
  const hold = (): void => {
    setHeld(true);
  };
  const release = (): void => {
    setHeld(false);
  };
  return (
    <div
      className={bad ? 'toast toast--bad' : 'toast'}
      {...(bad && { role: 'alert' })}
      onMouseEnter={hold}
      onMouseLeave={release}
      onFocus={hold}
      onBlur={release}
    >
      <Icon className="i" stroke={1.75} aria-hidden="true" />
      <span>{toast.text}</span>
      <button
        ref={place}
        type="button"
        className="iconbtn"
        aria-label="Dismiss"
        onClick={() => {
          dismissToast(toast.id);
        }}
      >
        <IconX className="i i-s" stroke={1.75} aria-hidden="true" />
      </button>
    </div>
  );
};

/**
 * The messages that are shown right now, below the header. What comes into their box is read out, since the box was there before. Their height is known to the
 * page (`--toasts`), so that what is focused meanwhile is not under them.
 */
export const Toaster = (): ReactElement => {
  const toasts = useSyncExternalStore(onToastsChange, shownToasts, shownToasts);
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    document.documentElement.style.setProperty('--toasts', `${String(box.current?.offsetHeight ?? 0)}px`);
  });
  return (
    <div className="toasts" aria-live="polite" ref={box}>
      {toasts.map((toast) => (
        <ToastCard key={toast.id} toast={toast} />
      ))}
    </div>
  );
};
