const isAlone = (marker: number): boolean => marker <= 0x01 || (marker >= 0xd0 && marker <= 0xd8);
const fill = 0xff;
const scan = 0xda;
const end = 0xd9;

/**
 * How often a JPEG goes over its picture: once, or as often as a progressive one has scans. Walks from marker to marker as decoders do, so that neither a preview within a segment
 * nor what stands behind the end is counted. Nothing is decoded.
 */
export const scansOfJpeg = (bytes: Buffer): number => {
  let scans = 0;
  let at = bytes.indexOf(fill);
  while (at !== -1 && at + 1 < bytes.length) {
    const marker = bytes.readUInt8(at + 1);
    if (marker === end) break;
    if (marker === fill) at += 1;
    // Within a scan: a byte of its data, or a place where decoding may begin anew. Elsewhere: nothing that has a length.
    else if (isAlone(marker)) at = bytes.indexOf(fill, at + 2);
    else {
      if (marker === scan) scans += 1;
      at = at + 4 > bytes.length ? -1 : bytes.indexOf(fill, at + 2 + bytes.readUInt16BE(at + 2));
    }
  }
  return scans;
};
