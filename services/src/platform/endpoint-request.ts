import type { IncomingMessage } from 'node:http';
import { nothing } from '@courtledger/contracts/kernel/answers';
import type { Endpoint } from '@courtledger/contracts/kernel/endpoint';
import { DomainError, type FieldError } from '@courtledger/contracts/kernel/errors';
import { parsePosition } from '@courtledger/contracts/kernel/event';
import { fieldErrors, inFieldOrder } from '@courtledger/contracts/kernel/fields';
import type { z } from 'zod';

const malformed = (message: string): DomainError => new DomainError('malformed', message);

const one = (request: IncomingMessage, name: string): string | undefined => {
  const value = request.headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
};

/** The `Idempotency-Key` of a write: 1 to 200 visible ASCII characters. @throws DomainError `malformed` */
export const idempotencyKeyOf = (request: IncomingMessage): string | undefined => {
  const key = one(request, 'idempotency-key');
  if (key === undefined || /^[\x21-\x7e]{1,200}$/.test(key)) return key;
  throw malformed('Idempotency-Key must be 1 to 200 visible ASCII characters');
};

/** The position that an answer must have reached (`X-Min-Position`). @throws DomainError `malformed` */
export const minPositionOf = (request: IncomingMessage): bigint | undefined => {
  const text = one(request, 'x-min-position');
  if (text === undefined) return undefined;
  const position = parsePosition(text);
  if (position === undefined) throw malformed('X-Min-Position must be a position, in decimal digits');
  return position;
};

/** What a query string says under a name: a text, or a list when the name is repeated, which every schema of a single text refuses. */
export type Query = Readonly<Record<string, string | readonly string[]>>;

/** The query string by name. Never an object with a prototype of the caller's making. */
export const queryOf = (url: string): Query => {
  const query = Object.create(null) as Record<string, string | string[]>;
  const start = url.indexOf('?');
  if (start === -1) return query;
  for (const [name, value] of new URLSearchParams(url.slice(start + 1))) {
    const said = query[name];
    if (said === undefined) query[name] = value;
    else if (typeof said === 'string') query[name] = [said, value];
    else said.push(value);
  }
  return query;
};

/** The path as called, without query. Nor with what stands behind a `#`, which no browser sends, and the routes pass over. */
export const pathOf = (url: string): string => {
  const end = url.search(/[?#]/);
  return end === -1 ? url : url.slice(0, end);
};

/** Under which address an answer is kept: of what an endpoint does not read there is no other answer. */
export const cacheKeyOf = (endpoint: Pick<Endpoint, 'query'>, url: string): string => (endpoint.query === nothing ? pathOf(url) : url);

/** What a call brings, before its schemas have seen it. */
export type RawInput = {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly body: unknown;
  readonly missingFiles: readonly FieldError[];
};
export type ParsedInput = { readonly params: unknown; readonly query: unknown; readonly body: unknown };

/** Parses by the endpoint's schemas, telling all that is wrong at once, in the specification's order. @throws DomainError `invalid` */
export const parseInput = (endpoint: Endpoint, raw: RawInput): ParsedInput => {
  const params = endpoint.params.safeParse(raw.params);
  const query = endpoint.query.safeParse(raw.query);
  const body = endpoint.body.safeParse(raw.body);
  if (params.success && query.success && body.success && raw.missingFiles.length === 0) return { params: params.data, query: query.data, body: body.data };
  const of = (result: z.ZodSafeParseResult<unknown>): FieldError[] => (result.success ? [] : fieldErrors(result.error, endpoint.fieldOrder));
  const errors = inFieldOrder([...of(params), ...of(query), ...of(body), ...raw.missingFiles], endpoint.fieldOrder);
  throw new DomainError('invalid', errors[0]?.message ?? 'The request is not valid', { errors });
};

/** What the schema says of one text of a form alone, by its wire name: undefined where it has nothing against it, or knows no such field. */
export const refusalOfText = (endpoint: Pick<Endpoint, 'body' | 'fieldOrder'>, name: string, text: string): FieldError | undefined => {
  const [, parent, child] = /^([^[\]]+)\[([^[\]]+)\]$/.exec(name) ?? [];
  const body = endpoint.body.safeParse(parent === undefined || child === undefined ? { [name]: text } : { [parent]: { [child]: text } });
  return body.success ? undefined : fieldErrors(body.error, endpoint.fieldOrder).find(({ path }) => path === name);
};
