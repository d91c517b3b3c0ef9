import { once } from 'node:events';
import { mkdirSync, readdirSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openDocumentStore } from './documents.ts';
import { cardOf, openMediaStore, type MediaStore } from './media.ts';
import { openPersonVault } from './person-vault.ts';
import { temporaryFolder } from './testing/gate-fixtures.ts';

const hour = 3_600_000;
const image = { extension: 'jpg', main: Buffer.from('the main one'), card: Buffer.from('card') } as const;
type Answer = { readonly status: number; readonly headers: IncomingHttpHeaders; readonly text: string };

const served = async (media: MediaStore): Promise<(path: string, options?: { method?: string; headers?: Record<string, string> }) => Promise<Answer>> => {
  const server = createServer((request, response) => {
    media
      .serve(decodeURIComponent((request.url ?? '').slice('/media/'.length)), request, response)
      .then((found) => {
        if (!found) response.writeHead(404).end();
        return undefined;
      })
      .catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return async (path, options = {}) =>
    new Promise((resolve, reject) => {
      // Not fetch, which tidies the path before it sends it.
      httpRequest({ port: (server.address() as AddressInfo).port, path, ...options }, (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => {
          text += chunk.toString();
        });
        response.on('end', () => {
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
        });
      })
        .on('error', reject)
        .end();
    });
};

test('an image is served, looked for anew at each look until it is removed, and can do nothing in a page', async () => {
  const media = await openMediaStore(temporaryFolder());
  const get = await served(media);
  const url = await media.put(image);
  const { status, headers, text } = await get(url);
  expect([status, text]).toEqual([200, 'the main one']);
  expect(headers).toMatchObject({
    'content-type': 'image/jpeg',
    'content-length': '12',
    'cache-control': 'public, no-cache',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
  });
  expect((await get(cardOf(url))).text).toBe('card');
  expect(await get(url, { method: 'HEAD' })).toMatchObject({ status: 200, text: '', headers: { 'content-length': '12' } });
  const tag = headers.etag ?? '';
  for (const known of [tag, `W/${tag}`, `"other", ${tag}`, '*'])
    expect(await get(url, { headers: { 'if-none-match': known } })).toMatchObject({ status: 304, text: '' });
  // What a browser or proxy kept of a picture is no answer any more once it has been removed.
  await media.remove(url);
  expect([(await get(url, { headers: { 'if-none-match': headers.etag ?? '' } })).status, (await get(cardOf(url))).status]).toEqual([404, 404]);
});

test('a picture whose reader has gone meanwhile is left closed', async () => {
  const folder = temporaryFolder();
  const media = await openMediaStore(folder);
  const url = await media.put(image);
  const isOpen = (): boolean =>
    readdirSync('/proc/self/fd').some((descriptor) => {
      try {
        return readlinkSync(join('/proc/self/fd', descriptor)).startsWith(folder);
      } catch {
        // The one that this look itself has open.
        return false;
      }
    });
  const ended = Promise.withResolvers<boolean>();
  const server = createServer((request, response) => {
    response.destroy();
    media
      .serve(url.slice('/media/'.length), request, response)
      .then(() => ended.resolve(isOpen()))
      .catch(ended.reject);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
  });
  httpRequest({ port: (server.address() as AddressInfo).port })
    .on('error', () => {})
    .end();
  expect(await ended.promise).toBe(false);
});

test('no other file is served, whatever the name', async () => {
  const folder = temporaryFolder();
  const media = await openMediaStore(folder);
  writeFileSync(join(folder, 'secret.jpg'), 'secret');
  writeFileSync(join(folder, 'media', 'note.txt'), 'note');
  mkdirSync(join(folder, 'media', 'folder'));
  symlinkSync('/etc/passwd', join(folder, 'media', 'link.jpg'));
  const url = await media.put(image);
  const get = await served(media);
  const stem = url.slice('/media/'.length, -'.jpg'.length);
  for (const name of [
    '',
    '.',
    '..',
    '../secret.jpg',
    '..%2fsecret.jpg',
    '%2e%2e%2fsecret.jpg',
    '....//secret.jpg',
    'note.txt',
    'folder',
    'link.jpg',
    `${stem}.png`,
    `${stem}.jpg/`,
    `${stem}.jpg%00`,
    `${stem}-card-card.jpg`,
    `./${stem}.jpg`,
    `${'a'.repeat(24)}.jpg`,
    `${stem}.JPG`,
    '/etc/passwd',
    `${stem}.jpg%0a`,
  ]) {
    expect([name, (await get(`/media/${name}`)).status]).toEqual([name, 404]);
  }
});

test('the janitor takes what nothing refers to and what was left half, when it is a day old', async () => {
  const folder = temporaryFolder();
  const media = await openMediaStore(folder);
  const [kept, orphan] = [await media.put(image), await media.put(image)];
  writeFileSync(media.temporaryPath(), 'half');
  writeFileSync(join(folder, 'media', 'README.txt'), 'not ours');
  const names = (): string[] => readdirSync(join(folder, 'media')).toSorted();
  const all = names();
  expect(await media.sweepOrphans(new Set([kept]), { since: 0, now: Date.now() + 23 * hour })).toEqual([]);
  expect(names()).toEqual(all);
  expect(await media.sweepOrphans(new Set([kept]), { since: Date.now() + hour, now: Date.now() + 25 * hour })).toEqual([]);
  expect(await media.sweepOrphans(new Set([kept]), { since: Date.now() - hour, now: Date.now() + 25 * hour })).toHaveLength(3);
  expect(names()).toEqual([kept.slice(7), cardOf(kept).slice(7), 'README.txt'].toSorted());
  await media.remove(orphan);
  await media.remove(kept);
  await media.remove('/media/../../etc/passwd');
  expect(names()).toEqual(['README.txt']);
});

test('documents are swept and opened by the same rules', async () => {
  const folder = temporaryFolder();
  const vault = openPersonVault(folder);
  onTestFinished(() => {
    vault.close();
  });
  const documents = await openDocumentStore(folder, vault);
  const [kept, orphan] = [await documents.put('p1', Buffer.from('%PDF-1')), await documents.put('p2', Buffer.from('%PDF-2'))];
  expect((await documents.open('p1', kept))?.toString()).toBe('%PDF-1');
  await expect(documents.open('p2', kept)).rejects.toThrow('unable to authenticate');
  expect([await documents.open('p1', '../keys/persons.sqlite'), await documents.open('p1', '00000000-0000-4000-8000-000000000000')]).toEqual([
    undefined,
    undefined,
  ]);
  expect(await documents.sweepOrphans(new Set([kept]), { since: 0, now: Date.now() + 23 * hour })).toEqual([]);
  expect(await documents.sweepOrphans(new Set([kept]), { since: 0, now: Date.now() + 25 * hour })).toEqual([orphan]);
  vault.destroy('p1');
  expect(await documents.open('p1', kept)).toBeNull();
  await documents.remove(kept);
  await documents.remove(kept);
  expect(readdirSync(join(folder, 'documents'))).toEqual([]);
});
