import { Fragment, type ReactElement } from 'react';

/** An amount, or the text that stands in its place. Where it needs a second line, it goes on after a comma of its groups. */
export const Amount = ({ text }: { readonly text: string }): ReactElement => (
  <>
    {text.split(/(?<=,)/).map((group, index) => (
      <Fragment key={`${String(index)}${group}`}>
        {index > 0 && <wbr />}
        {group}
      </Fragment>
    ))}
  </>
);
