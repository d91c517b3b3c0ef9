import { writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { messageOf } from '@courtledger/contracts/kernel/errors';
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
  worker.on('error', (failure) => (error = messageOf(failure)));
  return new Promise((resolve) => worker.on('exit', (code) => resolve({ said, error, code })));
};
const threadOf = ({ said }: Seen): number => (said[0] as { readonly threadId: number }).threadId;

/** One after another. More than are kept, so that one of them must come again. */
const turns = 8;
const runAll = async (): Promise<readonly number[]> => {
  const threads: number[] = [];
  for (let turn = 0; turn < turns; turn += 1) {
    const seen = await run({ turn }, 'close', turn % 2 === 0 ? 'log-worker.ts' : 'read-model-worker.ts');
    expect(seen).toEqual({ said: [{ threadId: threadOf(seen), begun: 1, workerData: { turn } }, 'last'], error: undefined, code: 0 });
    threads.push(threadOf(seen));
  }
  return threads;
};

it('a program that has closed its port leaves its thread to a later one, which begins anew with its own data; a thread that failed is gone', async () => {
  expect(new Set(await runAll()).size).toBeLessThan(turns);
  const failed = await run('c', 'fail');
  expect(failed).toEqual({ said: [{ threadId: threadOf(failed), begun: 1, workerData: 'c' }], error: 'broken', code: 1 });
  expect(await runAll()).not.toContain(threadOf(failed));
});

it('other programs have a thread of their own', async () => {
  const [first, second] = [await run(1, 'close', 'other.mjs'), await run(2, 'close', 'other.mjs')];
  expect([first.code, second.code, threadOf(first) === threadOf(second)]).toEqual([0, 0, false]);
});
