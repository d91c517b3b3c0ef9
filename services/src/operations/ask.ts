import type { Endpoint, ResponseOf } from '@courtledger/contracts/kernel/endpoint';
import { succeed, type ControlClient } from './control-client.ts';

export type Asked = {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly body?: object;
};

/** Calls an endpoint of the contracts as the operator. @throws ControlRefusal with the server's own text */
export const ask = async <E extends Endpoint>(client: ControlClient, endpoint: E, { params = {}, query = {}, body }: Asked = {}): Promise<ResponseOf<E>> => {
  const path = endpoint.path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as [string, string]])),
  ).toString();
  const answer = await succeed(
    client.call(endpoint.method, `/api${path}${search === '' ? '' : `?${search}`}`, body ?? (endpoint.bodyKind === 'json' ? {} : undefined)),
  );
  return answer.json() as ResponseOf<E>;
};
