import { Fragment, type ReactElement } from 'react';

/** A text in parts: where it needs a second line, that begins with one of them. */
export const Breakable = ({ parts }: { readonly parts: readonly string[] }): ReactElement => (
  <>
    {parts.map((part, index) => (
      <Fragment key={`${String(index)}${part}`}>
        {index > 0 && <wbr />}
        {part}
      </Fragment>
    ))}
  </>
);
