import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Whether this machine lets a process be traced. A full run must not ask: it fails where this is false. */
export const canTrace = (): boolean => spawnSync('strace', ['-f', '-qq', '-o', '/dev/null', 'true']).status === 0;

/** The command before Node that records every write, sync and change of name of a process and its threads in `file`, with all bytes. */
export const tracing = (file: string): readonly string[] => [
  'strace',
  '-f',
  '--seccomp-bpf',
  '-qq',
  '-y',
  '-xx',
  '-s',
  '100000',
  '-o',
  file,
  '-e',
  'signal=none',
  '-e',
  'trace=openat,write,pwrite64,fsync,fdatasync,ftruncate,?unlink,?unlinkat,?rename,?renameat,?renameat2',
];

/** One step of what a process did to its files, in the order in which the kernel was asked and answered. */
export type DiskStep =
  | { readonly kind: 'write'; readonly path: string; readonly offset: number; readonly bytes: Buffer }
  | { readonly kind: 'truncate'; readonly path: string; readonly size: number }
  | { readonly kind: 'create'; readonly path: string }
  | { readonly kind: 'unlink'; readonly path: string }
  /** What a sync covers is what came before it began; it can be relied on when it has ended. */
  | { readonly kind: 'sync-begin'; readonly path: string; readonly thread: string }
  | { readonly kind: 'sync-end'; readonly path: string; readonly thread: string }
  | { readonly kind: 'said'; readonly text: string };

const unhex = (text: string): Buffer => Buffer.from(text.replaceAll(String.raw`\x`, ''), 'hex');
const pathOf = (text: string | undefined): string => unhex(text ?? '').toString();

const started = /^(\d+) +(\w+)\((.*)$/;
const resumed = /^(\d+) +<\.\.\. (\w+) resumed>.*\) += (-?\d+)/;
const handle = /^\d+<([^>]*)>/;
const quoted = /"((?:\\x[0-9a-f]{2})*)"/;

type Call = { readonly name: string; readonly rest: string };

const stepsAtStart = ({ name, rest }: Call, thread: string): readonly DiskStep[] => {
  const path = pathOf(handle.exec(rest)?.[1]);
  switch (name) {
    case 'pwrite64': {
      const bytes = unhex(quoted.exec(rest)?.[1] ?? '');
      const [, count, offset] = /^", (\d+), (\d+)/.exec(rest.slice(rest.lastIndexOf('"'))) ?? [];
      if (Number(count) !== bytes.length) throw new Error(`A write is not there as a whole: ${rest.slice(0, 200)}`);
      return [{ kind: 'write', path, offset: Number(offset), bytes }];
    }
    case 'write':
      return rest.startsWith('1<') ? [{ kind: 'said', text: unhex(quoted.exec(rest)?.[1] ?? '').toString() }] : [];
    case 'ftruncate':
      return [{ kind: 'truncate', path, size: Number(/>, (\d+)/.exec(rest)?.[1]) }];
    case 'fsync':
    case 'fdatasync':
      return [{ kind: 'sync-begin', path, thread }];
    default:
      return [];
  }
};

const stepsAtEnd = ({ name, rest }: Call, thread: string, result: number): readonly DiskStep[] => {
  if (result < 0) return [];
  if (name === 'fsync' || name === 'fdatasync') return [{ kind: 'sync-end', path: pathOf(handle.exec(rest)?.[1]), thread }];
  if (name === 'openat' && rest.includes('O_CREAT')) return [{ kind: 'create', path: pathOf(quoted.exec(rest)?.[1]) }];
  if (name.startsWith('unlink')) return [{ kind: 'unlink', path: pathOf(quoted.exec(rest)?.[1]) }];
  if (name.startsWith('rename')) throw new Error(`A file was renamed, which no image knows of: ${rest}`);
  return [];
};

/** Reads a trace made by `tracing`. Writes count from when they were asked for, all else from when it was answered. */
export const readTrace = (file: string): readonly DiskStep[] => {
  const under = new Map<string, Call>();
  const steps: DiskStep[] = [];
  for (const line of readFileSync(file, 'latin1').split('\n')) {
    const end = resumed.exec(line);
    if (end !== null) {
      const [, thread = '', , result] = end;
      const call = under.get(thread);
      under.delete(thread);
      if (call !== undefined) steps.push(...stepsAtEnd(call, thread, Number(result)));
      continue;
    }
    const [, thread = '', name = '', rest = ''] = started.exec(line) ?? [];
    if (name === '') continue;
    const call = { name, rest };
    steps.push(...stepsAtStart(call, thread));
    if (rest.endsWith('<unfinished ...>')) under.set(thread, call);
    else steps.push(...stepsAtEnd(call, thread, Number(/\) += (-?\d+)/.exec(rest.slice(rest.lastIndexOf(')')))?.[1])));
  }
  return steps;
};

type Change = Extract<DiskStep, { readonly kind: 'write' | 'truncate' }>;
/** A file's bytes; room is made ahead, since a log grows by a page at a time. */
class Content {
  #bytes: Buffer;
  #size: number;

