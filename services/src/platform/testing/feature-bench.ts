import type { Endpoint } from '@courtledger/contracts/kernel/endpoint';
import type { RecordedEvent } from '@courtledger/contracts/kernel/event';
import { createProjector } from '@courtledger/projections/kernel/projector';
import { openReader } from '@courtledger/projections/kernel/read-model';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EventLog } from '../../event-log/event-log.ts';
import { openMemoryEventLog } from '../../event-log/memory-event-log.ts';
import { featureRoutes } from '../../features.ts';
import type { Call, Caller, CommandReply, ReadReply, StagedFile } from '../call.ts';
import { createCapabilities } from '../capability.ts';
import { commandContext } from '../command-context.ts';
import { createCommandHandler, type Projection } from '../command-handler.ts';
import { openDocumentStore } from '../documents.ts';
import { createEventIds } from '../event-ids.ts';
import type { FeatureDeps } from '../feature-deps.ts';
import { openPersonVault } from '../person-vault.ts';
import type { Clock } from '../ports.ts';
import { createStreamAnswers } from '../stream-answers.ts';

export const admin: Caller = { role: 'admin', id: 'admin-1', name: 'Asha', jti: 'jti-1', expires: 2_000_000_000 };
export const superAdmin: Caller = { role: 'superadmin', id: 'superadmin', name: 'Super admin', jti: 'jti-2', expires: 2_000_000_000 };
export const visitor: Caller = { role: 'visitor' };
export const registrantOf = (teamId: string): Caller => ({ role: 'registrant', teamId });

export type Sent = {
  readonly caller?: Caller;
  readonly params?: Record<string, string>;
  readonly query?: unknown;
  readonly body?: unknown;
  readonly files?: readonly string[];
  readonly key?: string;
};
export type Answered = {
  readonly body: unknown;
  readonly position: bigint | undefined;
  readonly pending: boolean | undefined;
  readonly cookies: CommandReply['cookies'];
};

/**
 * The features' handlers over a memory log and a real read model in a folder of its own: what the edge does with HTTP is left out, what it does with schemas is
 * not. `restart` forgets everything but log, keys and files; `delayed` holds the read model back.
 */
export const openFeatureBench = async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'courtledger-features-'));
  const log = openMemoryEventLog();
  let now = Date.parse('2026-11-21T06:00:00.000Z');
  const clock: Clock = { now: () => now, monotonic: () => now };
  const vault = openPersonVault(dataDir);
  const documents = await openDocumentStore(dataDir, vault);
  const projector = createProjector({ path: join(dataDir, 'read-model.sqlite'), openPerson: (personId, sealed) => vault.open(personId, sealed) });
  const reader = openReader(join(dataDir, 'read-model.sqlite'));
  const kept: string[] = [];
  let delayed = false;

  const project = async (): Promise<void> => {
    for (;;) {
      const events = await log.readAll(projector.position === 0n ? 'start' : projector.position, 1000);
      if (events.length === 0) return;
      projector.apply(events);
    }
  };
  const projection: Projection = {
    async waitFor(position) {
      if (!delayed) await project();
      return projector.position >= position;
    },
  };

  const newId = createEventIds({ now: () => (now += 1) });
  const capabilities = createCapabilities(randomBytes(32));
  const emailKey = randomBytes(32);
  const start = (over: EventLog) => {
    const commands = createCommandHandler({ log: over, projection, newId, soleWriter: true });
    const deps: FeatureDeps = {
      log: over,
      commands,
      projection,
      answers: createStreamAnswers({ log: over, reader: () => reader, vault }),
      reader: () => reader,
      vault,
      capabilities,
      documents,
      passwords: { hash: async (password) => `hash of ${String(password.length)} characters` },
      emailKey,
      clock,
      newId,
    };
    return { commands, deps, bound: new Map(featureRoutes(deps).map((route) => [route.endpoint.name, route])) };
  };
  let running = start(log);

  const file = (endpoint: Endpoint, field: string): StagedFile => {
    const rule = endpoint.files[field];
    if (rule === undefined) throw new Error(`${endpoint.name} takes no file ${field}`);
    return {
      kind: rule.kind,
      sha256: 'ab'.repeat(32),
      extension: rule.kind === 'image' ? 'png' : 'pdf',
      async keepImage() {
        const place = `/media/${field}-${String(kept.length)}.png`;
        kept.push(place);
        return place;
      },
      async keepDocument(personId) {
        const documentId = await documents.put(personId, Buffer.from(`%PDF of ${personId}`));
        kept.push(documentId);
        return { documentId, kind: 'pdf' };
      },
    };
  };

  const call = async (
    endpoint: Endpoint,
    { caller = admin, params = {}, query = {}, body = {}, files = Object.keys(endpoint.files), key }: Sent = {},
  ): Promise<ReadReply | CommandReply> => {
    const route = running.bound.get(endpoint.name);
    if (route === undefined) throw new Error(`${endpoint.name} is not bound`);
    const parsed: Call = {
      endpoint,
      params: endpoint.params.parse(params),
      query: endpoint.query.parse(query),
      body: endpoint.body.parse(body),
      files: Object.fromEntries(files.map((field) => [field, file(endpoint, field)])),
      caller,
      context: commandContext(
        {
          caller,
          method: endpoint.method,
          path: `/api${endpoint.path.replaceAll(/:(\w+)/g, (_, name: string) => params[name] ?? '')}`,
          idempotencyKey: key,
          correlationId: randomUUID(),
          time: new Date(now).toISOString(),
          body,
          fileHashes: Object.fromEntries(files.map((field) => [field, 'ab'.repeat(32)])),
        },
        newId,
      ),
      today: '2026-11-21',
      address: '192.0.2.1',
    };
    return route.handle(parsed);
  };

  return {
    log,
    kept: kept as readonly string[],
    get commands() {
      return running.commands;
    },
    get deps() {
      return running.deps;
    },
    /** Sends a command; its answer is checked against the contract. */
    async send(endpoint: Endpoint, sent?: Sent): Promise<Answered> {
      const reply = await call(endpoint, sent);
      if (!('body' in reply)) throw new Error(`${endpoint.name} is no command`);
      const body: unknown = typeof reply.body === 'string' ? JSON.parse(reply.body) : reply.body;
      endpoint.response.parse(body);
      return { body, position: reply.position, pending: reply.pending, cookies: reply.cookies };
    },
    /** Reads; the answer is checked against the contract. undefined is 404. */
    async read(endpoint: Endpoint, sent?: Sent): Promise<unknown> {
      await projection.waitFor(0n, 0);
      const reply = await call(endpoint, sent);
      if ('json' in reply) return endpoint.response.parse(JSON.parse(reply.json));
      return 'bytes' in reply ? reply : undefined;
    },
    async facts(stream?: string): Promise<readonly RecordedEvent[]> {
      return stream === undefined ? log.readAll('start', 100_000) : ((await log.readStream(stream)) ?? []);
    },
    vault,
    restart(over: EventLog = log) {
      running = start(over);
    },
    delay(hold: boolean) {
      delayed = hold;
    },
    advance(milliseconds: number) {
      now += milliseconds;
    },
    close() {
      reader.close();
      projector.close();
      vault.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
};
export type FeatureBench = Awaited<ReturnType<typeof openFeatureBench>>;
