import type { RecordedEvent } from '@courtledger/contracts/kernel/event';
import { StoredEvent } from '../event-log/stored-event.ts';
import { readLines, type LogLine } from './log-lines.ts';

/** The event as the log gave it that the line is of: at the same position. */
const eventOf = ({ position, stream, revision, id, type, data, metadata }: LogLine): RecordedEvent => {
  const { schemaVersion = 0, time = '' } = metadata as { readonly schemaVersion?: number; readonly time?: string };
  return new StoredEvent({
    position: BigInt(position),
    stream,
    revision,
    id,
    type,
    version: schemaVersion,
    time,
    data: data === undefined ? null : JSON.stringify(data),
    metadata: JSON.stringify(metadata),
  });
};

/**
 * Reads an exported log as a log is read: pages after a position (0n: from the start), with the positions of the log that was exported. Read in order it is one
 * pass over the file.
 */
export const linePages = (
  path: string,
): { readonly readPage: (after: bigint, limit: number) => Promise<readonly RecordedEvent[]>; readonly close: () => Promise<void> } => {
  let lines = readLines(path);
  let at = 0n;
  return {
    async readPage(after, limit) {
      if (after < at) {
        await lines.return(undefined);
        lines = readLines(path);
        at = 0n;
      }
      const page: RecordedEvent[] = [];
      while (page.length < limit) {
        const next = await lines.next();
        if (next.done === true) break;
        const event = eventOf(next.value);
        at = event.position;
        if (at > after) page.push(event);
      }
      return page;
    },
    close: async () => void (await lines.return(undefined)),
  };
};
