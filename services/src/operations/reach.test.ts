import { rmSync, symlinkSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { logInSuperAdmin } from '@courtledger/contracts/admin/admin.api';
import { readyAnswer } from '@courtledger/contracts/kernel/health.api';
import { getOperationsStatus, getRebuild, startRebuild, verifyLog } from '@courtledger/contracts/operations/operations.api';
import { expect, it, onTestFinished } from 'vitest';
import { LogInUse, takeDataLock, waitForDataLock } from '../event-log/log-lock.ts';
import { siteFolder } from '../testing/site-folder.ts';
import { testConfig } from '../testing/site.ts';
import { verbContext } from '../testing/verb-context.ts';
import { ask } from './ask.ts';
import { isAnswering } from './control-client.ts';
import { tellable } from './expected-errors.ts';
import { OperatorError } from './operator-error.ts';
import { OwnerGone, reach } from './reach.ts';
import type { Config } from '../platform/config.ts';
import type { Verb } from './verb.ts';
import { importVerb } from './verbs/import.verb.ts';
import { newKey } from './verbs/new-key.verb.ts';
import { restore } from './verbs/restore.verb.ts';

/** Several tools, or a tool and a server, on one DATA_DIR in the same moment. */

const folder = siteFolder();
const store = { kind: 'sqlite' } as const;

/** An installation that nobody has open. */
const installed = async (): Promise<Config> => {
  const dataDir = folder.path('data');
  await (await folder.open(dataDir)).close();
  return testConfig(dataDir, { store });
};
const readiness = (reason: string | null): string =>
  JSON.stringify(
    readyAnswer.parse({ status: reason === null ? 'ready' : 'not-ready', checks: { log: 'ok', readModel: 'ok', projections: 'ok' }, writes: true, reason }),
  );
/** Somebody on the socket. @param ready what each question after it, in turn, is answered; the last for ever */
const answering = async ({ dataDir }: Config, ...ready: readonly (string | null)[]): Promise<{ readonly server: Server; readonly asked: () => number }> => {
  let asked = 0;
  const server = createServer((request, response) => {
    if (request.url !== '/readyz') {
      response.end();
      return;
    }
    const reason = ready[Math.min(asked, ready.length - 1)] ?? null;
    asked += 1;
    response.writeHead(reason === null ? 200 : 503).end(readiness(reason));
  });
  await new Promise<void>((resolve) => {
    server.listen(join(dataDir, 'control.sock'), resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { server, asked: () => asked };
};
const generous = 30_000;

it('an owner that has the lock and not the socket yet is waited for', async () => {
  const config = await installed();
  const lock = takeDataLock(config.dataDir);
  onTestFinished(() => lock.release());
  const waiting = Promise.withResolvers<void>();
  const reaching = reach(config, { patience: generous, onWait: waiting.resolve });
  // Without patience it would end here.
  await Promise.race([waiting.promise, reaching]);
  await answering(config, null);
  const { own } = await reaching;
  expect(own).toBe(false);
}, 60_000);

it('an owner that ends without having answered leaves its turn', async () => {
  const config = await installed();
  const lock = takeDataLock(config.dataDir);
  const waiting = Promise.withResolvers<void>();
  const reaching = reach(config, { patience: generous, onWait: waiting.resolve });
  await Promise.race([waiting.promise, reaching]);
  lock.release();
  const reached = await reaching;
  onTestFinished(async () => reached.close());
  expect([reached.own, (await ask(reached.client, getOperationsStatus)).log.head]).toEqual([true, '0']);
}, 60_000);

it('an owner that never answers is named for what it may be, to somebody who uses ops already', async () => {
  const config = await installed();
  const lock = takeDataLock(config.dataDir);
  onTestFinished(() => lock.release());
  const refusal: unknown = await reach(config, { patience: 0 }).catch((error: unknown) => error);
  expect([refusal instanceof OperatorError, tellable(refusal)]).toEqual([
    true,
    expect.stringMatching(/^Another tool or server has .+ and does not answer on .+control\.sock: .+try again\.$/),
  ]);
  expect(tellable(refusal)).not.toContain('npm run ops');
}, 60_000);

it('an owner that takes the call and is halted is told of in time, by every verb', async () => {
  const config = await installed();
  const lock = takeDataLock(config.dataDir);
  onTestFinished(() => lock.release());
  const halted = createServer(() => {});
  await new Promise<void>((resolve) => {
    halted.listen(join(config.dataDir, 'control.sock'), resolve);
  });
  onTestFinished(() => {
    halted.closeAllConnections();
    halted.close();
  });
  const refusal: unknown = await reach(config, { patience: 50 }).catch((error: unknown) => error);
  expect(tellable(refusal)).toMatch(/^Another tool or server has .+ and does not answer on .+control\.sock: .+halted/);
  expect(await isAnswering(config.dataDir, 50)).toBe(false);
}, 60_000);

it('a DATA_DIR whose socket could have no address is told of in words, and a link to it will do', async () => {
  const dataDir = folder.path('x'.repeat(110));
  await (await folder.open(dataDir)).close();
  const refusal: unknown = await reach(testConfig(dataDir, { store })).catch((error: unknown) => error);
  expect(tellable(refusal)).toMatch(
    /^DATA_DIR is too long: tools and server speak over .+control\.sock, which has \d+ bytes, and the path of a socket may have \d+\. Give both a shorter DATA_DIR/,
  );
  symlinkSync(dataDir, folder.path('link'));
  const reached = await reach(testConfig(folder.path('link'), { store }));
  onTestFinished(async () => reached.close());
  expect((await ask(reached.client, getOperationsStatus)).log.head).toBe('0');
}, 60_000);

it('an owner that opens its data is waited for until it has; one that waits for its log is not, and says so itself', async () => {
  const config = await installed();
  const lock = takeDataLock(config.dataDir);
  onTestFinished(() => lock.release());
  const opening = await answering(config, 'The server is starting: it opens its data', 'The server is starting: it opens its data', null);
  expect([(await reach(config, { patience: generous })).own, opening.asked()]).toEqual([false, 3]);
  opening.server.closeAllConnections();
  await new Promise((resolve) => opening.server.close(resolve));
  const waiting = await answering(config, 'The server is starting: the event log does not answer');
  expect([(await reach(config, { patience: generous })).own, waiting.asked()]).toEqual([false, 1]);
}, 60_000);

it('an owner that ends before the first question was answered leaves its turn; after it, its end is told in words', async () => {
  const config = await installed();
  const site = await folder.open(config.dataDir);
  const [early, late] = [await reach(config), await reach(config)];
  onTestFinished(async () => early.close());
  expect([early.own, late.own, (await ask(late.client, getOperationsStatus)).log.head]).toEqual([false, false, '0']);
  await site.close();
  const told: unknown = await ask(late.client, verifyLog).catch((error: unknown) => error);
  expect([
    told instanceof OwnerGone,
    told instanceof OwnerGone && ['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE'].includes(told.code),
    tellable(told),
  ]).toEqual([true, true, `The other tool or server that had ${config.dataDir} ended before it had answered. Look at what it has done, and try again.`]);
  expect([(await ask(early.client, getOperationsStatus)).log.head, early.own]).toEqual(['0', true]);
}, 60_000);

it('tools that begin in the same moment all get their answer', async () => {
  const config = await installed();
  const heads = await Promise.all(
    [1, 2, 3].map(async () => {
      const reached = await reach(config, { mustExist: true, patience: generous });
      try {
        return (await ask(reached.client, getOperationsStatus)).log.head;
      } finally {
        await reached.close();
      }
    }),
  );
  expect(heads).toEqual(['0', '0', '0']);
}, 60_000);

it('a tool that opens a new installation shows the super admin’s password, once, and it is the one', async () => {
  const config = testConfig(folder.path('data'), { store, superAdmin: undefined });
  const told: string[] = [];
  const tell = (line: string): void => void told.push(line);
  const first = await reach(config, { tell });
  const [, id = '', password = ''] = /^Super admin \(shown this once, keep it\): {2}id (\S+) {3}password (\S+)$/.exec(told[0] ?? '') ?? [];
  expect((await first.client.call('POST', `/api${logInSuperAdmin.path}`, { id, password })).status).toBe(200);
  await first.close();
  await (await reach(config, { tell })).close();
  expect(told.length).toBe(1);
}, 60_000);

it.each<[Verb, ...string[]]>([
  [restore, 'a-backup'],
  [importVerb, import.meta.filename],
  [newKey, 'season.pem', '--yes'],
])(
  'a verb that must have the folder to itself says that a server or a tool may have it ($name)',
  async (verb, ...args) => {
    const config = await installed();
    rmSync(join(config.dataDir, 'keys', 'season.pem'));
    const lock = takeDataLock(config.dataDir);
    onTestFinished(() => lock.release());
    const refusal: unknown = await verb.run(verbContext({ config }), args).catch((error: unknown) => error);
    expect(tellable(refusal)).toBe(
      `A CourtLedger server or another tool is running on ${config.dataDir}. Stop the server, or wait until the tool has ended, and try again.`,
    );
  },
  60_000,
);

it('a server that starts waits for a tool that has the folder, for so long', async () => {
  const { dataDir } = await installed();
  const lock = takeDataLock(dataDir);
  const { signal } = new AbortController();
  await expect(waitForDataLock(dataDir, 0, signal)).rejects.toThrow(LogInUse);
  const waiting = waitForDataLock(dataDir, generous, signal);
  lock.release();
  (await waiting).release();
}, 60_000);

it('a tool that has the folder stays until what another one began in it has ended', async () => {
  const config = await installed();
  const owner = await reach(config);
  const guest = await reach(config);
  expect([owner.own, guest.own]).toEqual([true, false]);
  await ask(guest.client, startRebuild, { body: {} });
  const closing = owner.close();
  for (let job = (await ask(guest.client, getRebuild)).job; job?.state !== 'switched'; { job } = await ask(guest.client, getRebuild)) {
    expect(job?.state).toBe('running');
  }
  await closing;
  // Whoever was told to end does not wait.
  const stopped = new AbortController();
  const last = await reach(config, { signal: stopped.signal });
  await ask(last.client, startRebuild, { body: { verifyOnly: true } });
  stopped.abort();
  await last.close();
}, 60_000);

it('what the product that is opened here warns of again and again is told once', async () => {
  const config = { ...(await installed()), store: { kind: 'eventstoredb', url: 'esdb://127.0.0.1:1?tls=false' } } as const;
  const warned: string[] = [];
  const reached = await reach(config, { warn: (line) => warned.push(line) });
  await reached.close();
  expect([warned.some((line) => line.includes('ECONNREFUSED')), warned.filter((line, index) => warned.indexOf(line) !== index)]).toEqual([true, []]);
}, 60_000);
