import { crc32, deflateSync } from 'node:zlib';
import sharp, { type Metadata } from 'sharp';
import { describe, expect, test } from 'vitest';
import { withoutNotes } from './uploads-notes.ts';

const picture = sharp({ create: { width: 60, height: 40, channels: 3, background: '#b33' } });
const jpeg = await picture.clone().jpeg().toBuffer();
const png = await picture.clone().png().toBuffer();

const segment = (marker: number, content: Buffer): Buffer => {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(content.length + 2, 2);
  return Buffer.concat([head, content]);
};
const chunk = (type: string, content: Buffer): Buffer => {
  const framed = Buffer.alloc(content.length + 12);
  framed.writeUInt32BE(content.length, 0);
  framed.write(type, 4);
  content.copy(framed, 8);
  framed.writeUInt32BE(crc32(framed.subarray(4, -4)), content.length + 8);
  return framed;
};
const inJpeg = (...segments: Buffer[]): Buffer => Buffer.concat([jpeg.subarray(0, 2), ...segments, jpeg.subarray(2)]);
const inPng = (...chunks: Buffer[]): Buffer => Buffer.concat([png.subarray(0, 33), ...chunks, png.subarray(33)]);

/** A camera's notes that say how to turn the picture behind something else, in either order of bytes. */
const tiff = (turn: number, isBig = true): Buffer => {
  const bytes = Buffer.from([
    0x4d,
    0x4d,
    0,
    0x2a,
    0,
    0,
    0,
    8,
    0,
    2,
    0x01,
    0x0f,
    0,
    2,
    0,
    0,
    0,
    4,
    0x43,
    0x41,
    0x4d,
    0,
    0x01,
    0x12,
    0,
    3,
    0,
    0,
    0,
    1,
    0,
    turn,
    0,
    0,
    0,
    0,
    0,
    0,
  ]);
  return isBig
    ? bytes
    : Buffer.from([
        0x49,
        0x49,
        0x2a,
        0,
        8,
        0,
        0,
        0,
        2,
        0,
        0x0f,
        0x01,
        2,
        0,
        4,
        0,
        0,
        0,
        0x43,
        0x41,
        0x4d,
        0,
        0x12,
        0x01,
        3,
        0,
        1,
        0,
        0,
        0,
        turn,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
      ]);
};
const exif = (content: Buffer): Buffer => segment(0xe1, Buffer.concat([Buffer.from('Exif\0\0'), content]));
const [bareTiff, turnedTiff] = [1, 6].map((turn) =>
  Buffer.from([0x4d, 0x4d, 0, 0x2a, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, turn, 0, 0, 0, 0, 0, 0]),
) as [Buffer, Buffer];
const read = async (bytes: Buffer | undefined): Promise<Metadata> => sharp(bytes).metadata();

