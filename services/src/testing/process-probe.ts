import { readdirSync } from 'node:fs';
import { expect } from 'vitest';
import type { ServerProcess } from './server-process.ts';

/** What a server holds after a collection, and how it fared since it was last asked. */
export type Probe = {
  /**
   * Bytes in use, by thread: the main one and each worker. Without what the engine keeps for itself: it goes on compiling and throwing away for many minutes.
   */
  readonly heaps: readonly { readonly thread: string; readonly bytes: number }[];
  /** The 99th percentile of the delay of its event loop since the last probe, in milliseconds. */
  readonly loopP99: number;
  readonly descriptors: number;
};

/**
 * For `startServer`: runs in the server and in each of its threads, and answers `probe`. Delays that our own collections make are not counted.
 * @param exact every object is counted, of a snapshot of the heap, which takes a second; else it is what the spaces of the heap hold
 */
export const probing = (exact: boolean): string => `
  import { monitorEventLoopDelay } from 'node:perf_hooks';
  import { text } from 'node:stream/consumers';
  import { getHeapSnapshot, getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
  import { runInNewContext } from 'node:vm';
  import { BroadcastChannel, isMainThread } from 'node:worker_threads';
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc');
  const objects = async () => {
    const { snapshot: { meta }, nodes } = JSON.parse(await text(getHeapSnapshot()));
    const [type, size] = ['type', 'self_size'].map((field) => meta.node_fields.indexOf(field));
    const kinds = meta.node_types[type];
    let sum = 0;
    for (let at = 0; at < nodes.length; at += meta.node_fields.length) if (!/code|hidden/.test(kinds[nodes[at + type]])) sum += nodes[at + size];
    return sum;
  };
  const held = async () => {
    gc();
    gc();
    if (${exact}) return objects();
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
      const done = async () => {
        channel.onmessage = null;
        heaps.push({ thread: 'main', bytes: await held() });
        process.stderr.write('probe ' + JSON.stringify({ heaps, loopP99 }) + '\\n');
        setImmediate(() => delays.reset());
      };
      // The log has one worker; what else there is ends by itself and is not waited for.
      channel.onmessage = ({ data }) => {
        heaps.push(data);
        void done();
      };
      channel.postMessage('probe');
    });
  } else channel.onmessage = async ({ data }) => {
    if (data === 'probe') channel.postMessage({ thread: 'event-log', bytes: await held() });
  };`;

/** Asks a server that was started with `probing`. */
export const probe = async (server: ServerProcess): Promise<Probe> => {
  const before = server.said().length;
  server.child.kill('SIGUSR2');
  await expect.poll(() => server.said().slice(before), { timeout: 30_000 }).toMatch(/probe .*\n/);
  const { heaps, loopP99 } = JSON.parse(/probe (.*)\n/.exec(server.said().slice(before))?.[1] ?? '{}') as Omit<Probe, 'descriptors'>;
  return { heaps, loopP99, descriptors: readdirSync(`/proc/${String(server.child.pid)}/fd`).length };
};
