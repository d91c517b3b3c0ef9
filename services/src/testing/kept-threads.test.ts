import { writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { temporaryFolder } from '../event-log/testing/log-files.ts';

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

/** Says which thread it is in, how often it was begun there, and what it was given; then does as it is told. */
const program = `
import { parentPort, threadId, workerData } from 'node:worker_threads';
let begun = 0;
begun += 1;
parentPort.on('message', (word) => {
  if (word === 'fail') throw new Error('broken');
  parentPort.postMessage('last');
  parentPort.close();
});
parentPort.postMessage({ threadId, begun, workerData });
`;

type Seen = { readonly said: readonly unknown[]; readonly error: string | undefined; readonly code: number };
const run = async (workerData: unknown, word: 'close' | 'fail', name = 'log-worker.ts'): Promise<Seen> => {
  const path = folder.path(name);
  writeFileSync(path, program);
  const worker = new Worker(pathToFileURL(path), { workerData });
  const said: unknown[] = [];
  let error: string | undefined;
  worker.on('message', (message) => {
    said.push(message);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    if (message !== 'last') worker.postMessage(word);
  });
  worker.on('error', (failure) => (error = failure instanceof Error ? failure.message : String(failure)));
  return new Promise((resolve) => worker.on('exit', (code) => resolve({ said, error, code })));
};
const threadOf = ({ said }: Seen): number => (said[0] as { readonly threadId: number }).threadId;

it('a program that has closed its port leaves its thread to the next one, which begins anew with its own data; a thread that failed is gone', async () => {
  const first = await run({ path: 'a' }, 'close');
  const threadId = threadOf(first);
  expect(first).toEqual({ said: [{ threadId, begun: 1, workerData: { path: 'a' } }, 'last'], error: undefined, code: 0 });
  expect(await run({ path: 'b' }, 'close', 'read-model-worker.ts')).toEqual({ said: [{ threadId, begun: 1, workerData: { path: 'b' } }, 'last'], error: undefined, code: 0 });
  expect(await run('c', 'fail')).toEqual({ said: [{ threadId, begun: 1, workerData: 'c' }], error: 'broken', code: 1 });
  const after = await run('d', 'close');
  expect([threadOf(after) === threadId, after.code]).toEqual([false, 0]);
});

it('other programs have a thread of their own', async () => {
  const [first, second] = [await run(1, 'close', 'other.mjs'), await run(2, 'close', 'other.mjs')];
  expect([first.code, second.code, threadOf(first) === threadOf(second)]).toEqual([0, 0, false]);
});
