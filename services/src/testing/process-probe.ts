import { readdirSync } from 'node:fs';
import { expect } from 'vitest';
import type { ServerProcess } from './server-process.ts';

/** What a server holds after a collection, and how it fared since it was last asked. */
export type Probe = {
  /** Bytes in use, by thread: the main one and each worker. Without compiled code: the engine goes on compiling and throwing away for many minutes. */
  readonly heaps: readonly { readonly thread: string; readonly bytes: number }[];
  /** The 99th percentile of the delay of its event loop since the last probe, in milliseconds. */
  readonly loopP99: number;
  readonly descriptors: number;
};

/** For `startServer`: runs in the server and in each of its threads, and answers `probe`. Delays that our own collections make are not counted. */
export const probing = `
  import { monitorEventLoopDelay } from 'node:perf_hooks';
  import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
  import { runInNewContext } from 'node:vm';
  import { BroadcastChannel, isMainThread } from 'node:worker_threads';
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc');
  const held = () => {
    gc();
    gc();
    const spaces = getHeapSpaceStatistics().filter(({ space_name: name }) => !/code|trusted/.test(name));
    return spaces.reduce((sum, space) => sum + space.space_used_size, process.memoryUsage().external);
  };
  const channel = new BroadcastChannel('probe');
  channel.unref();
  if (isMainThread) {
    const delays = monitorEventLoopDelay({ resolution: 10 });
    delays.enable();
    process.on('SIGUSR2', () => {
      const loopP99 = delays.percentile(99) / 1e6;
      const heaps = [];
      const done = () => {
        channel.onmessage = null;
        heaps.push({ thread: 'main', bytes: held() });
        process.stderr.write('probe ' + JSON.stringify({ heaps, loopP99 }) + '\\n');
        setImmediate(() => delays.reset());
      };
      // The log has one worker; what else there is ends by itself and is not waited for.
      channel.onmessage = ({ data }) => {
        heaps.push(data);
        done();
      };
      channel.postMessage('probe');
    });
  } else channel.onmessage = ({ data }) => {
    if (data === 'probe') channel.postMessage({ thread: 'event-log', bytes: held() });
  };`;

/** Asks a server that was started with `probing`. */
export const probe = async (server: ServerProcess): Promise<Probe> => {
  const before = server.said().length;
  server.child.kill('SIGUSR2');
  await expect.poll(() => server.said().slice(before), { timeout: 30_000 }).toMatch(/probe .*\n/);
  const { heaps, loopP99 } = JSON.parse(/probe (.*)\n/.exec(server.said().slice(before))?.[1] ?? '{}') as Omit<Probe, 'descriptors'>;
  return { heaps, loopP99, descriptors: readdirSync(`/proc/${String(server.child.pid)}/fd`).length };
};
