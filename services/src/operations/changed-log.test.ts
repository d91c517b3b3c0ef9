import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createAdmin, listAdmins, logInSuperAdmin } from '@courtledger/contracts/admin/admin.api';
import { readyAnswer, type ReadyAnswer } from '@courtledger/contracts/kernel/health.api';
import type { OperationsStatus } from '@courtledger/contracts/operations/operations.answers';
import { backUp, getOperationsStatus, startRebuild } from '@courtledger/contracts/operations/operations.api';
import { expect, it, onTestFinished } from 'vitest';
import { sampleEvent } from '../event-log/testing/sample-event.ts';
import { UnknownOutcome } from '../event-log/event-log.ts';
import { EventStoreStandIn } from '../event-log/testing/eventstoredb-stand-in.ts';
import { silentLogger } from '../platform/testing/silent-logger.ts';
import { ask as get } from '../platform/testing/toy-gate.ts';
import { openSite, superAdminPassword, type Site } from '../testing/site.ts';
import { siteFolder } from '../testing/site-folder.ts';
import { statusLines } from './verbs/status.verb.ts';

/** A log in EventStoreDB that comes back under a running server as another one: restored to an earlier point, emptied, replaced. */

const folder = siteFolder();
const words = 'The event log that answers is another one than the read model was made of, or an older past of it';

type At = {
  readonly site: Site;
  readonly standIn: EventStoreStandIn;
  readonly file: string;
  readonly token: string;
  readonly warned: string[];
  readonly verdict: (kind: string) => Promise<void>;
};
const open = async (): Promise<At> => {
  const file = folder.path('store.jsonl');
  const standIn = await EventStoreStandIn.start({ file });
  onTestFinished(async () => standIn.close());
  const warned: string[] = [];
  const waiting: { readonly kind: string; readonly resolve: () => void }[] = [];
  const warn = (event: string): void => {
    warned.push(event);
    for (const one of waiting) if (event.endsWith(one.kind)) one.resolve();
  };
  const site = folder.keep(
    await openSite(
      { store: { kind: 'eventstoredb', url: standIn.url }, dataDir: folder.path('data') },
      { background: false, logger: { ...silentLogger, warn } },
    ),
  );
  const { token } = await site.call(logInSuperAdmin, { json: { id: 'root', password: superAdminPassword } });
  return {
    site,
    standIn,
    file,
    token,
    warned,
    async verdict(kind) {
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.push({ kind, resolve });
      await promise;
    },
  };
};
const named = (name: string): object => ({ username: name, password: 'copper-meadow-71', email: `${name}@example.org`, phoneNumber: '9800000001' });
const add = async ({ site, token }: At, name: string): Promise<number> => (await site.send(createAdmin, { token, json: named(name) })).status;
const admins = async ({ site, token }: At): Promise<readonly string[]> => (await site.call(listAdmins, { token })).map(({ username }) => username);
const readiness = async ({ site }: At): Promise<readonly [number, ReadyAnswer]> => {
  const reply = await get(site.port, 'GET', '/readyz');
  return [reply.status, readyAnswer.parse(reply.json())];
};
const status = async ({ site, token }: At): Promise<OperationsStatus> => site.call(getOperationsStatus, { token });
/** The store goes, and comes back with what a file of its says. */
const comeBackWith = async ({ standIn, file }: At, text: string): Promise<void> => {
  await standIn.stop();
  writeFileSync(file, text);
  await standIn.startAgain({ rememberIds: false });
};
/** The lines of the store's file without the last appends. */
const withoutLast = (text: string, appends: number): string => `${text.trimEnd().split('\n').slice(0, -appends).join('\n')}\n`;

