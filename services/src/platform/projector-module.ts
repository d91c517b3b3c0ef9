import { ChainFollower } from '../event-log/chain-follower.ts';
import { pagesOf } from '../event-log/log-pages.ts';
import { openLogConnection } from '../event-log/sqlite-connection.ts';
import { logReader } from '../event-log/sqlite-log-reader.ts';
import type { BatchProjector, ProjectorModule } from '../event-log/projector-port.ts';
import { openNodeProjector } from './store-projector.ts';

/** What the log's worker is given for `createProjector`. */
export type NodeProjectorOptions = { readonly dataDir: string; readonly logPath: string };

/** The read model of a node whose log is a SQLite file: runs in the log's worker. */
export const createProjector: ProjectorModule['createProjector'] = async (options): Promise<BatchProjector> => {
  const { dataDir, logPath } = options as NodeProjectorOptions;
  const connection = openLogConnection(logPath, { readonly: true, evenDamaged: true });
  const reader = logReader(connection);
  let projector: BatchProjector;
  try {
    projector = await openNodeProjector(dataDir, {
      readPage: pagesOf(reader),
      readStream: (stream) => reader.readStream(stream, 0, Infinity),
      // A fact that somebody changed is no other log's: what was made while the log was whole stays.
      isWhole: (until) => new ChainFollower(connection, 1n).reach(until) === undefined,
    });
  } catch (error) {
    connection.close();
    throw error;
  }
  return {
    get position() {
      return projector.position;
    },
    get parked() {
      return projector.parked ?? 0;
    },
    get accountChanges() {
      return projector.accountChanges ?? 0n;
    },
    seen: projector.seen ?? 0n,
    apply: (events) => projector.apply(events),
    command: (name, argument) => projector.command?.(name, argument),
    close() {
      projector.close?.();
      connection.close();
    },
  };
};
