import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { DomainError } from '@courtledger/contracts/kernel/errors';
import type { HealthAnswer, ReadyAnswer } from '@courtledger/contracts/kernel/health.api';
import type { PageHead } from '@courtledger/contracts/kernel/page-head';
import { pageHeadOf } from './page-heads.ts';
import express from 'express';
import { openInstallationFolder } from './operations/backup-place.ts';
import { expectNoLogElsewhere } from './operations/log-elsewhere.ts';
import { operationsGauges, statusGauges } from './operations/operations-metrics.ts';
import { removeDeadDrills, removeStaged, removeTemporary } from './operations/leftovers.ts';
import { expectKeys } from './operations/required-keys.ts';
import { waitForDataLock, type LogLock } from './event-log/log-lock.ts';
import { assertSqliteLibrary, expectWritableFiles } from './event-log/sqlite-connection.ts';
import { logFileOf } from './event-log/log-file-name.ts';
import { expectNothingUnfinished } from './operations/unfinished.ts';
import { openControlSocket } from './platform/control-socket.ts';
import { problemAnswer, sendAnswer } from './platform/endpoint-answer.ts';
import { expectPermissions, tellForeignOwner } from './platform/folders.ts';
import { headerObject, securityHeaders } from './platform/headers.ts';
import { createLogger, type Logger } from './platform/logger.ts';
import { createMetrics } from './platform/metrics.ts';
import type { Clock } from './platform/ports.ts';
import { problemOf } from './platform/problem.ts';
import { createRequestOrigin, isLoopback } from './platform/request-origin.ts';
import { createHttpServer, type HttpServer, type ServerLimits } from './platform/server.ts';
import { staticSite } from './platform/static-site.ts';
import type { StartReason } from './platform/store-start.ts';
import { todayOf } from './platform/today.ts';
import { openProduct, type Opened, type Product, type ProductOptions } from './product.ts';
import { readinessOf } from './readiness.ts';

export type AppOptions = Pick<ProductOptions, 'config' | 'liveLimits' | 'storage' | 'passwordCost' | 'onFatal'> & {
  readonly clock?: Clock;
  readonly logger?: Logger;
  readonly limits?: ServerLimits;
  /** False: no work that nobody asked for (verifications, a rebuild that was cut off); for tools that open the product for a moment. */
  readonly background?: boolean;
  /** False: where a log that does not answer is needed to open, `open` rejects at once instead of waiting for it. */
  readonly waitForLog?: boolean;
};

export type App = {
  /** Takes connections; until `open` has resolved everything but `/healthz` and the pages is answered 503. Gives the port. */
  listen(): Promise<number>;
  /**
   * Takes DATA_DIR for this process, opens the control socket, and then log, read model and stores. Rejects when they cannot be used: LogInUse when another
   * process has DATA_DIR.
   */
  open(): Promise<Opened>;
  /** What `/readyz` answers. */
  readiness(): ReadyAnswer;
  readonly httpServer: HttpServer;
  /** Stops within `graceMs`: finishes what is in flight, refuses what is new, closes the files. */
  close(graceMs?: number): Promise<void>;
};

export const systemClock: Clock = { now: () => Date.now(), monotonic: () => performance.now() };

/** How long the start of a server waits for a tool that has DATA_DIR, in ms. */
const toolPatience = 2500;

