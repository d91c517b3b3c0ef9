import { readFile } from 'node:fs/promises';
import sharp, { type Metadata, type ResizeOptions, type Sharp, type SharpOptions } from 'sharp';
import { DomainError } from '@courtledger/contracts/kernel/errors';
import { IMAGE_PIXELS } from '@courtledger/contracts/kernel/limits';
import type { ImageBytes, ImageExtension } from './media.ts';
import { createSlots } from './throttle-slots.ts';
import { withoutNotes } from './uploads-notes.ts';
import { scansOfJpeg } from './uploads-scans.ts';

// By default sharp decodes SVG, GIF, TIFF and more: everything but JPEG and PNG is switched off for the whole process.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng'] });
// Two decodes at a time, one thread each, nothing kept: two cores stay able to answer.
sharp.concurrency(1);
sharp.cache(false);

const decodeSeconds = 10;
const defaultEdge = 1600;
const cardEdge = 320;
/** Cameras and editors make a dozen at most. Each goes over the whole picture, and before the last one the decoder does not look at the time. */
const mostScans = 100;
/** Longest edge of a JPEG. A PNG may be one pixel wide and forty million high, and each row costs as much as a wide one. */
const longestEdge = 65_535;
/** Bytes that a decode may hold: what is drawn bit by bit (progressive, interlaced) is held whole until its last pass, however small it is shown in the end. */
const mostHeld = 100_000_000;

const decodes = createSlots({ atOnce: 2, waiting: 64, refusal: 'Too many images are being uploaded, please try again' });

/** The image cannot be decoded, or is not what it says. */
export class UndecodableImage extends Error {
  override readonly name: string = 'UndecodableImage';
}
/** The image is not decoded: of so many pixels one may be small as a file and take hundreds of MB. */
export class TooManyPixels extends UndecodableImage {
  override readonly name = 'TooManyPixels';
}

/** The image would hold too much memory while it is decoded, though its pixels are few enough. */
export class TooDemanding extends UndecodableImage {
  override readonly name = 'TooDemanding';
}

/** What a whole image takes while it is decoded, in bytes. A JPEG holds coefficients of two bytes each, fewer of the colours where those are coarser. */
const heldBytes = ({ width, height, channels, depth, format, chromaSubsampling }: Metadata): number => {
  const coarse = format === 'jpeg' && chromaSubsampling === '4:2:0' ? 0.5 : 1;
  return width * height * channels * coarse * (format === 'jpeg' || depth === 'ushort' ? 2 : 1);
};

const fit = (edge: number): ResizeOptions => ({ width: edge, height: edge, fit: 'inside', withoutEnlargement: true });
const encode = (pipeline: Sharp, extension: ImageExtension): Sharp =>
  extension === 'jpg' ? pipeline.jpeg({ quality: 84 }) : pipeline.png({ compressionLevel: 8 });

/**
 * Decodes an image and encodes it anew in two sizes (a small one stands for both): turned upright by its orientation, without any metadata (place, camera,
 * profile, what was appended).
 * @param source path or bytes of the upload
 * @param extension what its magic bytes say
 * @param maxEdge longest edge that is kept, in pixels
 * @param asker for whom it is: addresses take turns
 * @throws UndecodableImage, TooManyPixels, TooDemanding, DomainError `throttled` or `unavailable`
 */
export const reencodeImage = async (source: string | Buffer, extension: ImageExtension, maxEdge = defaultEdge, asker?: string): Promise<ImageBytes> =>
  decodes.run(async () => {
    // Not 'warning', the default: cameras leave stray bytes between two segments, or scan parameters of another kind of JPEG, and every browser draws such a
    // photo. One that ends too early is refused either way.
    const options: SharpOptions = { limitInputPixels: IMAGE_PIXELS, failOn: 'error', animated: false };
    try {
      const bytes = withoutNotes(typeof source === 'string' ? await readFile(source) : source, extension);
      if (bytes === undefined) throw new UndecodableImage('More notes than a picture needs');
      // Its head alone is read for this, whatever it promises.
      const head = await sharp(bytes, { ...options, limitInputPixels: false }).metadata();
      const { width, height, format } = head;
      if (format !== (extension === 'jpg' ? 'jpeg' : 'png')) throw new UndecodableImage('Not an image of that kind');
      if (width * height > IMAGE_PIXELS) throw new TooManyPixels(`${String(width)} x ${String(height)} pixels`);
      if (head.isProgressive && heldBytes(head) > mostHeld) throw new TooDemanding(`${String(heldBytes(head))} bytes at once`);
      if (Math.max(width, height) > longestEdge) throw new UndecodableImage('An edge that no picture has');
      if (extension === 'jpg' && scansOfJpeg(bytes) > mostScans) throw new UndecodableImage('More scans than a picture needs');
      const { data: main, info } = await encode(
        sharp(bytes, options).timeout({ seconds: decodeSeconds }).autoOrient().resize(fit(maxEdge)),
        extension,
      ).toBuffer({ resolveWithObject: true });
      const isCard = Math.max(info.width, info.height) <= cardEdge;
      const card = isCard ? main : await encode(sharp(main).timeout({ seconds: decodeSeconds }).resize(fit(cardEdge)), extension).toBuffer();
      return { extension, main, card };
    } catch (error) {
      if (error instanceof UndecodableImage) throw error;
      // The machine is busy: that is nothing about the file.
      if (error instanceof Error && error.message.startsWith('timeout'))
        throw new DomainError('unavailable', 'This image took too long to read, please try again', { retryAfter: 5, cause: error });
      // libvips says what it dislikes in many ways; all of them are about the file.
      throw new UndecodableImage('The image could not be decoded', { cause: error });
    }
  }, asker);
