import { DOCUMENT_BYTES, IMAGE_PIXELS, LARGE_IMAGE_BYTES, LARGE_IMAGE_EDGE, SMALL_IMAGE_BYTES, SMALL_IMAGE_EDGE } from '@courtledger/contracts/kernel/limits';
import { fieldTexts } from '@courtledger/contracts/kernel/texts';

const kinds = [
  { type: 'image/jpeg', start: [0xff, 0xd8, 0xff], named: /\.jpe?g$/i },
  { type: 'image/png', start: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a], named: /\.png$/i },
] as const;
const pdf = { type: 'application/pdf', start: [0x25, 0x50, 0x44, 0x46, 0x2d], named: /\.pdf$/i } as const;
type PictureKind = (typeof kinds)[number];
type Kind = PictureKind | typeof pdf;

/** Whether a file begins as one of a kind, which is how the server reads it. One that cannot be read (any more) does not. */
const begins = async (file: File, { start }: Kind): Promise<boolean> => {
  const bytes = await file
    .slice(0, start.length)
    .arrayBuffer()
    .catch(() => new ArrayBuffer());
  return start.every((byte, index) => new Uint8Array(bytes)[index] === byte);
};
/** What a picture is by its first bytes; undefined for neither JPEG nor PNG. A browser shows a picture whatever it is called. */
const kindOf = async (file: File): Promise<PictureKind | undefined> => {
  for (const kind of kinds) if (await begins(file, kind)) return kind;
  return undefined;
};
const qualities = [0.88, 0.78, 0.66, 0.5] as const;

const encode = (canvas: HTMLCanvasElement, type: string, quality?: number): Promise<Blob | undefined> =>
  new Promise((resolve) => {
    canvas.toBlob(
      (blob) => {
        resolve(blob ?? undefined);
      },
      type,
      quality,
    );
  });

const endings: Readonly<Record<string, string>> = { 'image/png': '.png', 'application/pdf': '.pdf' };
const renamed = (part: BlobPart, name: string, type: string): File => new File([part], name.replace(/\.[^.]*$/, '') + (endings[type] ?? '.jpg'), { type });

/**
 * The same file, called what it is: the server refuses a name or a type that says otherwise. Its bytes are copied: a file that is edited, moved or deleted
 * between choosing and sending can be sent by no browser, which tells that as a failure of the network.
 */
const calledBy = async (file: File, { type, named }: Kind): Promise<File> => {
  const bytes = await file.arrayBuffer();
  return named.test(file.name) ? new File([bytes], file.name, { type }) : renamed(bytes, file.name, type);
};

/** More than this is not sent where less will do: the server waits two minutes for a request, and a phone's line may bring 50 KB in a second. */
const heavyBytes = 5 * 1024 * 1024;
/** A player's photo has to come in the same two minutes as a document of up to 5 MB. */
const heavyBesideDocument = 640 * 1024;

/** A photo as it can be sent, or why it cannot. */
export type PreparedPhoto = { readonly kind: 'ready'; readonly file: File } | { readonly kind: 'no picture' | 'too large' };

const redraw = async (bitmap: ImageBitmap, file: File, kind: PictureKind | undefined, maxBytes: number, maxEdge: number): Promise<PreparedPhoto> => {
  const scale = Math.min(1, maxEdge / Math.max(bitmap.width, bitmap.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(bitmap.width * scale));
  canvas.height = Math.max(1, Math.round(bitmap.height * scale));
  const context = canvas.getContext('2d');
  context?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  // A logo keeps its transparency where it can.
  if (kind?.type !== 'image/jpeg') {
    const png = await encode(canvas, 'image/png');
    if (png && png.size <= maxBytes) return { kind: 'ready', file: renamed(png, file.name, png.type) };
  }
  if (context) {
    // A JPEG has no transparency: what has nothing behind it would be black, and with it the letters of most logos and papers.
    context.globalCompositeOperation = 'destination-over';
    context.fillStyle = '#fff';
    context.fillRect(0, 0, canvas.width, canvas.height);
  }
  for (const quality of qualities) {
    const jpeg = await encode(canvas, 'image/jpeg', quality);
    if (jpeg && jpeg.size <= maxBytes) return { kind: 'ready', file: renamed(jpeg, file.name, jpeg.type) };
  }
  return { kind: 'too large' };
};

/**
 * A photo as it can be sent: JPEG or PNG of at most `maxBytes`. What fits already goes as it is, under the name and type of what it is; anything else that the
 * browser can draw, and what is heavy for nothing, is redrawn at the longest edge that the server keeps. A file that only calls itself a picture is found out
 * here, not by the server; one that a phone or a download gave no type, or a wrong one, is what it is.
 */
export const preparePhoto = async (
  file: File,
  maxBytes: number = SMALL_IMAGE_BYTES,
  maxEdge: number = SMALL_IMAGE_EDGE,
  heavy = heavyBytes,
): Promise<PreparedPhoto> => {
  const kind = await kindOf(file);
  if (kind === undefined && !file.type.startsWith('image/')) return { kind: 'no picture' };
  // A browser that cannot tell leaves it to the server.
  if (typeof createImageBitmap !== 'function' && file.size <= maxBytes && kinds.some(({ type }) => type === file.type)) return { kind: 'ready', file };
  try {
    const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' });
    try {
      const isTooFine = bitmap.width * bitmap.height > IMAGE_PIXELS || (file.size > heavy && Math.max(bitmap.width, bitmap.height) > maxEdge);
      const fits = kind !== undefined && file.size <= maxBytes && !isTooFine;
      return fits ? { kind: 'ready', file: await calledBy(file, kind) } : await redraw(bitmap, file, kind, Math.min(maxBytes, heavy), maxEdge);
    } finally {
      bitmap.close();
    }
  } catch {
    return { kind: 'no picture' };
  }
};

/** A photo of a person or a team, or a logo, as it can be sent; or the text of its refusal. */
export const photoOrRefusal = async (file: File, heavy = heavyBytes): Promise<File | string> => {
  const prepared = await preparePhoto(file, SMALL_IMAGE_BYTES, SMALL_IMAGE_EDGE, heavy);
  if (prepared.kind === 'ready') return prepared.file;
  return prepared.kind === 'too large' ? fieldTexts.smallImage : fieldTexts.noPicture;
};

/** The same of a photo that goes beside an ID document. */
export const photoBesideDocumentOrRefusal = (file: File): Promise<File | string> => photoOrRefusal(file, heavyBesideDocument);

/** A poster or an organizer's image as it can be sent; or the text of its refusal. */
export const largeImageOrRefusal = async (file: File): Promise<File | string> => {
  const prepared = await preparePhoto(file, LARGE_IMAGE_BYTES, LARGE_IMAGE_EDGE);
  return prepared.kind === 'ready' ? prepared.file : fieldTexts.largeImage;
};

const longDocumentEdge = 2400;

/** An ID document as it can be sent, or the text of its refusal. */
export const documentOrRefusal = async (file: File): Promise<File | string> => {
  if ((await kindOf(file)) === undefined && (file.type === pdf.type || (await begins(file, pdf)))) {
    return file.size <= DOCUMENT_BYTES ? calledBy(file, pdf).catch(() => fieldTexts.idDocumentRefused) : fieldTexts.idDocumentTooLarge;
  }
  // A photo of a document from a phone: too large, or in a format of its own.
  const prepared = await preparePhoto(file, DOCUMENT_BYTES, longDocumentEdge);
  if (prepared.kind === 'ready') return prepared.file;
  return prepared.kind === 'too large' ? fieldTexts.idDocumentTooLarge : fieldTexts.idDocumentRefused;
};
