import { IconAlertTriangle, IconCircleCheck, IconLock } from '@tabler/icons-react';
import type { ReactElement, ReactNode, Ref } from 'react';

const kinds = {
  warn: { className: 'banner banner--warn', Icon: IconLock },
  bad: { className: 'banner banner--bad', Icon: IconAlertTriangle },
  ok: { className: 'banner banner--ok', Icon: IconCircleCheck },
} as const;

type BannerProps = {
  readonly kind: keyof typeof kinds;
  readonly text: string;
  /** A second line: what the server added. */
  readonly children?: ReactNode;
  readonly className?: string;
  /** Whoever holds it can focus the banner. */
  readonly ref?: Ref<HTMLDivElement>;
};

/** For a message that answers what somebody just did: brought into view as it appears, as far as needed, and at once. */
export const bringIntoView = (banner: HTMLDivElement | null): void => {
  banner?.scrollIntoView({ block: 'nearest' });
};

/** A message that stays in the page. Errors and successes are read out as they appear. */
export const Banner = ({ kind, text, children, className = '', ref }: BannerProps): ReactElement => {
  const { className: own, Icon } = kinds[kind];
  return (
    <div
      className={`${own} ${className}`.trim()}
      {...(ref !== undefined && { ref, tabIndex: -1 })}
      {...(kind === 'bad' && { role: 'alert' })}
      {...(kind === 'ok' && { role: 'status' })}
    >
      <Icon className="i" stroke={1.75} aria-hidden="true" />
      <div>
        <span>{text}</span>
        {children}
      </div>
    </div>
  );
};
