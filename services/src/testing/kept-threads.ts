import { EventEmitter } from 'node:events';
import { syncBuiltinESMExports } from 'node:module';
import { MessageChannel, Worker, type MessagePort, type WorkerOptions } from 'node:worker_threads';
import type { Turn } from './kept-thread.ts';

/**
 * For the top of test runs. Tests open and close hundreds of logs, and most of what that costs is a new thread that loads 200 modules; here a program of ours
 * (`log-worker.ts`, `read-model-worker.ts`) runs in a thread that an earlier one has left by closing its port. A thread that failed or was terminated is gone,
 * as always. What the product does is tested in threads of their own as well: by every test that starts it as a process, and by the fault tests at full
 * figures.
 */
const ours = /\/(?:log|read-model)-worker\.ts$/;
const idleLimit = 4;
const idle: Worker[] = [];

/** What `Worker` is to its users, on a thread that is kept. */
class KeptThread extends EventEmitter {
  readonly #thread: Worker;
  readonly #port: MessagePort;
  #end: { readonly code: number } | undefined;
  #isDrained = false;

  constructor(program: string, { name, workerData }: WorkerOptions) {
    super();
    this.#thread = idle.pop() ?? new Worker(new URL('./kept-thread.ts', import.meta.url), { ...(name !== undefined && { name }) });
    this.#thread.ref();
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    port1.on('message', (message) => this.emit('message', message));
    // After the last message. How the program ended comes another way, before or after it.
    port1.once('close', () => {
      this.#isDrained = true;
      this.#settle();
    });
    this.#thread.on('error', this.#failed).on('exit', this.#exited).on('message', this.#free);
    const turn: Turn = { program, workerData: workerData as unknown, port: port2 };
    this.#thread.postMessage(turn, [port2]);
    process.nextTick(() => (process as EventEmitter).emit('worker', this));
  }

  readonly #failed = (error: unknown): void => void this.emit('error', error);
  readonly #exited = (code: number): void => {
    this.#end = { code };
    this.#settle();
  };
  readonly #free = (): void => {
    this.#thread.off('error', this.#failed).off('exit', this.#exited).off('message', this.#free);
    this.#thread.unref();
    if (idle.length < idleLimit) idle.push(this.#thread);
    else void this.#thread.terminate();
    this.#exited(0);
  };

  #settle(): void {
    if (this.#isDrained && this.#end !== undefined) this.emit('exit', this.#end.code);
  }

  postMessage(message: unknown): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    this.#port.postMessage(message);
  }

  async terminate(): Promise<number> {
    return this.#thread.terminate();
  }
}

const key = Symbol.for('courtledger kept threads');
const known = globalThis as { [key]?: boolean };
// This file is run once for each file of tests, in a process of many.
if (known[key] !== true) {
  known[key] = true;
  const threads = process.getBuiltinModule('node:worker_threads') as { Worker: unknown };
  threads.Worker = new Proxy(Worker, {
    construct(target, [program, options = {}]: [string | URL, WorkerOptions?]) {
      return ours.test(String(program)) ? new KeptThread(String(program), options) : new target(program, options);
    },
  });
  syncBuiltinESMExports();
}
