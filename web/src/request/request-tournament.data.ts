import type { RequestCreated } from '@courtledger/contracts/request/request.answers';
import { apiSend } from '../lib/api-client.ts';
import type { RequestFields } from './request-tournament.rules.ts';

/** `POST /tournaments/requests`. Throws `ApiError`. */
export const requestTournament = (request: RequestFields, poster: File | undefined, key: string): Promise<RequestCreated> => {
  const form = new FormData();
  for (const [name, value] of Object.entries(request)) form.append(name, value);
  if (poster) form.append('poster', poster, poster.name);
  return apiSend<RequestCreated>('POST', '/tournaments/requests', form, { idempotencyKey: key });
};
