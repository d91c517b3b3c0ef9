import { randomUUID } from 'node:crypto';
import type { EventMetadata, NewEvent } from '@courtledger/contracts/kernel/event';

const metadata = (commandId: string): EventMetadata => ({
  commandId,
  correlationId: 'contract',
  causationId: commandId,
  actor: { role: 'system', id: 'contract', name: 'Contract suite' },
  time: '2026-11-01T10:00:00.000Z',
  schemaVersion: 1,
});

/** A valid event with a fresh id; `data` as given. */
export const sampleEvent = (data: unknown = { points: 2 }, type = 'StatIncrementRecorded'): NewEvent => ({
  id: randomUUID(),
  type,
  data,
  metadata: metadata(randomUUID()),
});

/**
 * An event of the suite itself. A server on which it has run may be used by the product: type, streams and time are none of the product's, which passes over
 * it.
 */
export const suiteEvent = (data: unknown = { points: 2 }, type = 'ContractSampled'): NewEvent => {
  const event = sampleEvent(data, type);
  return { ...event, metadata: { ...event.metadata, time: 'no moment' } };
};
