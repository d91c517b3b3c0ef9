import type { ReactElement } from 'react';
import { Breakable } from './breakable.tsx';

/** An e-mail address to be read: where a line has no room for the whole of it, the next one begins with its @, and no word is broken. */
export const EmailText = ({ address }: { readonly address: string }): ReactElement => <Breakable parts={address.split(/(?=@)/)} />;
