import type { IncomingMessage } from 'node:http';
import { allEndpoints } from '@courtledger/contracts/kernel/all-endpoints';
import type { Endpoint } from '@courtledger/contracts/kernel/endpoint';
import { followChanges } from '@courtledger/contracts/kernel/live.api';
import { teamOfPerson } from '@courtledger/projections/operations/retention.queries';
import { listTournaments } from '@courtledger/projections/tournament/tournament.queries';
import type express from 'express';
import { rehashPassword } from './admin/admin.routes.ts';
import { featureRoutes } from './features.ts';
import { noteLogPlace } from './operations/log-elsewhere.ts';
import { operationsRoutes } from './operations/operations.routes.ts';
import type { Operations } from './operations/operations.ts';
import { openOperationsState, recordedBreakOf } from './operations/operations-state.ts';
import { forgetDoubtfulFolds } from './operations/read-model-doubt.ts';
import { entryFinder } from './operations/audit-refusals.ts';
import { auditRoutes } from './operations/audit.routes.ts';
import { AnswerCache } from './platform/answer-cache.ts';
import { createAuth } from './platform/auth.ts';
import type { Bound } from './platform/call.ts';
import { createCapabilities } from './platform/capability.ts';
import { createCommandHandler, type CommandHandler } from './platform/command-handler.ts';
import type { Config } from './platform/config.ts';
import { openDocumentStore } from './platform/documents.ts';
import { createPipeline, type Pipeline } from './platform/endpoint-call.ts';
import { apiRouter, type Mounted } from './platform/endpoint-mount.ts';
import { createEventIds } from './platform/event-ids.ts';
import { createFastDoor } from './platform/fast-door.ts';
import { createFirstAnswer } from './platform/first-answer.ts';
import { securityHeaders } from './platform/headers.ts';
import { serverKey } from './platform/key-file.ts';
import { createLive, type Live, type LiveLimits } from './platform/live.ts';
import type { Logger } from './platform/logger.ts';
import { openMediaStore, type MediaStore } from './platform/media.ts';
import { createMetrics } from './platform/metrics.ts';
import { bindDocs } from './platform/openapi.ts';
import { createPasswords, type PasswordCost } from './platform/passwords.ts';
import { hasPersonKeys, openPersonVault } from './platform/person-vault.ts';
import type { Clock } from './platform/ports.ts';
import { openRefusals } from './platform/refusals.ts';
import type { RequestOrigin } from './platform/request-origin.ts';
import { openSeasonKey } from './platform/season-key.ts';
import { sessionRoutes } from './platform/session-routes.ts';
import { authReadsOf } from './platform/store-auth-reads.ts';
import type { Waiting } from './platform/store-start.ts';
import { openStore, type Store } from './platform/store.ts';
import { createStreamAnswers } from './platform/stream-answers.ts';
import { openSuperAdmin } from './platform/super-admin.ts';
import { createStorageLimits, freeBytesOf, type StorageFigures } from './platform/throttle-storage.ts';
import { createThrottle } from './platform/throttle.ts';
import { createTokens } from './platform/tokens.ts';
import { createUploads } from './platform/uploads.ts';
import { seasonRoutes } from './tournament/season.routes.ts';
import { openUpkeep } from './upkeep.ts';

/** What of an open product tools and tests use. */
export type Opened = {
  readonly store: Store;
  readonly commands: CommandHandler;
  readonly bound: readonly Mounted[];
  readonly operations: Operations;
  /** The super admin's password when it was made just now: to be shown once. */
  readonly madePassword: { readonly id: string; readonly password: string } | undefined;
};

/** What the product needs of whoever starts it. */
export type ProductOptions = Waiting & {
  readonly logger: Logger;
  readonly config: Config;
  readonly clock: Clock;
  readonly headers: ReturnType<typeof securityHeaders>;
  readonly metrics: ReturnType<typeof createMetrics>;
  readonly today: () => string;
  readonly origin: RequestOrigin;
  /** How many reads were asked for so far. */
  readonly readsSoFar: () => number;
  readonly liveLimits?: Partial<LiveLimits>;
  /** The disk as the limits of strangers see it: its free bytes, and other figures than `storageFigures`. */
  readonly storage?: { readonly freeBytes?: () => number; readonly figures?: StorageFigures };
  /** What a password's hash costs, where it need not withstand anybody (tests make hundreds). */
  readonly passwordCost?: PasswordCost;
  /** The log cannot go on: the process should end and be started clean. */
  readonly onFatal?: (error: Error) => void;
};

/** And what only the listener needs of it. */
export type Product = Opened & {
  readonly live: Live;
  readonly media: MediaStore;
  readonly pipeline: Pipeline;
  readonly fastDoor: ReturnType<typeof createFastDoor>;
  readonly api: express.Router;
  readonly isSuperAdmin: (request: IncomingMessage) => boolean;
  readonly firstAnswer: ReturnType<typeof createFirstAnswer>;
  readonly close: () => Promise<void>;
};

