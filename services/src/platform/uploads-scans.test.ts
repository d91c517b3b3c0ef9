import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { scansOfJpeg } from './uploads-scans.ts';

const picture = sharp({ create: { width: 64, height: 48, channels: 3, background: '#b33' } });
const plain = await picture.clone().jpeg().toBuffer();
const progressive = await picture.clone().jpeg({ progressive: true }).toBuffer();
const segment = (marker: number, content: Buffer): Buffer => {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(content.length + 2);
  return Buffer.concat([Buffer.from([0xff, marker]), length, content]);
};
/** The picture with a segment right after its beginning. */
const withSegment = (marker: number, content: Buffer): Buffer => Buffer.concat([plain.subarray(0, 2), segment(marker, content), plain.subarray(2)]);
const bytesOf = (...bytes: number[]): Buffer => Buffer.from(bytes);

describe('the scans of a JPEG', () => {
  test.each<[string, Buffer, number]>([
    ['one', plain, 1],
    ['the ten of a progressive one', progressive, 10],
    ['not those of a preview in a segment', withSegment(0xe1, plain), 1],
    ['not what stands behind its end', Buffer.concat([plain, plain]), 1],
    ['also behind stray and filling bytes', Buffer.concat([plain.subarray(0, 2), bytesOf(0, 7, 0xff, 0xff), plain.subarray(3)]), 1],
    ['not bytes of its data, nor where decoding may begin anew', bytesOf(0xff, 0xd8, 0xff, 0xda, 0, 2, 1, 0xff, 0, 0xda, 0xff, 0xd0, 2, 0xff, 0xd9), 1],
    [
      'also those within what only looks like a segment: decoders pass over such a marker alone',
      bytesOf(0xff, 0xd8, 0xff, 0xda, 0, 2, 1, 0xff, 0x02, 0, 9, 0xff, 0xda, 0, 2, 1, 0xff, 0xbf, 0, 9, 0xff, 0xda, 0, 2, 1, 0xff, 0xd9),
      3,
    ],
    ['each of a file that breaks off', bytesOf(0xff, 0xd8, 0xff, 0xda, 0, 2, 1, 0xff, 0xda, 0), 2],
    ['none of what ends with half a marker', bytesOf(0xff, 0xd8, 0xff), 0],
    ['none of nothing', Buffer.alloc(0), 0],
  ])('are counted: %s', (_name, bytes, scans) => {
    expect(scansOfJpeg(bytes)).toBe(scans);
  });
});
