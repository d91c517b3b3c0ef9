import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { allEndpoints } from '@courtledger/contracts/kernel/all-endpoints';
import type { Endpoint } from '@courtledger/contracts/kernel/endpoint';
import { DomainError } from '@courtledger/contracts/kernel/errors';
import type { HealthAnswer, ReadyAnswer } from '@courtledger/contracts/kernel/health.api';
import { followChanges } from '@courtledger/contracts/kernel/live.api';
import { teamOfPerson } from '@courtledger/projections/operations/retention.queries';
import { listTournaments } from '@courtledger/projections/tournament/tournament.queries';
import { pageHeadOf } from './page-heads.ts';
import type { PageHead } from '@courtledger/contracts/kernel/page-head';
import express from 'express';
import { rehashPassword } from './admin/admin.routes.ts';
import { featureRoutes } from './features.ts';
import { openInstallationFolder } from './operations/backup-place.ts';
import { expectNoLogElsewhere, noteLogPlace } from './operations/log-elsewhere.ts';
import { operationsGauges, statusGauges } from './operations/operations-metrics.ts';
import { operationsRoutes } from './operations/operations.routes.ts';
import type { Operations } from './operations/operations.ts';
import { openOperationsState, recordedBreakOf } from './operations/operations-state.ts';
import { forgetDoubtfulFolds } from './operations/read-model-doubt.ts';
import { removeDeadDrills, removeStaged, removeTemporary } from './operations/leftovers.ts';
import { expectKeys } from './operations/required-keys.ts';
import { waitForDataLock, type LogLock } from './event-log/log-lock.ts';
import { assertSqliteLibrary, expectWritableFiles } from './event-log/sqlite-connection.ts';
import { entryFinder } from './operations/audit-refusals.ts';
import { expectNothingUnfinished } from './operations/unfinished.ts';
import { auditRoutes } from './operations/audit.routes.ts';
import { AnswerCache } from './platform/answer-cache.ts';
import { createAuth } from './platform/auth.ts';
import type { Bound } from './platform/call.ts';
import { createCapabilities } from './platform/capability.ts';
import { createCommandHandler, type CommandHandler } from './platform/command-handler.ts';
import type { Config } from './platform/config.ts';
import { openControlSocket } from './platform/control-socket.ts';
import { openDocumentStore } from './platform/documents.ts';
import { createPipeline, type Pipeline } from './platform/endpoint-call.ts';
import { problemAnswer, sendAnswer } from './platform/endpoint-answer.ts';
import { apiRouter, type Mounted } from './platform/endpoint-mount.ts';
import { createEventIds } from './platform/event-ids.ts';
import { createFastDoor } from './platform/fast-door.ts';
import { createFirstAnswer } from './platform/first-answer.ts';
import { expectPermissions, tellForeignOwner } from './platform/folders.ts';
import { headerObject, securityHeaders } from './platform/headers.ts';
import { serverKey } from './platform/key-file.ts';
import { createLive, type Live, type LiveLimits } from './platform/live.ts';
import { createLogger, type Logger } from './platform/logger.ts';
import { openMediaStore, type MediaStore } from './platform/media.ts';
import { createMetrics } from './platform/metrics.ts';
import { bindDocs } from './platform/openapi.ts';
import { createPasswords, type PasswordCost } from './platform/passwords.ts';
import { hasPersonKeys, openPersonVault } from './platform/person-vault.ts';
import type { Clock } from './platform/ports.ts';
import { problemOf } from './platform/problem.ts';
import { openRefusals } from './platform/refusals.ts';
import { ownHost } from './platform/same-origin.ts';
import { openSeasonKey } from './platform/season-key.ts';
import { createHttpServer, type HttpServer, type ServerLimits } from './platform/server.ts';
import { sessionRoutes } from './platform/session-routes.ts';
import { staticSite } from './platform/static-site.ts';
import { authReadsOf } from './platform/store-auth-reads.ts';
import type { StartReason } from './platform/store-start.ts';
import { openStore, type Store } from './platform/store.ts';
import { createStreamAnswers } from './platform/stream-answers.ts';
import { openSuperAdmin } from './platform/super-admin.ts';
import { clientAddress } from './platform/throttle-address.ts';
import { createStorageLimits, freeBytesOf, type StorageFigures } from './platform/throttle-storage.ts';
import { createThrottle } from './platform/throttle.ts';
import { todayOf } from './platform/today.ts';
import { createTokens } from './platform/tokens.ts';
import { createUploads } from './platform/uploads.ts';
import { readinessOf } from './readiness.ts';
import { seasonRoutes } from './tournament/season.routes.ts';
import { openUpkeep } from './upkeep.ts';

