import { once } from 'node:events';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { logInSuperAdmin } from '@courtledger/contracts/admin/admin.api';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { liveReadModel } from './platform/store-read-model-files.ts';
import { ask } from './platform/testing/toy-gate.ts';
import { pathOf } from './testing/site.ts';
import { startServer, type ServerProcess } from './testing/server-process.ts';

let dataDir: string;
const running: ServerProcess[] = [];
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'courtledger-main-'));
});
afterEach(async () => {
  for (const server of running.splice(0)) {
    server.child.kill('SIGKILL');
    // The folder goes after them.
    await server.ended;
  }
  rmSync(dataDir, { recursive: true, force: true });
});
const start = (environment: Record<string, string> = {}, preload?: string, before?: readonly string[]): ServerProcess => {
  const server = startServer({ DATA_DIR: dataDir, ...environment }, preload, before);
  running.push(server);
  return server;
};
const stop = async (server: ServerProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<unknown> => {
  server.child.kill(signal);
  return server.ended;
};
const logIn = async (port: number, id: string, password: string): Promise<number> =>
  (await ask(port, 'POST', pathOf(logInSuperAdmin), { 'content-type': 'application/json' }, JSON.stringify({ id, password }))).status;

const call = async (port: number, method: string, path: string, token: string, body?: object) =>
  ask(port, method, path, { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) }, body && JSON.stringify(body));

/** What a picture that nobody has is answered, on one connection that stays open. */
const askPicture = async (port: number, agent: Agent): Promise<readonly [status: number | undefined, retryAfter: string | undefined]> =>
  new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, agent, path: `/media/${'a'.repeat(24)}.jpg` }, (response) => {
      response.resume().once('end', () => resolve([response.statusCode, response.headers['retry-after']]));
    })
      .on('error', reject)
      .end();
  });

/** The status of an answer over the control socket, or the error. */
const askSocket = async (socketPath: string, path: string): Promise<unknown> => {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  request({ socketPath, path }, (response) => {
    response.resume();
    resolve(response.statusCode);
  })
    .on('error', resolve)
    .end();
  return promise;
};

