import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { registerTeam } from '@courtledger/contracts/team/team.api';
import sharp, { type Sharp } from 'sharp';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { form, jpeg, pdf, picture, png, siteFor } from './testing/uploads-site.ts';
import { reencodeImage } from './uploads-images.ts';

/** A flat picture of so many colours: small as a file. */
const flat = (width: number, height: number, channels: 3 | 4): Sharp =>
  sharp({ create: { width, height, channels, background: { r: 40, g: 80, b: 120, alpha: 0.5 } } });
const largeJpeg = async (progressive: boolean, chromaSubsampling: string): Promise<Buffer> =>
  flat(4200, 4200, 3).jpeg({ progressive, quality: 5, chromaSubsampling }).toBuffer();
const column = (height: number): Sharp => picture(1, height);

const segment = (marker: number, ...content: readonly number[]): number[] => [0xff, marker, 0, content.length + 2, ...content];
/**
 * A grey JPEG of one block of eight by eight, over which each scan but the first goes to make one of its 63 waves finer by one bit: as it should be, and all
 * for nothing.
 */
const jpegOfScans = (scans: number): Buffer => {
  const oneCode = [1, ...Array.from({ length: 15 }, () => 0), 0];
  const begun = [
    0xff,
    0xd8,
    ...segment(0xdb, 0, ...Array.from({ length: 64 }, () => 1)),
    ...segment(0xc2, 8, 0, 8, 0, 8, 1, 1, 0x11, 0),
    ...segment(0xc4, 0x00, ...oneCode),
    ...segment(0xc4, 0x10, ...oneCode),
    ...segment(0xda, 1, 1, 0, 0, 0, 0),
    0x7f,
  ];
  const finer = Array.from({ length: scans - 1 }, (_, index) => {
    const bit = 13 - Math.floor(index / 63);
    const wave = 1 + (index % 63);
    return [...segment(0xda, 1, 1, 0, wave, wave, bit === 13 ? bit : (bit + 1) * 16 + bit), 0x7f];
  });
  return Buffer.from([...begun, ...finer.flat(), 0xff, 0xd9]);
};

