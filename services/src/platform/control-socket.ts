import { chmodSync, rmSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { trustSocket } from './endpoint-call.ts';
import { controlSocketPath } from './folders.ts';
import type { Logger } from './logger.ts';
import { createHttpServer, type HttpServer } from './server.ts';

/**
 * The operator's door, `DATA_DIR/control.sock`: whoever may open the file owns the installation anyway. For the process that owns DATA_DIR, since what stands
 * there is replaced. Undefined when it cannot be opened: the path of a socket may have some hundred characters only, and the site does not need it.
 */
export const openControlSocket = async (dataDir: string, listener: RequestListener, logger: Pick<Logger, 'error'>): Promise<HttpServer | undefined> => {
  const path = controlSocketPath(dataDir);
  rmSync(path, { force: true });
  const server = createHttpServer((request, response) => {
    trustSocket(request.socket);
    listener(request, response);
  });
  const before = process.umask(0o177);
  try {
    await server.listen({ path });
    chmodSync(path, 0o600);
    return server;
  } catch (error) {
    logger.error('the control socket could not be opened', error);
    return undefined;
  } finally {
    process.umask(before);
  }
};
