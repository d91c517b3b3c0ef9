import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FlatHeaders } from './headers.ts';

const gzipped = promisify(gzip);
const brotlied = promisify(brotliCompress);

/** Shorter answers fit one packet anyway. */
const smallestCompressed = 1400;

export type Encoding = 'identity' | 'gzip' | 'br';

/** An answer as it goes out. `body` is a latin1 text of the bytes (quicker to write than a Buffer) or, when long, the bytes. */
export type ReadyAnswer = { readonly headers: FlatHeaders; readonly body: string | Buffer };

/** The strong entity tag of bytes: their hash. */
export const entityTag = (bytes: Buffer | string): string => `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`;

/** Whether `If-None-Match` holds the tag, in any encoding of the same answer (`"hash"`, `"hash-gz"`, `"hash-br"`). */
export const matchesTag = (header: string | undefined, tag: string): boolean => {
  if (header === undefined) return false;
  if (header === tag) return true;
  const bare = tag.slice(1, -1);
  return (
    header.length < 4096 &&
    header.split(',').some((candidate) => {
      const given = candidate.trim();
      return (
        given === '*' ||
        given
          .replace(/^W\//, '')
          .slice(1, -1)
          .replace(/-(?:gz|br)$/, '') === bare
      );
    })
  );
};

/** Browsers send one of a handful of texts: they are read once. */
const knownEncodings = new Map<string, Encoding>();

/** The best encoding that `Accept-Encoding` allows among ours. */
export const encodingFor = (header: string | string[] | undefined): Encoding => {
  if (typeof header !== 'string') return 'identity';
  const known = knownEncodings.get(header);
  if (known !== undefined) return known;
  const chosen = chooseEncoding(header);
  if (knownEncodings.size < 100 && header.length < 100) knownEncodings.set(header, chosen);
  return chosen;
};

const chooseEncoding = (header: string): Encoding => {
  const accepts = (name: string): boolean => new RegExp(`(?:^|[,\\s])${name}\\s*(?:$|,|;\\s*q=(?!0(?:\\.0{0,3})?\\s*(?:,|$)))`, 'i').test(header);
  if (header.includes('br') && accepts('br')) return 'br';
  return header.includes('gzip') && accepts('gzip') ? 'gzip' : 'identity';
};

const tagSuffix = { identity: '', gzip: '-gz', br: '-br' } as const;
const longText = 65_536;

/** One answer to one URL at one position of the read model, in every encoding that was asked for so far. */
export class CachedAnswer {
  readonly tag: string;
  readonly endpoint: string;
  /** The day in Asia/Kathmandu that the answer holds for; undefined when it does not depend on it. */
  readonly day: string | undefined;
  /** What is kept of it, in all encodings. */
  #bytes: number;
  #onGrowth: (bytes: number) => void = () => {};
  readonly #plain: Buffer;
  readonly #shared: FlatHeaders;
  readonly #ready = new Map<Encoding, ReadyAnswer>();
  readonly #making = new Map<Encoding, Promise<ReadyAnswer>>();
  readonly #notModified: Readonly<Record<Encoding, FlatHeaders>>;

  /** @param shared headers that all variants carry (type, security, position), without tag, length and encoding */
  constructor(endpoint: string, body: Buffer, shared: FlatHeaders, day: string | undefined) {
    this.endpoint = endpoint;
    this.#plain = body;
    this.#shared = [...shared, 'Vary', 'Accept-Encoding'];
    this.tag = entityTag(body);
    this.day = day;
    this.#bytes = body.length;
    const unchanged = (encoding: Encoding): FlatHeaders => [...this.#shared, 'ETag', this.#tagOf(encoding)];
    this.#notModified = { identity: unchanged('identity'), gzip: unchanged('gzip'), br: unchanged('br') };
    this.#ready.set('identity', this.#variant('identity', body));
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Calls back when more is kept of it than before: once it was made in another encoding. */
  onGrowth(told: (bytes: number) => void): void {
    this.#onGrowth = told;
  }

  /** The answer in an encoding when it is ready, else undefined: `make` it then. */
  ready(encoding: Encoding): ReadyAnswer | undefined {
    return this.#ready.get(this.#sent(encoding));
  }

  /** The headers of a 304 to who takes this encoding: with the tag that the 200 would have had. */
  notModified(encoding: Encoding): FlatHeaders {
    return this.#notModified[this.#sent(encoding)];
  }

  /** Compresses once, however many ask meanwhile; the next ones find it ready. */
  async make(encoding: Encoding): Promise<ReadyAnswer> {
    const known = this.ready(encoding);
    if (known !== undefined) return known;
    const making = this.#making.get(encoding) ?? this.#pack(encoding).finally(() => this.#making.delete(encoding));
    this.#making.set(encoding, making);
    return making;
  }

  async #pack(encoding: Encoding): Promise<ReadyAnswer> {
    const packed =
      encoding === 'br'
        ? await brotlied(this.#plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_SIZE_HINT]: this.#plain.length } })
        : await gzipped(this.#plain, { level: 6 });
    const made = this.#variant(encoding, packed);
    this.#ready.set(encoding, made);
    this.#onGrowth(packed.length);
    return made;
  }

  /** The encoding that goes out for the one that is taken. */
  #sent(encoding: Encoding): Encoding {
    return this.#plain.length < smallestCompressed ? 'identity' : encoding;
  }

  #tagOf(encoding: Encoding): string {
    return `${this.tag.slice(0, -1)}${tagSuffix[encoding]}"`;
  }

  #variant(encoding: Encoding, bytes: Buffer): ReadyAnswer {
    const headers = [
      ...this.#shared,
      'ETag',
      this.#tagOf(encoding),
      'Content-Length',
      String(bytes.length),
      ...(encoding === 'identity' ? [] : ['Content-Encoding', encoding]),
    ];
    const isLong = bytes.length > longText;
    // Of the plain answer both are kept, where they are two.
    if (encoding !== 'identity' || !isLong) this.#bytes += bytes.length;
    return { headers, body: isLong ? bytes : bytes.toString('latin1') };
  }
}

export type AnswerCacheLimits = { readonly entries: number; readonly bytes: number };

/**
 * Answers to public reads by URL, until the position of the read model moves. Bounded: those that nobody has asked for longest go first, and are made again
 * when somebody asks.
 */
export class AnswerCache {
  readonly #answers = new Map<string, CachedAnswer>();
  readonly #limits: AnswerCacheLimits;
  #position = -1n;
  #bytes = 0;

  constructor(limits: AnswerCacheLimits = { entries: 2000, bytes: 67_108_864 }) {
    this.#limits = limits;
  }

  get size(): number {
    return this.#answers.size;
  }

  /** The answer to a URL at exactly this position, on this day. */
  get(url: string, position: bigint, today: string): CachedAnswer | undefined {
    if (position !== this.#position) return undefined;
    const answer = this.#answers.get(url);
    if (answer === undefined || (answer.day !== undefined && answer.day !== today)) return undefined;
    // Who was asked for last matters only when room is getting short: then nobody who makes up addresses pushes out what others ask for.
    if (this.#answers.size * 2 >= this.#limits.entries || this.#bytes * 2 >= this.#limits.bytes) {
      this.#answers.delete(url);
      this.#answers.set(url, answer);
    }
    return answer;
  }

  /** Keeps an answer that was made at `position`. One that was made at an older position than the newest is not kept. */
  put(url: string, position: bigint, answer: CachedAnswer): void {
    if (position < this.#position) return;
    if (position > this.#position) {
      this.#answers.clear();
      this.#bytes = 0;
      this.#position = position;
    }
    if (url.length > 300 || answer.bytes > this.#limits.bytes / 4) return;
    this.#bytes += answer.bytes - (this.#answers.get(url)?.bytes ?? 0);
    this.#answers.delete(url);
    this.#answers.set(url, answer);
    answer.onGrowth((bytes) => {
      if (this.#answers.get(url) !== answer) return;
      this.#bytes += bytes;
      this.#makeRoom();
    });
    this.#makeRoom();
  }

  #makeRoom(): void {
    for (const [oldest, old] of this.#answers) {
      if (this.#answers.size <= this.#limits.entries && this.#bytes <= this.#limits.bytes) break;
      this.#answers.delete(oldest);
      this.#bytes -= old.bytes;
    }
  }

  /** Forgets everything: after the read model was replaced, the same position may mean another answer. */
  clear(): void {
    this.#answers.clear();
    this.#bytes = 0;
    this.#position = -1n;
  }
}
