import { SMALL_IMAGE_BYTES, SMALL_IMAGE_EDGE } from '@courtledger/contracts/kernel/limits';
import { fieldTexts } from '@courtledger/contracts/kernel/texts';

const accepted = new Set(['image/jpeg', 'image/png']);
const qualities = [0.88, 0.78, 0.66, 0.5] as const;

const encode = (canvas: HTMLCanvasElement, type: string, quality?: number): Promise<Blob | undefined> =>
  new Promise((resolve) => {
    canvas.toBlob((blob) => {
      resolve(blob ?? undefined);
    }, type, quality);
  });

const renamed = (blob: Blob, name: string): File => new File([blob], name.replace(/\.[^.]*$/, '') + (blob.type === 'image/png' ? '.png' : '.jpg'), { type: blob.type });

/** A photo as it can be sent, or why it cannot. */
export type PreparedPhoto = { readonly kind: 'ready'; readonly file: File } | { readonly kind: 'no picture' | 'too large' };

const redraw = async (bitmap: ImageBitmap, file: File, maxBytes: number, maxEdge: number): Promise<PreparedPhoto> => {
  const scale = Math.min(1, maxEdge / Math.max(bitmap.width, bitmap.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(bitmap.width * scale));
  canvas.height = Math.max(1, Math.round(bitmap.height * scale));
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  // A logo keeps its transparency where it can.
  if (file.type !== 'image/jpeg') {
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
 * A photo as it can be sent: JPEG or PNG of at most `maxBytes`. What fits already goes as it is; anything else that the browser can draw is
 * redrawn at the longest edge that the server keeps. A file that only calls itself a picture is found out here, not by the server.
 */
export const preparePhoto = async (file: File, maxBytes: number = SMALL_IMAGE_BYTES, maxEdge: number = SMALL_IMAGE_EDGE): Promise<PreparedPhoto> => {
  if (!file.type.startsWith('image/')) return { kind: 'no picture' };
  const fits = accepted.has(file.type) && file.size <= maxBytes;
  // A browser that cannot tell leaves it to the server.
  if (fits && typeof createImageBitmap !== 'function') return { kind: 'ready', file };
  try {
    const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' });
    try {
      return fits ? { kind: 'ready', file } : await redraw(bitmap, file, maxBytes, maxEdge);
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
