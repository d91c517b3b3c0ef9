import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { Transform, Writable, type Readable, type TransformCallback } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Request, Response } from 'express';
import multer from 'multer';
import type { Endpoint, FileRule } from '@courtledger/contracts/kernel/endpoint';
import { DomainError, invalid } from '@courtledger/contracts/kernel/errors';
import { createBodyRoom, isCrumbled } from './body-room.ts';
import { diskFailure } from './durable-failure.ts';
import { lingerBytes } from './endpoint-answer.ts';
import { refusalOfText } from './endpoint-request.ts';
import { magicBytes } from './uploads-kinds.ts';

/** A file part as it arrived: images in a temporary file, documents (which may never lie plain on the disk) in memory. `size` in bytes. */
export type ArrivedFile = {
  readonly field: string;
  readonly name: string;
  readonly size: number;
  readonly sha256: string;
  readonly start: Buffer;
  readonly content: { readonly path: string } | { readonly bytes: Buffer };
};
/** What a form is read by. */
export type FormEndpoint = Pick<Endpoint, 'files' | 'body' | 'fieldOrder'>;
export type ArrivedForm = { readonly body: unknown; readonly files: readonly ArrivedFile[] };

/** Text parts and framing around the files. */
const textAllowance = 512 * 1024;
/** Far longer than any field may be, and short enough that all of them together, which are in memory until the form ends, keep to the allowance. */
const longestText = 8 * 1024;
const mostFields = 60;
const strayFiles = 6;
const megabyte = 1024 * 1024;
/** What all files that are being uploaded may take together: documents in memory, images half of what strangers leave of the disk. */
const rooms = { document: createBodyRoom(128 * megabyte), image: createBodyRoom(1024 * megabyte) } as const;

/** The most that a form of this endpoint can be long, in bytes. */
export const formBytes = (endpoint: Pick<Endpoint, 'files'>): number => {
  const rules: readonly FileRule[] = Object.values(endpoint.files);
  return rules.reduce((sum, rule) => sum + rule.maxBytes, textAllowance);
};

/** What is said when the whole is too long: the files' own text where they agree. */
const tooLargeText = (endpoint: Pick<Endpoint, 'files'>): string => {
  const rules: readonly FileRule[] = Object.values(endpoint.files);
  const texts = new Set(rules.map((rule) => rule.refused));
  const [only] = texts;
  return texts.size === 1 && only !== undefined ? only : 'The upload is too large';
};
const tooLarge = (endpoint: Pick<Endpoint, 'files'>): DomainError => new DomainError('too-large', tooLargeText(endpoint));
const fileTooLarge = (endpoint: Pick<Endpoint, 'files'>, field: string): DomainError => {
  const rules: Readonly<Record<string, FileRule>> = endpoint.files;
  const rule = rules[field];
  return rule === undefined ? tooLarge(endpoint) : new DomainError('too-large', rule.refused, { errors: [{ path: field, message: rule.refused }] });
};
/** The field's own text: one so long fits no field. What the parser has kept of it, up to the limit, is not at hand. */
const textTooLong = (endpoint: FormEndpoint, name: string, cause: unknown): DomainError => {
  const refusal = refusalOfText(endpoint, name, 'x'.repeat(longestText + 1));
  return refusal === undefined ? malformed('A text in the form is too long', cause) : invalid(refusal.path, refusal.message);
};
const malformed = (message: string, cause?: unknown): DomainError => new DomainError('malformed', message, cause === undefined ? {} : { cause });

const crlf = Buffer.from('\r\n');

/**
 * Stands between the request and the parser and takes the request's place for it: counts, cuts off, and ends as soon as the parser is done with it
 * (left alone, multer reads the rest of a refused body before it answers). What comes behind the end of the form is dropped: the parser would begin parts that
 * it finds there, and wait for ever for the end of a file that was cut off.
 */
class FormStream extends Transform {
  readonly headers: IncomingHttpHeaders;
  readonly endpoint: FormEndpoint;
  readonly address: string;
  readonly temporaryPath: () => string;
  readonly arrivals: Promise<ArrivedFile>[] = [];
  readonly paths: string[] = [];
  /** Set by multer. */
  body: unknown;
  received = 0;
  #pieces = 0;
  readonly held: Record<FileRule['kind'], number> = { document: 0, image: 0 };
  readonly #end: Buffer;
  /** What came last, as much as an end that is split between two chunks may have in the first; a form may begin with its end. */
  #seen: Buffer = crlf;
  #ended = false;

