import { join } from 'node:path';
import { messageOf } from '@courtledger/contracts/kernel/errors';
import type { RecordedEvent } from '@courtledger/contracts/kernel/event';
import type { OpenPerson } from '@courtledger/projections/kernel/apply-event';
import { createProjector, type ErasedPerson, type ParkedEvent, type Projector } from '@courtledger/projections/kernel/projector';
import { openOrSetAside, type ReadModelState } from '@courtledger/projections/kernel/read-model';
import { rebuild } from '@courtledger/projections/kernel/rebuild';
import { isStreamName } from '../event-log/prepare-append.ts';
import type { BatchProjector } from '../event-log/projector-port.ts';
import { StoredEvent } from '../event-log/stored-event.ts';
import { upcastEvent } from '../event-log/upcast.ts';
import { replaceFileSync } from './durable-file.ts';
import { disownFolds, otherLogNote } from './kept-fold.ts';
import { openPersonVault } from './person-vault.ts';
import { liveReadModel, setReadModelsAside, witnessesIn } from './store-read-model-files.ts';
import { farthestReached, readModelsOfOtherLog, type LogOfOrigin, type OfOtherLog } from './store-read-model-origin.ts';

type Events = readonly RecordedEvent[];
/** The log, as far as a projector reads it by itself. */
export type ProjectorLog = LogOfOrigin & {
  readonly readStream: (stream: string) => Events | undefined | Promise<Events | undefined>;
  /** The log cannot be read at the moment, and a whole read model is served as it is: whose it is, is asked later. */
  readonly isAway?: boolean;
};

/** What was found and done at the opening, for the log of the server. */
export type OpeningReport = {
  readonly file: string;
  readonly state: ReadModelState;
  readonly setAside: string | undefined;
  /** Read models that were made of another log, the live one or others: set aside as well. */
  readonly ofOtherLog: readonly OfOtherLog[];
  readonly rebuilt: number;
  readonly rebuildFailure: string | undefined;
};

/** Commands of an operator, run between two batches; see `switchReadModel` and `replayParked` of the store. */
export type ProjectorCommands = {
  report: { argument: undefined; answer: OpeningReport };
  switch: { argument: { readonly file: string }; answer: { readonly position: bigint } };
  parked: { argument: undefined; answer: readonly ParkedEvent[] };
  scrub: { argument: undefined; answer: boolean };
  erase: { argument: readonly ErasedPerson[]; answer: undefined };
  'replay-parked': { argument: undefined; answer: { readonly replayed: number; readonly parked: number } };
};

/** An event that this release cannot read fails where its data is used, so that only its own stream is parked. */
export const current = (event: RecordedEvent): RecordedEvent => {
  try {
    return upcastEvent(event);
  } catch (error) {
    const { position, stream, revision, id, type, version, time, metadataText } = event;
    return {
      position,
      stream,
      revision,
      id,
      type,
      version,
      time,
      metadataText,
      get data(): unknown {
        throw error;
      },
      get metadata() {
        return event.metadata;
      },
    };
  }
};

/**
 * The projector of this node's read model, ready to go on from its checkpoint. A file that is damaged, of another version or made of another log is set aside.
 * Where none is left it is made anew at once: a rebuild is several times quicker than applying batch by batch, but stops at an event that cannot be applied;
 * then the batches isolate it.
 */
