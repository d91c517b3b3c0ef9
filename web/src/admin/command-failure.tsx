import type { ReactElement } from 'react';
import { Banner } from '../ui/banner.tsx';
import type { CommandState } from './use-command.ts';

/** Why a command did not succeed, until the next attempt: in the server's words where there are any. */
export const CommandFailure = ({ command: { failure } }: { readonly command: CommandState }): ReactElement | null => (failure ? <Banner kind="bad" text={failure.message || 'Something went wrong'} /> : null);
