const starts = { 'image/png': [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a], 'image/jpeg': [0xff, 0xd8, 0xff] } as const;

/** A file that begins like a picture of a kind; it may be called another. */
export const pictureFile = (name: string, kind: keyof typeof starts = 'image/png', type: string = kind): File =>
  new File([new Uint8Array(starts[kind]), 'picture'], name, { type });
