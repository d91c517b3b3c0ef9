import { rmSync } from 'node:fs';
import type { Endpoint } from '@courtledger/contracts/kernel/endpoint';
import { DomainError } from '@courtledger/contracts/kernel/errors';
import { createProjector, type Projector } from '@courtledger/projections/kernel/projector';
import { openReader, type Reader } from '@courtledger/projections/kernel/read-model';
import { erasedAfter, isPersonShown, personKindOf } from '@courtledger/projections/operations/retention.queries';
import { sqliteError } from '../../event-log/testing/failing-connection.ts';
import { featureRoutes } from '../../features.ts';
import { createFileUpkeep } from '../../file-upkeep.ts';
import { createHousekeeping } from '../../housekeeping.ts';
import type { Bound, Caller, CommandContext, CommandReply, ReadReply, StagedFile } from '../../platform/call.ts';
import { createCapabilities } from '../../platform/capability.ts';
import { commandContext, systemContext } from '../../platform/command-context.ts';
import { createCommandHandler, type Projection } from '../../platform/command-handler.ts';
import { createErasures, type Erasures } from '../../platform/erasure.ts';
import type { FeatureDeps } from '../../platform/feature-deps.ts';
import { createStreamAnswers } from '../../platform/stream-answers.ts';
import { Scheduler, noFaults, type SimulatedDisk } from './simulated-ports.ts';

/** One sending of a command, as the edge would hand it on. */
export type Sent = {
  readonly endpoint: Endpoint;
  readonly caller: Caller;
  readonly params: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
  readonly files: readonly string[];
  readonly key: string | undefined;
};

const serverKey = Buffer.alloc(32, 7);
const digest = 'ab'.repeat(32);

/**
 * One life of the product over a disk: its real routes, deciders, command handler, projector and housekeeping, with ports that the dice play. A crash drops it
 * wherever it is.
 */
export class SimulatedNode {
  readonly scheduler: Scheduler;
  /** What nobody expected. */
  readonly broken: unknown[] = [];
  readonly projector: Projector;
  readonly reader: Reader;
  readonly erasures: Erasures;
  /** A crash in the middle of the projection: the life is over. */
  isDead = false;
  readonly #disk: SimulatedDisk;
  readonly #bound: ReadonlyMap<string, Bound>;
  readonly #stores: ReturnType<SimulatedDisk['stores']>;
  readonly #housekeeping: ReturnType<typeof createHousekeeping>;
  readonly #upkeep: ReturnType<typeof createFileUpkeep>;
  readonly #waiting = new Set<{ readonly position: bigint; readonly resolve: (reached: boolean) => void }>();
  #isProjecting = false;

