import { join } from 'node:path';
import type { Config } from '../platform/config.ts';
import { controlClient, type ControlClient } from './control-client.ts';

/** A way in for the tools on the server. `own`: no server was running, so this process has the log until `close`. */
export type Reached = { readonly client: ControlClient; readonly own: boolean; close(): Promise<void> };

/**
 * Reaches the product on this DATA_DIR: the running server through its control socket, else the product in this process, on that socket only.
 * @throws LogInUse when a server holds the log but does not answer on its socket
 */
export async function reach(config: Config): Promise<Reached> {
  const client = controlClient(join(config.dataDir, 'control.sock'));
  const answers = await client.call('GET', '/healthz').then((answer) => answer.status === 200, () => false);
  if (answers) return { client, own: false, close: async () => {} };
  // Loaded only here: it is the whole product, and it blocks picture formats for the whole process.
  const { createApp } = await import('../app.ts');
  const app = createApp({ config, background: false });
  try {
    await app.open();
  } catch (error) {
    await app.close(0);
    throw error;
  }
  return { client, own: true, close: async () => app.close() };
}
