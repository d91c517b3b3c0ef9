import { once } from 'node:events';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import type { RecordedEvent } from '@courtledger/contracts/kernel/event';
import { compareReadModels, openSnapshot } from '@courtledger/projections/kernel/compare';
import { createProjector, type Projector } from '@courtledger/projections/kernel/projector';
import { inspectReadModel } from '@courtledger/projections/kernel/read-model';
import { rebuild } from '@courtledger/projections/kernel/rebuild';
import { ChainFollower } from '../event-log/chain-follower.ts';
import { pagesOf } from '../event-log/log-pages.ts';
import { openLogConnection } from '../event-log/sqlite-connection.ts';
import { logReader } from '../event-log/sqlite-log-reader.ts';
import type { ChainBreak } from '../event-log/verify-chain.ts';
import { openPersonVault } from '../platform/person-vault.ts';
import { current } from '../platform/store-projector.ts';
import { removeReadModel } from '../platform/store-read-model-files.ts';
import { reasonTold } from './expected-errors.ts';
import { eventOf, type FromReadModelWorker, type ReadModelWork, type ToReadModelWorker, type WorkPhase } from './read-model-worker-messages.ts';

/** The thread that makes the next read model beside the live one: it only reads the log, the keys and the live file, and nobody else knows its own file. */

if (parentPort === null) throw new Error('read-model-worker.ts runs in a worker thread only');
const port = parentPort;
const work = workerData as ReadModelWork;
const post = (message: FromReadModelWorker): void => port.postMessage(message);
const livePath = join(work.dataDir, work.live);
const path = join(work.dataDir, work.file);
const page = 1000;

class Cancelled extends Error {
  override readonly name = 'Cancelled';
}
const cancel = new Int32Array(work.cancel);
const expectGoingOn = (): void => {
  if (Atomics.load(cancel, 0) !== 0) throw new Cancelled('Stopped');
};

/** The log is not what was written. */
class LogDamaged extends Error {
  override readonly name = 'LogDamaged';
  readonly damage: ChainBreak;
  constructor(damage: ChainBreak) {
    super(damage.reason);
    this.damage = damage;
  }
}
let damage: ChainBreak | undefined;

/** `expectWhole`: has the hash chain walked up to a position, from where the read model that is brought on stands. */
type Pages = {
  readonly read: (after: bigint, limit: number) => Promise<readonly RecordedEvent[]>;
  readonly expectWhole: (until: bigint) => void;
  readonly close: () => void;
};

const openPages = (): Pages => {
  if (work.logPath !== undefined) {
    const connection = openLogConnection(work.logPath, { readonly: true, evenDamaged: true });
    const reader = logReader(connection);
    let follower: ChainFollower | undefined;
    const expectWhole = (until: bigint, after = 0n): void => {
      // A read model that is switched back to was made of what was whole then: what it takes up now has to be.
      follower ??= new ChainFollower(connection, work.kind === 'catch-up' ? after + 1n : 1n);
      damage ??= follower.reach(until, expectGoingOn);
      if (damage !== undefined && work.kind !== 'verify') throw new LogDamaged(damage);
    };
    return {
      expectWhole,
      async read(after, limit) {
        let events: readonly RecordedEvent[];
        try {
          events = pagesOf(reader)(after, limit);
        } catch (error) {
          // SQLite stumbles over some damage by itself, and does not say where that is.
          if (damage === undefined) expectWhole(after + BigInt(limit), after);
          throw error;
        }
        const last = events.at(-1);
        if (last !== undefined && damage === undefined) expectWhole(last.position, after);
        return events;
      },
      close: () => connection.close(),
    };
  }
  return {
    async read(after, limit) {
      const answered = once(port, 'message');
      post({ kind: 'page', after, limit });
      const [answer] = (await answered) as [ToReadModelWorker];
      if ('failure' in answer) throw new Error(answer.failure);
      return answer.events.map(eventOf);
    },
    expectWhole: () => {},
    close: () => {},
  };
};

const progress = { events: 0, told: 0 };
const tell = (phase: WorkPhase, position: bigint): void => {
  const now = performance.now();
  if (now - progress.told < 100) return;
  progress.told = now;
  post({ kind: 'progress', phase, events: progress.events, position });
};

const livePosition = (): bigint => {
  const snapshot = openSnapshot(livePath);
  snapshot.close();
  return snapshot.position;
};