it('takes no command and is copied and projected by nobody, tells so everywhere in the same words, and goes on when the right log is back', async () => {
  const at = await open();
  expect([await add(at, 'asha'), await add(at, 'bina'), await add(at, 'chandra')]).toEqual([201, 201, 201]);
  const whole = readFileSync(at.file, 'utf8');
  const { readModel } = await status(at);
  for (const older of [withoutLast(whole, 1), '']) {
    const found = at.verdict('other-log');
    await comeBackWith(at, older);
    const stood = at.standIn.store.log.length;
    // Not even the first command, which nobody has told of anything yet.
    expect(await add(at, 'dipa')).toBe(503);
    await found;
    const [now, [code, ready], metrics, backup, rebuild, refused] = await Promise.all([
      status(at),
      readiness(at),
      get(at.site.port, 'GET', '/metrics'),
      at.site.refused(backUp, { token: at.token, json: {} }),
      at.site.refused(startRebuild, { token: at.token, json: {} }),
      at.site.send(createAdmin, { token: at.token, json: named('eka') }),
    ]);
    const reason = now.log.refusal ?? '';
    expect([now.log.unfit, now.log.otherLog]).toEqual([reason, true]);
    expect(reason).toMatch(
      new RegExp(`^${words}: the log ends at position \\d+, and the read model has reached ${readModel.position}\\. .+restart the server`),
    );
    expect([code, ready.writes, ready.reason, backup.status, backup.message, rebuild.status, rebuild.message]).toEqual([
      503,
      false,
      reason,
      503,
      reason,
      503,
      reason,
    ]);
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '5']);
    expect(metrics.text).toMatch(/^courtledger_ready 0$/m);
    expect(metrics.text).toMatch(/^courtledger_read_model_lag Nan$/m);
    expect(metrics.text).toMatch(/^courtledger_read_model_lag_events Nan$/m);
    expect([now.readModel.lagUnknown?.reason, typeof now.readModel.lagUnknown?.asOf, now.log.head, now.readModel.position]).toEqual([
      reason,
      'string',
      readModel.position,
      readModel.position,
    ]);
    expect(statusLines(now).find((line) => line.startsWith('read model'))).toMatch(/how far behind is unknown \(as last measured, .+ ago: up to date\)/);
    expect([at.standIn.store.log.length, await admins(at), existsSync(folder.path('data/backups'))]).toEqual([stood, ['asha', 'bina', 'chandra'], false]);
    expect(at.warned.filter((line) => line.endsWith(': other-log'))).toHaveLength(1);

    const back = at.verdict('same-log-again');
    await comeBackWith(at, whole);
    await back;
    expect([(await readiness(at))[0], (await status(at)).readModel.lagUnknown, (await status(at)).log.otherLog]).toEqual([200, null, false]);
    at.warned.length = 0;
  }
  expect([await add(at, 'dipa'), await admins(at)]).toEqual([201, ['asha', 'bina', 'chandra', 'dipa']]);
}, 60_000);

it('is found out also where others have written past the checkpoint meanwhile, and a restart makes a new read model of it', async () => {
  const at = await open();
  expect([await add(at, 'asha'), await add(at, 'bina')]).toEqual([201, 201]);
  const older = withoutLast(readFileSync(at.file, 'utf8'), 1);
  const found = at.verdict('other-log');
  await at.standIn.stop();
  writeFileSync(at.file, older);
  // Another gateway was quicker: the end of its log lies past what this one has projected.
  const elsewhere = await EventStoreStandIn.start({ file: at.file });
  for (let revision = -1; revision < 20; revision += 1)
    elsewhere.store.append('probe-1', revision < 0 ? 'no_stream' : BigInt(revision), [
      { id: crypto.randomUUID(), type: 'FactOfAnother', contentType: 'application/json', data: Buffer.from('{}'), metadata: Buffer.from('{}') },
    ]);
  await elsewhere.close();
  await at.standIn.startAgain({ rememberIds: false });
  await found;
  expect((await status(at)).log.refusal).toMatch(new RegExp(`^${words}: the log has another fact, or none, where the read model has the last one`));
  expect([await add(at, 'chandra'), await admins(at)]).toEqual([503, ['asha', 'bina']]);
  await at.site.close();
  const again = folder.keep(await openSite(at.site.config, { background: false }));
  const fresh = { ...at, site: again };
  expect([(await readiness(fresh))[0], await admins(fresh), await add(fresh, 'chandra')]).toEqual([200, ['asha'], 201]);
}, 60_000);

it('is not given the repeat of an append whose outcome is not known', async () => {
  const at = await open();
  expect(await add(at, 'asha')).toBe(201);
  const whole = readFileSync(at.file, 'utf8');
  const held = at.standIn.faults.holdNextAppend();
  const { log } = at.site.opened.store;
  const outcome = log.append('probe-1', 'no-stream', [sampleEvent()]).catch((error: unknown) => error);
  await held.arrived;
  // Cut before it was stored: it would be sent again, and this store would take it.
  await comeBackWith(at, withoutLast(whole, 1));
  expect(await outcome).toBeInstanceOf(UnknownOutcome);
  expect(at.standIn.store.visible('probe-1')).toBe('not-found');
  held.release();
}, 60_000);