/** Every endpoint of the contracts has exactly one answer. @throws Error naming those that have none, or two */
export const expectAllBound = (mounted: readonly Mounted[], endpoints: readonly Endpoint[]): void => {
  const count = (endpoint: Endpoint): number => mounted.filter((one) => one.endpoint === endpoint).length;
  const wrong = [
    ...endpoints.filter((endpoint) => count(endpoint) !== 1),
    ...mounted.map((one) => one.endpoint).filter((endpoint) => !endpoints.includes(endpoint)),
  ];
  if (wrong.length > 0 || endpoints.length === 0) throw new Error(`Not bound exactly once: ${wrong.map(({ name }) => name).join(', ')}`);
};

const version = '0.1.0';

/**
 * Opens log, read model and stores of DATA_DIR, which is this process's already, and binds every endpoint to its answer.
 * @throws when they cannot be used: what was opened is closed again
 */
export const openProduct = async (options: ProductOptions): Promise<Product> => {
  const { config, clock, logger, headers, metrics, today, readsSoFar, onFatal = () => {} } = options;
  const { dataDir } = config;
  const { addressOf, isSecure } = options.origin;
  // The first connection to the keys: the projector of the store opens another one.
  const hadKeys = hasPersonKeys(dataDir);
  const vault = openPersonVault(dataDir);
  const closers: (() => unknown)[] = [() => vault.close()];
  try {
    const known = openOperationsState(dataDir).get();
    forgetDoubtfulFolds(dataDir, known);
    const store = await openStore({ ...options, onFatal, recordedBreak: recordedBreakOf(known), readsSoFar });
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
    const commands = createCommandHandler({
      log: store.log,
      projection: store.projection,
      newId,
      soleWriter: store.soleWriter,
      mostUnderWay: config.writeQueue,
    });
    const live = createLive({
      log: store.log,
      position: store.reads.position,
      onMoved: (moved) => store.onMoved(moved),
      teamOf: (personId) => teamOfPerson(store.reader(), personId),
      addressOf,
      headers: headers.pages,
      allowedOrigins: config.allowedOrigins,
      logger,
      ...(options.liveLimits && { limits: options.liveLimits }),
    });
    closers.unshift(() => live.close());

    const cache = new AnswerCache();
    const upkeep = openUpkeep({ config, store, clock, logger, newId, commands, vault, documents, media, place, beforeBackup: () => refusals.flush() });
    const { operations, erasures } = upkeep;
    closers.unshift(async () => upkeep.close());
    await upkeep.begin();
    // After all that may end this start: a password that is made here is shown once, when the site is open.
    const { account: superAdmin, madePassword } = await openSuperAdmin(dataDir, config.superAdmin, passwords, secret);
    const auth = createAuth({
      tokens,
      capabilities,
      reads,
      superAdmin,
      clock,
      accountChanges: store.accountChanges,
      isBehind: () => !store.soleWriter || store.head() > store.reads.position(),
    });

    const endpoints: readonly Endpoint[] = Object.values(allEndpoints);
    const bound: readonly Bound[] = [
      ...featureRoutes({
        log: store.log,
        commands,
        answers: createStreamAnswers({ log: store.log, reader: store.reader, vault }),
        projection: store.projection,
        reader: store.reader,
        vault,
        capabilities,
        documents,
        passwords,
        emailKey,
        clock,
        newId,
      }),
      ...sessionRoutes({
        auth,
        tokens,
        reads,
        passwords,
        superAdmin,
        throttle,
        commands,
        rehashPassword: async (...change) => rehashPassword({ commands }, ...change),
      }),
      ...operationsRoutes(operations, store),
      ...auditRoutes({
        reader: store.reader,
        log: store.log,
        soleWriter: store.soleWriter,
        vault,
        refusals,
        erasures,
        position: store.reads.position,
        damage: () => operations.verifications.damage,
      }),
      ...seasonRoutes({
        reader: store.reader,
        onSwitched: store.onSwitched,
        seasonKey,
        expectWhole: async (until) => operations.verifications.expectWhole(until, 'nothing of it is signed'),
      }),
      ...bindDocs(endpoints, version),
    ];
    // What the landing page asks for first.
    const firstAnswer = createFirstAnswer('/tournaments/', {
      position: () => store.reads.position(),
      today,
      make: (day) => listTournaments(store.reader(), day),
    });
    store.onSwitched(() => {
      cache.clear();
      firstAnswer.forget();
      auth.forget();
    });
    const pipeline = createPipeline({
      clock,
      logger,
      metrics,
      reads: store.reads,
      cache,
      auth,
      throttle,
      refusals,
      knowsEntry: entryFinder(store.reader),
      addressOf,
      isSecure,
      today,
      newId,
      uploads: createUploads({
        media,
        documents,
        ...(config.rateLimit && { limits: createStorageLimits(clock, options.storage?.freeBytes ?? freeBytesOf(dataDir), options.storage?.figures) }),
      }),
      headers: headers.pages,
      allowedOrigins: config.allowedOrigins,
      publicOrigin: config.publicUrl?.origin,
      behindProxy: config.trustProxyHops > 0,
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
      store,
      commands,
      operations,
      bound: mounted,
      live,
      media,
      pipeline,
      isSuperAdmin,
      firstAnswer,
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
