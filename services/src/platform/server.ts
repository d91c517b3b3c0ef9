import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** How long a client may take (R21). Node's own defaults, and Express's `listen`, are laxer: 60 s, 300 s, checked every 30 s. */
export type ServerLimits = {
  readonly headersMs: number;
  readonly requestMs: number;
  readonly checkMs: number;
  readonly keepAliveMs: number;
  readonly idleMs: number;
};
export const serverLimits: ServerLimits = { headersMs: 10_000, requestMs: 120_000, checkMs: 5000, keepAliveMs: 65_000, idleMs: 150_000 };

export type HttpServer = {
  readonly server: Server;
  /** Resolves with the port once it listens; rejects when the address cannot be had. */
  listen(where: { readonly host: string; readonly port: number } | { readonly path: string }): Promise<number>;
  /**
   * Takes no new connection, lets requests in flight finish and refuses new ones on open connections. What is still there after `graceMs` is cut.
   * Resolves when every connection is closed.
   */
  stop(graceMs: number): Promise<void>;
};

/** Of two hosts Node takes the first, and a proxy may have gone by the other: such a request is refused (RFC 9112, section 3.2). */
const hasTwoHosts = ({ rawHeaders }: IncomingMessage): boolean => {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts > 1;
};

/** Requests of one connection that may come before their turn. Who sends more does not read. */
const mostWaiting = 100;

const isBusy = (response: ServerResponse | undefined): response is ServerResponse =>
  response !== undefined && !response.writableFinished && !response.destroyed;

/** Answers to what is no HTTP, or too slow, or too long: before there is a request, so by hand. */
const rawStatus: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: '413 Payload Too Large',
};
const refuseRaw = (error: NodeJS.ErrnoException, socket: Socket, isAnswering: boolean): void => {
  if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
  // In the midst of an answer it would be read as a part of that.
  else if (isAnswering) socket.destroySoon();
  else {
    socket.end(`HTTP/1.1 ${rawStatus[error.code ?? ''] ?? '400 Bad Request'}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
    // Its time is looked at once: what came later would be carried out though it was refused, and whoever leaves his own side open would keep the connection.
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') socket.destroySoon();
  }
};

const refuseStopping = (response: ServerResponse): void => {
  const body =
    '{"type":"/api/docs#problem-unavailable","title":"Not available at the moment","status":503,"detail":"The server is stopping. Please try again soon.","instance":"","message":"The server is stopping. Please try again soon."}';
  response.writeHead(503, {
    'Content-Type': 'application/problem+json; charset=utf-8',
    'Cache-Control': 'no-store',
    'Retry-After': '2',
    Connection: 'close',
    'Content-Length': Buffer.byteLength(body),
  });
  response.end(body);
};

/**
 * An http server with explicit time-outs. `listener` is asked for every request; it must never reject. An offer to speak another protocol (`Upgrade`: Java's
 * own client makes one with each request) is passed over, as nothing listens for it here, and its request answered as any other (RFC 9110, section 7.8). What
 * is sent behind an offer before it is answered is lost in Node: nobody may count on the old protocol there.
 */
export const createHttpServer = (listener: RequestListener, limits: ServerLimits = serverLimits): HttpServer => {
  let stopping = false;
  /** Every connection with its last answer: answers of one connection go out in order, so the others before it are done when it is. */
  const connections = new Map<Socket, ServerResponse | undefined>();
  /** How many answers of a connection wait for the one before them. */
  const waiting = new WeakMap<Socket, number>();
  const waitingOn = (socket: Socket): number => waiting.get(socket) ?? 0;
  /** Of an answer that waits, the one that it waits for. */
  const before = new WeakMap<ServerResponse, ServerResponse>();
  const begin = (request: IncomingMessage, response: ServerResponse): void => {
    if (stopping) refuseStopping(response);
    else if (hasTwoHosts(request)) response.writeHead(400, { Connection: 'close', 'Content-Length': 0 }).end();
    else listener(request, response);
  };
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    const { socket } = request;
    const previous = connections.get(socket);
    if (!stopping) connections.set(socket, response);
    // An answer is given its connection when it is its turn, and never behind one that ends the connection.
    if (stopping || response.socket !== null) {
      begin(request, response);
      return;
    }
    // Nothing is begun before its turn: of an answer that waits not every Node tells that its connection has closed, and what it held (files, followers) would
    // be held for ever.
    waiting.set(socket, waitingOn(socket) + 1);
    if (previous !== undefined) before.set(response, previous);
    if (waitingOn(socket) > mostWaiting) socket.destroy();
    response.once('socket', () => {
      waiting.set(socket, waitingOn(socket) - 1);
      before.delete(response);
      // What Node has written for it already (`100 Continue`) goes out first, and the one before is told that it is done.
      process.nextTick(() => {
        if (!socket.destroyed) begin(request, response);
      });
    });
  };
  const server = createServer(
    {
      headersTimeout: limits.headersMs,
      requestTimeout: limits.requestMs,
      connectionsCheckingInterval: limits.checkMs,
      keepAliveTimeout: limits.keepAliveMs,
      maxHeaderSize: 16_384,
      requireHostHeader: true,
      noDelay: true,
      optimizeEmptyRequests: true,
    },
    handle,
  );
  // Neither side moves: a client that stopped reading its answer. Followers get a heartbeat more often than this.
  server.timeout = limits.idleMs;
  // Left alone, Node drops what comes behind a thousand headers without a word (Node 24 refuses): the last one is the proxy's. `maxHeaderSize` is the limit.
  server.maxHeadersCount = 0;
  server.on('connection', (socket) => {
    connections.set(socket, undefined);
    socket.once('close', () => connections.delete(socket));
  });
  server.on('clientError', (error: NodeJS.ErrnoException, stream) => {
    const socket = stream as Socket;
    const last = connections.get(socket);
    // What is no HTTP may be the body of the last one.
    const whole = last === undefined || last.req.complete ? last : before.get(last);
    // Whoever has sent whole requests before is told what came of them: a refusal would be read as the answer to the first.
    if (isBusy(whole) && !whole.headersSent && error.code !== 'ECONNRESET' && socket.writable) whole.setHeader('Connection', 'close');
    else refuseRaw(error, socket, isBusy(last) && (last.headersSent || waitingOn(socket) > 0));
  });

  const closeIdle = (): void => {
    for (const [socket, response] of connections) if (!isBusy(response)) socket.destroySoon();
  };
  // Its `close` calls this. Node's own leaves a connection that has not asked anything yet, and cuts off an answer that was handed over whole and is still on
  // its way to a slow client.
  server.closeIdleConnections = closeIdle;

  return {
    server,
    async listen(where) {
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject);
        server.listen('path' in where ? { path: where.path } : { host: where.host, port: where.port }, () => {
          server.off('error', reject);
          resolve();
        });
      });
      const address = server.address();
      return typeof address === 'object' && address !== null ? address.port : 0;
    },
    async stop(graceMs) {
      if (stopping) return;
      stopping = true;
      // An answer that is still to come tells its client not to use the connection again.
      for (const response of connections.values()) if (isBusy(response) && !response.headersSent) response.setHeader('Connection', 'close');
      const closed = new Promise<void>((resolve) => {
        if (server.listening) server.close(() => resolve());
        else resolve();
      });
      closeIdle();
      const idle = setInterval(closeIdle, 100);
      const cut = setTimeout(() => server.closeAllConnections(), graceMs);
      await closed;
      clearInterval(idle);
      clearTimeout(cut);
    },
  };
};
