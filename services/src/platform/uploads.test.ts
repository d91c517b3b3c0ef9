import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { createServer, request as httpRequest } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { describe, expect, onTestFinished, test } from 'vitest';
import { addPlayerToTeam, registerTeam } from '@courtledger/contracts/team/team.api';
import { createTournament } from '@courtledger/contracts/tournament/tournament.api';
import type { Endpoint } from '@courtledger/contracts/kernel/endpoint';
import { openDocumentStore } from './documents.ts';
import { sendAnswer } from './endpoint-answer.ts';
import { openMediaStore } from './media.ts';
import { openPersonVault } from './person-vault.ts';
import { problemOf } from './problem.ts';
import { temporaryFolder } from './testing/gate-fixtures.ts';
import { createUploads } from './uploads.ts';
import { formBytes } from './uploads-form.ts';

type Reply = { readonly status: number; readonly body: { readonly fields?: unknown; readonly missing?: unknown; readonly kept?: Record<string, string>; readonly message?: string; readonly errors?: unknown } };
type Site = { readonly dataDir: string; readonly url: string; received(): number; send(body: FormData | string | Buffer, headers?: Record<string, string>): Promise<Reply>; files(folder: 'media' | 'documents'): Promise<string[]> };

/** An HTTP server that does with a form what the binding does, and keeps every file. */
const siteFor = async (endpoint: Endpoint): Promise<Site> => {
  const dataDir = temporaryFolder();
  const vault = openPersonVault(dataDir);
  const media = await openMediaStore(dataDir);
  const uploads = createUploads({ media, documents: await openDocumentStore(dataDir, vault) });
  let received = 0;
  const server = createServer((request, response) => {
    const answer = async (): Promise<{ status: number; body: unknown }> => {
      const form = await uploads.receive(request, endpoint);
      try {
        const staged = await form.stage({ caller: { role: 'visitor' }, address: '192.0.2.1' });
        const kept: Record<string, string> = {};
        // oxlint-disable-next-line no-await-in-loop -- as a handler does it
        for (const [field, file] of Object.entries(staged)) kept[field] = file.kind === 'image' ? await file.keepImage() : (await file.keepDocument('p1')).documentId;
        return { status: 200, body: { fields: form.fields, missing: form.missing(), kept } };
      } finally {
        await form.discard();
      }
    };
    answer()
      .catch((error: unknown) => problemOf(error, 'r1'))
      .then(({ status, body }) => {
        received = request.socket.bytesRead;
        sendAnswer(request, response, { status, headers: ['Content-Type', 'application/json'], body: JSON.stringify(body) });
        return undefined;
      })
      .catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
    vault.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return {
    dataDir,
    url,
    received: () => received,
    async send(body, headers = {}) {
      const response = await fetch(url, { method: 'POST', body: Buffer.isBuffer(body) ? new Uint8Array(body) : body, headers });
      return { status: response.status, body: (await response.json()) as Reply['body'] };
    },
    files: async (folder) => readdir(join(dataDir, folder)),
  };
};

const form = (parts: Readonly<Record<string, string | [Buffer, string]>>): FormData => {
  const data = new FormData();
  for (const [name, value] of Object.entries(parts)) {
    if (typeof value === 'string') data.append(name, value);
    else data.append(name, new Blob([new Uint8Array(value[0])]), value[1]);
  }
  return data;
};
const picture = (width = 60, height = 40): Sharp => sharp({ create: { width, height, channels: 3, background: '#b33' } });
const column = (height: number): Sharp => picture(1, height);
const png = await picture().png().toBuffer();
const jpeg = await picture().jpeg().toBuffer();
const pdf = Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer\n%%EOF\n');

const segment = (marker: number, ...content: readonly number[]): number[] => [0xff, marker, 0, content.length + 2, ...content];
/** A grey JPEG of one block of eight by eight, over which each scan but the first goes to make one of its 63 waves finer by one bit: as it should be, and all for nothing. */
const jpegOfScans = (scans: number): Buffer => {
  const oneCode = [1, ...Array.from({ length: 15 }, () => 0), 0];
  const begun = [0xff, 0xd8, ...segment(0xdb, 0, ...Array.from({ length: 64 }, () => 1)), ...segment(0xc2, 8, 0, 8, 0, 8, 1, 1, 0x11, 0), ...segment(0xc4, 0x00, ...oneCode), ...segment(0xc4, 0x10, ...oneCode), ...segment(0xda, 1, 1, 0, 0, 0, 0), 0x7f];
  const finer = Array.from({ length: scans - 1 }, (_, index) => {
    const bit = 13 - Math.floor(index / 63);
    const wave = 1 + (index % 63);
    return [...segment(0xda, 1, 1, 0, wave, wave, bit === 13 ? bit : (bit + 1) * 16 + bit), 0x7f];
  });
  return Buffer.from([...begun, ...finer.flat(), 0xff, 0xd9]);
};

const padded = (bytes: Buffer, size: number): Buffer => Buffer.concat([bytes, Buffer.alloc(size - bytes.length)]);

describe('text parts', () => {
  test('nest by brackets; empty file fields and unknown files are ignored', async () => {
    const site = await siteFor(createTournament);
    const sent = form({ name: 'Cup', 'organizer[name]': 'Asha', 'prizePool[firstPrize]': '100', 'prizePool[mvp]': 'TBD', posterImage: '', stray: [png, 'stray.png'] });
    expect((await site.send(sent)).body).toEqual({
      fields: { name: 'Cup', organizer: { name: 'Asha' }, prizePool: { firstPrize: '100', mvp: 'TBD' } },
      missing: [{ path: 'posterImage', message: createTournament.files.posterImage.missing }, { path: 'organizerImage', message: createTournament.files.organizerImage.missing }],
      kept: {},
    });
    expect(await site.files('media')).toEqual([]);
  });

  test.each<[string, FormData | string, Record<string, string>]>([
    ['FormData without parts', new FormData(), {}],
    ['an end and nothing else', '--x--\r\n', { 'content-type': 'multipart/form-data; boundary=x' }],
    ['no body', '', { 'content-type': 'multipart/form-data; boundary=x' }],
  ])('%s is a form without fields', async (_name, body, headers) => {
    const { status, body: answer } = await (await siteFor(registerTeam)).send(body, headers);
    expect([status, answer.fields]).toEqual([200, {}]);
  });

  test.each<[string, string, string]>([
    ['cut off', '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1', 'multipart/form-data; boundary=x'],
    ['with a part that has no name', '--x\r\nContent-Disposition: form-data\r\n\r\n1\r\n--x--\r\n', 'multipart/form-data; boundary=x'],
    ['without a boundary', 'nothing', 'multipart/form-data'],
    ['of something else', 'nothing', 'multipart/form-data; boundary=x'],
  ])('a form %s is 400 in words of ours', async (_name, body, contentType) => {
    const { status, body: answer } = await (await siteFor(registerTeam)).send(body, { 'content-type': contentType });
    expect(status).toBe(400);
    expect(['The form could not be read', 'The form has parts that do not belong in it']).toContain(answer.message);
  });

  test.each(['\r\n', 'before the first part\r\n', ''])('what stands behind the end of a form does not belong to it, whatever it begins (%j before the end)', async (preamble) => {
    const site = await siteFor(registerTeam);
    const part = '--x\r\nContent-Disposition: form-data; name="name"\r\n\r\nReds\r\n';
    const cut = '--x\r\nContent-Disposition: form-data; name="logo"; filename="x.png"\r\n\r\nand no more';
    // Left to the parser, a file that begins there and is cut off is waited for until the connection times out.
    for (const [body, fields] of [[`${preamble}--x--\r\n${part}${cut}`, {}], [`${preamble}${part}--x--${cut}`, { name: 'Reds' }]] as const) {
      for (const boundary of ['x', '"x"', 'x; charset=utf-8']) {
        // oxlint-disable-next-line no-await-in-loop -- one form at a time
        const { status, body: answer } = await site.send(body, { 'content-type': `multipart/form-data; boundary=${boundary}` });
        expect([status, answer.fields]).toEqual([200, fields]);
      }
    }
    expect(await site.files('media')).toEqual([]);
  });

  test('an end that arrives in pieces is one', async () => {
    const site = await siteFor(registerTeam);
    const bytes = '--x\r\nContent-Disposition: form-data; name="name"\r\n\r\nReds\r\n--x--\r\n--x\r\nContent-Disposition: form-data; name="origin"\r\n\r\nlate\r\n--x--\r\n';
    const upload = httpRequest(site.url, { method: 'POST', headers: { 'content-type': 'multipart/form-data; boundary=x', 'transfer-encoding': 'chunked' } });
    // oxlint-disable-next-line no-await-in-loop -- each byte by itself
    for (const byte of bytes) await new Promise<void>((resolve) => { upload.write(byte, () => { setImmediate(resolve); }); });
    upload.end();
    const [response] = (await once(upload, 'response')) as [AsyncIterable<Buffer>];
    let text = '';
    for await (const chunk of response) text += chunk.toString();
    expect((JSON.parse(text) as { fields: unknown }).fields).toEqual({ name: 'Reds' });
  });

  test('no name reaches a prototype (S21)', async () => {
    const site = await siteFor(registerTeam);
    const { status, body } = await site.send(form({ '__proto__[role]': 'admin', __proto__x: '1', 'constructor[prototype]': 'x', 'prototype[role]': 'x', 'a[__proto__]': 'x', 'a[constructor]': 'x', 'a[b]': 'y', organizer: 'text', 'organizer[name]': 'Asha', 'team[name]': 'first', team: 'text', name: 'Reds' }));
    expect([status, body.fields]).toEqual([200, { __proto__x: '1', a: { b: 'y' }, organizer: { name: 'Asha' }, team: { name: 'first' }, name: 'Reds' }]);
    expect(({} as Record<string, unknown>)['role']).toBeUndefined();
  });

  test('hostile names are 400 (S20)', async () => {
    const site = await siteFor(registerTeam);
    const names = [
      'a[99999999]', 'a[4294967294]', 'a[1]', 'a[0][99999]', 'a[b][c]', 'a[b][c][d][e]', `a${'[b]'.repeat(30)}`, `a${'[0]'.repeat(30)}`, 'n'.repeat(101), 'n'.repeat(10_000), 'a[99999999999999999999]', 'organizer[0][name]',
      'organizer[name][first]', 'a[7][7]', `a[${'9'.repeat(90)}]`, 'a[2]', 'prizePool[1000000]', '__proto__[a][b]', 'a[][b][c]', 'constructor[prototype][role]',
    ];
    expect(names).toHaveLength(20);
    for (const name of names) {
      // The good field behind it is not read any more: the name alone was refused, before anything was made of it.
      // oxlint-disable-next-line no-await-in-loop -- one server, one form at a time
      const { status, body } = await site.send(form({ [name]: 'x', name: 'Reds' }));
      expect([name, status, body.message, body.fields]).toEqual([name, 400, 'The form has parts that do not belong in it', undefined]);
    }
  });

  test('two fields that crash or hang other parsers only make a small object (CVE-2026-77078, CVE-2026-82333)', async () => {
    const site = await siteFor(registerTeam);
    for (const [first, second] of [['a[]', 'a[b]'], ['a[0]', 'a'], ['a', 'a[0]'], ['a[0]', 'a[b]'], ['a[b]', 'a[]'], ['a[]', 'a[0]']] as const) {
      // oxlint-disable-next-line no-await-in-loop -- one server, one form at a time
      const { status } = await site.send(form({ [first]: '1', [second]: '2' }));
      expect([200, 400]).toContain(status);
    }
    expect((await site.send(form({ name: 'still here' }))).body.fields).toEqual({ name: 'still here' });
  });

  test('too many and too long parts are 400', async () => {
    const site = await siteFor(registerTeam);
    const many = form(Object.fromEntries(Array.from({ length: 61 }, (_, index) => [`f${index}`, 'x'])));
    expect((await site.send(many)).status).toBe(400);
    expect((await site.send(form({ name: 'x'.repeat(65_537) }))).body.message).toBe('A text in the form is too long');
    expect((await site.send(form({ name: 'x'.repeat(65_536) }))).status).toBe(200);
    const twice = new FormData();
    twice.append('logo', new Blob([new Uint8Array(png)]), 'a.png');
    twice.append('logo', new Blob([new Uint8Array(png)]), 'b.png');
    expect((await site.send(twice)).body.message).toBe('Only one file can be sent as logo');
    expect(await site.files('media')).toEqual([]);
  });
});

describe('images', () => {
  test('are stored in two sizes, upright, without a byte of metadata (S17)', async () => {
    const site = await siteFor(registerTeam);
    const exif = { IFD0: { Make: 'CANARY-CAMERA' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '27/1 42/1 0/1' } };
    const photo = await picture(1600, 1200).withExif(exif).withMetadata({ orientation: 6, exif }).jpeg().toBuffer();
    expect((await sharp(photo).metadata()).orientation).toBe(6);
    const { status, body } = await site.send(form({ logo: [photo, 'photo.jpeg'] }));
    expect(status).toBe(200);
    const url = body.kept?.['logo'] ?? '';
    expect(url).toMatch(/^\/media\/[\w-]{24}\.jpg$/);
    expect((await site.files('media')).toSorted()).toEqual([url.slice(7), url.slice(7).replace('.jpg', '-card.jpg')].toSorted());
    const main = await readFile(join(site.dataDir, url));
    const { width, height, exif: left, orientation, icc, xmp } = await sharp(main).metadata();
    expect({ width, height, left, orientation, icc, xmp }).toEqual({ width: 768, height: 1024, left: undefined, orientation: undefined, icc: undefined, xmp: undefined });
    const card = await sharp(join(site.dataDir, url.replace('.jpg', '-card.jpg'))).metadata();
    expect([card.width, card.height]).toEqual([240, 320]);
    expect(main.includes('CANARY-CAMERA')).toBe(false);
  });

  test.each<[string, Buffer]>([
    ['stray bytes between two segments', Buffer.concat([jpeg.subarray(0, 4 + jpeg.readUInt16BE(4)), Buffer.alloc(3), jpeg.subarray(4 + jpeg.readUInt16BE(4))])],
    ['scan parameters of a progressive photo', Buffer.from(jpeg.with(jpeg.indexOf(Buffer.from([0xff, 0xda])) + 12, 0))],
  ])('are taken as cameras write them: with %s', async (_name, bytes) => {
    expect((await (await siteFor(registerTeam)).send(form({ logo: [bytes, 'photo.jpg'] }))).status).toBe(200);
  });

  test.each<[string, () => Promise<Buffer>]>([
    ['svg', async () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')],
    ['gif', async () => picture().gif().toBuffer()],
    ['webp', async () => picture().webp().toBuffer()],
    ['tiff', async () => picture().tiff().toBuffer()],
    ['avif', async () => picture().avif().toBuffer()],
  ])('nothing in this process decodes %s, whoever asks the library', async (_name, bytes) => {
    await expect(sharp(await bytes()).metadata()).rejects.toThrow('Input buffer contains unsupported image format');
  });

  test('a corpus of forty disguised files (S15): nothing is stored as it came', async () => {
    const site = await siteFor(registerTeam);
    const [webp, gif, tiff, avif] = await Promise.all([picture().webp().toBuffer(), picture().gif().toBuffer(), picture().tiff().toBuffer(), picture().avif().toBuffer()]);
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>');
    const html = Buffer.from('<!doctype html><script>alert(1)</script>');
    const eicar = Buffer.from(['X5O!P%@AP[4\\PZX54(P^)7CC)7}$', 'EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join(''));
    const marker = Buffer.from('CANARY-APPENDED<script>');
    const formats: [string, Buffer][] = [['svg', svg], ['gif', gif], ['tiff', tiff], ['avif', avif], ['webp', webp], ['html', html], ['eicar', eicar], ['pdf', pdf], ['zip', Buffer.from('PK\u0003\u0004 something')], ['exe', Buffer.from('MZ something long enough')]];
    const refused: [string, Buffer, string][] = [
      ...formats.flatMap(([name, bytes]): [string, Buffer, string][] => [[`${name} as png`, bytes, 'x.png'], [`${name} as itself`, bytes, `x.${name}`]]),
      ['svg as jpg', svg, 'x.jpg'], ['html without extension', html, 'blob'], ['png as jpg', png, 'x.jpg'], ['jpg as png', jpeg, 'x.png'], ['png as svg', png, 'x.svg'], ['png as png.exe', png, 'x.png.exe'], ['png as html', png, 'x.html'],
      ['truncated png', png.subarray(0, png.length - 30), 'x.png'], ['truncated jpg', jpeg.subarray(0, jpeg.length / 2), 'x.jpg'], ['only the magic of png', png.subarray(0, 8), 'x.png'], ['only the magic of jpg', jpeg.subarray(0, 3), 'x.jpg'],
      ['html behind the magic of png', Buffer.concat([png.subarray(0, 8), html]), 'x.png'], ['html behind the magic of jpg', Buffer.concat([jpeg.subarray(0, 3), html]), 'x.jpg'], ['empty', Buffer.alloc(0), 'x.png'], ['zeros', Buffer.alloc(5000), 'x.png'], ['magic of png, rest of jpg', Buffer.concat([png.subarray(0, 8), jpeg.subarray(8)]), 'x.png'],
    ];
    const accepted: [string, Buffer, string][] = [['png with an appendix', Buffer.concat([png, marker]), 'x.png'], ['jpg with an appendix', Buffer.concat([jpeg, marker]), 'x.JPG'], ['jpg named jpeg', jpeg, 'x.jpeg'], ['png without a name', png, 'blob']];
    expect(refused.length + accepted.length).toBe(40);
    for (const [name, bytes, file] of refused) {
      // oxlint-disable-next-line no-await-in-loop -- decoders work one after another anyway
      const { status, body } = await site.send(form({ logo: [bytes, file] }));
      expect([name, status, body.message, body.errors]).toEqual([name, 415, 'Max size: 2MB', [{ path: 'logo', message: 'Max size: 2MB' }]]);
    }
    expect(await site.files('media')).toEqual([]);
    for (const [name, bytes, file] of accepted) {
      // oxlint-disable-next-line no-await-in-loop -- as above
      const { status, body } = await site.send(form({ logo: [bytes, file] }));
      expect([name, status]).toEqual([name, 200]);
      // oxlint-disable-next-line no-await-in-loop -- as above
      const stored = await readFile(join(site.dataDir, body.kept?.['logo'] ?? ''));
      expect(stored.includes('CANARY-APPENDED')).toBe(false);
      expect(stored.equals(bytes)).toBe(false);
    }
    expect(await site.files('media')).toHaveLength(8);
  });

  test('a decompression bomb is refused before it is decoded (S16)', async () => {
    const site = await siteFor(registerTeam);
    const bomb = await sharp({ create: { width: 8000, height: 8000, channels: 3, background: '#000' }, limitInputPixels: false }).png({ compressionLevel: 9 }).toBuffer();
    expect(bomb.length).toBeLessThan(registerTeam.files.logo.maxBytes);
    const before = process.memoryUsage.rss();
    const replies = await Promise.all(Array.from({ length: 10 }, async () => site.send(form({ logo: [bomb, 'x.png'] }))));
    const message = 'An image can have at most 40 million pixels';
    expect(replies.map(({ status, body }) => [status, body.message, body.errors])).toEqual(Array.from({ length: 10 }, () => [415, message, [{ path: 'logo', message }]]));
    // Decoding one takes 192 MB: the structure is what counts, not a figure of this machine.
    expect(process.memoryUsage.rss() - before).toBeLessThan(150 * 1024 * 1024);
    expect(await site.files('media')).toEqual([]);
  }, 180_000);

  test('a JPEG of so many scans that its decoder would not end is not decoded', async () => {
    const site = await siteFor(registerTeam);
    expect((await site.send(form({ logo: [jpegOfScans(100), 'x.jpg'] }))).status).toBe(200);
    expect(await site.send(form({ logo: [jpegOfScans(101), 'x.jpg'] }))).toMatchObject({ status: 415, body: { message: 'Max size: 2MB', errors: [{ path: 'logo', message: 'Max size: 2MB' }] } });
  });

  test('nor is a PNG of one endless column', async () => {
    const site = await siteFor(registerTeam);
    expect((await site.send(form({ logo: [await column(65_535).png().toBuffer(), 'x.png'] }))).status).toBe(200);
    expect(await site.send(form({ logo: [await column(65_536).png().toBuffer(), 'x.png'] }))).toMatchObject({ status: 415, body: { message: 'Max size: 2MB' } });
  });

  test('names lead nowhere and come back nowhere (S18)', async () => {
    const site = await siteFor(registerTeam);
    for (const name of ['../../../etc/passwd.png', '..\\..\\x.png', 'a\u0000.png', '%2e%2e%2fx.png', 'a\r\nSet-Cookie: x=1.png', `${'n'.repeat(300)}.png`, '\u202Egnp.exe.png', '/etc/cron.d/x.png', 'C:\\x.png', '.png', 'नेपाल.png']) {
      // oxlint-disable-next-line no-await-in-loop -- one after another
      const { status, body } = await site.send(form({ logo: [png, name] }));
      // A line break or a NUL makes no header that could be read; the client escapes the former.
      expect([name, status]).toEqual([name, name.includes('\u0000') ? 400 : 200]);
      expect(body.kept?.['logo'] ?? '/media/123456789012345678901234.png').toMatch(/^\/media\/[\w-]{24}\.png$/);
    }
    expect((await site.files('media')).every((name) => /^[\w-]{24}(-card)?\.png$/.test(name))).toBe(true);
    expect((await readdir(site.dataDir)).toSorted()).toEqual(['documents', 'keys', 'media', 'person-keys.made']);
  });
});

describe('sizes (S19)', () => {
  test('the limit of a file holds to the byte', async () => {
    const site = await siteFor(registerTeam);
    expect((await site.send(form({ logo: [padded(png, 2_097_152), 'x.png'] }))).status).toBe(200);
    const over = await site.send(form({ logo: [padded(png, 2_097_153), 'x.png'] }));
    expect([over.status, over.body.message, over.body.errors]).toEqual([413, 'Max size: 2MB', [{ path: 'logo', message: 'Max size: 2MB' }]]);
    expect(await site.files('media')).toHaveLength(2);
  });

  test('each field has its own limit, also within a larger form', async () => {
    const site = await siteFor(addPlayerToTeam);
    const document = addPlayerToTeam.files.document.maxBytes;
    expect((await site.send(form({ image: [png, 'x.png'], document: [padded(pdf, document), 'x.pdf'] }))).status).toBe(200);
    expect((await site.send(form({ image: [png, 'x.png'], document: [padded(pdf, document + 1), 'x.pdf'] }))).body.message).toBe('ID document must be a pdf, jpg, jpeg or png');
    expect((await site.send(form({ image: [padded(png, 2_097_153), 'x.png'], document: [pdf, 'x.pdf'] }))).body.message).toBe('Max size: 2MB');
    expect(await site.files('documents')).toHaveLength(1);
  });

  test('a photo far too large is refused under its own name, though the form is as well', async () => {
    const site = await siteFor(addPlayerToTeam);
    const over = await site.send(form({ image: [padded(jpeg, 10_000_000), 'x.jpg'], document: [pdf, 'x.pdf'] }));
    expect([over.status, over.body.message, over.body.errors]).toEqual([413, 'Max size: 2MB', [{ path: 'image', message: 'Max size: 2MB' }]]);
  });

  test('who sends all of a photo before reading reads the answer', async () => {
    const site = await siteFor(registerTeam);
    const size = 10_000_000;
    const socket = connect(Number(new URL(site.url).port), '127.0.0.1');
    await once(socket, 'connect');
    socket.pause();
    const head = '--x\r\nContent-Disposition: form-data; name="logo"; filename="x.png"\r\n\r\n';
    socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: ${size}\r\n\r\n${head}`);
    // Rejects where the connection is reset: nothing could be read then.
    await new Promise<void>((resolve, reject) => {
      socket.once('error', reject);
      socket.write(Buffer.alloc(size - head.length), (error) => {
        if (error) reject(error);
        else resolve();
      });
    });
    const answer = once(socket, 'data') as Promise<[Buffer]>;
    socket.resume();
    const [first] = await answer;
    expect(first.toString('latin1').split('\r\n')[0]).toBe('HTTP/1.1 413 Payload Too Large');
    socket.destroy();
  });

  test('what comes of a form after it was refused is read to its end, and the next request on the connection is answered', async () => {
    const site = await siteFor(registerTeam);
    const socket = connect(Number(new URL(site.url).port), '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    const status = async (): Promise<string | undefined> => {
      const [first] = (await once(socket, 'data')) as [Buffer];
      return first.toString('latin1').split('\r\n')[0];
    };
    const part = '--x\r\nContent-Disposition: form-data; name="logo"; filename="x.png"\r\n\r\nx\r\n';
    // More than is kept of a body that nobody reads.
    const [begun, rest] = [part.repeat(20), `${part.repeat(4000)}--x--\r\n`];
    socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: ${String(begun.length + rest.length)}\r\n\r\n${begun}`);
    expect(await status()).toBe('HTTP/1.1 400 Bad Request');
    socket.write(`${rest}POST / HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: 7\r\n\r\n--x--\r\n`);
    expect(await status()).toBe('HTTP/1.1 200 OK');
  });

  test('300 MB that are announced are refused unread', async () => {
    const site = await siteFor(registerTeam);
    const upload = httpRequest(site.url, { method: 'POST', headers: { 'content-type': 'multipart/form-data; boundary=x', 'content-length': String(300 * 1024 * 1024) } });
    upload.on('error', () => undefined);
    upload.write('--x\r\nContent-Disposition: form-data; name="logo"; filename="x.png"\r\n\r\n');
    const [response] = (await once(upload, 'response')) as [{ readonly statusCode: number }];
    expect(response.statusCode).toBe(413);
    // Answered while the body was still missing: nothing of it was waited for.
    expect(site.received()).toBeLessThan(100_000);
    upload.destroy();
  });

  test('a body without a length is cut off where it goes too far', async () => {
    const site = await siteFor(registerTeam);
    const upload = httpRequest(site.url, { method: 'POST', headers: { 'content-type': 'multipart/form-data; boundary=x', 'transfer-encoding': 'chunked' } });
    upload.on('error', () => undefined);
    upload.write('--x\r\nContent-Disposition: form-data; name="stray"; filename="x.png"\r\n\r\n');
    const chunk = Buffer.alloc(256 * 1024);
    let sent = 0;
    const answer: { status?: number | undefined } = {};
    upload.on('response', (response) => { answer.status = response.statusCode; });
    // Unknown files are thrown away, but not without end.
    while (answer.status === undefined && sent < 300 * 1024 * 1024) {
      sent += chunk.length;
      // oxlint-disable-next-line no-await-in-loop -- as fast as it is taken
      await new Promise<void>((resolve) => { upload.write(chunk, () => { setImmediate(resolve); }); });
    }
    expect(answer.status).toBe(413);
    expect(site.received()).toBeLessThan(formBytes(registerTeam) + 10 * 1024 * 1024);
    upload.destroy();
  });

  test('an upload that is broken off leaves nothing', async () => {
    const site = await siteFor(registerTeam);
    const upload = httpRequest(site.url, { method: 'POST', headers: { 'content-type': 'multipart/form-data; boundary=x', 'content-length': '1000000' } });
    upload.on('error', () => undefined);
    upload.write(Buffer.concat([Buffer.from('--x\r\nContent-Disposition: form-data; name="logo"; filename="x.png"\r\n\r\n'), Buffer.alloc(300_000)]));
    await expect.poll(async () => (await site.files('media')).length).toBe(1);
    upload.destroy();
    await expect.poll(async () => site.files('media')).toEqual([]);
    expect((await site.send(form({ name: 'next' }))).status).toBe(200);
  });
});

describe('documents', () => {
  test('are never readable on the disk (S14)', async () => {
    const site = await siteFor(addPlayerToTeam);
    const { status, body } = await site.send(form({ image: [jpeg, 'x.jpg'], document: [pdf, 'x.pdf'] }));
    expect(status).toBe(200);
    const name = body.kept?.['document'] ?? '';
    expect(name).toMatch(/^[0-9a-f-]{36}$/);
    const sealed = await readFile(join(site.dataDir, 'documents', name));
    expect(sealed.includes('PDF')).toBe(false);
    expect(sealed.length).toBe(pdf.length + 28);
  });

  test.each<[string, Buffer, string, number]>([
    ['a pdf', pdf, 'x.pdf', 200],
    ['a scan', jpeg, 'x.jpeg', 200],
    ['a picture', png, 'x.PNG', 200],
    ['a page', Buffer.from('<html>'), 'x.pdf', 415],
    ['a pdf that is no first thing in its file', Buffer.concat([Buffer.from('<html>'), pdf]), 'x.pdf', 415],
    ['a pdf by another name', pdf, 'x.png', 415],
    ['a text', Buffer.from('hello'), 'x.txt', 415],
  ])('%s', async (_name, bytes, file, expected) => {
    const site = await siteFor(addPlayerToTeam);
    expect((await site.send(form({ document: [bytes, file] }))).status).toBe(expected);
  });
});