const run = async (): Promise<void> => {
  const vault = openPersonVault(work.dataDir, { readonly: true });
  const pages = openPages();
  const openPerson = (personId: string, sealed: string) => vault.open(personId, sealed);
  const readPage = async (after: bigint, limit: number): Promise<readonly RecordedEvent[]> => {
    expectGoingOn();
    return (await pages.read(after, limit)).map(current);
  };
  let projector: Projector | undefined;
  /**
   * The file was written before somebody was erased, or may have been: deleted rows leave bytes behind, and an erasure does not reach a file that nobody else
   * knows.
   */
  let mayHoldErased = false;

  /** Applies what the log has up to a position. Strict, as a rebuild is. */
  const catchUp = async (to: Projector, until: bigint): Promise<void> => {
    while (to.position < until) {
      const events = (await readPage(to.position, page)).filter(({ position }) => position <= until);
      if (events.length === 0) throw new Error(`The log ends before position ${until.toString()}, which the live read model has reached`);
      const { parked } = to.apply(events);
      mayHoldErased ||= events.some(({ type }) => type === 'PersonErased');
      const [first] = parked > 0 ? to.parked() : [];
      if (first !== undefined) throw new Error(`Stopped at position ${first.position.toString()} (${first.type} of ${first.stream}): ${first.error}`);
      progress.events += events.length;
      tell('catching-up', to.position);
    }
  };
  /** Until the live one is at most a page ahead: what is left then is a matter of milliseconds for whoever switches. */
  const catchUpWithLive = async (to: Projector): Promise<void> => {
    for (;;) {
      const before = progress.events;
      await catchUp(to, livePosition());
      if (progress.events - before <= page) return;
    }
  };

  const compare = async (to: Projector): Promise<NonNullable<Extract<FromReadModelWorker, { kind: 'done' }>['diff']>> => {
    // The state of the live file is held fast first, and the new one is brought to exactly that position.
    const live = openSnapshot(livePath);
    try {
      await catchUp(to, live.position);
      if (work.hidden.length > 0) to.erase(work.hidden);
      const started = performance.now();
      post({ kind: 'progress', phase: 'comparing', events: progress.events, position: live.position });
      const next = openSnapshot(path);
      try {
        const found = compareReadModels(live, next, { onTable: expectGoingOn });
        return { ...found, position: live.position, seconds: Math.round(performance.now() - started) / 1000 };
      } finally {
        next.close();
      }
    } finally {
      live.close();
    }
  };

  try {
    const until = livePosition();
    const found = inspectReadModel(path, 'full');
    if (work.kind === 'catch-up' && found !== 'good') throw new Error(`The read model ${work.file} is ${found}`);
    // A file that an earlier process finished folding is taken up where it stands.
    if (found === 'good') projector = createProjector({ path, openPerson });
    mayHoldErased = projector !== undefined;
    if (projector === undefined || (projector.position > until && work.kind !== 'catch-up')) {
      projector?.close();
      await rebuild({
        path,
        readPage,
        openPerson,
        until,
        onProgress({ events, position }) {
          progress.events = events;
          tell('folding', position);
        },
      });
      expectGoingOn();
      projector = createProjector({ path, openPerson });
    }
    post({ kind: 'progress', phase: 'catching-up', events: progress.events, position: projector.position });
    await catchUpWithLive(projector);
    const diff = work.kind === 'catch-up' ? undefined : await compare(projector);
    if (work.kind === 'rebuild') await catchUpWithLive(projector);
    const { position } = projector;
    // Also what an earlier process folded.
    if (work.kind !== 'catch-up') pages.expectWhole(position);
    if (mayHoldErased && work.kind !== 'verify') projector.scrub();
    projector.close();
    if (work.kind === 'verify') removeReadModel(work.dataDir, work.file);
    post({ kind: 'done', events: progress.events, position, diff, damage });
  } catch (error) {
    projector?.close();
    if (work.kind !== 'catch-up') removeReadModel(work.dataDir, work.file);
    if (error instanceof LogDamaged) post({ kind: 'damaged', damage: error.damage });
    else post(error instanceof Cancelled ? { kind: 'cancelled' } : { kind: 'failed', reason: reasonTold(error), damage });
  } finally {
    pages.close();
    vault.close();
  }
};

await run();
port.close();
