import { syncBuiltinESMExports } from 'node:module';
import { parentPort, type MessagePort } from 'node:worker_threads';

/** What a thread of `kept-threads.ts` is given: a program of ours, and what it would find in a thread of its own. */
export type Turn = { readonly program: string; readonly workerData: unknown; readonly port: MessagePort };

// The object behind the module: what is changed here, imports of it see.
const threads = process.getBuiltinModule('node:worker_threads') as { workerData: unknown; parentPort: MessagePort | null };
const keeper = parentPort;
if (keeper === null) throw new Error('kept-thread.ts runs in a worker thread only');

let turns = 0;
const run = async ({ program, workerData, port }: Turn): Promise<void> => {
  turns += 1;
  Object.assign(threads, { workerData, parentPort: port });
  syncBuiltinESMExports();
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  port.once('close', () => keeper.postMessage('free'));
  // Under a name of its own each time, so that it runs again; what it imports stays loaded.
  await import(`${program}?turn=${String(turns)}`);
};
// Its failure ends this thread, as it would end one of its own.
keeper.on('message', (turn: Turn) => void run(turn));
