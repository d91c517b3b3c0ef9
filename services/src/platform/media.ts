import { mkdir, open, readdir, stat } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { randomBytes } from 'node:crypto';
import { matchesTag } from './answer-cache.ts';
import { isCode, removeIfThere, temporaryName, temporaryPrefix, writeFileDurably } from './durable-file.ts';

export type ImageExtension = 'jpg' | 'png';

/** A re-encoded image in its two sizes. */
export type ImageBytes = { readonly extension: ImageExtension; readonly main: Buffer; readonly card: Buffer };

/** What nothing refers to is kept this long: its fact may be about to be appended. */
export const orphanMilliseconds = 24 * 3600 * 1000;

/**
 * Public images, one folder. An image is `/media/<random>.jpg` or `.png`; beside it stands `<random>-card.<ext>`, the same picture with a longest edge of 320
 * pixels, for cards and lists.
 */
export type MediaStore = {
  /** Stores both sizes for good and gives the address of the main one. Call it before the append. */
  put(image: ImageBytes): Promise<string>;
  /** Answers GET and HEAD of `/media/<name>`. False (and nothing answered) when there is no such image. */
  serve(name: string, request: IncomingMessage, response: ServerResponse): Promise<boolean>;
  /** Removes an image in both sizes; what is not there is no error. */
  remove(url: string): Promise<void>;
  /** Removes images that are not among the addresses, older than a day and no older than `since`, and left-over temporary files. Gives the names. */
  sweepOrphans(referenced: ReadonlySet<string>, ages: SweptAges): Promise<readonly string[]>;
  /** A name in the store's folder for a file on its way, on the same disk. */
  temporaryPath(): string;
};

/** Of what age a file is that may be removed, in milliseconds: written between `since` and a day before `now`. */
export type SweptAges = { readonly since: number; readonly now: number };

/** Names that the store makes. Anything else is not looked for, so no path leads out of the folder. */
const imageName = /^([A-Za-z0-9_-]{24})(-card)?\.(jpg|png)$/;
const contentTypes: Readonly<Record<string, string>> = { jpg: 'image/jpeg', png: 'image/png' };

/** The small size of an image address: `/media/x.jpg` is `/media/x-card.jpg`. */
export const cardOf = (url: string): string => url.replace(/\.(jpg|png)$/, '-card.$1');

const urlOf = (stem: string, extension: string): string => `/media/${stem}.${extension}`;

/** Opens `DATA_DIR/media`. */
export const openMediaStore = async (dataDir: string): Promise<MediaStore> => {
  const folder = join(dataDir, 'media');
  await mkdir(folder, { recursive: true });

  return {
    async put({ extension, main, card }) {
      const stem = randomBytes(18).toString('base64url');
      // The card first: once the main one can be referred to, both are there.
      await writeFileDurably(join(folder, `${stem}-card.${extension}`), card);
      await writeFileDurably(join(folder, `${stem}.${extension}`), main);
      return urlOf(stem, extension);
    },

    async serve(name, request, response) {
      const extension = imageName.exec(name)?.[3];
      if (extension === undefined) return false;
      const file = await openIfThere(join(folder, name));
      if (file === undefined) return false;
      try {
        const { size } = await file.stat();
        response.setHeader('Content-Type', contentTypes[extension] ?? 'application/octet-stream');
        // Asked for anew at every look, which is a 304 while it is there: the picture of an erased person is gone then, also from a browser or proxy that has
        // shown it.
        response.setHeader('Cache-Control', 'public, no-cache');
        response.setHeader('X-Content-Type-Options', 'nosniff');
        response.setHeader('Content-Security-Policy', "default-src 'none'; sandbox");
        response.setHeader('Cross-Origin-Resource-Policy', 'same-origin');
        // A name never gets other content: it can stand for it.
        response.setHeader('ETag', `"${name}"`);
        const isKnown = matchesTag(request.headers['if-none-match'], `"${name}"`);
        response.statusCode = isKnown ? 304 : 200;
        if (!isKnown) response.setHeader('Content-Length', size);
        if (isKnown || request.method === 'HEAD') response.end();
        else
          await pipeline(file.createReadStream({ autoClose: false }), response).catch(() => {
            response.destroy();
          });
      } finally {
        // Not left to the stream: to a client that has gone before its first byte it does not close the file.
        await file.close();
      }
      return true;
    },

    async remove(url) {
      const name = url.slice('/media/'.length);
      if (!imageName.test(name)) return;
      await removeIfThere(join(folder, name));
      await removeIfThere(join(folder, cardOf(name)));
    },

    async sweepOrphans(referenced, ages) {
      return sweep(folder, ages, (name) => {
        const [, stem, , extension] = imageName.exec(name) ?? [];
        return stem !== undefined && extension !== undefined && !referenced.has(urlOf(stem, extension));
      });
    },

    temporaryPath: () => temporaryName(join(folder, 'upload')),
  };
};

const openIfThere = async (path: string): Promise<Awaited<ReturnType<typeof open>> | undefined> => {
  try {
    return await open(path, 'r');
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined;
    throw error;
  }
};

/** Removes files older than a day that are temporary or orphaned. Files of other makers are left alone. */
export const sweep = async (folder: string, { since, now }: SweptAges, orphaned: (name: string) => boolean): Promise<readonly string[]> => {
  const removed: string[] = [];
  for (const name of await readdir(folder)) {
    if (!name.startsWith(temporaryPrefix) && !orphaned(name)) continue;
    const path = join(folder, name);
    // One after another: a janitor has time, and thousands of open files do harm.
    const info = await stat(path).catch(() => undefined);
    if (info === undefined || !info.isFile() || now - info.mtimeMs < orphanMilliseconds || info.mtimeMs < since) continue;
    await removeIfThere(path);
    removed.push(name);
  }
  return removed;
};
