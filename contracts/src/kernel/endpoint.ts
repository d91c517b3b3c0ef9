import type { z } from 'zod';

/**
 * Who may call (api-contract, 'Who is calling'). One table in services derives binding and test matrix from it.
 * `registrant`: the registrant of the team named by `teamOf`, or an admin.
 */
export type Access = 'public' | 'registrant' | 'admin' | 'superadmin';

/** What a file field accepts. `image`: JPEG or PNG, decoded and re-encoded; `document`: pdf, jpg, jpeg, png, encrypted at rest. */
export type FileRule = {
  readonly kind: 'image' | 'document';
  /** Inclusive, in bytes. */
  readonly maxBytes: number;
  readonly required: boolean;
  /** What is answered when a required file is absent (400). */
  readonly missing: string;
  /** What is answered when it is too large (413) or not decodable (415). */
  readonly refused: string;
  /** Longest edge in pixels that is kept. */
  readonly maxEdge?: number;
};

export type BodyKind = 'none' | 'json' | 'multipart' | 'json-or-multipart';

/**
 * An endpoint as data: everything that both sides, the binder, the access table, the tests and OpenAPI need.
 * `path` is relative to `/api`, with `:name` parameters. Every endpoint stands in exactly one `<feature>.api.ts` and in `all-endpoints.ts`.
 */
export type Endpoint<
  P extends z.ZodType = z.ZodType,
  Q extends z.ZodType = z.ZodType,
  B extends z.ZodType = z.ZodType,
  R extends z.ZodType = z.ZodType,
  F extends string = string,
> = {
  /** Verb first: the same name in contract, decider, query, hook and test. */
  readonly name: string;
  readonly kind: 'read' | 'command';
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly summary: string;
  readonly access: Access;
  /** It tells whether a login is one of this role: any other caller is answered 401, never 403, since a client goes to the login page on 401 alone. */
  readonly checksLogin?: boolean;
  /** For `registrant`: where the team's id stands in the body (or file-carrying form). */
  readonly teamOf?: string;
  readonly throttle?: 'login' | 'registration' | 'request';
  readonly params: P;
  readonly query: Q;
  readonly bodyKind: BodyKind;
  readonly body: B;
  readonly files: Readonly<Record<F, FileRule>>;
  /**
   * Wire names of fields and files in the order in which the specification checks them: `errors` come in it, and `message` is the first.
   * See `fieldErrors` and `inFieldOrder` in `fields.ts`.
   */
  readonly fieldOrder: readonly string[];
  /** The success status. */
  readonly status: 200 | 201 | 204;
  /**
   * Refusals that do not follow from the rest: 404 where body or query names what may be missing, 409 of a read that asks what a command would do, 429 where a
   * costly hash is made.
   */
  readonly refusals?: readonly (404 | 409 | 429)[];
  /** Schema of the success body: answers are parsed by it in tests. */
  readonly response: R;
  /** Anything but JSON: `text/csv`, a file, a file of whatever type it has, server-sent events. */
  readonly produces?: 'application/json' | 'text/csv' | 'text/event-stream' | 'application/octet-stream' | '*/*' | 'text/html';
  /**
   * A read whose answer is private: `Cache-Control: no-store`, never in the shared cache of answers. Everything that is not public is, and a public one that
   * must be asked for anew each time.
   */
  readonly private?: boolean;
  /** A read whose answer depends on the calendar day in Asia/Kathmandu: part of its cache key. */
  readonly daily?: boolean;
};

export type ParamsOf<E extends Endpoint> = z.output<E['params']>;
export type QueryOf<E extends Endpoint> = z.output<E['query']>;
export type BodyOf<E extends Endpoint> = z.output<E['body']>;
export type ResponseOf<E extends Endpoint> = z.output<E['response']>;
export type FilesOf<E extends Endpoint> = keyof E['files'] & string;

/** Writes an endpoint down with its exact types (name, files, schemas). */
export const defineEndpoint = <const E extends Endpoint>(endpoint: E): E => endpoint;
