import { DomainError } from '@courtledger/contracts/kernel/errors';
import { backUp, cancelRebuild, getBackup, getLogEvent, getLogVerification, getOperationsStatus, getRebuild, listLogEvents, replayParkedStreams, startRebuild, switchBackReadModel, verifyLog } from '@courtledger/contracts/operations/operations.api';
import type { Bound, CommandReply, ReadReply } from '../platform/call.ts';
import { bindCommand, bindRead } from '../platform/endpoint.ts';
import type { Store } from '../platform/store.ts';
import { eventAt, isMatch, isStream, searchEvents } from './event-search.ts';
import type { Operations } from './operations.ts';

const json = (answer: unknown): ReadReply => ({ json: JSON.stringify(answer) });
/** Operators' work appends nothing to the log. */
const done = (body: unknown): CommandReply => ({ body, position: undefined });

/** The operators' verbs over HTTP (api-contract, 'GET, POST /operations/…'). */
export const operationsRoutes = (operations: Operations, store: Pick<Store, 'reader' | 'projector' | 'log'>): readonly Bound[] => {
  const { jobs, verifications, backups } = operations;
  return [
    bindRead(getOperationsStatus, async () => json(await operations.status())),
    bindRead(getRebuild, () => json({ job: jobs.job ?? null })),
    bindCommand(startRebuild, async ({ body }) => done({ job: jobs.start(body.verifyOnly ?? false) })),
    bindCommand(cancelRebuild, async () => done({ job: await jobs.cancel() })),
    bindCommand(switchBackReadModel, async () => done({ job: jobs.switchBack() })),
    bindCommand(replayParkedStreams, async () => done(await store.projector('replay-parked', undefined))),

    bindRead(getLogVerification, () => json({ verification: verifications.latest ?? null })),
    bindCommand(verifyLog, async () => done({ verification: verifications.start() })),

    bindRead(getBackup, () => json({ backup: backups.latest ?? null })),
    bindCommand(backUp, async ({ body: { to }, context }) => {
      // A path on the server's disk is for whoever is on that machine.
      if (to !== undefined && context.actor.role !== 'operator') throw new DomainError('forbidden', 'Only the operator may say where a backup goes');
      return done({ backup: backups.start(to) });
    }),

    bindRead(listLogEvents, async ({ query }) => {
      const found = searchEvents(store.reader(), query);
      if (found.events.length > 0) return json(found);
      // Nothing is an answer only where there could have been something.
      if (query.match !== undefined && !isMatch(store.reader(), query.match)) return { missing: 'There is no such match' };
      if (query.stream !== undefined && !(await isStream(store.log, query.stream))) return { missing: 'There is no such stream' };
      return json(found);
    }),
    bindRead(getLogEvent, ({ params: { position } }) => {
      const event = eventAt(store.reader(), position);
      return event === undefined ? { missing: 'There is no such event' } : json(event);
    }),
  ];
};
