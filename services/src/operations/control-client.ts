import { request } from 'node:http';
import { controlSocketPath } from '../platform/folders.ts';

/** Calls the product over its control socket, where the caller is the operator. `path` is absolute (`/api/…`). */
export type ControlClient = {
  call(method: string, path: string, body?: FormData | object, headers?: Readonly<Record<string, string>>): Promise<ControlAnswer>;
};
export type ControlAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly bytes: Buffer;
  json(): unknown;
};

/** The answer was not the success that was asked for; the message is the server's own text. */
export class ControlRefusal extends Error {
  override readonly name = 'ControlRefusal';
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Nothing was sent: whatever was asked may be asked again. */
export const neverSent: ReadonlySet<string> = new Set(['ENOENT', 'ECONNREFUSED']);
const gone: ReadonlySet<string> = new Set([...neverSent, 'ECONNRESET', 'EPIPE']);
/** The system's code of an error that says that nobody is at the socket, or nobody any more; undefined for any other error. */
export const goneCode = (error: unknown): string | undefined => {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  return code !== undefined && gone.has(code) ? code : undefined;
};

/** A client of the process that owns DATA_DIR. It does not connect before the first call. @param signal ends calls that are under way, and refuses new ones */
export function controlClient(dataDir: string, signal?: AbortSignal): ControlClient {
  const socketPath = controlSocketPath(dataDir);
  return {
    async call(method, path, body, headers = {}) {
      const encoded = body === undefined ? undefined : await encode(body);
      return new Promise((resolve, reject) => {
        const outgoing = request({ socketPath, method, path, headers: { ...headers, ...encoded?.headers }, ...(signal && { signal }) }, (incoming) => {
          const chunks: Buffer[] = [];
          incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
          incoming.on('error', reject);
          incoming.on('end', () => {
            const bytes = Buffer.concat(chunks);
            resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, bytes, json: () => JSON.parse(bytes.toString('utf8')) as unknown });
          });
        });
        outgoing.on('error', reject);
        outgoing.end(encoded?.bytes);
      });
    },
  };
}

/**
 * Whether a process that owns the folder answers, whatever it says.
 * @param within ms: one that is halted takes a call and never answers; it has the lock all the same
 */
export const isAnswering = async (dataDir: string, within = 5000): Promise<boolean> =>
  controlClient(dataDir, AbortSignal.timeout(within))
    .call('GET', '/healthz')
    .then(
      () => true,
      () => false,
    );

/** Throws ControlRefusal unless the answer is a success. */
export async function succeed(answer: Promise<ControlAnswer>): Promise<ControlAnswer> {
  const got = await answer;
  if (got.status >= 200 && got.status < 300) return got;
  let message = `answered ${String(got.status)}`;
  try {
    const problem = got.json() as { message?: unknown };
    if (typeof problem.message === 'string') message = problem.message;
  } catch {
    // Not JSON: the status says enough.
  }
  throw new ControlRefusal(got.status, message);
}

async function encode(body: FormData | object): Promise<{ bytes: Buffer; headers: Record<string, string> }> {
  if (body instanceof FormData) {
    const form = new Response(body);
    const bytes = Buffer.from(await form.arrayBuffer());
    return { bytes, headers: { 'content-type': form.headers.get('content-type') ?? 'multipart/form-data', 'content-length': String(bytes.length) } };
  }
  const bytes = Buffer.from(JSON.stringify(body));
  return { bytes, headers: { 'content-type': 'application/json', 'content-length': String(bytes.length) } };
}
