import { DOCUMENT_BYTES, IMAGE_PIXELS, SMALL_IMAGE_BYTES, SMALL_IMAGE_EDGE } from '@courtledger/contracts/kernel/limits';
import { fieldTexts } from '@courtledger/contracts/kernel/texts';

const kinds = [
  { type: 'image/jpeg', start: [0xff, 0xd8, 0xff], named: /\.jpe?g$/i },
  { type: 'image/png', start: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a], named: /\.png$/i },
] as const;
type Kind = (typeof kinds)[number];

/** What a file is by its first bytes, as the server reads it; undefined for neither JPEG nor PNG. A browser shows a picture whatever it is called. */
const kindOf = async (file: File): Promise<Kind | undefined> => {
  const bytes = new Uint8Array(await file.slice(0, 8).arrayBuffer());
  return kinds.find(({ start }) => start.every((byte, index) => bytes[index] === byte));
};
const qualities = [0.88, 0.78, 0.66, 0.5] as const;

const encode = (canvas: HTMLCanvasElement, type: string, quality?: number): Promise<Blob | undefined> =>
  new Promise((resolve) => {
    canvas.toBlob((blob) => {
      resolve(blob ?? undefined);
    }, type, quality);
  });

const renamed = (blob: Blob, name: string): File => new File([blob], name.replace(/\.[^.]*$/, '') + (blob.type === 'image/png' ? '.png' : '.jpg'), { type: blob.type });

/** The same file, called what it is: the server refuses a name or a type that says otherwise. */
const calledBy = (file: File, { type, named }: Kind): File => (file.type === type && named.test(file.name) ? file : renamed(file.slice(0, file.size, type), file.name));

/** A photo as it can be sent, or why it cannot. */
export type PreparedPhoto = { readonly kind: 'ready'; readonly file: File } | { readonly kind: 'no picture' | 'too large' };

const redraw = async (bitmap: ImageBitmap, file: File, kind: Kind | undefined, maxBytes: number, maxEdge: number): Promise<PreparedPhoto> => {
  const scale = Math.min(1, maxEdge / Math.max(bitmap.width, bitmap.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(bitmap.width * scale));
  canvas.height = Math.max(1, Math.round(bitmap.height * scale));
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  // A logo keeps its transparency where it can.
  if (kind?.type !== 'image/jpeg') {
    const png = await encode(canvas, 'image/png');
    if (png && png.size <= maxBytes) return { kind: 'ready', file: renamed(png, file.name) };
  }
  for (const quality of qualities) {
    const jpeg = await encode(canvas, 'image/jpeg', quality);
    if (jpeg && jpeg.size <= maxBytes) return { kind: 'ready', file: renamed(jpeg, file.name) };
  }
  return { kind: 'too large' };
};

/**
 * A photo as it can be sent: JPEG or PNG of at most `maxBytes`. What fits already goes as it is, under the name and type of what it is; anything else that the browser can draw is
 * redrawn at the longest edge that the server keeps. A file that only calls itself a picture is found out here, not by the server.
 */
export const preparePhoto = async (file: File, maxBytes: number = SMALL_IMAGE_BYTES, maxEdge: number = SMALL_IMAGE_EDGE): Promise<PreparedPhoto> => {
  if (!file.type.startsWith('image/')) return { kind: 'no picture' };
  // A browser that cannot tell leaves it to the server.
  if (typeof createImageBitmap !== 'function' && file.size <= maxBytes && kinds.some(({ type }) => type === file.type)) return { kind: 'ready', file };
  try {
    const [bitmap, kind] = await Promise.all([createImageBitmap(file, { imageOrientation: 'from-image' }), kindOf(file)]);
    try {
      const isTooFine = bitmap.width * bitmap.height > IMAGE_PIXELS;
      const fits = kind !== undefined && file.size <= maxBytes && !isTooFine;
      return fits ? { kind: 'ready', file: calledBy(file, kind) } : await redraw(bitmap, file, kind, maxBytes, maxEdge);
    } finally {
      bitmap.close();
    }
  } catch {
    return { kind: 'no picture' };
  }
};

/** A photo of a person or a team, or a logo, as it can be sent; or the text of its refusal. */
export const photoOrRefusal = async (file: File): Promise<File | string> => {
  const prepared = await preparePhoto(file);
  if (prepared.kind === 'ready') return prepared.file;
  return prepared.kind === 'too large' ? fieldTexts.smallImage : fieldTexts.noPicture;
};

const longDocumentEdge = 2400;

/** An ID document as it can be sent, or the text of its refusal. */
export const documentOrRefusal = async (file: File): Promise<File | string> => {
  if (file.type === 'application/pdf') return file.size <= DOCUMENT_BYTES ? file : fieldTexts.idDocumentTooLarge;
  // A photo of a document from a phone: too large, or in a format of its own.
  const prepared = await preparePhoto(file, DOCUMENT_BYTES, longDocumentEdge);
  if (prepared.kind === 'ready') return prepared.file;
  return prepared.kind === 'too large' ? fieldTexts.idDocumentTooLarge : fieldTexts.idDocumentRefused;
};
