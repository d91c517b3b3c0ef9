import { join } from 'node:path';
import type { Config } from '../platform/config.ts';
import { controlClient, type ControlClient } from './control-client.ts';
import { expectProduct } from './installation.ts';

/** A way in for the tools on the server. `own`: no server was running, so this process has DATA_DIR until `close`. */
export type Reached = { readonly client: ControlClient; readonly own: boolean; close(): Promise<void> };

export type ReachOptions = {
  /** True: a folder in which nothing was begun is refused, as by `expectProduct`. */
  readonly mustExist?: boolean;
  /** Aborted: nothing is reached any more, and what was opened for it is closed. */
  readonly signal?: AbortSignal;
};

/**
 * Reaches the product on this DATA_DIR: the running server through its control socket, also while it starts, else the product in this process, on that socket only.
 * @throws LogInUse when a process owns DATA_DIR but does not answer on the socket, LogUnavailable when the log is needed and does not answer, and the signal's reason
 */
export async function reach(config: Config, { mustExist = false, signal }: ReachOptions = {}): Promise<Reached> {
  const path = join(config.dataDir, 'control.sock');
  const client = controlClient(path);
  const answers = await controlClient(path, signal).call('GET', '/healthz').then((answer) => answer.status === 200, () => false);
  if (answers) return { client, own: false, close: async () => {} };
  signal?.throwIfAborted();
  if (mustExist) await expectProduct(config);
  // Loaded only here: it is the whole product, and it blocks picture formats for the whole process.
  const { createApp } = await import('../app.ts');
  const app = createApp({ config, background: false, waitForLog: false });
  const stop = (): void => void app.close(0);
  signal?.addEventListener('abort', stop, { once: true });
  try {
    signal?.throwIfAborted();
    await app.open();
    signal?.throwIfAborted();
  } catch (error) {
    await app.close(0);
    signal?.throwIfAborted();
    throw error;
  } finally {
    signal?.removeEventListener('abort', stop);
  }
  return { client, own: true, close: async () => app.close() };
}