  constructor(disk: SimulatedDisk, readModel: string) {
    this.#disk = disk;
    const scheduler = new Scheduler(disk.dice);
    this.scheduler = scheduler;
    this.projector = createProjector({
      path: readModel,
      openPerson: (personId, sealed) => disk.vault.open(personId, sealed),
      cache: 1 + disk.dice(30),
      probe: () => this.#probe(),
    });
    this.reader = openReader(readModel);
    this.#stores = disk.stores(scheduler);
    const { vault, newId, clock } = disk;
    const { documents, media } = this.#stores;
    const log = disk.logOf(scheduler, () => this.#wake());
    const projection: Projection = { waitFor: async (position) => this.#reached(position) };
    const commands = createCommandHandler({ log, projection, newId, soleWriter: true });
    const reader = (): Reader => this.reader;
    const deps: FeatureDeps = {
      log,
      commands,
      projection,
      answers: createStreamAnswers({ log, reader, vault }),
      reader,
      vault,
      capabilities: createCapabilities(serverKey),
      documents,
      passwords: { hash: async (password) => `hash of ${String(password.length)} characters` },
      emailKey: serverKey,
      clock,
      newId,
    };
    this.#bound = new Map(featureRoutes(deps).map((route) => [route.endpoint.name, route]));
    const failed = (error: unknown): void => {
      // A disk that fails is part of the season; whatever else is told of was expected by nobody.
      const isDisk = error instanceof Error && 'code' in error && error.code === 'SQLITE_IOERR';
      if (!(error instanceof DomainError) && !isDisk) this.broken.push(error);
    };
    this.erasures = createErasures({
      log,
      commands,
      vault,
      documents,
      media,
      failed,
      ledger: disk.erasures,
      kindOf: (personId) => personKindOf(this.reader, personId),
      isShown: (personId) => isPersonShown(this.reader, personId),
      erasedAfter: (position) => erasedAfter(this.reader, position),
      refusal: () => undefined,
      isStrange: () => false,
      place: 'simulated',
      waiting: () => undefined,
      hide: async (persons) => {
        await scheduler.turn();
        this.projector.erase(persons);
      },
      forgetCopies: async () => scheduler.turn(),
      forgetSetAside: async () => undefined,
    });
    this.#housekeeping = createHousekeeping({ log, commands, reader, vault, emailKey: serverKey, clock, newId, documents, failed, isWhole: () => true });
    this.#upkeep = createFileUpkeep({ log, commands, vault, clock, newId, reader, documents, media, failed, isWhole: () => true });
  }

  /** The read model of a start: what a crash left undone of erasures is done, and everything is projected, before anybody is answered. */
  async start(): Promise<void> {
    const { faults } = this.#disk;
    this.#disk.faults = noFaults;
    await this.until(this.erasures.replay(() => systemContext(this.#disk.newId, this.#disk.clock)));
    await this.settle();
    this.#disk.faults = faults;
  }

  /** Projects all there is. */
  async settle(): Promise<void> {
    const head = await this.#disk.log.head();
    this.#wake();
    if (head !== 'start') await this.until(this.#reached(head));
  }

  async housekeeping(): Promise<void> {
    await this.#housekeeping.run();
  }

  async upkeep(): Promise<void> {
    await this.#upkeep.run();
  }

  /** Lets things happen until `work` is done. @throws Error when it never will be */
  async until<T>(work: T | Promise<T>): Promise<T> {
    const state = { isDone: false };
    const done = Promise.resolve(work).finally(() => {
      state.isDone = true;
    });
    done.catch(() => undefined);
    for (;;) {
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
      if (state.isDone) return done;
      if (this.scheduler.isIdle) throw new Error('Something waits for ever');
      await this.scheduler.step();
    }
  }

  contextOf({ endpoint, caller, params, body, files, key }: Sent): CommandContext {
    return commandContext(
      {
        caller,
        method: endpoint.method,
        path: `/api${endpoint.path.replaceAll(/:(\w+)/g, (_, name: string) => params[name] ?? '')}`,
        idempotencyKey: key,
        correlationId: this.#disk.newId(),
        time: new Date(this.#disk.now).toISOString(),
        body,
        fileHashes: Object.fromEntries(files.map((field) => [field, digest])),
      },
      this.#disk.newId,
    );
  }

  /** Asks an endpoint; a reply is checked against the contract. */
  async send(
    sent: Sent,
    context: CommandContext,
  ): Promise<{ readonly body: unknown; readonly position: bigint | undefined; readonly pending: boolean | undefined }> {
    const reply = (await this.#handle(sent, sent.body, context)) as CommandReply;
    const answer: unknown = typeof reply.body === 'string' ? JSON.parse(reply.body) : reply.body;
    sent.endpoint.response.parse(answer);
    return { body: answer, position: reply.position, pending: reply.pending };
  }

  /** The text of a read; undefined is 404. */
  async read(endpoint: Endpoint, caller: Caller, params: Readonly<Record<string, string>>, body: unknown = {}): Promise<string | undefined> {
    const sent: Sent = { endpoint, caller, params, body: {}, files: [], key: undefined };
    const reply = await this.#handle(sent, body, this.contextOf(sent));
    if ('json' in reply) return reply.json;
    return 'bytes' in reply ? reply.bytes.toString() : undefined;
  }

  /** The end of this life; what it was about to do it never does. `keepsReadModel` false: the file is lost as well. */
  end(keepsReadModel: boolean): void {
    this.scheduler.drop();
    this.reader.close();
    this.projector.close();
    if (!keepsReadModel) for (const suffix of ['', '-wal', '-shm', '.seal']) rmSync(this.reader.path + suffix, { force: true });
  }

  async #handle({ endpoint, caller, params, files }: Sent, body: unknown, context: CommandContext): Promise<ReadReply | CommandReply> {
    const route = this.#bound.get(endpoint.name);
    if (route === undefined) throw new Error(`${endpoint.name} is not bound`);
    return route.handle({
      endpoint,
      params: endpoint.params.parse(params),
      query: endpoint.query.parse({}),
      body: endpoint.body.parse(body),
      files: Object.fromEntries(files.map((field) => [field, this.#staged(endpoint, field)])),
      caller,
      context,
      today: '2026-11-01',
      address: '192.0.2.1',
    });
  }

  #staged(endpoint: Endpoint, field: string): StagedFile {
    const rule = endpoint.files[field];
    if (rule === undefined) throw new Error(`${endpoint.name} takes no file ${field}`);
    const { documents, media } = this.#stores;
    return {
      kind: rule.kind,
      sha256: digest,
      extension: rule.kind === 'image' ? 'png' : 'pdf',
      keepImage: async () => media.keep(),
      keepDocument: async () => ({ documentId: await documents.keep(), kind: 'pdf' }),
    };
  }

  /** The disk of the read model fails, or the process dies, between any two steps of a batch. */
  #probe(): void {
    if (!this.#disk.hits(this.#disk.faults.projection)) return;
    this.isDead = this.#disk.dice(3) === 0;
    throw sqliteError('SQLITE_IOERR');
  }

  #reached(position: bigint): boolean | Promise<boolean> {
    if (position <= this.projector.position) return true;
    // The patience of a command is over before the projection gets there.
    if (this.#disk.hits(this.#disk.faults.late)) return this.scheduler.turn().then(() => position <= this.projector.position);
    this.#wake();
    return new Promise((resolve) => {
      this.#waiting.add({ position, resolve });
    });
  }

  #wake(): void {
    if (this.#isProjecting) return;
    this.#isProjecting = true;
    void this.#project();
  }

  /** Batches of any size, some of whose events came before. */
  async #project(): Promise<void> {
    try {
      for (;;) {
        await this.scheduler.turn();
        const { position } = this.projector;
        const after = position - BigInt(this.#disk.dice(3));
        const events = (await this.#disk.log.readAll(after <= 0n ? 'start' : after, 3 + this.#disk.dice(20))).filter(
          (event) => event.data !== undefined || event.position > position,
        );
        if ((events.at(-1)?.position ?? 0n) <= position) break;
        try {
          this.projector.apply(events);
        } catch (error) {
          if (!(error instanceof Error) || !error.message.startsWith('injected')) throw error;
          if (this.isDead) return;
        }
        for (const waiting of this.#waiting) {
          if (waiting.position > this.projector.position) continue;
          this.#waiting.delete(waiting);
          waiting.resolve(true);
        }
      }
    } catch (error) {
      this.broken.push(error);
    } finally {
      this.#isProjecting = false;
    }
  }
}