describe('the server process', () => {
  it('says where it is and where its data lie, shows a made password once, and ends cleanly', async () => {
    const first = start();
    const port = await first.ready;
    expect(first.said()).toContain(`CourtLedger listens on http://127.0.0.1:${port}\nData: ${dataDir}\n`);
    const password = /id superadmin {3}password (\S+)\n/.exec(first.said())?.[1] ?? '';
    expect(password).toMatch(/^[a-z0-9-]{27}$/);
    expect([await logIn(port, 'superadmin', password), await logIn(port, 'superadmin', 'password')]).toEqual([200, 401]);
    expect(await stop(first, 'SIGINT')).toEqual({ code: 0, signal: null });
    // Nothing but its hash is kept (S9).
    expect(first.logged()).not.toContain(password);
    const files = readdirSync(dataDir, { recursive: true, encoding: 'utf8' }).filter((name) => statSync(join(dataDir, name)).isFile());
    expect(files).toContain('event-log.sqlite');
    expect(files.filter((name) => readFileSync(join(dataDir, name)).includes(password))).toEqual([]);
    const second = start();
    const again = await second.ready;
    expect(second.said()).not.toMatch(/password/i);
    expect(await logIn(again, 'superadmin', password)).toBe(200);
    expect(await stop(second)).toEqual({ code: 0, signal: null });
    const third = start({ SUPERADMIN_ID: 'root', SUPERADMIN_PASSWORD: 'Passw0rd123', BACKUP_DIR: join(dataDir, 'event-log.sqlite/backups') });
    expect(await logIn(await third.ready, 'root', 'Passw0rd123')).toBe(200);
    // S10, of what an operator has set.
    expect(third.said()).toContain('\nWarning: SUPERADMIN_PASSWORD is one of those that everybody tries first. Set another one.\n');
    expect(third.said()).toContain(
      `\nWarning: no backup can be made: ${join(dataDir, 'event-log.sqlite/backups')} cannot be used: ${join(dataDir, 'event-log.sqlite')} is not a folder\n`,
    );
    expect(await stop(third)).toEqual({ code: 0, signal: null });
    // The files are whole: nothing is left beside them.
    expect(readdirSync(dataDir).filter((name) => /-(wal|shm|journal)$|\.sock$/.test(name))).toEqual([]);
  });

  it.each<[string, Record<string, string>, string]>([
    ['a short secret', { JWT_SECRET: 'short' }, 'JWT_SECRET must have at least 32 characters'],
    ['the sample secret', { JWT_SECRET: 'please-set-your-own-secret-of-32-or-more' }, 'JWT_SECRET is the value of .env.example'],
    ['half an account', { SUPERADMIN_ID: 'root' }, 'SUPERADMIN_ID and SUPERADMIN_PASSWORD go together'],
    [
      "an event store's default password",
      { EVENTSTORE_URL: 'esdb://admin:changeit@store.example:2113' },
      "EVENTSTORE_URL uses EventStoreDB's default password",
    ],
    ['a folder in which nothing can be made', { DATA_DIR: '/proc/nope' }, 'DATA_DIR: /proc/nope cannot be used: nothing can be made in /proc'],
    [
      'a file in the place of the data',
      { DATA_DIR: import.meta.filename },
      `DATA_DIR: ${import.meta.filename} cannot be used: ${import.meta.filename} is not a folder`,
    ],
    ['an address that is not ours', { HOST: '203.0.113.7' }, 'This address cannot be used: HOST=203.0.113.7'],
  ])('refuses %s in words (S8, S31)', async (_, environment, words) => {
    const server = start(environment);
    expect((await server.ended).code).toBe(1);
    expect(server.said()).toContain(words);
    expect(server.said()).not.toContain('    at ');
  });

  it('makes nothing that other accounts of the machine can read, also where its folder is open to them', async () => {
    chmodSync(dataDir, 0o755);
    const server = start();
    await server.ready;
    const modes = readdirSync(dataDir, { recursive: true, encoding: 'utf8' })
      .toSorted()
      .map((name) => [name, statSync(join(dataDir, name)).mode & 0o077]);
    expect([modes.length > 12, modes.filter(([, mode]) => mode !== 0)]).toEqual([true, []]);
    expect(await stop(server)).toEqual({ code: 0, signal: null });
  });

  it('goes on when nobody reads what it says', async () => {
    const server = start();
    // Before it has said anything.
    server.child.stderr?.destroy();
    server.child.stdout?.destroy();
    await expect.poll(async () => askSocket(join(dataDir, 'control.sock'), '/readyz')).toBe(200);
    expect(await stop(server)).toEqual({ code: 0, signal: null });
  });

  it('refuses data that another server has, and a port that is taken', async () => {
    const first = start();
    const port = await first.ready;
    const second = start();
    expect((await second.ended).code).toBe(1);
    expect(second.said()).toContain('Another process owns this DATA_DIR');
    expect(second.said()).not.toContain('listens on');
    const third = start({ DATA_DIR: join(dataDir, 'other'), PORT: String(port) });
    expect((await third.ended).code).toBe(1);
    expect(third.said()).toContain(`Port ${port} is taken`);
    expect((await ask(port, 'GET', '/readyz')).status).toBe(200);
  });

  it('ends with 1 after an error that nobody caught, in a timer or a promise, and starts clean (R25)', async () => {
    for (const fault of ['setTimeout(() => { throw new Error("boom") })', 'void Promise.reject(new Error("boom"))']) {
      const server = start({}, `process.on('SIGUSR2', () => { ${fault} })`);
      await server.ready;
      server.child.kill('SIGUSR2');
      expect([fault, await server.ended]).toEqual([fault, { code: 1, signal: null }]);
      expect(server.logged()).toMatch(/"event":"(uncaught error|unhandled rejection)"/);
      expect(server.logged()).toContain('"message":"boom"');
    }
    const next = start();
    await next.ready;
    expect(await stop(next)).toEqual({ code: 0, signal: null });
  });

  it('told to stop while it opens its data, says nothing of being ready, and shows a made password all the same', async () => {
    const server = start(
      {},
      "const write = process.stderr.write.bind(process.stderr); process.stderr.write = (text) => { if (String(text).includes('opens its data')) setImmediate(() => process.emit('SIGTERM', 'SIGTERM')); return write(text); };",
    );
    expect(await server.ended).toEqual({ code: 0, signal: null });
    expect(server.said()).toMatch(/^CourtLedger opens its data \.\.\.\n\nSuper admin \(shown this once, keep it\): {2}id superadmin {3}password \S+\n\n$/);
    expect(server.logged()).toContain('"event":"stopped"');
    expect(server.logged()).not.toContain('"event":"ready"');
  });

  it('makes its read model anew when it was deleted, cut in half, or no database (R10)', async () => {
    const account = { SUPERADMIN_ID: 'root', SUPERADMIN_PASSWORD: 'swift-harbour-lantern', RATE_LIMIT: 'off' };
    const token = async (port: number): Promise<string> =>
      ((await call(port, 'POST', '/api/superadmin/login', '', { id: 'root', password: 'swift-harbour-lantern' })).json() as { token: string }).token;
    const first = start(account);
    const firstPort = await first.ready;
    const firstToken = await token(firstPort);
    for (const name of ['asha', 'bina', 'chandra']) {
      expect(
        (
          await call(firstPort, 'POST', '/api/superadmin/create-admin', firstToken, {
            username: name,
            password: 'copper-meadow-71',
            email: `${name}@example.org`,
            phoneNumber: '9800000001',
          })
        ).status,
      ).toBe(201);
    }
    const before = await call(firstPort, 'GET', '/api/superadmin/get-admins', firstToken);
    expect(await stop(first)).toMatchObject({ code: 0 });
    const damages: readonly [string, (path: string) => void][] = [
      ['deleted', (path) => rmSync(path)],
      ['cut in half', (path) => truncateSync(path, Math.floor(statSync(path).size / 2))],
      ['no database', (path) => writeFileSync(path, 'not a database, but long enough to be one'.repeat(100))],
    ];
    for (const [state, damage] of damages) {
      damage(join(dataDir, liveReadModel(dataDir)));
      const next = start(account);
      const port = await next.ready;
      const after = await call(port, 'GET', '/api/superadmin/get-admins', await token(port));
      expect([state, after.status, after.text, after.headers.etag]).toEqual([state, 200, before.text, before.headers.etag]);
      expect(await stop(next)).toMatchObject({ code: 0 });
      expect(next.logged()).toContain('"event":"the read model was made anew"');
    }
  });

  it('does not call itself ready with a damaged log, and says why', async () => {
    const first = start({ SUPERADMIN_ID: 'root', SUPERADMIN_PASSWORD: 'swift-harbour-lantern' });
    const port = await first.ready;
    const { token } = (await call(port, 'POST', '/api/superadmin/login', '', { id: 'root', password: 'swift-harbour-lantern' })).json() as { token: string };
    expect(
      (
        await call(port, 'POST', '/api/superadmin/create-admin', token, {
          username: 'asha',
          password: 'copper-meadow-71',
          email: 'asha@example.org',
          phoneNumber: '9800000001',
        })
      ).status,
    ).toBe(201);
    await stop(first);
    const log = new Database(join(dataDir, 'event-log.sqlite'));
    log.exec("UPDATE events SET data = replace(data, 'asha', 'aisha')");
    log.close();
    const second = start();
    await second.ready;
    expect(second.said()).toMatch(/^Not ready yet, and serving what was known: The log is damaged at position 2\. Stop with Ctrl\+C\.$/m);
    await stop(second);
  });

  it('that may open no more files says that it is busy, and serves them again once connections have closed', async () => {
    const server = start({}, undefined, ['sh', '-c', 'ulimit -n 128; exec "$@"', 'sh']);
    const port = await server.ready;
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    expect(await askPicture(port, agent)).toEqual([404, undefined]);
    const others: Socket[] = [];
    let answer: readonly unknown[] = [404];
    while (answer[0] === 404 && others.length < 128) {
      const other = connect(port, '127.0.0.1').on('error', () => {});
      others.push(other);
      await once(other, 'connect');
      answer = await askPicture(port, agent);
    }
    expect(answer).toEqual([503, '2']);
    for (const other of others) other.destroy();
    await expect.poll(async () => askPicture(port, agent)).toEqual([404, undefined]);
    agent.destroy();
    expect(await stop(server)).toMatchObject({ code: 0 });
  });
});
