import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { deserialize, serialize } from 'node:v8';
import type { RecordedEvent } from '@courtledger/contracts/kernel/event';
import type { EventLog } from '../event-log/event-log.ts';
import { readIfThereSync, replaceFileSync } from './durable-file.ts';

/**
 * Where a fold of the log is kept over restarts, so that the next start reads what is new and not a million events. Disposable: whatever is wrong with the file,
 * the fold begins at the start of the log again.
 */
export type KeptFold<State> = {
  /** The fold and the position that it has reached; undefined when there is none that fits this log and this release. */
  load(): Promise<{ readonly position: bigint; readonly state: State } | undefined>;
  /** Whether there is one, of whatever log and release. */
  isThere(): boolean;
  /** @param last the last event that was folded @throws what the disk says */
  save(last: Pick<RecordedEvent, 'position' | 'stream' | 'revision' | 'id'>, state: State): void;
};

type Content<State> = { readonly version: string; readonly position: bigint; readonly stream: string; readonly revision: number; readonly id: string; readonly state: State };

/** After so many pages a fold is kept on its way: a process that is killed in the midst of a long log does not begin again. */
export const pagesUntilKept = 100;

const digestBytes = 32;
const digestOf = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest();

/** What stands in a file after its digest. A flipped bit in an address would otherwise make an orphan of a file that is needed. */
const contentOf = (file: Buffer): Buffer | undefined => {
  const content = file.subarray(digestBytes);
  return digestOf(content).equals(file.subarray(0, digestBytes)) ? content : undefined;
};

/**
 * @param version of what the fold means: raise it when the same events fold to something else
 * @param log is asked whether it has that last event at that place, since a restored backup or another log has not
 */
export const keepFold = <State>(path: string, version: string, log: Pick<EventLog, 'readStream'>): KeptFold<State> => ({
  async load() {
    const file = readIfThereSync(path);
    const bytes = file === undefined ? undefined : contentOf(file);
    if (bytes === undefined) return undefined;
    let content: Content<State>;
    try {
      content = deserialize(bytes) as Content<State>;
    } catch {
      return undefined;
    }
    if (typeof content !== 'object' || content.version !== version) return undefined;
    const { position, stream, revision, id, state } = content;
    const [there] = (await log.readStream(stream, revision, 1)) ?? [];
    return there?.id === id && there.position === position ? { position, state } : undefined;
  },
  isThere: () => existsSync(path),
  save({ position, stream, revision, id }, state) {
    const content = serialize({ version, position, stream, revision, id, state } satisfies Content<State>);
    replaceFileSync(path, Buffer.concat([digestOf(content), content]));
  },
});
