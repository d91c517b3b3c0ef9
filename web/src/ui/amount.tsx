import type { ReactElement } from 'react';
import { Breakable } from './breakable.tsx';

/** An amount, or the text that stands in its place. Where it needs a second line, it goes on after a comma of its groups. */
export const Amount = ({ text }: { readonly text: string }): ReactElement => <Breakable parts={text.split(/(?<=,)/)} />;
