import { crc32 } from 'node:zlib';
import type { ImageExtension } from './media.ts';
import { walkHead } from './uploads-scans.ts';

/** More than cameras and editors leave: some write a long one in pieces of 64 kB. */
const mostNotes = 1000;

type Notes = {
  readonly places: { readonly from: number; readonly to: number }[];
  /** What a camera has noted, as a TIFF file without a picture. */ tiff: Buffer | undefined;
};

const [beginning, camera, iccProfile, adobe, comment] = [0xe0, 0xe1, 0xe2, 0xee, 0xfe];
const isNoteOfJpeg = (marker: number): boolean => marker === comment || (marker >= 0xe0 && marker <= 0xef && ![beginning, iccProfile, adobe].includes(marker));
/** Of a camera's notes: `Exif` and two zeros. */
const exifMark = Buffer.from('Exif\0\0');

const notesOfJpeg = (bytes: Buffer): Notes => {
  const notes: Notes = { places: [], tiff: undefined };
  walkHead(bytes, (marker, at, next) => {
    if (!isNoteOfJpeg(marker)) return true;
    notes.places.push({ from: at, to: next });
    const content = bytes.subarray(at + 4, next);
    if (marker === camera && content.subarray(0, exifMark.length).equals(exifMark)) notes.tiff ??= content.subarray(exifMark.length);
    return notes.places.length <= mostNotes;
  });
  return notes;
};

const [pngMagicBytes, chunkFrame] = [8, 12];
/** A type of chunk as the number that its four letters are. */
const typeOf = (letters: string): number => Buffer.from(letters).readUInt32BE();
const [endOfPng, data, exif] = [typeOf('IEND'), typeOf('IDAT'), typeOf('eXIf')];
const notesOfPngs = new Set([exif, typeOf('tEXt'), typeOf('zTXt'), typeOf('iTXt')]);
const notesOfPng = (bytes: Buffer): Notes => {
  const notes: Notes = { places: [], tiff: undefined };
  let isDrawn = false;
  let at = pngMagicBytes;
  while (at + chunkFrame <= bytes.length && notes.places.length <= mostNotes) {
    const next = at + chunkFrame + bytes.readUInt32BE(at);
    const type = bytes.readUInt32BE(at + 4);
    if (type === endOfPng) break;
    isDrawn ||= type === data;
    // What stands behind the picture comes too late to turn it: it is shown as it was drawn.
    if (type === exif && !isDrawn) notes.tiff ??= bytes.subarray(at + 8, next - 4);
    if (notesOfPngs.has(type)) notes.places.push({ from: at, to: next });
    at = next;
  }
  return notes;
};

const orientation = 0x0112;
/** The type of a number of four bytes: some write the turn as one, instead of two bytes. */
const long = 4;
const entryBytes = 12;
/** How a picture has to be turned, 1 (not at all) to 8, as the first list of a camera's notes says it. */
const turnOf = (tiff: Buffer): number => {
  const order = tiff.toString('latin1', 0, 4);
  if (tiff.length < 8 || (order !== 'MM\0*' && order !== 'II*\0')) return 1;
  const isBig = order.startsWith('M');
  const short = (at: number): number => (at + 2 > tiff.length ? 0 : isBig ? tiff.readUInt16BE(at) : tiff.readUInt16LE(at));
  const list = isBig ? tiff.readUInt32BE(4) : tiff.readUInt32LE(4);
  for (let entry = 0; entry < short(list); entry += 1) {
    const at = list + 2 + entry * entryBytes;
    const turn = short(isBig && short(at + 2) === long ? at + 10 : at + 8);
    if (short(at) === orientation) return turn >= 1 && turn <= 8 ? turn : 1;
  }
  return 1;
};

/** Notes that say nothing but how to turn the picture. */
const tiffOf = (turn: number): Buffer => Buffer.from([0x4d, 0x4d, 0, 0x2a, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, turn, 0, 0, 0, 0, 0, 0]);
const segment = (content: Buffer): Buffer => Buffer.concat([Buffer.from([0xff, 0xe1, 0, content.length + 2]), content]);
const chunk = (content: Buffer): Buffer => {
  const named = Buffer.concat([Buffer.from('eXIf'), content]);
  const framed = Buffer.alloc(named.length + 8);
  framed.writeUInt32BE(content.length, 0);
  named.copy(framed, 4);
  framed.writeUInt32BE(crc32(named), named.length + 4);
  return framed;
};

/** The bytes without some places, and with others where they begin. */
const cut = (bytes: Buffer, { places }: Notes, begin: number, added: Buffer): Buffer => {
  const kept = [bytes.subarray(0, begin), added];
  let from = begin;
  for (const place of places) {
    kept.push(bytes.subarray(from, place.from));
    from = place.to;
  }
  return Buffer.concat([...kept, bytes.subarray(from)]);
};

/** Where a JPEG and a PNG (behind its size) may say what they say. */
const [jpegBegin, pngBegin] = [2, 33];

/**
 * A picture without the notes of cameras and editors, but for how it has to be turned. None of them is kept anyway, and decoders take as long for them as
 * whoever wrote them likes: a text of 50 kB in a PNG grows to 50 MB, one after another, and lists of a camera's notes lead to one another without end.
 * @returns undefined when there are more of them than a picture needs
 */
export const withoutNotes = (bytes: Buffer, extension: ImageExtension): Buffer | undefined => {
  const notes = extension === 'jpg' ? notesOfJpeg(bytes) : notesOfPng(bytes);
  if (notes.places.length === 0) return bytes;
  if (notes.places.length > mostNotes) return undefined;
  const left = tiffOf(notes.tiff === undefined ? 1 : turnOf(notes.tiff));
  return extension === 'jpg' ? cut(bytes, notes, jpegBegin, segment(Buffer.concat([exifMark, left]))) : cut(bytes, notes, pngBegin, chunk(left));
};