/** The whole server, without a process around it: `main.ts` adds that, tests call it in-process. */
export const createApp = (options: AppOptions): App => {
  const { config } = options;
  const clock = options.clock ?? systemClock;
  const logger = options.logger ?? createLogger(config.logLevel);
  const headers = securityHeaders(config);
  const origin = createRequestOrigin(config);
  const today = todayOf(clock);
  let running: Product | undefined;
  let readCount = 0;
  let controlServer: HttpServer | undefined;
  let lock: LogLock | undefined;
  let waitsFor: { readonly reason: StartReason; readonly detail?: string } = { reason: 'it opens its data' };
  const onWait = (reason: StartReason, detail?: string): void => {
    waitsFor = { reason, ...(detail !== undefined && { detail }) };
  };
  const closing = new AbortController();

  const metrics = createMetrics(
    {
      position: () => Number(running?.store.reads.position() ?? Number.NaN),
      // What a log that does not answer, or another one, has by now is not known.
      head: () =>
        running === undefined || (config.store.kind === 'eventstoredb' && running.store.refusal() !== undefined) ? Number.NaN : Number(running.store.head()),
      parkedStreams: () => running?.store.projected().parked ?? 0,
      ready: () => readiness().status === 'ready',
      liveConnections: () => running?.live.connections ?? 0,
    },
    operationsGauges(
      () => running?.operations,
      () => clock.now(),
    ),
    statusGauges(async () => running?.operations.status()),
  );

  const respond = (request: IncomingMessage, response: ServerResponse, status: number, body: HealthAnswer | ReadyAnswer): void =>
    sendAnswer(request, response, {
      status,
      headers: [...headers.pages, 'Content-Type', 'application/json; charset=utf-8', 'Cache-Control', 'no-store'],
      body: JSON.stringify(body),
    });

  const readiness = (): ReadyAnswer => readinessOf({ kind: config.store.kind, opened: running, waitsFor: waitsFor.reason });

  /** A page is sent without a title of its own rather than not at all. */
  const headOf = (path: string, query: URLSearchParams): PageHead | undefined => {
    const store = running?.store;
    if (store === undefined) return undefined;
    try {
      return pageHeadOf(store.reader(), path, query);
    } catch (error) {
      logger.warn('the head of a page could not be read', { reason: String(error) });
      return undefined;
    }
  };
  const site = staticSite({
    webDir: config.webDir,
    media: () => running?.media,
    headers,
    metrics,
    firstAnswer: () => running?.firstAnswer.get(),
    headOf,
    originOf: origin.originOf,
  });
  const app = express().disable('x-powered-by').disable('etag').enable('case sensitive routing');
  app.get('/healthz', (request, response) => respond(request, response, 200, { status: 'ok' }));
  app.get('/readyz', (request, response) => {
    const ready = readiness();
    respond(request, response, ready.status === 'ready' ? 200 : 503, ready);
  });
  app.get('/metrics', async (request, response) => {
    if (isLoopback(request) || running?.isSuperAdmin(request) === true)
      response.set({ ...headerObject(headers.pages), 'Content-Type': metrics.contentType, 'Cache-Control': 'no-store' }).end(await metrics.text());
    else if (running === undefined) response.status(503).end();
    else running.pipeline.fail(new DomainError('not-found', 'There is no such address'), 'unknown', request, response);
  });
  app.use((request, response, next) => {
    if (running !== undefined) running.api(request, response, next);
    else if (request.path === '/api' || request.path.startsWith('/api/')) starting(request, response, 'The site is starting. Please try again soon.');
    else next();
  });
  app.use(site);

  const starting = (request: IncomingMessage, response: ServerResponse, message: string): void => {
    sendAnswer(request, response, problemAnswer(problemOf(new DomainError('unavailable', message, { retryAfter: 2 }), randomUUID()), headers.pages));
  };

  /**
   * What no handler has answered: a page that failed, or an address that Express cannot read, for which it asks none. Its own last answer would tell where in
   * the code, and waits for the end of a request that has ended already (`optimizeEmptyRequests`).
   */
  const unanswered = (request: IncomingMessage, response: ServerResponse, error: unknown): void => {
    const requestId = randomUUID();
    if (error !== undefined) logger.error('outside the API a request failed', error, { requestId });
    if (response.headersSent) response.destroy();
    else
      sendAnswer(
        request,
        response,
        problemAnswer(problemOf(error ?? new DomainError('malformed', 'The address of the request cannot be read'), requestId), headers.pages),
      );
  };
  const byExpress = (request: IncomingMessage, response: ServerResponse): void =>
    void app(request as express.Request, response as express.Response, (error: unknown) => unanswered(request, response, error));

  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    if (request.method === 'GET') readCount += 1;
    if (running?.fastDoor(request, response) !== true) byExpress(request, response);
  };
  const httpServer = createHttpServer(listener, options.limits);

  const open = async (): Promise<Product> => {
    const { dataDir } = config;
    // Keys and read models are files of SQLite as well, wherever the log is.
    assertSqliteLibrary();
    openInstallationFolder(dataDir, config.backups.folder);
    // Before anything is made, removed or read that a process which has the folder may be at.
    lock = await waitForDataLock(dataDir, options.background === false ? 0 : toolPatience, closing.signal);
    expectPermissions(dataDir);
    tellForeignOwner(dataDir, logger);
    expectNothingUnfinished(config);
    expectNoLogElsewhere(config);
    controlServer = await openControlSocket(dataDir, control, logger);
    for (const name of [...removeDeadDrills(dataDir), ...removeStaged(dataDir)]) logger.warn('a copy that killed work had left was removed', { reason: name });
    for (const path of removeTemporary(dataDir, Date.now())) logger.info('a file that a killed process had left half was removed', { reason: path });
    // One that is silent is known to be away only after some seconds.
    if (config.store.kind === 'eventstoredb') onWait('it waits for the event log');
    if (config.store.kind === 'sqlite') expectWritableFiles(logFileOf(dataDir));
    const waiting = { logger, signal: closing.signal, onWait, waitForLog: options.waitForLog ?? true };
    await expectKeys(config, waiting);
    return openProduct({ ...options, ...waiting, config, clock, headers, metrics, today, origin, readsSoFar: () => readCount });
  };

  /** What a start waits for, for whoever may know about the machine. */
  const startingText = (): string =>
    `CourtLedger is starting: ${waitsFor.reason}${waitsFor.detail === undefined ? '' : ` (${waitsFor.detail})`}. Try again soon.`;

  /** Operators are answered from early in the start on. */
  const control = (request: IncomingMessage, response: ServerResponse): void => {
    if (running === undefined && request.url?.startsWith('/api/') === true) starting(request, response, startingText());
    else byExpress(request, response);
  };

  let opening: Promise<Product> | undefined;
  let closed: Promise<void> | undefined;
  const close = async (graceMs: number): Promise<void> => {
    closing.abort(new Error('The server was stopped'));
    running?.live.close();
    await Promise.all([httpServer.stop(graceMs), controlServer?.stop(graceMs)]);
    const opened = await opening?.catch(() => undefined);
    await opened?.close();
    // Opened after the others had been stopped.
    await controlServer?.stop(0);
    lock?.release();
    metrics.close();
    logger.flush();
  };

  return {
    readiness,
    httpServer,
    listen: async () => httpServer.listen({ host: config.host, port: config.port }),
    async open() {
      opening ??= open();
      try {
        running = await opening;
      } catch (error) {
        await controlServer?.stop(0);
        lock?.release();
        throw error;
      }
      if (options.background !== false) running.operations.start();
      return running;
    },
    async close(graceMs = 8000) {
      closed ??= close(graceMs);
      await closed;
    },
  };
};
