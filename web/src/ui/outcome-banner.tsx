import { useEffect, useRef, type ReactElement, type ReactNode } from 'react';
import { Banner, bringIntoView } from './banner.tsx';

export type Outcome = { readonly kind: 'ok' | 'bad'; readonly text: string };

type OutcomeBannerProps = {
  /** A new object for each attempt, also where the text is the same. */
  readonly outcome: Outcome;
  readonly children?: ReactNode;
  readonly className?: string;
};

/**
 * What became of a form, at its top: brought into view, because on a phone the button that was pressed is far below it. The next thing to do after a
 * failure is at the button or at a field (which is focused after this, and wins), and an alert is read out; after a success there is nothing left to do
 * there, so the focus comes along: a status that has just been put into the page is not read out everywhere.
 */
export const OutcomeBanner = ({ outcome, children, className = '' }: OutcomeBannerProps): ReactElement => {
  const banner = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // As far as needed, and at once: nothing moves for those who asked for stillness. What covers the top is kept clear by `scroll-padding-top`.
    bringIntoView(banner.current);
    if (outcome.kind === 'ok') banner.current?.focus({ preventScroll: true });
  }, [outcome]);
  return (
    <Banner kind={outcome.kind} text={outcome.text} className={className} ref={banner}>
      {children}
    </Banner>
  );
};
