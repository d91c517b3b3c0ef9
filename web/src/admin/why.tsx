import { Suspense, lazy, useCallback, useRef, useState, type ReactElement, type ReactNode } from 'react';
import { staffRole } from '../lib/session.ts';
import { Spinner } from '../ui/states.tsx';
import type { TraceQuestion } from './audit.data.ts';
import './why.css';

// Only admins and super admins ever open it: the public pages do not carry it.
const TracePanel = lazy(async () => ({ default: (await import('./trace-panel.tsx')).TracePanel }));

/** Asks for the entries behind a number. */
export type Why = (question: TraceQuestion) => void;

/**
 * 'Why is this 27?' for the admins and super admins among those who read a page: `why` opens the entries behind a number in `panel`, and is undefined for everybody else. Closed, the focus goes back to the number.
 */
export const useWhy = (): { readonly why: Why | undefined; readonly panel: ReactElement | null } => {
  const [asked, setAsked] = useState<TraceQuestion>();
  const opener = useRef<Element>(null);
  const why = useCallback((question: TraceQuestion) => {
    opener.current = document.activeElement;
    setAsked(question);
  }, []);
  const close = (): void => {
    setAsked(undefined);
    if (opener.current instanceof HTMLElement) opener.current.focus();
  };
  return {
    why: staffRole() === undefined ? undefined : why,
    panel: asked ? (
      <Suspense fallback={<Spinner />}>
        <TracePanel key={JSON.stringify(asked)} question={asked} onClose={close} />
      </Suspense>
    ) : null,
  };
};

/** A number that opens its entries, where there is a `onWhy`. @param label says the number and whose it is */
export const Traced = ({ onWhy, label, children }: { readonly onWhy: (() => void) | undefined; readonly label: string; readonly children: ReactNode }): ReactElement =>
  onWhy ? (
    <button type="button" className="whybtn" aria-label={label} onClick={onWhy}>
      {children}
    </button>
  ) : (
    <>{children}</>
  );
