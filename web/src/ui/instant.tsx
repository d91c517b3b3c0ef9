import type { ReactElement } from 'react';
import { formatInstant } from '../lib/format.rules.ts';
import { useNow } from '../lib/use-now.ts';

/** When something was recorded. */
export const Instant = ({ at }: { readonly at: string }): ReactElement => <time dateTime={at}>{formatInstant(at, useNow())}</time>;
