import { randomInt } from 'node:crypto';
import { connect, createServer, type Server, type Socket } from 'node:net';

type Pair = { readonly outer: Socket; readonly inner: Socket; silent: boolean };

const listen = async (server: Server, port: number): Promise<number> => {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve();
    });
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The stand-in has no port');
  return address.port;
};

/** On a port below those that the system gives away: while the stand-in is absent, nobody else comes upon it. */
const listenAnew = async (server: Server): Promise<number> => {
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await listen(server, 20_000 + randomInt(12_000));
    } catch (error) {
      if (attempts === 20 || !(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error;
    }
  }
};

/**
 * The door of the stand-in: a loopback port that passes bytes on to the gRPC server behind it, and can cut, swallow or refuse them.
 * It keeps its port while the server behind it is restarted.
 */
export class StandInFront {
  private readonly pairs = new Set<Pair>();
  private server: Server | undefined;
  private silent = false;
  private behind = 0;
  port = 0;

  /** Listens (again): on the port it had, or on one that the system picks. */
  async open(): Promise<void> {
    if (this.server) return;
    const server = createServer({ noDelay: true }, (outer) => {
      this.pass(outer);
    });
    this.server = server;
    this.port = await (this.port === 0 ? listenAnew(server) : listen(server, this.port));
  }

  /** Where the gRPC server listens. */
  leadTo(port: number): void {
    this.behind = port;
  }

  /** Refuses new connections and cuts the open ones: the server is absent. */
  async shut(): Promise<void> {
    const server = this.server;
    this.server = undefined;
    this.cut();
    if (!server) return;
    await new Promise<void>((resolve) => {
      server.close(() => {
        resolve();
      });
    });
  }

  /** Cuts every connection, or the one that a gRPC call came by (`peer` as the call names it). Returns how many were cut. */
  cut(peer?: string): number {
    let cut = 0;
    for (const pair of this.pairs) {
      if (peer !== undefined && !peer.endsWith(`:${pair.inner.localPort}`)) continue;
      cut += 1;
      pair.outer.resetAndDestroy();
      pair.inner.destroy();
    }
    return cut;
  }

  /** Swallows what either side sends; connections stay open and new ones are taken. */
  silence(): void {
    this.silent = true;
    this.forget();
  }

  /** Swallows what comes over the open connections, as a network does that has forgotten them; new ones work. */
  forget(): void {
    for (const pair of this.pairs) pair.silent = true;
  }

  /** Answers again: connections that lost bytes are cut, new ones work. */
  speak(): void {
    this.silent = false;
    for (const pair of this.pairs)
      if (pair.silent) {
        pair.outer.resetAndDestroy();
        pair.inner.destroy();
      }
  }

  get connections(): number {
    return this.pairs.size;
  }

  private pass(outer: Socket): void {
    const inner = connect({ port: this.behind, host: '127.0.0.1', noDelay: true });
    const pair: Pair = { outer, inner, silent: this.silent };
    this.pairs.add(pair);
    const forward = (from: Socket, to: Socket): void => {
      from.on('data', (bytes: Buffer) => {
        if (pair.silent) return;
        if (!to.write(bytes)) {
          from.pause();
          to.once('drain', () => {
            from.resume();
          });
        }
      });
      from.on('end', () => {
        to.end();
      });
      // An error is followed by 'close', which ends both sides.
      from.on('error', () => {
        to.destroy();
      });
      from.on('close', () => {
        this.pairs.delete(pair);
        to.destroy();
      });
    };
    forward(outer, inner);
    forward(inner, outer);
  }
}