/** The picture with segments right after its beginning. */
const noted = (...notes: readonly Buffer[]): Buffer => Buffer.concat([jpeg.subarray(0, 2), ...notes, jpeg.subarray(2)]);

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
    expect({ width, height, left, orientation, icc, xmp }).toEqual({
      width: 768,
      height: 1024,
      left: undefined,
      orientation: undefined,
      icc: undefined,
      xmp: undefined,
    });
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
    const [webp, gif, tiff, avif] = await Promise.all([
      picture().webp().toBuffer(),
      picture().gif().toBuffer(),
      picture().tiff().toBuffer(),
      picture().avif().toBuffer(),
    ]);
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>');
    const html = Buffer.from('<!doctype html><script>alert(1)</script>');
    const eicar = Buffer.from(['X5O!P%@AP[4\\PZX54(P^)7CC)7}$', 'EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join(''));
    const marker = Buffer.from('CANARY-APPENDED<script>');
    const formats: [string, Buffer][] = [
      ['svg', svg],
      ['gif', gif],
      ['tiff', tiff],
      ['avif', avif],
      ['webp', webp],
      ['html', html],
      ['eicar', eicar],
      ['pdf', pdf],
      ['zip', Buffer.from('PK\u0003\u0004 something')],
      ['exe', Buffer.from('MZ something long enough')],
    ];
    const refused: [string, Buffer, string][] = [
      ...formats.flatMap(([name, bytes]): [string, Buffer, string][] => [
        [`${name} as png`, bytes, 'x.png'],
        [`${name} as itself`, bytes, `x.${name}`],
      ]),
      ['svg as jpg', svg, 'x.jpg'],
      ['html without extension', html, 'blob'],
      ['png as jpg', png, 'x.jpg'],
      ['jpg as png', jpeg, 'x.png'],
      ['png as svg', png, 'x.svg'],
      ['png as png.exe', png, 'x.png.exe'],
      ['png as html', png, 'x.html'],
      ['truncated png', png.subarray(0, png.length - 30), 'x.png'],
      ['truncated jpg', jpeg.subarray(0, jpeg.length / 2), 'x.jpg'],
      ['only the magic of png', png.subarray(0, 8), 'x.png'],
      ['only the magic of jpg', jpeg.subarray(0, 3), 'x.jpg'],
      ['html behind the magic of png', Buffer.concat([png.subarray(0, 8), html]), 'x.png'],
      ['html behind the magic of jpg', Buffer.concat([jpeg.subarray(0, 3), html]), 'x.jpg'],
      ['empty', Buffer.alloc(0), 'x.png'],
      ['zeros', Buffer.alloc(5000), 'x.png'],
      ['magic of png, rest of jpg', Buffer.concat([png.subarray(0, 8), jpeg.subarray(8)]), 'x.png'],
    ];
    const accepted: [string, Buffer, string][] = [
      ['png with an appendix', Buffer.concat([png, marker]), 'x.png'],
      ['jpg with an appendix', Buffer.concat([jpeg, marker]), 'x.JPG'],
      ['jpg named jpeg', jpeg, 'x.jpeg'],
      ['png without a name', png, 'blob'],
    ];
    expect(refused.length + accepted.length).toBe(40);
    for (const [name, bytes, file] of refused) {
      // Decoders work one after another anyway.
      const { status, body } = await site.send(form({ logo: [bytes, file] }));
      expect([name, status, body.message, body.errors]).toEqual([name, 415, 'Max size: 2MB', [{ path: 'logo', message: 'Max size: 2MB' }]]);
    }
    expect(await site.files('media')).toEqual([]);
    for (const [name, bytes, file] of accepted) {
      const { status, body } = await site.send(form({ logo: [bytes, file] }));
      expect([name, status]).toEqual([name, 200]);
      const stored = await readFile(join(site.dataDir, body.kept?.['logo'] ?? ''));
      expect(stored.includes('CANARY-APPENDED')).toBe(false);
      expect(stored.equals(bytes)).toBe(false);
    }
    expect(await site.files('media')).toHaveLength(8);
  });

  test('a decompression bomb is refused before it is decoded (S16)', async () => {
    const site = await siteFor(registerTeam);
    const bomb = await sharp({ create: { width: 8000, height: 8000, channels: 3, background: '#000' }, limitInputPixels: false })
      .png({ compressionLevel: 9 })
      .toBuffer();
    expect(bomb.length).toBeLessThan(registerTeam.files.logo.maxBytes);
    const before = process.memoryUsage.rss();
    const replies = await Promise.all(Array.from({ length: 10 }, async () => site.send(form({ logo: [bomb, 'x.png'] }))));
    const message = 'An image can have at most 40 million pixels';
    expect(replies.map(({ status, body }) => [status, body.message, body.errors])).toEqual(
      Array.from({ length: 10 }, () => [415, message, [{ path: 'logo', message }]]),
    );
    // Decoding one takes 192 MB: the structure is what counts, not a figure of this machine.
    expect(process.memoryUsage.rss() - before).toBeLessThan(150 * 1024 * 1024);
    expect(await site.files('media')).toEqual([]);
  }, 180_000);

  test.each([
    ['interlaced, of two bytes for a colour', async () => flat(3600, 3600, 4).toColourspace('rgb16').png({ progressive: true }).toBuffer(), 'x.png'],
    [
      'progressive, with all of its colours',
      async () => flat(4200, 4200, 3).jpeg({ progressive: true, quality: 5, chromaSubsampling: '4:4:4' }).toBuffer(),
      'x.jpg',
    ],
  ])('a picture that is held whole while it is decoded, and too large for that, is refused before it is: %s', async (_, make, name) => {
    const site = await siteFor(registerTeam);
    const picked = await make();
    expect(picked.length).toBeLessThan(registerTeam.files.logo.maxBytes);
    const message = 'This image is too large to be progressive or interlaced: save it without that option, or smaller';
    expect(await site.send(form({ logo: [picked, name] }))).toMatchObject({ status: 415, body: { message, errors: [{ path: 'logo', message }] } });
  });

  test('what is held in less is taken: coarser colours, one byte for each, or drawn from top to bottom', async () => {
    for (const [bytes, extension] of [
      [await largeJpeg(true, '4:2:0'), 'jpg'],
      [await largeJpeg(false, '4:4:4'), 'jpg'],
      [await flat(3600, 3600, 4).png({ progressive: true }).toBuffer(), 'png'],
    ] as const)
      expect((await reencodeImage(bytes, extension, 64)).extension).toBe(extension);
  }, 180_000);

  test('one that is not decoded in time says that the machine is busy, and nothing of the file', async () => {
    const limit = vi.spyOn(sharp.prototype as Sharp, 'toBuffer').mockRejectedValueOnce(new Error('timeout: 3% complete'));
    onTestFinished(() => {
      limit.mockRestore();
    });
    const site = await siteFor(registerTeam);
    expect(await site.send(form({ logo: [png, 'x.png'] }))).toMatchObject({
      status: 503,
      body: { message: 'This image took too long to read, please try again' },
    });
  });

  test('nothing is decoded, or made smaller, for more than ten seconds (S16)', async () => {
    const limit = vi.spyOn(sharp.prototype as Sharp, 'timeout');
    onTestFinished(() => {
      limit.mockRestore();
    });
    await reencodeImage(await picture(1200, 900).png().toBuffer(), 'png');
    expect(limit.mock.calls).toEqual([[{ seconds: 10 }], [{ seconds: 10 }]]);
  });

  test('a JPEG of so many scans that its decoder would not end is not decoded', async () => {
    const site = await siteFor(registerTeam);
    expect((await site.send(form({ logo: [jpegOfScans(100), 'x.jpg'] }))).status).toBe(200);
    expect(await site.send(form({ logo: [jpegOfScans(101), 'x.jpg'] }))).toMatchObject({
      status: 415,
      body: { message: 'Max size: 2MB', errors: [{ path: 'logo', message: 'Max size: 2MB' }] },
    });
  });

  test('nor is a PNG of one endless column', async () => {
    const site = await siteFor(registerTeam);
    expect((await site.send(form({ logo: [await column(65_535).png().toBuffer(), 'x.png'] }))).status).toBe(200);
    expect(await site.send(form({ logo: [await column(65_536).png().toBuffer(), 'x.png'] }))).toMatchObject({
      status: 415,
      body: { message: 'Max size: 2MB' },
    });
  });

  test('what a camera has noted is not read: lists that lead to one another for seconds harm nobody, and more of them than a picture needs are refused', async () => {
    const site = await siteFor(registerTeam);
    // A list of five thousand entries, of which each leads back to the list, as that of the photo, of the place and of another make.
    const lists = Buffer.alloc(60_022);
    Buffer.from([0xff, 0xe1, 0xea, 0x74, ...Buffer.from('Exif\0\0MM\0*'), 0, 0, 0, 8, 0x13, 0x88]).copy(lists);
    for (let entry = 0; entry < 5000; entry += 1)
      Buffer.from([
        ...([
          [0x87, 0x69],
          [0x88, 0x25],
          [0xa0, 0x05],
        ][entry % 3] ?? []),
        0,
        4,
        0,
        0,
        0,
        1,
        0,
        0,
        0,
        8,
      ]).copy(lists, 20 + entry * 12);
    expect((await site.send(form({ logo: [noted(lists), 'photo.jpg'] }))).status).toBe(200);
    expect((await site.send(form({ logo: [noted(...Array<Buffer>(1001).fill(Buffer.from([0xff, 0xfe, 0, 2]))), 'photo.jpg'] }))).status).toBe(415);
  });

  test('names lead nowhere and come back nowhere (S18)', async () => {
    const site = await siteFor(registerTeam);
    for (const name of [
      '../../../etc/passwd.png',
      '..\\..\\x.png',
      'a\u0000.png',
      '%2e%2e%2fx.png',
      'a\r\nSet-Cookie: x=1.png',
      `${'n'.repeat(300)}.png`,
      '\u202Egnp.exe.png',
      '/etc/cron.d/x.png',
      'C:\\x.png',
      '.png',
      'नेपाल.png',
    ]) {
      const { status, body } = await site.send(form({ logo: [png, name] }));
      // A line break or a NUL makes no header that could be read; the client escapes the former.
      expect([name, status]).toEqual([name, name.includes('\u0000') ? 400 : 200]);
      expect(body.kept?.['logo'] ?? '/media/123456789012345678901234.png').toMatch(/^\/media\/[\w-]{24}\.png$/);
    }
    expect((await site.files('media')).every((name) => /^[\w-]{24}(-card)?\.png$/.test(name))).toBe(true);
    expect((await readdir(site.dataDir)).toSorted()).toEqual(['documents', 'keys', 'media', 'person-keys.made']);
  });
});