export type AppOptions = {
  readonly config: Config;
  readonly clock?: Clock;
  readonly logger?: Logger;
  readonly limits?: ServerLimits;
  readonly liveLimits?: Partial<LiveLimits>;
  /** The disk as the limits of strangers see it: its free bytes, and other figures than `storageFigures`. */
  readonly storage?: { readonly freeBytes?: () => number; readonly figures?: StorageFigures };
  /** What a password's hash costs, where it need not withstand anybody (tests make hundreds). */
  readonly passwordCost?: PasswordCost;
  /** The log cannot go on: the process should end and be started clean. */
  readonly onFatal?: (error: Error) => void;
  /** False: no work that nobody asked for (verifications, a rebuild that was cut off); for tools that open the product for a moment. */
  readonly background?: boolean;
  /** False: where a log that does not answer is needed to open, `open` rejects at once instead of waiting for it. */
  readonly waitForLog?: boolean;
};

export type App = {
  /** Takes connections; until `open` has resolved everything but `/healthz` and the pages is answered 503. Gives the port. */
  listen(): Promise<number>;
  /** Takes DATA_DIR for this process, opens the control socket, and then log, read model and stores. Rejects when they cannot be used: LogInUse when another process has DATA_DIR. */
  open(): Promise<Opened>;
  /** What `/readyz` answers. */
  readiness(): ReadyAnswer;
  readonly httpServer: HttpServer;
  /** Stops within `graceMs`: finishes what is in flight, refuses what is new, closes the files. */
  close(graceMs?: number): Promise<void>;
};

export type Opened = {
  readonly store: Store;
  readonly commands: CommandHandler;
  readonly bound: readonly Mounted[];
  readonly operations: Operations;
  /** The super admin's password when it was made just now: to be shown once. */
  readonly madePassword: { readonly id: string; readonly password: string } | undefined;
};

const version = '0.1.0';
export const systemClock: Clock = { now: () => Date.now(), monotonic: () => performance.now() };

/** What the listener needs once the stores are open. */
type Running = Opened & { readonly live: Live; readonly media: MediaStore; readonly pipeline: Pipeline; readonly fastDoor: ReturnType<typeof createFastDoor>; readonly api: express.Router; readonly isSuperAdmin: (request: IncomingMessage) => boolean; readonly firstAnswer: ReturnType<typeof createFirstAnswer>; readonly close: () => Promise<void> };

/** Every endpoint of the contracts has exactly one answer. @throws Error naming those that have none, or two */
export const expectAllBound = (mounted: readonly Mounted[], endpoints: readonly Endpoint[]): void => {
  const count = (endpoint: Endpoint): number => mounted.filter((one) => one.endpoint === endpoint).length;
  const wrong = [...endpoints.filter((endpoint) => count(endpoint) !== 1), ...mounted.map((one) => one.endpoint).filter((endpoint) => !endpoints.includes(endpoint))];
  if (wrong.length > 0 || endpoints.length === 0) throw new Error(`Not bound exactly once: ${wrong.map(({ name }) => name).join(', ')}`);
};

/** Nobody stands in between: such a request came from this machine itself. */
const isLoopback = (request: IncomingMessage): boolean =>
  ['127.0.0.1', '::1', '::ffff:127.0.0.1'].includes(request.socket.remoteAddress ?? '') && request.headers['x-forwarded-for'] === undefined && request.headers.forwarded === undefined && request.headers.via === undefined;