export const openNodeProjector = async (dataDir: string, log: ProjectorLog): Promise<BatchProjector> => {
  // A connection of this thread's own: keys are made and destroyed on the main thread.
  const vault = openPersonVault(dataDir, { readonly: true });
  const openPerson: OpenPerson = (personId, sealed) => vault.open(personId, sealed);
  const readCurrent = async (after: bigint, limit: number): Promise<readonly RecordedEvent[]> => (await log.readPage(after, limit)).map(current);

  const file = liveReadModel(dataDir);
  const path = join(dataDir, file);
  const { state: stateOfFile, setAside } = openOrSetAside(path);
  const ofOtherLog = log.isAway === true ? [] : await readModelsOfOtherLog(dataDir, log);
  // First: a start that is killed in between finds the read models again, and never a fold that happens to fit.
  if (ofOtherLog.length > 0) {
    replaceFileSync(otherLogNote(dataDir), '');
    disownFolds(dataDir);
  }
  setReadModelsAside(
    dataDir,
    'other-log',
    ofOtherLog.map((one) => one.file),
  );
  // A chain that lost its end is whole, only shorter. Every file is asked at every start: what has seen the events may be out of the way since an earlier one,
  // which was killed before it said so. A log without a chain of ours is held against its read models above.
  const seen = log.unchained === undefined ? await farthestReached(witnessesIn(dataDir), log) : 0n;
  const state = ofOtherLog.some((one) => one.file === file) ? 'missing' : stateOfFile;
  let rebuilt = 0;
  let rebuildFailure: string | undefined;
  if (state !== 'good' && (await log.readPage(0n, 1)).length > 0) {
    try {
      rebuilt = (await rebuild({ path, readPage: readCurrent, openPerson })).events;
    } catch (error) {
      rebuildFailure = messageOf(error);
    }
  }
  const report: OpeningReport = { file, state, setAside, ofOtherLog, rebuilt, rebuildFailure };
  let projector: Projector = createProjector({ path, openPerson });
  /**
   * Shown as erased though the log does not tell of it yet: in a file that is switched to as well, since a rebuild may have read their details before the key
   * was destroyed.
   */
  const erasedBefore: ErasedPerson[] = [];

  /** The parked events, from their streams: a position alone cannot be read on every store. What its stream has no more was erased meanwhile. */
  const parkedEvents = async (): Promise<Events> => {
    const parked = projector.parked();
    // A name that no store of ours reads is another program's in the same EventStoreDB: its events stay parked, and keep nobody else's.
    const readable = [...new Set(parked.map(({ stream }) => stream))].filter(isStreamName);
    const streams = await Promise.all(readable.map(async (stream) => log.readStream(stream)));
    const found = new Map(streams.flatMap((events) => events ?? []).map((event) => [event.position, event]));
    return parked
      .filter(({ stream }) => isStreamName(stream))
      .map(({ position, stream, revision, type, time }) => {
        const event = found.get(position);
        return event === undefined
          ? new StoredEvent({ position, stream, revision, id: '', type, version: 1, time, data: null, metadata: '{}' })
          : current(event);
      });
  };

  const commands: {
    readonly [Name in keyof ProjectorCommands]: (
      argument: ProjectorCommands[Name]['argument'],
    ) => ProjectorCommands[Name]['answer'] | Promise<ProjectorCommands[Name]['answer']>;
  } = {
    report: () => report,
    async switch(argument) {
      const next = createProjector({ path: join(dataDir, argument.file), openPerson });
      try {
        let erased = erasedBefore.length > 0;
        // Brought to the same position first: what is read never goes back, and a failure leaves everything as it was.
        while (next.position < projector.position) {
          const missing = (await readCurrent(next.position, 1000)).filter(({ position }) => position <= projector.position);
          if (missing.length === 0) throw new Error(`The log ends before position ${projector.position.toString()}`);
          next.apply(missing);
          erased ||= missing.some(({ type }) => type === 'PersonErased');
        }
        if (erasedBefore.length > 0) next.erase(erasedBefore);
        // Nobody rewrites it later for a person whose erasure has ended.
        if (erased) next.scrub();
      } catch (error) {
        next.close();
        throw error;
      }
      projector.close();
      projector = next;
      return { position: next.position };
    },
    parked: () => projector.parked(),
    scrub: () => projector.scrub(),
    erase(persons) {
      projector.erase(persons);
      erasedBefore.push(...persons.filter(({ personId }) => erasedBefore.every((known) => known.personId !== personId)));
    },
    'replay-parked': async () => projector.replayParked(await parkedEvents()),
  };

  return {
    get position() {
      return projector.position;
    },
    get parked() {
      return projector.parkedStreams;
    },
    get accountChanges() {
      return projector.accountChanges;
    },
    seen,
    apply: (events) => projector.apply(events.map(current)),
    command(name, argument) {
      if (!Object.hasOwn(commands, name)) throw new Error(`The projector knows no command ${name}`);
      return (commands[name as keyof ProjectorCommands] as (given: unknown) => unknown)(argument);
    },
    close() {
      projector.close();
      vault.close();
    },
  };
};
