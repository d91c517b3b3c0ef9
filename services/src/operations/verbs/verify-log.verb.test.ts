import { logInSuperAdmin } from '@courtledger/contracts/admin/admin.api';
import { chainAbsence } from '@courtledger/contracts/operations/hash-chain.rules';
import { getLogVerification, getOperationsStatus, verifyLog as verifyLogEndpoint } from '@courtledger/contracts/operations/operations.api';
import { expect, it, onTestFinished } from 'vitest';
import { EventStoreStandIn } from '../../event-log/testing/eventstoredb-stand-in.ts';
import { openSite, superAdminPassword } from '../../testing/site.ts';
import { siteFolder } from '../../testing/site-folder.ts';
import { openOperationsState } from '../operations-state.ts';
import { reach } from '../reach.ts';
import { verbContext } from '../../testing/verb-context.ts';
import { statusLines } from './status.verb.ts';
import { verifyLog } from './verify-log.verb.ts';

const folder = siteFolder();

it('where the log is in EventStoreDB there is no chain to walk: verb, status and the answer of the server say so in the same words', async () => {
  const standIn = await EventStoreStandIn.start();
  onTestFinished(async () => standIn.close());
  const dataDir = folder.path('data');
  // Of the log in a file that stood here before.
  const before = {
    state: 'whole',
    startedAt: '2026-11-21T10:00:00.000Z',
    endedAt: '2026-11-21T10:00:01.000Z',
    events: 1,
    erased: 0,
    position: '1',
    head: '1',
    ratePerSecond: 1,
    secondsLeft: null,
    firstBreak: null,
    error: null,
  } as const;
  const first = folder.keep(await openSite({ store: { kind: 'eventstoredb', url: standIn.url }, dataDir }));
  await first.app.close(2000);
  openOperationsState(dataDir).change({ lastVerification: before });
  const site = folder.keep(await openSite({ store: { kind: 'eventstoredb', url: standIn.url }, dataDir }));
  const sentence = chainAbsence('eventstoredb') ?? '';
  const said: string[] = [];
  const run = async (...args: string[]): Promise<number> =>
    verifyLog.run(verbContext({ config: site.config, terminal: { out: (line) => void said.push(line) }, reach: async () => reach(site.config) }), args);
  expect([await run(), await run('--json'), said[0], JSON.parse(said.slice(1).join(''))]).toEqual([2, 2, `${sentence}.`, { state: 'none', reason: sentence }]);
  const { token } = await site.call(logInSuperAdmin, { json: { id: 'root', password: superAdminPassword } });
  const status = await site.call(getOperationsStatus, { token });
  expect([
    statusLines(status).find((line) => line.startsWith('verification')),
    status.lastVerification,
    (await site.call(getLogVerification, { token })).verification,
  ]).toEqual([`verification  ${sentence}`, null, null]);
  const refusal = await site.refused(verifyLogEndpoint, { token });
  expect([refusal.status, refusal.message]).toEqual([409, `${sentence}.`]);
}, 60_000);