  constructor(headers: IncomingHttpHeaders, boundary: string | undefined, endpoint: FormEndpoint, address: string, temporaryPath: () => string) {
    super();
    // In one form only, so that the parser finds the same boundary as is looked for here.
    this.headers = { ...headers, 'content-type': boundary === undefined ? 'multipart/form-data' : `multipart/form-data; boundary="${boundary}"` };
    this.#end = Buffer.from(`\r\n--${boundary ?? ''}--`, 'latin1');
    this.endpoint = endpoint;
    this.address = address;
    this.temporaryPath = temporaryPath;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.received += chunk.length;
    this.#pieces += 1;
    if (this.received > formBytes(this.endpoint)) done(tooLarge(this.endpoint));
    else if (isCrumbled(this.#pieces, this.received)) done(malformed('The form comes in too many pieces'));
    else done(null, this.#ended ? undefined : this.#upToEnd(chunk));
  }

  /** The chunk as far as it belongs to the form. */
  #upToEnd(chunk: Buffer): Buffer {
    const both = Buffer.concat([this.#seen, chunk]);
    const at = both.indexOf(this.#end);
    this.#ended = at >= 0;
    if (this.#ended) return both.subarray(this.#seen.length, at + this.#end.length);
    this.#seen = both.subarray(Math.max(0, both.length - this.#end.length + 1));
    return chunk;
  }

  override unpipe(target?: NodeJS.WritableStream): this {
    super.unpipe(target);
    setImmediate(() => this.destroy());
    return this;
  }

  /** Reads one file part to its end or to its limit. */
  async arrive(field: string, name: string, rule: FileRule, content: Readable): Promise<ArrivedFile> {
    const hash = createHash('sha256');
    let size = 0;
    let start = Buffer.alloc(0);
    const count = new Transform({
      transform: (chunk: Buffer, _encoding, done) => {
        size += chunk.length;
        if (size > rule.maxBytes) {
          done(fileTooLarge(this.endpoint, field));
          return;
        }
        if (!rooms[rule.kind].take(this.address, chunk.length)) {
          done(new DomainError('unavailable', `Too many ${rule.kind}s are being uploaded, please try again`, { retryAfter: 5 }));
          return;
        }
        this.held[rule.kind] += chunk.length;
        hash.update(chunk);
        if (start.length < magicBytes) start = Buffer.concat([start, chunk]).subarray(0, magicBytes);
        done(null, chunk);
      },
    });
    const kept = rule.kind === 'image' ? await this.#toFile(content, count) : await this.#toMemory(content, count);
    return { field, name, size, sha256: hash.digest('hex'), start, content: kept };
  }

  async #toFile(content: Readable, count: Transform): Promise<{ readonly path: string }> {
    const path = this.temporaryPath();
    this.paths.push(path);
    await pipeline(content, count, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
    return { path };
  }

  async #toMemory(content: Readable, count: Transform): Promise<{ readonly bytes: Buffer }> {
    const chunks: Buffer[] = [];
    const sink = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        chunks.push(chunk);
        done();
      },
    });
    await pipeline(content, count, sink);
    return { bytes: Buffer.concat(chunks) };
  }

  /** Removes what arrived; idempotent. */
  async discard(): Promise<void> {
    // Only when nothing is written any more: a file that is removed too early comes back, and what is taken later would never be given back.
    await Promise.allSettled(this.arrivals);
    for (const kind of ['document', 'image'] as const) {
      rooms[kind].giveBack(this.address, this.held[kind]);
      this.held[kind] = 0;
    }
    await Promise.all(this.paths.splice(0).map(async (path) => rm(path, { force: true })));
  }
}

const storage: multer.StorageEngine = {
  _handleFile(request, file, done) {
    const form = request as unknown as FormStream;
    const rules: Readonly<Record<string, FileRule>> = form.endpoint.files;
    const rule = rules[file.fieldname];
    if (rule === undefined) throw new Error('The filter lets only known file fields through');
    const arrival = form.arrive(file.fieldname, file.originalname, rule, file.stream);
    form.arrivals.push(arrival);
    // oxlint-disable-next-line promise/always-return -- the engine's interface is a callback
    arrival.then(() => {
      // oxlint-disable-next-line promise/no-callback-in-promise -- so it is here
      done(null, {});
    }, done);
  },
  _removeFile(_request, _file, done) {
    // The form removes its own files, when all have stopped arriving.
    done(null);
  },
};

/** Parsers by endpoint: limits differ with its files. */
const parsers = new WeakMap<object, ReturnType<multer.Multer['any']>>();
const parserOf = (endpoint: Pick<Endpoint, 'files'>): ReturnType<multer.Multer['any']> => {
  const known = parsers.get(endpoint);
  if (known !== undefined) return known;
  const rules: readonly FileRule[] = Object.values(endpoint.files);
  const files = rules.length + strayFiles;
  // `fieldArrayIndexLimit` and `fieldNestingDepth` are newer than the types. Without them a name like `a[99999999]` hangs the server.
  const limits: NonNullable<multer.Options['limits']> & { fieldNestingDepth: number; fieldArrayIndexLimit: number } = {
    fields: mostFields,
    parts: mostFields + files,
    files,
    fieldNameSize: 100,
    fieldSize: longestText,
    headerPairs: 32,
    fileSize: Math.max(0, ...rules.map((rule) => rule.maxBytes)),
    fieldNestingDepth: 1,
    fieldArrayIndexLimit: 0,
  };
  const parser = multer({
    storage,
    limits,
    fileFilter: (_request, file, done) => {
      done(null, Object.hasOwn(endpoint.files, file.fieldname));
    },
  }).any();
  parsers.set(endpoint, parser);
  return parser;
};

/** What parts are separated by; undefined when the request does not say, or in a way that nobody needs. */
const boundaryOf = (request: IncomingMessage): string | undefined => {
  for (const parameter of (request.headers['content-type'] ?? '').split(';').slice(1)) {
    const [, quoted, plain] = /^\s*boundary=(?:"([^"\\]+)"|([^\s"\\]+))\s*$/i.exec(parameter) ?? [];
    if (quoted !== undefined || plain !== undefined) return quoted ?? plain;
  }
  return undefined;
};

