import type { CSSProperties, ReactElement, ReactNode } from 'react';
import empty from '../assets/empty.svg';

/** Nothing to show, in the specification's words, with one way on at most. */
export const EmptyState = ({
  text,
  heading = false,
  children,
}: {
  readonly text: string;
  /** The sentence is the heading of its page. */
  readonly heading?: boolean;
  readonly children?: ReactNode;
}): ReactElement => (
  <div className="card empty">
    <img src={empty} alt="" width="176" height="77" />
    {heading ? <h1>{text}</h1> : <b>{text}</b>}
    {children}
  </div>
);

/** One bar of a skeleton; sizes in CSS pixels or any CSS length. */
export const Bone = ({
  width,
  height,
  round = false,
}: {
  readonly width: number | string;
  readonly height: number;
  readonly round?: boolean;
}): ReactElement => {
  const style: CSSProperties = { width, height, ...(round && { borderRadius: '50%' }) };
  return <span className="sk" style={style} />;
};

/** A ring of the ball's seams, with its text. */
export const Spinner = ({ text = 'Loading...' }: { readonly text?: string }): ReactElement => (
  <output className="loading">
    <svg className="ring" viewBox="0 0 40 40" fill="none" stroke="currentColor" strokeWidth="2.5" aria-hidden="true">
      <circle cx="20" cy="20" r="17" />
      <path d="M3 20h34M20 3v34M8 8c7 7 7 17 0 24M32 8c-7 7-7 17 0 24" />
    </svg>
    <span>{text}</span>
  </output>
);
