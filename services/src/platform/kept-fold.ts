import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import type { RecordedEvent } from '@courtledger/contracts/kernel/event';
import type { EventLog } from '../event-log/event-log.ts';
import { readIfThereSync, replaceFileSync } from './durable-file.ts';

/**
 * Where a fold of the log is kept over restarts, so that the next start reads what is new and not a million events. Disposable: whatever is wrong with the
 * file, the fold begins at the start of the log again.
 */
export type KeptFold<State> = {
  /** The fold and the position that it has reached; undefined when there is none that fits this log and this release. */
  load(): Promise<{ readonly position: bigint; readonly state: State } | undefined>;
  /** Whether one is there of another log, or of a part that this one has lost; of whatever release. A file that tells nothing counts as one. */
  isOfAnotherLog(): Promise<boolean>;
  /** @param last the last event that was folded @throws what the disk says */
  save(last: Pick<RecordedEvent, 'position' | 'stream' | 'revision' | 'id'>, state: State): void;
};

type Content<State> = {
  readonly version: string;
  readonly position: bigint;
  readonly stream: string;
  readonly revision: number;
  readonly id: string;
  readonly state: State;
};

const foldNames = ['file-references', 'half-finished'] as const;

/** Where a fold of this product is kept. */
export const foldPath = (dataDir: string, name: (typeof foldNames)[number]): string => join(dataDir, 'folds', name);

/** Says that a start has found another log than the one before, until somebody has noted it: the start may be killed before. */
export const otherLogNote = (dataDir: string): string => join(dataDir, 'folds', 'of-another-log');

/** Another log stands here than before: what was folded goes, and the empty files say so to the next start as well. */
export const disownFolds = (dataDir: string): void => {
  for (const name of foldNames) replaceFileSync(foldPath(dataDir, name), '');
};

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
export const keepFold = <State>(path: string, version: string, log: Pick<EventLog, 'readStream'>): KeptFold<State> => {
  /** What is kept of this log, by whatever release. */
  const ofThisLog = async (): Promise<Content<State> | 'none' | 'of another'> => {
    const file = readIfThereSync(path);
    if (file === undefined) return 'none';
    const bytes = contentOf(file);
    if (bytes === undefined) return 'of another';
    let content: Partial<Content<State>> | null;
    try {
      content = deserialize(bytes) as Partial<Content<State>> | null;
    } catch {
      return 'of another';
    }
    if (typeof content !== 'object' || content === null) return 'of another';
    const { position, stream, revision, id } = content;
    if (stream === undefined || revision === undefined) return 'of another';
    const [there] = (await log.readStream(stream, revision, 1)) ?? [];
    return there?.id === id && there?.position === position ? (content as Content<State>) : 'of another';
  };
  return {
    async load() {
      const kept = await ofThisLog();
      return typeof kept === 'object' && kept.version === version ? { position: kept.position, state: kept.state } : undefined;
    },
    isOfAnotherLog: async () => (await ofThisLog()) === 'of another',
    save({ position, stream, revision, id }, state) {
      const content = serialize({ version, position, stream, revision, id, state } satisfies Content<State>);
      replaceFileSync(path, Buffer.concat([digestOf(content), content]));
    },
  };
};
