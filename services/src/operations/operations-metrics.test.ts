import { expect, it } from 'vitest';
import type { LogAdministration } from '../event-log/log-administration.ts';
import { silentLogger } from '../platform/testing/silent-logger.ts';
import { siteFolder } from '../testing/site-folder.ts';
import { LogVerifications } from './log-verification.ts';
import { operationsGauges } from './operations-metrics.ts';
import { openOperationsState } from './operations-state.ts';
import type { Operations } from './operations.ts';

const folder = siteFolder();

it('a log is told to be broken from the moment that somebody met the break, while a walk goes over it, and until one has passed the place', async () => {
  const clock = { now: () => Date.parse('2026-11-22T04:00:00.000Z'), monotonic: () => 0 };
  let walk = Promise.withResolvers<Awaited<ReturnType<LogAdministration['verifyChain']>>>();
  const verifyChain: LogAdministration['verifyChain'] = async (from = 1n, onProgress) => {
    if (from > 1n) return { events: 0, erased: 0, firstBreak: { position: from, reason: 'changed' } };
    const report = await walk.promise;
    onProgress?.({ events: report.events, position: BigInt(report.events), head: 9n });
    return report;
  };
  const verifications = new LogVerifications({
    administration: { verifyChain, refuse: async () => {}, health: () => ({ walBytes: 0 }) },
    state: openOperationsState(folder.path('.')),
    clock,
    logger: silentLogger,
  });
  const operations = { verifications } as Operations;
  const told = (): unknown =>
    operationsGauges(
      () => operations,
      () => clock.now(),
    )
      .find(({ name }) => name === 'courtledger_log_broken')
      ?.value();
  expect(told()).toBe(0);
  await verifications.look(7n);
  expect([verifications.latest?.state, told()]).toEqual(['running', 1]);
  walk.resolve({ events: 6, erased: 0, firstBreak: { position: 7n, reason: 'changed' } });
  expect([(await verifications.ended())?.state, told()]).toEqual(['broken', 1]);
  walk = Promise.withResolvers();
  verifications.start();
  expect(told()).toBe(1);
  walk.resolve({ events: 9, erased: 0 });
  expect([(await verifications.ended())?.state, told()]).toEqual(['whole', 0]);
});
