import type { RequestCreated } from '@courtledger/contracts/request/request.answers';
import type { QueryClient } from '@tanstack/react-query';
import { apiSend, type FieldFault } from '../lib/api-client.ts';
import type { RequestFields } from './request-tournament.rules.ts';

/** `POST /tournaments/requests`. Throws `ApiError`. */
export const requestTournament = (request: RequestFields, poster: File | undefined, key: string): Promise<RequestCreated> => {
  const form = new FormData();
  for (const [name, value] of Object.entries(request)) form.append(name, value);
  if (poster) form.append('poster', poster, poster.name);
  return apiSend<RequestCreated>('POST', '/tournaments/requests', form, { idempotencyKey: key });
};

/**
 * What has become of a request that was sent; 'refused' when it waited for a poster that cannot be sent. `unanswered`: it failed, and may have been recorded
 * all the same.
 */
export type Sent = 'recorded' | 'refused' | { readonly faults: readonly FieldFault[]; readonly unanswered: boolean };

type Unsent = {
  readonly request: RequestFields;
  readonly poster: File | undefined;
  readonly key: string;
  /** Sent under that key, and no word of what became of it. */
  readonly unanswered: boolean;
  /** It is on its way. */
  readonly sending?: Promise<Sent>;
};
const unsent = ['unsent-request'] as const;

/**
 * What was typed, and is not known to have arrived, before another page of the site was opened: kept in memory alone, as long as the site is open in this tab.
 */
export const recallUnsent = (client: QueryClient): Unsent | undefined => client.getQueryData(unsent);

/** @param typed undefined when there is nothing to lose any more */
export const keepUnsent = (client: QueryClient, typed: Unsent | undefined): void => {
  client.setQueryDefaults(unsent, { gcTime: Infinity });
  if (typed) client.setQueryData(unsent, typed);
  else client.removeQueries({ queryKey: unsent });
};
