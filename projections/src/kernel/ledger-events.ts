import type { RecordedEvent } from '@courtledger/contracts/kernel/event';
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