describe('a picture without notes', () => {
  test.each<[string, Buffer, 'jpg' | 'png']>([
    ['JPEG', jpeg, 'jpg'],
    ['PNG', png, 'png'],
  ])('that had none is the same: a %s', (_name, bytes, extension) => {
    expect(withoutNotes(bytes, extension)).toBe(bytes);
  });

  test('has nothing of what a JPEG says before it, but for its colours and how to turn it', () => {
    const colours = segment(0xe2, Buffer.from('ICC_PROFILE\0...'));
    const [adobe, again] = [segment(0xee, Buffer.from('Adobe')), segment(0xe1, Buffer.from('http://ns.adobe.com/xap/1.0/\0<x/>'))];
    const noted = inJpeg(
      segment(0xfe, Buffer.from('drawn by CAM')),
      exif(tiff(6)),
      colours,
      again,
      segment(0xed, Buffer.from('Photoshop 3.0')),
      adobe,
      exif(tiff(3)),
    );
    expect(withoutNotes(noted, 'jpg')).toEqual(inJpeg(exif(turnedTiff), colours, adobe));
    expect(withoutNotes(inJpeg(segment(0xfe, Buffer.alloc(0))), 'jpg')).toEqual(inJpeg(exif(bareTiff)));
  });

  test('has no texts of a PNG, however little they are before they grow', () => {
    const growing = deflateSync(Buffer.alloc(1_000_000));
    const colours = chunk('gAMA', Buffer.from([0, 0, 0xb1, 0x8f]));
    const noted = inPng(
      chunk('zTXt', Buffer.concat([Buffer.from('a\0\0'), growing])),
      colours,
      chunk('iTXt', Buffer.concat([Buffer.from('b\0\u0001\0\0\0'), growing])),
      chunk('tEXt', Buffer.from('c\0d')),
      chunk('eXIf', tiff(6)),
    );
    expect(withoutNotes(Buffer.concat([noted, chunk('tEXt', Buffer.from('behind the end'))]), 'png')).toEqual(
      Buffer.concat([inPng(chunk('eXIf', turnedTiff), colours), chunk('tEXt', Buffer.from('behind the end'))]),
    );
  });

  test.each([1, 3, 6, 8])('is turned as it was: %d', async (turn) => {
    for (const isBig of [true, false]) {
      expect((await read(withoutNotes(inJpeg(exif(tiff(turn, isBig))), 'jpg'))).orientation).toBe(turn);
      expect((await read(withoutNotes(inPng(chunk('eXIf', tiff(turn, isBig))), 'png'))).orientation).toBe(turn);
    }
  });

  test('is turned where a number of four bytes says so', async () => {
    const [big, little] = [
      Buffer.from([0x4d, 0x4d, 0, 0x2a, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 4, 0, 0, 0, 1, 0, 0, 0, 6, 0, 0, 0, 0]),
      Buffer.from([0x49, 0x49, 0x2a, 0, 8, 0, 0, 0, 1, 0, 0x12, 0x01, 4, 0, 1, 0, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0]),
    ];
    for (const notes of [big, little]) {
      // As the decoder itself reads it.
      expect((await read(inJpeg(exif(notes)))).orientation).toBe(6);
      expect((await read(withoutNotes(inJpeg(exif(notes)), 'jpg'))).orientation).toBe(6);
    }
  });

  test.each<[string, Buffer, Buffer, 'jpg' | 'png']>([
    ['behind a PNG that is drawn', Buffer.concat([png.subarray(0, -12), chunk('eXIf', tiff(6)), png.subarray(-12)]), inPng(chunk('eXIf', bareTiff)), 'png'],
    ["in a segment that is no camera's", inJpeg(segment(0xe3, Buffer.concat([Buffer.from('Exif\0\0'), tiff(6)]))), inJpeg(exif(bareTiff)), 'jpg'],
  ])('is not turned by notes %s', async (_name, noted, bare, extension) => {
    expect((await sharp(noted).autoOrient().toBuffer({ resolveWithObject: true })).info).toMatchObject({ width: 60, height: 40 });
    expect(withoutNotes(noted, extension)).toEqual(bare);
  });

  test.each<[string, Buffer]>([
    ['nothing', Buffer.alloc(0)],
    ['no TIFF file', Buffer.from('XX\0*\0\0\0\b\0\u0001')],
    ['a list behind the end', Buffer.from([0x4d, 0x4d, 0, 0x2a, 0xff, 0xff, 0xff, 0xff])],
    ['a list that is longer than the notes', Buffer.from([0x49, 0x49, 0x2a, 0, 8, 0, 0, 0, 0xff, 0xff, 0x12])],
    ['a turn that there is not', tiff(9)],
    ['no turn', tiff(0)],
  ])('is not turned where its notes are %s', (_name, notes) => {
    expect(withoutNotes(inJpeg(exif(notes)), 'jpg')).toEqual(inJpeg(exif(bareTiff)));
  });

  test('is nothing where there are more notes than a picture needs', () => {
    const notes = (count: number): { jpg: Buffer; png: Buffer } => ({
      jpg: inJpeg(...Array<Buffer>(count).fill(segment(0xfe, Buffer.alloc(0)))),
      png: inPng(...Array<Buffer>(count).fill(chunk('tEXt', Buffer.from('a\0')))),
    });
    const [many, tooMany] = [notes(1000), notes(1001)];
    expect([withoutNotes(many.jpg, 'jpg'), withoutNotes(many.png, 'png')]).toEqual([inJpeg(exif(bareTiff)), inPng(chunk('eXIf', bareTiff))]);
    expect([withoutNotes(tooMany.jpg, 'jpg'), withoutNotes(tooMany.png, 'png')]).toEqual([undefined, undefined]);
  });

  test('that breaks off anywhere is no fault of ours', () => {
    const [noted, texts] = [inJpeg(exif(tiff(6)), segment(0xfe, Buffer.from('x'))), inPng(chunk('zTXt', Buffer.from('a\0\0x')), chunk('eXIf', tiff(6)))];
    for (let length = 0; length < 120; length += 1) {
      expect(withoutNotes(noted.subarray(0, length), 'jpg')).toBeInstanceOf(Buffer);
      expect(withoutNotes(texts.subarray(0, length), 'png')).toBeInstanceOf(Buffer);
    }
  });
});
