import { request as send, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Endpoint } from '@courtledger/contracts/kernel/endpoint';
import { DomainError } from '@courtledger/contracts/kernel/errors';
import express from 'express';
import { z } from 'zod';
import { AnswerCache } from '../answer-cache.ts';
import { createPipeline, type PipelineDeps } from '../endpoint-call.ts';
import { apiRouter, type Mounted } from '../endpoint-mount.ts';
import { createFastDoor } from '../fast-door.ts';
import { securityHeaders } from '../headers.ts';
import { createHttpServer, type HttpServer, type ServerLimits } from '../server.ts';
import type { LogFields, Logger } from '../logger.ts';
import { silentLogger } from './silent-logger.ts';

type Toy = Endpoint<z.ZodType<Record<string, string>>>;

/** An endpoint with defaults: a test states what matters to it. */
export const toyEndpoint = <const E extends Partial<Endpoint>>(given: E): Toy & E => {
  const toy: Toy = {
    name: 'getToy',
    kind: 'read',
    method: 'GET',
    path: '/toys/:id',
    summary: 'A toy.',
    access: 'public',
    params: z.record(z.string(), z.string()),
    query: z.object({}),
    bodyKind: 'none',
    body: z.object({}),
    files: {},
    fieldOrder: [],
    status: 200,
    response: z.unknown(),
  };
  return { ...toy, ...given };
};

export type Reply = { readonly status: number; readonly headers: IncomingHttpHeaders; readonly bytes: Buffer; readonly text: string; json(): unknown };

/** One request over HTTP, exactly as said: no header is added but Host. */
export const ask = async (
  port: number,
  method: string,
  path: string,
  headers: Record<string, string | string[]> = {},
  body?: string | Buffer,
): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const outgoing = send(
      {
        host: '127.0.0.1',
        port,
        method,
        path,
        headers: {
          ...headers,
          ...(body !== undefined &&
            headers['content-length'] === undefined &&
            headers['transfer-encoding'] === undefined && { 'content-length': String(Buffer.byteLength(body)) }),
        },
        agent: false,
      },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.once('error', reject);
        incoming.once('end', () => {
          const bytes = Buffer.concat(chunks);
          resolve({
            status: incoming.statusCode ?? 0,
            headers: incoming.headers,
            bytes,
            text: bytes.toString('utf8'),
            json: () => JSON.parse(bytes.toString('utf8')) as unknown,
          });
        });
      },
    );
    outgoing.once('error', reject);
    outgoing.end(body);
  });

export type ToyGate = {
  readonly port: number;
  readonly server: HttpServer;
  /** The read model's place; tests move it. */
  readonly model: { position: bigint; today: string };
  readonly lines: (LogFields & { event: string })[];
  readonly hotReads: string[];
  readonly refused: string[];
  readonly refunds: (string | undefined)[];
  readonly cache: AnswerCache;
  close(): Promise<void>;
};

/** Admins are who sends `Bearer admin`, registrants who sends the cookie `cl_reg_<team>`; nothing is throttled but `request`. */
const toyAuth: PipelineDeps['auth'] = {
  authenticate(request, endpoint, teamId) {
    if (endpoint.access === 'public') return { role: 'visitor' };
    if (request.headers.authorization === 'Bearer admin') return { role: 'admin', id: 'a1', name: 'Asha', jti: 'j', expires: 1 };
    if (typeof teamId === 'string' && request.headers.cookie === `cl_reg_${teamId}=x`) return { role: 'registrant', teamId };
    throw new DomainError('unauthenticated', 'Please log in');
  },
  restsOn: () => undefined,
  expectCredential(request) {
    if (request.headers.authorization === undefined && request.headers.cookie === undefined) throw new DomainError('unauthenticated', 'Please log in');
  },
};

/** Both doors over toy endpoints, on a port of the system's choosing. */
export const openToyGate = async (mounted: readonly Mounted[], more: Partial<PipelineDeps> & { limits?: ServerLimits } = {}): Promise<ToyGate> => {
  const model = { position: 7n, today: '2026-11-21' };
  const waiting: { position: bigint; resolve: (reached: boolean) => void }[] = [];
  const lines: (LogFields & { event: string })[] = [];
  const hotReads: string[] = [];
  const refused: string[] = [];
  const refunds: (string | undefined)[] = [];
  const logger: Logger = {
    ...silentLogger,
    info: (event, fields) => lines.push({ event, ...fields }),
    warn: (event, fields) => lines.push({ event, ...fields }),
    error: (event, _error, fields) => lines.push({ event, ...fields }),
  };
  const cache = new AnswerCache();
  const { pages } = securityHeaders({ publicUrl: undefined });
  let ids = 0;
  const deps: PipelineDeps = {
    clock: { now: () => Date.parse('2026-11-21T10:00:00Z'), monotonic: () => performance.now() },
    logger,
    metrics: { countRequest: () => {} },
    reads: {
      position: () => model.position,
      waitFor: async (position, timeoutMs) => {
        const { promise, resolve } = Promise.withResolvers<boolean>();
        waiting.push({ position, resolve });
        const timer = setTimeout(() => resolve(false), timeoutMs);
        const reached = await promise;
        clearTimeout(timer);
        return reached;
      },
    },
    cache,
    auth: toyAuth,
    throttle: {
      enter(kind) {
        if (kind === 'request') throw new DomainError('throttled', 'Too many requests', { retryAfter: 30 });
        return { succeeded() {}, refund: () => refunds.push(kind) };
      },
    },
    refusals: { record: ({ endpoint, code }) => refused.push(`${endpoint} ${code}`) },
    uploads: {
      receive: async () => {
        throw new DomainError('malformed', 'No forms here');
      },
    },
    addressOf: () => '127.0.0.1',
    knowsEntry: () => false,
    isSecure: () => false,
    headers: pages,
    allowedOrigins: [],
    publicOrigin: undefined,
    behindProxy: false,
    today: () => model.today,
    newId: () => `id-${(ids += 1)}`,
    ...more,
  };
  const pipeline = createPipeline(deps);
  const app = express().disable('x-powered-by').disable('etag');
  app.use(apiRouter(mounted, pipeline, pages, deps.allowedOrigins));
  const bound = mounted.filter((one) => 'handle' in one);
  const fastDoor = createFastDoor({
    bound,
    pipeline,
    reads: deps.reads,
    cache,
    today: deps.today,
    metrics: { countHotRead: (endpoint, status) => hotReads.push(`${endpoint} ${status}`) },
    logger,
    allowsOrigins: deps.allowedOrigins.length > 0,
  });
  const server = createHttpServer((request, response) => {
    if (!fastDoor(request, response)) app(request, response);
  }, more.limits);
  await server.listen({ host: '127.0.0.1', port: 0 });
  const moving = {
    get position() {
      return model.position;
    },
    set position(position: bigint) {
      model.position = position;
      for (const waiter of waiting.splice(0)) waiter.resolve(waiter.position <= position);
    },
    get today() {
      return model.today;
    },
    set today(today: string) {
      model.today = today;
    },
  };
  return {
    port: (server.server.address() as AddressInfo).port,
    server,
    model: moving,
    lines,
    hotReads,
    refused,
    refunds,
    cache,
    close: async () => server.stop(1000),
  };
};
