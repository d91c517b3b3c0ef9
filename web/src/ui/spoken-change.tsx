import { useState, type ReactElement } from 'react';

/** Says a text out loud each time it changes while the page is open: not as it is found there, but also when it is again what it was then. */
export const SpokenChange = ({ text }: { readonly text: string }): ReactElement => {
  const [heard, setHeard] = useState({ text, changed: false });
  if (heard.text !== text) setHeard({ text, changed: true });
  return (
    <p className="sr" aria-live="polite">
      {heard.changed ? text : ''}
    </p>
  );
};