/** How long the start of a server waits for a tool that has DATA_DIR, in ms. */
const toolPatience = 2500;

/** The whole server, without a process around it: `main.ts` adds that, tests call it in-process. */
export const createApp = (options: AppOptions): App => {
  const { config } = options;
  const clock = options.clock ?? systemClock;
  const logger = options.logger ?? createLogger(config.logLevel);
  const headers = securityHeaders(config);
  const today = todayOf(clock);
  let running: Running | undefined;
  let readCount = 0;
  let controlServer: HttpServer | undefined;
  let lock: LogLock | undefined;
  let waitsFor: { readonly reason: StartReason; readonly detail?: string } = { reason: 'it opens its data' };
  const onWait = (reason: StartReason, detail?: string): void => {
    waitsFor = { reason, ...(detail !== undefined && { detail }) };
  };
  const closing = new AbortController();

  const metrics = createMetrics({
    position: () => Number(running?.store.reads.position() ?? Number.NaN),
    // What a log that does not answer, or another one, has by now is not known.
    head: () => (running === undefined || (config.store.kind === 'eventstoredb' && running.store.refusal() !== undefined) ? Number.NaN : Number(running.store.head())),
    parkedStreams: () => running?.store.projected().parked ?? 0,
    ready: () => readiness().status === 'ready',
    liveConnections: () => running?.live.connections ?? 0,
  }, operationsGauges(() => running?.operations, () => clock.now()), statusGauges(async () => running?.operations.status()));

  /** Without proxies a connection has one address: it is worked out once. */
  const addresses = new WeakMap<Socket, string>();
  const addressOf = (request: IncomingMessage): string => {
    const known = addresses.get(request.socket);
    if (known !== undefined) return known;
    const address = clientAddress(request.headers, request.socket.remoteAddress, config.trustProxyHops);
    if (config.trustProxyHops === 0) addresses.set(request.socket, address);
    return address;
  };
  const isSecure = (request: IncomingMessage): boolean => {
    const forwarded = config.trustProxyHops > 0 ? request.headers['x-forwarded-proto'] : undefined;
    return config.publicUrl?.protocol === 'https:' || (typeof forwarded === 'string' && forwarded.split(',').at(-1)?.trim() === 'https');
  };
  /** Where the site is seen: as configured, else as the request names it. */
  const originOf = (request: IncomingMessage): string => config.publicUrl?.origin ?? `${isSecure(request) ? 'https' : 'http'}://${ownHost(request.headers, config.trustProxyHops > 0)}`;

  const respond = (request: IncomingMessage, response: ServerResponse, status: number, body: HealthAnswer | ReadyAnswer): void =>
    sendAnswer(request, response, { status, headers: [...headers.pages, 'Content-Type', 'application/json; charset=utf-8', 'Cache-Control', 'no-store'], body: JSON.stringify(body) });

  const readiness = (): ReadyAnswer => readinessOf({ kind: config.store.kind, opened: running, waitsFor: waitsFor.reason });

  /** A page is sent without a title of its own rather than not at all. */
  const headOf = (path: string): PageHead | undefined => {
    const store = running?.store;
    if (store === undefined) return undefined;
    try {
      return pageHeadOf(store.reader(), path);
    } catch (error) {
      logger.warn('the head of a page could not be read', { reason: String(error) });
      return undefined;
    }
  };
  const site = staticSite({ webDir: config.webDir, media: () => running?.media, headers, metrics, firstAnswer: () => running?.firstAnswer.get(), headOf, originOf });
  const app = express().disable('x-powered-by').disable('etag').enable('case sensitive routing');
  app.get('/healthz', (request, response) => respond(request, response, 200, { status: 'ok' }));
  app.get('/readyz', (request, response) => {
    const ready = readiness();
    respond(request, response, ready.status === 'ready' ? 200 : 503, ready);
  });
  app.get('/metrics', async (request, response) => {
    if (isLoopback(request) || running?.isSuperAdmin(request) === true) response.set({ ...headerObject(headers.pages), 'Content-Type': metrics.contentType, 'Cache-Control': 'no-store' }).end(await metrics.text());
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
   * What no handler has answered: a page that failed, or an address that Express cannot read, for which it asks none. Its own last answer would tell where in the code, and waits for the end of a
   * request that has ended already (`optimizeEmptyRequests`).
   */
  const unanswered = (request: IncomingMessage, response: ServerResponse, error: unknown): void => {
    const requestId = randomUUID();
    if (error !== undefined) logger.error('outside the API a request failed', error, { requestId });
    if (response.headersSent) response.destroy();
    else sendAnswer(request, response, problemAnswer(problemOf(error ?? new DomainError('malformed', 'The address of the request cannot be read'), requestId), headers.pages));
  };
  const byExpress = (request: IncomingMessage, response: ServerResponse): void => void app(request as express.Request, response as express.Response, (error: unknown) => unanswered(request, response, error));

  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    if (request.method === 'GET') readCount += 1;
    if (running?.fastDoor(request, response) !== true) byExpress(request, response);
  };
  const httpServer = createHttpServer(listener, options.limits);

  const open = async (): Promise<Running> => {
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
    if (config.store.kind === 'sqlite') expectWritableFiles(join(dataDir, 'event-log.sqlite'));
    const waiting = { logger, signal: closing.signal, onWait, waitForLog: options.waitForLog ?? true };
    await expectKeys(config, waiting);
    // The first connection to the keys: the projector of the store opens another one.
    const hadKeys = hasPersonKeys(dataDir);
    const vault = openPersonVault(dataDir);
    const closers: (() => unknown)[] = [() => vault.close()];
    try {
      const known = openOperationsState(dataDir).get();
      forgetDoubtfulFolds(dataDir, known);
      const store = await openStore({ ...waiting, config, logger, onFatal: options.onFatal ?? (() => {}), recordedBreak: recordedBreakOf(known), readsSoFar: () => readCount });
      closers.unshift(async () => store.close());
      const place = noteLogPlace(config, { logger, now: clock.now(), hadKeys, hasAnswered: store.refusal() === undefined });
      const secret = config.jwtSecret ?? serverKey(dataDir, 'jwt');
      // Without throttles nobody is sent away from the queue of hashes either.
      const passwords = createPasswords({ ...(!config.rateLimit && { waiting: 10_000 }), ...(options.passwordCost && { cost: options.passwordCost }) });
      const tokens = createTokens(secret, clock);
      const capabilities = createCapabilities(serverKey(dataDir, 'capability'));
      const [emailKey, seasonKey] = [serverKey(dataDir, 'email'), openSeasonKey(dataDir)];
      const reads = authReadsOf(store.reader);
      const throttle = createThrottle(clock, !config.rateLimit);
      const media = await openMediaStore(dataDir);
      const documents = await openDocumentStore(dataDir, vault);
      const refusals = openRefusals(dataDir, {
        clock,
        addressKey: serverKey(dataDir, 'address'),
        alarm: (count) => logger.warn('many refusals within a minute', { count }),
        failed: (error) => logger.error('refusals were not recorded', error),
      });
      closers.unshift(() => refusals.close());
      const newId = createEventIds(clock);
      const commands = createCommandHandler({ log: store.log, projection: store.projection, newId, soleWriter: store.soleWriter, mostUnderWay: config.writeQueue });
      const live = createLive({ log: store.log, position: store.reads.position, onMoved: (moved) => store.onMoved(moved), teamOf: (personId) => teamOfPerson(store.reader(), personId), addressOf, headers: headers.pages, allowedOrigins: config.allowedOrigins, logger, ...(options.liveLimits && { limits: options.liveLimits }) });
      closers.unshift(() => live.close());

      const cache = new AnswerCache();
      const upkeep = openUpkeep({ config, store, clock, logger, newId, commands, vault, documents, media, place, beforeBackup: () => refusals.flush() });
      const { operations, erasures } = upkeep;
      closers.unshift(async () => upkeep.close());
      await upkeep.begin();
      // After all that may end this start: a password that is made here is shown once, when the site is open.
      const { account: superAdmin, madePassword } = await openSuperAdmin(dataDir, config.superAdmin, passwords, secret);
      const auth = createAuth({ tokens, capabilities, reads, superAdmin, clock, accountChanges: store.accountChanges, isBehind: () => !store.soleWriter || store.head() > store.reads.position() });

      const endpoints: readonly Endpoint[] = Object.values(allEndpoints);
      const bound: readonly Bound[] = [
        ...featureRoutes({ log: store.log, commands, answers: createStreamAnswers({ log: store.log, reader: store.reader, vault }), projection: store.projection, reader: store.reader, vault, capabilities, documents, passwords, emailKey, clock, newId }),
        ...sessionRoutes({ auth, tokens, reads, passwords, superAdmin, throttle, commands, rehashPassword: async (...change) => rehashPassword({ commands }, ...change) }),
        ...operationsRoutes(operations, store),
        ...auditRoutes({ reader: store.reader, log: store.log, soleWriter: store.soleWriter, vault, refusals, erasures, position: store.reads.position, damage: () => operations.verifications.damage }),
        ...seasonRoutes({ reader: store.reader, onSwitched: store.onSwitched, seasonKey, expectWhole: async (until) => operations.verifications.expectWhole(until, 'nothing of it is signed') }),
        ...bindDocs(endpoints, version),
      ];
      // What the landing page asks for first.
      const firstAnswer = createFirstAnswer('/tournaments/', { position: () => store.reads.position(), today, make: (day) => listTournaments(store.reader(), day) });
      store.onSwitched(() => {
        cache.clear();
        firstAnswer.forget();
        auth.forget();
      });
      const pipeline = createPipeline({
        clock, logger, metrics, reads: store.reads, cache, auth, throttle, refusals, knowsEntry: entryFinder(store.reader), addressOf, isSecure, today, newId,
        uploads: createUploads({ media, documents, ...(config.rateLimit && { limits: createStorageLimits(clock, options.storage?.freeBytes ?? freeBytesOf(dataDir), options.storage?.figures) }) }),
        headers: headers.pages, allowedOrigins: config.allowedOrigins, behindProxy: config.trustProxyHops > 0,
      });
      const mounted: readonly Mounted[] = [
        ...bound,
        {
          endpoint: followChanges,
          open(request, response) {
            try {
              live.open(request, response);
            } catch (error) {
              pipeline.fail(error, followChanges.name, request, response);
            }
          },
        },
      ];
      expectAllBound(mounted, endpoints);
      const isSuperAdmin = (request: IncomingMessage): boolean => {
        try {
          return auth.authenticate(request, { access: 'superadmin', name: 'metrics' }).role === 'superadmin';
        } catch {
          return false;
        }
      };
      return {
        store, commands, operations, bound: mounted, live, media, pipeline, isSuperAdmin, firstAnswer,
        madePassword: madePassword === undefined ? undefined : { id: superAdmin.id, password: madePassword },
        fastDoor: createFastDoor({ bound, pipeline, reads: store.reads, cache, today, metrics, logger, allowsOrigins: config.allowedOrigins.length > 0 }),
        api: apiRouter(mounted, pipeline, headers.pages, config.allowedOrigins),
        async close() {
          // One after another, in reverse: what was opened last needs what was opened before.
          for (const close of closers) await close();
        },
      };
    } catch (error) {
      for (const close of closers) await close();
      throw error;
    }
  };

  /** What a start waits for, for whoever may know about the machine. */
  const startingText = (): string => `CourtLedger is starting: ${waitsFor.reason}${waitsFor.detail === undefined ? '' : ` (${waitsFor.detail})`}. Try again soon.`;

  /** Operators are answered from early in the start on. */
  const control = (request: IncomingMessage, response: ServerResponse): void => {
    if (running === undefined && request.url?.startsWith('/api/') === true) starting(request, response, startingText());
    else byExpress(request, response);
  };

  let opening: Promise<Running> | undefined;
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
