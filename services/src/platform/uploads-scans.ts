const fill = 0xff;
const scan = 0xda;
const end = 0xd9;
/**
 * The first marker with a length behind it. Of those before it one is a byte of the picture, and the others are nobody's: decoders refuse them, or pass over
 * them alone where decoding should begin anew.
 */
const firstFrame = 0xc0;
/** A place where decoding may begin anew, or the beginning of the file. */
const isPlace = (marker: number): boolean => marker >= 0xd0 && marker <= 0xd8;

/**
 * Walks a JPEG from marker to marker as decoders do, so that neither a preview within a segment nor what stands behind the end is seen. Nothing is decoded.
 * @param see is told of each marker that has a length: where it begins, and where what comes next does; the walk ends where it says false
 */
const walk = (bytes: Buffer, see: (marker: number, at: number, next: number) => boolean): void => {
  let at = 0;
  // Byte by byte: a search would be begun anew millions of times in a file of nothing but markers, and everybody would wait for it.
  while (at + 1 < bytes.length) {
    const marker = bytes[at + 1] ?? end;
    if (bytes[at] !== fill || marker === fill) at += 1;
    else if (marker === end) return;
    else if (marker < firstFrame || isPlace(marker)) at += 2;
    else {
      const next = at + 2 + (at + 4 > bytes.length ? 0 : bytes.readUInt16BE(at + 2));
      if (!see(marker, at, next)) return;
      at = next;
    }
  }
};

/** How often a JPEG goes over its picture: once, or as often as a progressive one has scans. */
export const scansOfJpeg = (bytes: Buffer): number => {
  let scans = 0;
  walk(bytes, (marker) => {
    if (marker === scan) scans += 1;
    return true;
  });
  return scans;
};

/** The segments before the first scan: what a JPEG says before its picture begins. @param see as in `walk` */
export const walkHead = (bytes: Buffer, see: (marker: number, at: number, next: number) => boolean): void =>
  walk(bytes, (marker, at, next) => marker !== scan && see(marker, at, next));
