import type { ComponentType } from 'react';
import { failureText } from '../lib/api-client.ts';
import { lazyPart } from '../ui/lazy-part.tsx';
import { Spinner } from '../ui/states.tsx';
import { AbsentPage } from './not-found-page.tsx';

/** A page that is fetched when its route is opened. */
export const lazyPage = (load: () => Promise<ComponentType>): ComponentType =>
  lazyPart(load, ({ error, refetch }) => (error ? <AbsentPage title={failureText(error, '')} onRetry={refetch} /> : <Spinner />));
