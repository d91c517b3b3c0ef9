import type { ReactElement } from 'react';
import { Banner } from '../ui/banner.tsx';
import type { CommandState } from './use-command.ts';

/** Why a command did not succeed, until the next attempt: in the server's words where there are any. */
export const CommandFailure = ({ command: { refusal } }: { readonly command: CommandState }): ReactElement | null => (refusal === undefined ? null : <Banner kind="bad" text={refusal} />);
