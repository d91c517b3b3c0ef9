import { IconX } from '@tabler/icons-react';
import { useCallback, useRef, useState, type FocusEvent, type ReactElement, type ReactNode } from 'react';
import { useBackCloses } from '../lib/back-closes.ts';
import { staffRole } from '../lib/session.ts';
import { lazyPart, type PartQuery } from '../ui/lazy-part.tsx';
import { Spinner } from '../ui/states.tsx';
import type { TraceQuestion } from './audit.data.ts';
import { QueryState } from './query-state.tsx';
import './why.css';

const focusOn = (heading: HTMLElement | null): void => heading?.focus();

/** In the place of the entries, when what shows them did not come: read out from its heading on, as they are. */
const TraceAway = ({ query, onClose }: { readonly query: PartQuery; readonly onClose: () => void }): ReactElement => (
  <section className="card why__away" aria-label="Entries behind a number">
    <div className="why__h">
      <h4 ref={focusOn} tabIndex={-1}>
        Why this number?
      </h4>
      <button type="button" className="iconbtn" aria-label="Close the entries" onClick={onClose}>
        <IconX className="i" stroke={1.75} aria-hidden="true" />
      </button>
    </div>
    <QueryState query={query} />
  </section>
);

// Only admins and super admins ever open it: the public pages do not carry it.
const TracePanel = lazyPart(
  async () => (await import('./trace-panel.tsx')).TracePanel,
  (query, { onClose }) => (query.isPending ? <Spinner /> : <TraceAway query={query} onClose={onClose} />),
);

/** Mantine's dialogs leave Escape alone where this stands on what has the focus. */
const ownsEscape = ({ target }: FocusEvent): void => {
  target.setAttribute('data-mantine-stop-propagation', 'true');
};

/** Escape in the entries closes them, and not the dialog around them as well; so does Back. */
const EscapeCloses = ({ onClose, children }: { readonly onClose: () => void; readonly children: ReactNode }): ReactElement => {
  useBackCloses(onClose, { within: true });
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- whatever has the focus in it hears the key; a press beside that focuses the frame
    <div
      tabIndex={-1}
      onFocus={ownsEscape}
      onKeyDown={({ key }) => {
        if (key === 'Escape') onClose();
      }}
    >
      {children}
    </div>
  );
};

/** Asks for the entries behind a number. */
export type Why = (question: TraceQuestion) => void;

/**
 * 'Why is this 27?' for the admins and super admins among those who read a page: `why` opens the entries behind a number in `panel`, and is undefined for
 * everybody else. Closed, the focus goes back to the number.
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
    // Whoever has logged in again meanwhile has other buttons.
    const number = opener.current instanceof HTMLElement && opener.current.isConnected ? opener.current : document.querySelector('main');
    number?.focus();
  };
  return {
    why: staffRole() === undefined ? undefined : why,
    panel: asked ? (
      <EscapeCloses onClose={close}>
        <TracePanel key={JSON.stringify(asked)} question={asked} onClose={close} />
      </EscapeCloses>
    ) : null,
  };
};

type TracedProps<Question> = {
  /** Opens the entries; without it the number is plain. */
  readonly onWhy: ((question: Question) => void) | undefined;
  /** Which entries. */
  readonly asked: NoInfer<Question>;
  /** Says the number and whose it is. */
  readonly label: string;
  readonly children: ReactNode;
};

/** A number that opens its entries, for those who may see them. */
export const Traced = <Question,>({ onWhy, asked, label, children }: TracedProps<Question>): ReactElement =>
  onWhy ? (
    <button
      type="button"
      className="whybtn"
      aria-label={label}
      onClick={() => {
        onWhy(asked);
      }}
    >
      {children}
    </button>
  ) : (
    <>{children}</>
  );
