import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createHttpServer, serverLimits, type HttpServer, type ServerLimits } from './server.ts';
import { ask } from './testing/toy-gate.ts';

const quick: ServerLimits = { headersMs: 1000, requestMs: 1500, checkMs: 100, keepAliveMs: 10_000, idleMs: 10_000 };
/** Where no limit is what is shown: a pause of this process is no slow client. */
const patient: ServerLimits = { ...quick, headersMs: 20_000, requestMs: 20_000 };
let server: HttpServer | undefined;
afterEach(async () => server?.stop(500));

const open = async (listener: Parameters<typeof createHttpServer>[0], limits = patient): Promise<number> => {
  server = createHttpServer(listener, limits);
  return server.listen({ host: '127.0.0.1', port: 0 });
};
const socketTo = async (port: number): Promise<Socket> => {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket;
};
/** Everything that comes until the other side closes. */
const heard = async (socket: Socket): Promise<string> => {
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
  if (!socket.destroyed) await once(socket, 'close');
  return text;
};

describe('slow clients (R21)', () => {
  it('have 10 s for their headers and 120 s for all of a request, looked at every 5 s, where nothing else is said', () => {
    const { headersTimeout, requestTimeout, keepAliveTimeout, timeout } = createHttpServer(() => {}).server;
    expect([headersTimeout, requestTimeout, serverLimits.checkMs, keepAliveTimeout, timeout]).toEqual([10_000, 120_000, 5000, 65_000, 150_000]);
  });

  it('are closed when their headers drip, and when their bodies do; others are answered meanwhile', async () => {
    const port = await open((request, response) => {
      if (request.readableEnded) response.end('ok');
      else request.resume().on('end', () => response.end('ok'));
    }, quick);
    const sockets = await Promise.all(Array.from({ length: 40 }, async () => socketTo(port)));
    const drips = sockets.map((socket, index) => {
      socket.write(index % 2 === 0 ? 'GET / HTTP/1.1\r\nHost: x\r\n' : 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n');
      const timer = setInterval(() => socket.write(index % 2 === 0 ? 'X-A: b\r\n' : 'x'), 50);
      return heard(socket).finally(() => clearInterval(timer));
    });
    const started = performance.now();
    expect((await ask(port, 'GET', '/')).text).toBe('ok');
    const answers = await Promise.all(drips);
    expect(performance.now() - started).toBeLessThan(quick.requestMs + quick.idleMs);
    expect(new Set(answers.map((answer) => answer.split('\r\n')[0]))).toEqual(new Set(['HTTP/1.1 408 Request Timeout']));
  });

  it('are closed though they leave their own side open, and what they send after they were refused is not carried out', async () => {
    const cameWhole = Promise.withResolvers<boolean>();
    const port = await open((request) => void request.resume().on('close', () => cameWhole.resolve(request.complete)), quick);
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    socket.on('error', () => {});
    const answer = once(socket, 'data');
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{');
    expect(String((await answer)[0]).split('\r\n')[0]).toBe('HTTP/1.1 408 Request Timeout');
    socket.write('}');
    expect(await cameWhole.promise).toBe(false);
    socket.destroy();
  });
});

describe('what is no HTTP', () => {
  it.each([
    ['noise', 'hello\r\n\r\n', 'HTTP/1.1 400 Bad Request'],
    ['headers too long', `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`, 'HTTP/1.1 431 Request Header Fields Too Large'],
    ['two lengths', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n', 'HTTP/1.1 400 Bad Request'],
    ['no host', 'GET / HTTP/1.1\r\n\r\n', 'HTTP/1.1 400 Bad Request'],
    ['two hosts', 'GET / HTTP/1.1\r\nHost: x\r\nhost: y\r\n\r\n', 'HTTP/1.1 400 Bad Request'],
  ])('is refused: %s', async (_, text, status) => {
    const port = await open((_request, response) => response.end('ok'));
    const socket = await socketTo(port);
    const answer = heard(socket);
    socket.write(text);
    expect((await answer).split('\r\n')[0]).toBe(status);
    expect((await ask(port, 'GET', '/')).text).toBe('ok');
  });
});

it('what is no HTTP behind a request is not answered into the answer to that', async () => {
  const port = await open((_request, response) => void response.writeHead(200, { 'Content-Length': 10 }).write('begun'));
  const socket = await socketTo(port);
  const begun = once(socket, 'data');
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  expect(String((await begun)[0])).toMatch(/\r\n\r\nbegun$/);
  const rest = heard(socket);
  socket.write('hello\r\n\r\n');
  expect(await rest).toBe('');
});

const asked = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;

it.each([
  ['a request that is being answered', asked('/1'), ['200']],
  ['one with a body that came whole', 'POST /1 HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}', ['200']],
  ['several that wait for their turn', asked('/1') + asked('/2') + asked('/3'), ['200', '200', '200']],
  ['one before a body that is no HTTP', `${asked('/1')}POST /2 HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n`, ['200']],
])('what is no HTTP takes no answer from what came before it: %s', async (_, before, statuses) => {
  const port = await open((request, response) => {
    request.resume();
    setImmediate(() => response.end('ok'));
  });
  const socket = await socketTo(port);
  const answers = heard(socket);
  socket.write(`${before} hello\r\n\r\n`);
  expect((await answers).match(/(?<=HTTP\/1\.1 )\d+/g)).toEqual(statuses);
});

it('a body that is no HTTP is refused in place of the answer to its request', async () => {
  const port = await open((request, response) => void request.resume().on('end', () => response.end('ok')));
  const socket = await socketTo(port);
  const answer = heard(socket);
  socket.write('POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nhello\r\n');
  expect((await answer).split('\r\n')[0]).toBe('HTTP/1.1 400 Bad Request');
});
describe('requests that come before the answer to the one before', () => {
  it('are begun in their turn', async () => {
    const begun: string[] = [];
    const port = await open(({ url = '' }, response) => {
      begun.push(url);
      setImmediate(() => response.end(`${url} after ${begun.join('')};`));
    });
    const socket = await socketTo(port);
    const answers = heard(socket);
    socket.write(`${asked('/1')}${asked('/2')}GET /3 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expect((await answers).match(/\/\d after [^;]*;/g)).toEqual(['/1 after /1;', '/2 after /1/2;', '/3 after /1/2/3;']);
  });

  it('are begun once the one before was told that it is done, and has let go of what it held', async () => {
    const told: string[] = [];
    const port = await open(({ url = '' }, response) => {
      told.push(`${url} begun`);
      response.once('close', () => told.push(`${url} done`));
      setImmediate(() => response.end('ok'));
    });
    const socket = await socketTo(port);
    const answers = heard(socket);
    socket.write(`${asked('/1')}${asked('/2')}GET /3 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    await answers;
    expect(told.slice(0, 5)).toEqual(['/1 begun', '/1 done', '/2 begun', '/2 done', '/3 begun']);
  });

  it('are not begun at all when the connection closes, so that nothing is held for them', async () => {
    const begun: string[] = [];
    const [arrived, gone] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const port = await open(({ url = '' }, response) => {
      begun.push(url);
      response.once('close', gone.resolve);
      // Without an end, as followers have it.
      if (url === '/endless') response.write('begun');
      else response.end('ok');
    });
    server?.server.on('request', ({ url }) => {
      if (url === '/last') arrived.resolve();
    });
    const socket = await socketTo(port);
    socket.write(asked('/endless') + asked('/file').repeat(50) + asked('/last'));
    await arrived.promise;
    socket.destroy();
    await gone.promise;
    expect((await ask(port, 'GET', '/other')).text).toBe('ok');
    expect(begun).toEqual(['/endless', '/other']);
  });

  it.each([
    ['the server ends the connection with it', 'GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n', ['400']],
    ['so does Node', `${asked('/1')}GET / HTTP/1.1\r\n\r\n`, ['200', '400']],
  ])('are not begun at all where no answer can be given after it: %s', async (_, before, statuses) => {
    const begun: string[] = [];
    const port = await open(({ url = '' }, response) => {
      begun.push(url);
      setImmediate(() => response.end('ok'));
    });
    const socket = await socketTo(port);
    const answers = heard(socket);
    socket.write(before + asked('/lost'));
    expect((await answers).match(/(?<=HTTP\/1\.1 )\d+/g)).toEqual(statuses);
    expect(begun).not.toContain('/lost');
  });

  it('are begun only when an answer that Node gave itself is out as well', async () => {
    const turns: boolean[] = [];
    const port = await open((_request, response) => {
      turns.push(response.socket !== null);
      setImmediate(() => response.end('ok'));
    });
    const socket = await socketTo(port);
    const answers = heard(socket);
    socket.write(`${asked('/1')}GET /2 HTTP/1.1\r\nHost: x\r\nExpect: more\r\n\r\nGET /3 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expect((await answers).match(/(?<=HTTP\/1\.1 )\d+/g)).toEqual(['200', '417', '200']);
    expect(turns).toEqual([true, true]);
  });

  it('wait with their bodies, however long, and are told in their turn to send them', async () => {
    const body = 'x'.repeat(500_000);
    const port = await open((request, response) => {
      setImmediate(() => void request.toArray().then((chunks) => response.end(String(Buffer.concat(chunks).length))));
    });
    const socket = await socketTo(port);
    const answers = heard(socket);
    socket.write(
      `${asked('/1')}POST /2 HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 500000\r\n\r\n${body}GET /3 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    );
    expect((await answers).match(/(?<=HTTP\/1\.1 |\r\n\r\n)\d+/g)).toEqual(['200', '0', '100', '200', '500000', '200', '0']);
  });

  it('are so many and no more', async () => {
    const port = await open((_request, response) => void response.write('begun'));
    const [within, beyond] = [await socketTo(port), await socketTo(port)];
    const [first, closed] = [once(within, 'data'), heard(beyond)];
    within.write(asked('/').repeat(101));
    beyond.write(asked('/').repeat(102));
    await Promise.all([first, closed]);
    expect(within.destroyed).toBe(false);
    within.destroy();
  });
});

describe('an offer of another protocol', () => {
  it.each([
    ['websocket', 'Connection: Upgrade\r\nUpgrade: websocket\r\n'],
    [
      "HTTP/2, as Java's client makes it",
      'Connection: Upgrade, HTTP2-Settings\r\nHTTP2-Settings: AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA\r\nUpgrade: h2c\r\n',
    ],
  ])('is passed over: %s', async (_, offer) => {
    const port = await open((request, response) => {
      void request.toArray().then((chunks) => response.end(`${request.method ?? ''} ${chunks.join('')};`));
    });
    const socket = await socketTo(port);
    // One after another on one connection: who offers waits for the answer.
    for (const [text, answer] of [
      [`GET / HTTP/1.1\r\nHost: x\r\n${offer}\r\n`, 'GET ;'],
      [`POST / HTTP/1.1\r\nHost: x\r\n${offer}Content-Length: 4\r\n\r\nbody`, 'POST body;'],
      ['GET / HTTP/1.1\r\nHost: x\r\n\r\n', 'GET ;'],
    ] as const) {
      const heardNow = once(socket, 'data') as Promise<[Buffer]>;
      socket.write(text);
      const [head, body] = (await heardNow)[0].toString('latin1').split('\r\n\r\n');
      expect([head?.split('\r\n')[0], body]).toEqual(['HTTP/1.1 200 OK', answer]);
    }
    socket.destroy();
  });
});

describe('stopping (R18)', () => {
  it('finishes what is in flight, refuses what is new and closes idle connections', async () => {
    const release = Promise.withResolvers<void>();
    const arrived = Promise.withResolvers<void>();
    const port = await open((_request, response) => {
      arrived.resolve();
      void release.promise.then(() => response.end('finished'));
    });
    const idle = await socketTo(port);
    const idleClosed = once(idle, 'close');
    const pipelined = await socketTo(port);
    const said = heard(pipelined);
    pipelined.write('GET /first HTTP/1.1\r\nHost: x\r\n\r\n');
    await arrived.promise;
    const started = performance.now();
    const stopped = server?.stop(5000);
    await expect(ask(port, 'GET', '/late')).rejects.toThrow('ECONNREFUSED');
    release.resolve();
    await stopped;
    await idleClosed;
    expect(performance.now() - started).toBeLessThan(quick.idleMs);
    expect(await said).toMatch(/^HTTP\/1\.1 200 OK\r\nConnection: close\r\n[\s\S]*finished/);
  });

  it('lets an answer that is handed over reach a client that takes its time', async () => {
    const length = 30_000_000;
    const port = await open((_request, response) => response.end(Buffer.alloc(length)));
    const socket = await socketTo(port);
    socket.write(asked('/'));
    await once(socket, 'readable');
    const stopped = server?.stop(5000);
    const said = heard(socket);
    await stopped;
    expect((await said).split('\r\n\r\n')[1]?.length).toBe(length);
  });

  it('cuts what does not end', async () => {
    const arrived = Promise.withResolvers<void>();
    const port = await open(() => arrived.resolve());
    const socket = await socketTo(port);
    const closed = heard(socket);
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await arrived.promise;
    const started = performance.now();
    await server?.stop(200);
    expect(await closed).toBe('');
    expect(performance.now() - started).toBeLessThan(quick.idleMs);
  });

  it('refuses what waits for its turn, also behind an answer that ends with the stop', async () => {
    const followed = Promise.withResolvers<ServerResponse>();
    const port = await open((_request, response) => {
      response.write('begun');
      followed.resolve(response);
    });
    const socket = await socketTo(port);
    const said = heard(socket);
    socket.write(asked('/1') + asked('/2'));
    const response = await followed.promise;
    response.end();
    await server?.stop(5000);
    expect((await said).match(/(?<=HTTP\/1\.1 )\d+/g)).toEqual(['200', '503']);
  });

  it('gives no answer but 503 to a request on an open connection', async () => {
    const first = Promise.withResolvers<void>();
    const arrived = Promise.withResolvers<void>();
    const port = await open((_request, response) => {
      arrived.resolve();
      response.write('begun ');
      void first.promise.then(() => response.end('finished'));
    });
    const socket = await socketTo(port);
    const said = heard(socket);
    socket.write('GET /1 HTTP/1.1\r\nHost: x\r\n\r\n');
    await arrived.promise;
    const stopped = server?.stop(5000);
    const second = server === undefined ? undefined : once(server.server, 'request');
    socket.write('GET /2 HTTP/1.1\r\nHost: x\r\n\r\n');
    await second;
    first.resolve();
    await stopped;
    const answers = (await said).split('HTTP/1.1 ').slice(1);
    expect(answers.map((answer) => answer.slice(0, 3))).toEqual(['200', '503']);
    expect(answers[1]).toContain('The server is stopping');
  });
});

it('sees the last header, which is the one of the proxy, behind however many', async () => {
  const port = await open((request, response) => response.end(String(request.headers['x-last'])));
  const socket = await socketTo(port);
  socket.write(`GET / HTTP/1.1\r\nHost: x\r\n${'a:\r\n'.repeat(2500)}X-Last: proxy\r\nConnection: close\r\n\r\n`);
  expect(await heard(socket)).toMatch(/^HTTP\/1\.1 200 OK[^]*proxy/);
});
