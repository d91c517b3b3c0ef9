import { Server, ServerCredentials } from '@grpc/grpc-js';
import { ServerFeaturesService } from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import features from '@eventstore/db-client/generated/serverfeatures_pb.js';
import { StreamsService } from '@eventstore/db-client/generated/streams_grpc_pb.js';

import { handleAppend, handleDelete, handleTombstone, type StandInContext } from './eventstoredb-stand-in-append.ts';
import { handleBatchAppend } from './eventstoredb-stand-in-batch-append.ts';
import { StandInFaults } from './eventstoredb-stand-in-faults.ts';
import { StandInFront } from './eventstoredb-stand-in-front.ts';
import { handleRead } from './eventstoredb-stand-in-read.ts';
import { StandInStore } from './eventstoredb-stand-in-store.ts';

/** As the server's own default: the 101st call of a connection waits, without a word. */
const CALLS_PER_CONNECTION = 100;
const LARGEST_MESSAGE = 16 * 1024 * 1024;

const supportedMethods = (): features.SupportedMethods => {
  const methods = ['read', 'append', 'delete', 'tombstone', 'batchappend'].map((name) => new features.SupportedMethod().setServiceName('event_store.client.streams.streams').setMethodName(name));
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

  /** Starts on a port that the system picks. With a file the events outlive `close()`; without one they are kept in memory, over restarts too. */
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
    const server = new Server({ 'grpc.max_concurrent_streams': CALLS_PER_CONNECTION, 'grpc.max_receive_message_length': LARGEST_MESSAGE });
    const context: StandInContext = { store: () => this.currentStore, faults: this.faults, cut: (peer) => this.front.cut(peer) };
    server.addService(StreamsService, {
      read: handleRead(context),
      append: handleAppend(context),
      delete: handleDelete(context),
      tombstone: handleTombstone(context),
      batchAppend: handleBatchAppend(context),
    });
    server.addService(ServerFeaturesService, {
      getSupportedMethods: (_call: unknown, answer: (error: null, value: features.SupportedMethods) => void) => {
        answer(null, supportedMethods());
      },
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
