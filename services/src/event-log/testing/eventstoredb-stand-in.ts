import { Server, ServerCredentials, type sendUnaryData, type ServerUnaryCall } from '@grpc/grpc-js';
import { ServerFeaturesService } from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import features from '@eventstore/db-client/generated/serverfeatures_pb.js';
import { StreamsService } from '@eventstore/db-client/generated/streams_grpc_pb.js';

import { handleAppend, handleDelete, handleTombstone, type StandInContext } from './eventstoredb-stand-in-append.ts';
import { handleBatchAppend } from './eventstoredb-stand-in-batch-append.ts';
import { StandInCalls } from './eventstoredb-stand-in-calls.ts';
import { StandInFaults } from './eventstoredb-stand-in-faults.ts';
import { StandInFront } from './eventstoredb-stand-in-front.ts';
import { handleRead } from './eventstoredb-stand-in-read.ts';
import { StandInStore } from './eventstoredb-stand-in-store.ts';

const LARGEST_MESSAGE = 16 * 1024 * 1024;

const supportedMethods = (): features.SupportedMethods => {
  const methods = ['read', 'append', 'delete', 'tombstone', 'batchappend'].map((name) =>
    new features.SupportedMethod().setServiceName('event_store.client.streams.streams').setMethodName(name),
  );
  return new features.SupportedMethods().setEventStoreServerVersion('23.10.8.0').setMethodsList(methods);
};

/**
 * A server for tests that speaks EventStoreDB's protocol on a loopback port and behaves as a 23.10.8 was recorded to.
 * Not a database: no cluster, no TLS, no users, no scavenge, no links; a file is written without fsync.
 *
 * @example
 * const server = await EventStoreStandIn.start();
 * const log = openEventStoreDbLog({ url: server.url });
 */
export class EventStoreStandIn {
  readonly faults = new StandInFaults();
  private readonly front = new StandInFront();
  private readonly file: string | undefined;
  private currentStore: StandInStore;
  private grpc: Server | undefined;

  private constructor(file: string | undefined) {
    this.file = file;
    this.currentStore = new StandInStore(file);
  }

  /** Starts on a free port. With a file the events outlive `close()`; without one they are kept in memory, over restarts too. */
  static async start(options: { readonly file?: string } = {}): Promise<EventStoreStandIn> {
    const standIn = new EventStoreStandIn(options.file);
    await standIn.startServer();
    await standIn.front.open();
    return standIn;
  }

  /** The connection string. `more` are further options, such as `keepAliveInterval=500`. */
  connectionString(more = ''): string {
    return `esdb://127.0.0.1:${this.front.port}?tls=false${more === '' ? '' : `&${more}`}`;
  }

  get url(): string {
    return this.connectionString();
  }

  get store(): StandInStore {
    return this.currentStore;
  }

  /** Open TCP connections. */
  get connections(): number {
    return this.front.connections;
  }

  /** Cuts every connection (RST). Returns how many there were. */
  cutConnections(): number {
    return this.front.cut();
  }

  /** From now on nothing is answered and nothing arrives, but connections stay open and new ones are taken. */
  silence(): void {
    this.front.silence();
  }

  /** The open connections are dead from now on, and nobody is told; new ones work. */
  forgetConnections(): void {
    this.front.forget();
  }

  /** Ends the silence. */
  speak(): void {
    this.front.speak();
  }

  /** Goes away: connections are cut and refused. */
  async stop(): Promise<void> {
    await this.front.shut();
    this.grpc?.forceShutdown();
    this.grpc = undefined;
  }

  /** Comes back on the same port, with what was stored. `rememberIds` says whether `any` still knows the ids it stored (a real server does not). */
  async startAgain(options: { readonly rememberIds: boolean }): Promise<void> {
    if (this.file !== undefined && !options.rememberIds) {
      this.currentStore.close();
      this.currentStore = new StandInStore(this.file);
    }
    if (!options.rememberIds) this.currentStore.forgetIds();
    await this.startServer();
    await this.front.open();
  }

  async restart(options: { readonly rememberIds: boolean }): Promise<void> {
    await this.stop();
    await this.startAgain(options);
  }

  async close(): Promise<void> {
    await this.stop();
    this.currentStore.close();
  }

  private async startServer(): Promise<void> {
    const server = new Server({ 'grpc.max_receive_message_length': LARGEST_MESSAGE });
    const calls = new StandInCalls();
    const context: StandInContext = { store: () => this.currentStore, faults: this.faults, cut: (peer) => this.front.cut(peer) };
    // Every call takes one of its connection's places, and gives it back when it is answered.
    const answered =
      <C extends Parameters<StandInCalls['start']>[0], R>(handle: (call: C, answer: sendUnaryData<R>) => void) =>
      (call: C, answer: sendUnaryData<R>): void => {
        calls.start(call, (done) => {
          handle(call, (...result) => {
            done();
            answer(...result);
          });
        });
      };
    const streamed =
      <C extends Parameters<StandInCalls['start']>[0]>(handle: (call: C) => void) =>
      (call: C): void => {
        calls.start(call, () => {
          handle(call);
        });
      };
    server.addService(StreamsService, {
      read: streamed(handleRead(context)),
      append: answered(handleAppend(context)),
      delete: answered(handleDelete(context)),
      tombstone: answered(handleTombstone(context)),
      batchAppend: streamed(handleBatchAppend(context)),
    });
    server.addService(ServerFeaturesService, {
      getSupportedMethods: answered((_call: ServerUnaryCall<unknown, unknown>, answer: sendUnaryData<features.SupportedMethods>) => {
        answer(null, supportedMethods());
      }),
    });
    const port = await new Promise<number>((resolve, reject) => {
      server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) => {
        if (error) reject(error);
        else resolve(bound);
      });
    });
    this.grpc = server;
    this.front.leadTo(port);
  }
}
