import type { CSSProperties, ReactElement, ReactNode } from 'react';

/** An empty court and a ball that has come to rest. No file: where the network has gone there is none to be had, just when this is shown. */
const RestingBall = (): ReactElement => (
  <svg width="176" height="77" viewBox="0 0 200 88" fill="none" aria-hidden="true">
    <g stroke="#F4F1EA" strokeWidth="1.5">
      <path d="M0 82h200" strokeOpacity=".28" />
      <path d="M0 76h200" strokeOpacity=".12" />
    </g>
    <path
      d="M6 6c16 8 26 30 32 68 6-40 20-56 34-56s26 18 32 56c5-26 14-36 24-36s17 12 22 36"
      stroke="#8F9BAA"
      strokeWidth="2"
      strokeDasharray="1 7"
      strokeLinecap="round"
    />
    <g transform="translate(158 56)" stroke="#FF7A1F">
      <circle cx="12" cy="12" r="13" fill="#181D25" strokeWidth="2" />
      <path d="M-1 12h26M12-1v26M3 3c5 5 5 13 0 18M21 3c-5 5-5 13 0 18" strokeWidth="1.6" />
    </g>
  </svg>
);

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
    <RestingBall />
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
export const Spinner = (): ReactElement => (
  <output className="loading">
    <svg className="ring" viewBox="0 0 40 40" fill="none" stroke="currentColor" strokeWidth="2.5" aria-hidden="true">
      <circle cx="20" cy="20" r="17" />
      <path d="M3 20h34M20 3v34M8 8c7 7 7 17 0 24M32 8c-7 7-7 17 0 24" />
    </svg>
    <span>Loading...</span>
  </output>
);