/** Errors of the parser and the disk, as ours. What the parser says stays inside (`cause`). */
const translate = (error: unknown, form: FormStream): DomainError => {
  if (error instanceof DomainError) return error;
  if (error instanceof multer.MulterError) {
    if (error.code === 'LIMIT_FILE_SIZE') return fileTooLarge(form.endpoint, error.field ?? '');
    if (error.code === 'LIMIT_FIELD_VALUE') return textTooLong(form.endpoint, error.field ?? '', error);
    return malformed('The form has parts that do not belong in it', error);
  }
  // What is no failure of the disk is the parser's.
  const failure = diskFailure(error);
  if (failure instanceof DomainError) return failure;
  return malformed('The form could not be read', error);
};

/**
 * Reads a multipart form with every limit in force: the length that it announces, as far as no answer could be given behind it, before anything is read, the
 * length that arrives, and for each file its own limit, to the byte.
 * @param address where it comes from (`clientAddress`)
 * @returns the form and `discard`, to be called when the call ends (also after success)
 * @throws DomainError `too-large`, `invalid` (a text too long for any field), `malformed` or `unavailable`; nothing of the form is left then
 */
export const readForm = async (
  request: IncomingMessage,
  endpoint: FormEndpoint,
  address: string,
  temporaryPath: () => string,
): Promise<ArrivedForm & { readonly discard: () => Promise<void> }> => {
  // What is read behind an answer anyway may tell which file is too large.
  if (Number(request.headers['content-length'] ?? 0) > formBytes(endpoint) + lingerBytes) throw tooLarge(endpoint);
  const boundary = boundaryOf(request);
  const form = new FormStream(request.headers, boundary, endpoint, address, temporaryPath);
  const abort = (): void => {
    if (!request.readableEnded) form.destroy(new DomainError('malformed', 'The upload was broken off'));
  };
  request.once('close', abort);
  try {
    await new Promise<void>((resolve, reject) => {
      // The cut-off's own error; the parser only sees that its source closed.
      form.once('error', reject);
      parserOf(endpoint)(form as unknown as Request, {} as Response, (error: unknown) => {
        // A body without a single byte is a form without parts, whatever the parser says about its missing end.
        if (error instanceof Error && (form.received > 0 || boundary === undefined)) reject(error);
        else resolve();
      });
      // One that announces no body has ended already, and would tell nobody (`optimizeEmptyRequests`).
      if (request.readableEnded) form.end();
      else request.pipe(form);
    });
    const files = await Promise.all(form.arrivals);
    request.resume();
    return { body: form.body, files, discard: async () => form.discard() };
  } catch (error) {
    request.unpipe(form);
    form.destroy();
    // The rest is not read here: `sendAnswer` sees to it.
    request.pause();
    await form.discard();
    throw translate(error, form);
  } finally {
    request.off('close', abort);
  }
};
