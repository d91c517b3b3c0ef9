import { DomainError } from '@courtledger/contracts/kernel/errors';
import { parsePosition } from '@courtledger/contracts/kernel/event';
import {
  backUp,
  cancelRebuild,
  getBackup,
  getLogEvent,
  getLogVerification,
  getOperationsStatus,
  getRebuild,
  listLogEvents,
  replayParkedStreams,
  startRebuild,
  switchBackReadModel,
  verifyLog,
} from '@courtledger/contracts/operations/operations.api';
import { LogUnavailable } from '../event-log/event-log.ts';
import type { Bound, CommandReply, ReadReply } from '../platform/call.ts';
import { bindCommand, bindRead } from '../platform/endpoint.ts';
import type { Store } from '../platform/store.ts';
import { erasureOf, eventAt, isErasedAt, isMatch, isStream, searchEvents } from './event-search.ts';
import { damageText, stillShownText } from './log-verification.ts';
import type { Operations } from './operations.ts';

const json = (answer: unknown): ReadReply => ({ json: JSON.stringify(answer) });
/** Operators' work appends nothing to the log. */
const done = (body: unknown): CommandReply => ({ body, position: undefined });

/** The operators' verbs over HTTP (api-contract, 'GET, POST /operations/…'). */
export const operationsRoutes = (operations: Operations, store: Pick<Store, 'reader' | 'projector' | 'log' | 'administration'>): readonly Bound[] => {
  const { jobs, verifications, backups } = operations;
  /** @throws DomainError: nothing of this is about saving */
  const isThere = async (stream: string): Promise<boolean> => {
    try {
      return await isStream(store.log, stream);
    } catch (error) {
      if (!(error instanceof LogUnavailable)) throw error;
      throw new DomainError('unavailable', 'The event log does not answer: whether there is such a stream is not known now', { retryAfter: 2, cause: error });
    }
  };
  return [
    bindRead(getOperationsStatus, async () => json(await operations.status())),
    bindRead(getRebuild, () => json({ job: jobs.job ?? null })),
    bindCommand(startRebuild, async ({ body }) => done({ job: jobs.start(body.verifyOnly ?? false) })),
    bindCommand(cancelRebuild, async () => done({ job: await jobs.cancel() })),
    bindCommand(switchBackReadModel, async () => done({ job: jobs.switchBack() })),
    bindCommand(replayParkedStreams, async () => done(await store.projector('replay-parked', undefined))),

    bindRead(getLogVerification, () => json({ verification: verifications.latest ?? null })),
    bindCommand(verifyLog, async () => done({ verification: verifications.start() })),

    // A drill follows its own; it is nobody else's last backup.
    bindRead(getBackup, ({ context }) => json({ backup: (context.actor.role === 'operator' ? backups.latest : backups.last) ?? null })),
    bindCommand(backUp, async ({ body: { to }, context }) => {
      // A path on the server's disk is for whoever is on that machine.
      if (to !== undefined && context.actor.role !== 'operator') throw new DomainError('forbidden', 'Only the operator may say where a backup goes');
      return done({ backup: backups.start(to) });
    }),

    bindRead(listLogEvents, async ({ query }) => {
      const found = await searchEvents(() => store.reader(), query);
      if (found.events.length > 0) return json(found);
      // Nothing is an answer only where there could have been something.
      if (query.match !== undefined && !isMatch(store.reader(), query.match)) return { missing: 'There is no such match' };
      if (query.stream !== undefined) {
        const erasedAt = erasureOf(store.reader(), query.stream);
        if (erasedAt !== undefined)
          return { missing: `The person of whom ${query.stream} told was erased (position ${erasedAt}): nothing of what it said is left` };
        if (!(await isThere(query.stream))) return { missing: 'There is no such stream' };
      }
      return json(found);
    }),
    bindRead(getLogEvent, async ({ params: { position } }) => {
      const event = eventAt(store.reader(), position);
      // Sealed details and hashes stand in the log itself: what is shown is the read model's, and whether the log says the same is looked up.
      const damage = await verifications.breakAt(parsePosition(position) ?? 0n);
      if (event !== undefined) return json({ ...event, damage: damage === undefined ? null : `${damageText(damage)}. ${stillShownText}` });
      if (damage !== undefined) return { missing: `${damageText(damage)}. The read model has nothing of it` };
      // A position alone is looked for in a log of our own only; elsewhere nobody tells the two apart.
      if (store.administration === undefined) return { missing: 'There is no such event, or it was erased' };
      return {
        missing: (await isErasedAt(store.log, position))
          ? `The event at position ${position} was erased with the person of whom it told: the log keeps its place and its hash, and nothing of what it said`
          : 'There is no such event',
      };
    }),
  ];
};
