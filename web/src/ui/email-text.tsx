import { Fragment, type ReactElement } from 'react';

/** An e-mail address to be read: where a line has no room for the whole of it, the next one begins with its @, and no word is broken. */
export const EmailText = ({ address }: { readonly address: string }): ReactElement => (
  <>
    {address.split(/(?=@)/).map((part, index) => (
      <Fragment key={part}>
        {index > 0 && <wbr />}
        {part}
      </Fragment>
    ))}
  </>
);
