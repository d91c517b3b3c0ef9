import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Endpoint } from '@courtledger/contracts/kernel/endpoint';
import { DomainError } from '@courtledger/contracts/kernel/errors';
import express, { type ErrorRequestHandler, type Request, type Response, type Router } from 'express';
import type { Bound } from './call.ts';
import type { Pipeline } from './endpoint-call.ts';
import { sendAnswer } from './endpoint-answer.ts';
import type { FlatHeaders } from './headers.ts';
import { corsHeaders } from './same-origin.ts';

/** An endpoint that is no question with one answer but a stream of events: it writes to the response itself. */
export type BoundStream = { readonly endpoint: Endpoint; readonly open: (request: IncomingMessage, response: ServerResponse) => void };
export type Mounted = Bound | BoundStream;

const sortKey = (path: string): string =>
  path
    .split('/')
    .map((segment) => (segment.startsWith(':') ? '\uffff' : segment))
    .join('/');

/** Order in which paths are tried: a fixed segment before a parameter, so that `/tournaments/requests` is no tournament. */
export const bySpecificity = (left: string, right: string): number => {
  const [a, b] = [sortKey(left), sortKey(right)];
  return a < b ? -1 : a > b ? 1 : 0;
};

const paramsOf = (request: Request): Record<string, string> => {
  const params: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.params)) params[name] = Array.isArray(value) ? value.join('/') : value;
  return params;
};

/** The methods of a path as `Allow` names them: HEAD wherever GET is, OPTIONS always. */
const allowOf = (methods: readonly string[]): string => [...methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])), 'OPTIONS'].join(', ');

/**
 * Everything under `/api`: each endpoint at its method and path (a trailing slash is accepted), 405 with `Allow` for other methods, 404 as JSON for other
 * paths, never a page.
 */
export const apiRouter = (mounted: readonly Mounted[], pipeline: Pipeline, headers: FlatHeaders, allowedOrigins: readonly string[]): Router => {
  const router = express.Router({ caseSensitive: true, strict: false });
  const paths = new Map<string, Mounted[]>();
  for (const one of mounted) paths.set(one.endpoint.path, [...(paths.get(one.endpoint.path) ?? []), one]);
  const preflight =
    (allow: string) =>
    (request: Request, response: Response): void => {
      const cors = Object.entries(corsHeaders(request.headers.origin, allowedOrigins, request.headers['access-control-request-method'] !== undefined)).flat();
      sendAnswer(request, response, { status: 204, headers: [...headers, 'Allow', allow, 'Cache-Control', 'no-store', ...cors], body: undefined });
    };
  for (const path of [...paths.keys()].toSorted(bySpecificity)) {
    const here = paths.get(path) ?? [];
    const allow = allowOf(here.map((one) => one.endpoint.method));
    // Mounted at the root, with the whole path: below `use('/api', …)` Express shortens `request.url`, and both doors must see the same one.
    const route = router.route(`/api${path}`);
    for (const one of here) {
      const handle = (request: Request, response: Response): void => {
        if ('open' in one) one.open(request, response);
        else void pipeline.serve(one, request, response, paramsOf(request));
      };
      switch (one.endpoint.method) {
        case 'GET':
          // Express answers HEAD by the same route.
          route.get(handle);
          break;
        case 'POST':
          route.post(handle);
          break;
        case 'PUT':
          route.put(handle);
          break;
        case 'DELETE':
          route.delete(handle);
          break;
        default:
          one.endpoint.method satisfies never;
      }
    }
    route.options(preflight(allow));
    route.all((request, response) => {
      pipeline.fail(new DomainError('method-not-allowed', `This address takes ${allow.replace(/, OPTIONS$/, '')}`), 'unknown', request, response, [
        'Allow',
        allow,
      ]);
    });
  }
  router.use('/api', (request: Request, response: Response) => {
    pipeline.fail(new DomainError('not-found', 'There is no such address'), 'unknown', request, response);
  });
  const failed: ErrorRequestHandler = (error: unknown, request, response, _next) => {
    // An id with broken percent signs is an id that nothing has.
    pipeline.fail(error instanceof URIError ? new DomainError('not-found', 'There is no such address') : error, 'unknown', request, response);
  };
  router.use('/api', failed);
  return router;
};
