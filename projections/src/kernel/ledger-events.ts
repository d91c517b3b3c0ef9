import type { RecordedEvent } from '@courtledger/contracts/kernel/event';
import type { AsOf } from '@courtledger/contracts/kernel/fields';
import type { SqlValue } from './table.ts';

type LedgerRow = readonly SqlValue[];
/** What `ledgerEvent` reads. */
export const ledgerColumns = 'CAST(position AS TEXT), stream, revision, type, version, time, data, metadata';
/** An event from its row in the ledger: position as text, stream, revision, type, version, time, data, metadata. Its id is not kept there. */
export const ledgerEvent = ([position, stream, revision, type, version, time, data, metadata]: LedgerRow): RecordedEvent => ({
  position: BigInt(String(position)),
  stream: String(stream),
  revision: Number(revision),
  id: '',
  type: String(type),
  version: Number(version),
  time: String(time),
  data: JSON.parse(String(data)),
  get metadata() {
    return JSON.parse(String(metadata)) as RecordedEvent['metadata'];
  },
  metadataText: String(metadata),
});

/** Of facts in the order of the log, those of then; all of them without `until`. A time is cut in each stream by itself, after its last fact up to it: clocks jump, positions do not. */
export const untilMoment = (events: readonly RecordedEvent[], until: AsOf | undefined): readonly RecordedEvent[] => {
  if (until === undefined) return events;
  if (until.kind === 'position') return events.filter(({ position }) => position <= until.position);
  const last = new Map(events.filter(({ time }) => time <= until.time).map(({ stream, position }) => [stream, position]));
  return events.filter(({ stream, position }) => position <= (last.get(stream) ?? -1n));
};
