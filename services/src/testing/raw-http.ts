import { connect } from 'node:net';

/** What came back on a raw connection; status 0: closed without an answer. */
export type RawReply = { readonly status: number; readonly text: string };

/** Sends bytes as they are, says that nothing more comes, and gives what is answered until the connection closes. */
export const sendRaw = async (port: number, bytes: Buffer): Promise<RawReply> =>
  new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    // A reset is how a server leaves a client that goes on sending.
    socket.on('error', () => {});
    socket.on('end', () => socket.end());
    socket.on('close', () => {
      const text = Buffer.concat(chunks).toString('utf8');
      resolve({ status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0), text });
    });
    socket.end(bytes);
  });