  constructor(bytes: Buffer = Buffer.alloc(0)) {
    this.#bytes = Buffer.from(bytes);
    this.#size = bytes.length;
  }

  get bytes(): Buffer {
    return this.#bytes.subarray(0, this.#size);
  }

  write(offset: number, bytes: Buffer): void {
    this.resize(Math.max(this.#size, offset + bytes.length));
    bytes.copy(this.#bytes, offset);
  }

  /** What a longer file has more is zeros. */
  resize(size: number): void {
    if (size > this.#bytes.length) {
      const bytes = Buffer.alloc(2 * size);
      this.#bytes.copy(bytes, 0, 0, this.#size);
      this.#bytes = bytes;
    } else if (size > this.#size) this.#bytes.fill(0, this.#size, size);
    this.#size = size;
  }
}

type Inode = { readonly durable: Content; readonly pending: Change[] };
type NameChange = { readonly path: string; readonly inode: Inode | undefined };

const applyName = (names: Map<string, Inode>, { path, inode }: NameChange): void => {
  if (inode === undefined) names.delete(path);
  else names.set(path, inode);
};

const sector = 512;

/**
 * A disk that keeps only what was synced: content by fsync of the file, names by fsync of the folder. It is told one step after another; at any moment it can
 * be looked at as a loss of power would leave it.
 */
export class TracedDisk {
  readonly #wanted: (path: string) => boolean;
  /** Names as programs see them, and as the disk has them for sure. */
  readonly #names = new Map<string, Inode>();
  readonly #durableNames = new Map<string, Inode>();
  #nameChanges: NameChange[] = [];
  readonly #syncs = new Map<string, { readonly covers: number; readonly inode: Inode | undefined; readonly names: readonly NameChange[] }>();

  /** @param wanted files that matter; what a start makes anew (the index of the write-ahead log) may be left out */
  constructor(wanted: (path: string) => boolean) {
    this.#wanted = wanted;
  }

  take(step: DiskStep): void {
    if (step.kind === 'said') return;
    if (step.kind === 'sync-begin') {
      const inode = this.#names.get(step.path);
      this.#syncs.set(step.thread, { inode, covers: inode?.pending.length ?? 0, names: this.#nameChanges.filter(({ path }) => dirname(path) === step.path) });
    } else if (step.kind === 'sync-end') this.#synced(step.thread);
    else if (this.#wanted(step.path)) this.#change(step);
  }

  /**
   * The files after a loss of power now: what was synced, and of the rest what `random` keeps, in sectors of 512 bytes and with names in their order.
   * @param kept how much of what was not synced has reached the disk, 0 to 1
   */
  image(random: () => number, kept: number): ReadonlyMap<string, Buffer> {
    const names = new Map(this.#durableNames);
    const many = Math.floor(random() * (this.#nameChanges.length + 1));
    for (const change of this.#nameChanges.slice(0, many)) applyName(names, change);
    return new Map(Array.from(names, ([path, inode]) => [path, this.#torn(inode, random, kept)]));
  }

  #torn(inode: Inode, random: () => number, kept: number): Buffer {
    const content = new Content(inode.durable.bytes);
    for (const change of inode.pending) {
      if (change.kind === 'truncate') {
        if (random() < kept) content.resize(change.size);
        continue;
      }
      const { offset, bytes } = change;
      for (let from = 0; from < bytes.length;) {
        const to = Math.min(bytes.length, from + sector - ((offset + from) % sector));
        if (random() < kept) content.write(offset + from, bytes.subarray(from, to));
        from = to;
      }
    }
    return content.bytes;
  }

  #change(step: Extract<DiskStep, { readonly kind: 'write' | 'truncate' | 'create' | 'unlink' }>): void {
    const known = this.#names.get(step.path);
    switch (step.kind) {
      case 'create':
        if (known !== undefined) return;
        this.#rename(step.path, { durable: new Content(), pending: [] });
        break;
      case 'unlink':
        this.#rename(step.path, undefined);
        break;
      case 'write':
      case 'truncate':
        if (known === undefined) throw new Error(`${step.path} is written and was never made`);
        known.pending.push(step);
        break;
      default:
        step satisfies never;
    }
  }

  #rename(path: string, inode: Inode | undefined): void {
    applyName(this.#names, { path, inode });
    this.#nameChanges.push({ path, inode });
  }

  #synced(thread: string): void {
    const sync = this.#syncs.get(thread);
    this.#syncs.delete(thread);
    if (sync === undefined) return;
    if (sync.inode !== undefined) {
      const { durable, pending } = sync.inode;
      for (const change of pending.splice(0, sync.covers)) {
        if (change.kind === 'write') durable.write(change.offset, change.bytes);
        else durable.resize(change.size);
      }
    }
    for (const change of sync.names) applyName(this.#durableNames, change);
    this.#nameChanges = this.#nameChanges.filter((change) => !sync.names.includes(change));
  }
}
