import { connect } from 'node:net';
import { percentile } from './figure.ts';

/** One round of load: what came back, and how long it took (milliseconds). */
export type Round = {
  readonly requests: number;
  readonly seconds: number;
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly refused: number;
};
export type RoundPlan = {
  readonly port: number;
  readonly connections: number;
  readonly seconds: number;
  /** The whole request as it goes on the wire (latin1); called for each request. */
  readonly next: () => string;
};

/** The length of the answer that begins in `bytes`, or 0 while its head is not complete. */
const answerLength = (bytes: Buffer): number => {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd < 0) return 0;
  return headEnd + 4 + Number(/\r\ncontent-length: (\d+)/i.exec(bytes.toString('latin1', 0, headEnd + 2))?.[1] ?? 0);
};

/**
 * One keep-alive connection with one request in flight, until `end`. Reads go into one buffer a connection and only the status and Content-Length of an answer
 * are looked at: the generator shares the cores with the server, so it must cost little.
 */
const playConnection = async ({ port, next }: RoundPlan, end: number, times: number[]): Promise<number> =>
  new Promise<number>((resolve, reject) => {
    const buffer = Buffer.allocUnsafe(65_536);
    let sent = 0;
    let refused = 0;
    let received = 0;
    let expected = 0;
    let lastLength = 0;
    let kept = Buffer.alloc(0);
    const send = (): void => {
      sent = performance.now();
      socket.write(next(), 'latin1');
    };
    const answered = (status: number): void => {
      const now = performance.now();
      times.push(now - sent);
      if (status !== 2 && status !== 3) refused += 1;
      received = 0;
      expected = 0;
      kept = Buffer.alloc(0);
      if (now < end) send();
      else {
        socket.removeAllListeners('close');
        socket.destroy();
        resolve(refused);
      }
    };
    const onData = (size: number): boolean => {
      // Whole and as long as the one before: the same kind of answer, whose head need not be read again.
      if (received === 0 && size === lastLength) {
        answered((buffer[9] ?? 0) - 48);
        return true;
      }
      received += size;
      if (expected === 0) {
        kept = Buffer.concat([kept, buffer.subarray(0, size)]);
        expected = answerLength(kept);
        if (expected === 0) return true;
      }
      if (received < expected) return true;
      lastLength = expected;
      answered((kept[9] ?? 0) - 48);
      return true;
    };
    const socket = connect({ port, host: '127.0.0.1', noDelay: true, onread: { buffer, callback: onData } });
    socket.once('connect', send);
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('the server closed a connection during the round')));
  });

/** A closed loop over raw keep-alive sockets. `refused` counts answers other than 2xx and 3xx. */
export async function playRound(plan: RoundPlan): Promise<Round> {
  const times: number[] = [];
  const started = performance.now();
  const end = started + plan.seconds * 1000;
  const refused = await Promise.all(Array.from({ length: plan.connections }, async () => playConnection(plan, end, times)));
  const seconds = (performance.now() - started) / 1000;
  return {
    requests: times.length,
    seconds,
    perSecond: times.length / seconds,
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
    refused: refused.reduce((sum, count) => sum + count, 0),
  };
}

/** Rounds until a server has answered so many requests: its code is compiled for good only after thousands of them. */
export async function warmUp(plan: Omit<RoundPlan, 'seconds'>, requests: number): Promise<void> {
  for (let done = 0; done < requests;) done += (await playRound({ ...plan, seconds: 0.5 })).requests;
}

const headerLines = (headers: Readonly<Record<string, string>>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');

/** A JSON POST as text, ready to be sent. `body`: ASCII. */
export const postText = (path: string, headers: Readonly<Record<string, string>>, body: string): string =>
  `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: ${String(body.length)}\r\n${headerLines(headers)}\r\n${body}`;
export const getText = (path: string, headers: Readonly<Record<string, string>> = {}): string =>
  `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${headerLines(headers)}\r\n`;
