import { connect, type Socket } from 'node:net';

/** One round of load: what came back, and how long it took (milliseconds). */
export type Round = { readonly requests: number; readonly seconds: number; readonly perSecond: number; readonly p50: number; readonly p99: number; readonly refused: number };
export type RoundPlan = { readonly port: number; readonly connections: number; readonly seconds: number; /** The whole request as it goes on the wire; called for each request. */ readonly next: () => string };

/**
 * A closed loop over raw keep-alive sockets, one request in flight a connection. The generator must cost little: it shares the cores with the server.
 * Only the status line and Content-Length of an answer are read. `refused` counts answers other than 2xx and 304.
 */
export async function playRound(plan: RoundPlan): Promise<Round> {
  const times: number[] = [];
  let refused = 0;
  const sockets: Socket[] = [];
  const started = performance.now();
  const end = started + plan.seconds * 1000;
  await Promise.all(
    Array.from({ length: plan.connections }, async () => {
      const socket = connect({ port: plan.port, host: '127.0.0.1', noDelay: true });
      sockets.push(socket);
      await new Promise<void>((resolve, reject) => {
        socket.once('connect', resolve);
        socket.once('error', reject);
      });
      await new Promise<void>((resolve, reject) => {
        let sent = 0;
        let pending = '';
        const send = (): void => {
          sent = performance.now();
          socket.write(plan.next());
        };
        socket.on('error', reject);
        socket.on('close', () => {
          reject(new Error('the server closed a connection during the round'));
        });
        socket.on('data', (chunk: Buffer) => {
          pending += chunk.toString('latin1');
          const headEnd = pending.indexOf('\r\n\r\n');
          if (headEnd < 0) return;
          const head = pending.slice(0, headEnd);
          const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
          if (pending.length < headEnd + 4 + length) return;
          pending = '';
          const now = performance.now();
          times.push(now - sent);
          const status = head.slice(9, 12);
          if (!status.startsWith('2') && status !== '304') refused += 1;
          if (now >= end) {
            socket.removeAllListeners('close');
            resolve();
          } else send();
        });
        send();
      });
    }),
  );
  const seconds = (performance.now() - started) / 1000;
  for (const socket of sockets) socket.destroy();
  times.sort((a, b) => a - b);
  const at = (share: number): number => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN;
  return { requests: times.length, seconds, perSecond: times.length / seconds, p50: at(0.5), p99: at(0.99), refused };
}

/** A JSON POST as text, ready to be sent. */
export const postText = (path: string, headers: Readonly<Record<string, string>>, body: string): string =>
  `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: ${String(Buffer.byteLength(body))}\r\n${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n${body}`;
export const getText = (path: string, headers: Readonly<Record<string, string>> = {}): string =>
  `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`;

export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
};
