/** Pieces that parsers of JSON, forms, numbers, paths and SQL have stumbled over. */
const hostile: readonly string[] = [
  '\u0000',
  '\r\n',
  '\r\n\r\n',
  '--x',
  '--x--',
  '{',
  '}',
  '[',
  ']',
  '[[[[[[[[',
  '"',
  '\\',
  '\\u0000',
  '\\ud800',
  'null',
  'true',
  '1e999',
  '-0',
  '9'.repeat(400),
  '0x1f',
  'NaN',
  '__proto__',
  'constructor',
  '[__proto__][role]',
  '"__proto__":{"role":"admin"},',
  'a[99999999]',
  '[0]',
  '[]',
  '../../../etc/passwd',
  '%00',
  '%2e%2e%2f',
  '%',
  "' OR 1=1 --",
  '; DROP TABLE events',
  '<script>',
  '\u202e',
  '\ud83d\ude00',
  '\ufeff',
  'Content-Disposition: form-data; name="name"',
  'filename="',
  "filename*=utf-8''%ff",
  'Content-Type: multipart/mixed; boundary=y',
  'Content-Transfer-Encoding: base64',
  ' '.repeat(300),
  '\t',
  '=',
  '&',
  ';',
];

/** Changes bytes in one to four places: bits flipped, pieces cut, doubled, moved, or hostile ones put in. */
export const mutateBytes = (original: Buffer, random: () => number): Buffer => {
  const below = (count: number): number => Math.floor(random() * count);
  let bytes = Buffer.from(original);
  for (let change = 1 + below(4); change > 0; change -= 1) {
    const at = below(bytes.length + 1);
    const size = 1 + below(24);
    const [before, piece, after] = [bytes.subarray(0, at), bytes.subarray(at, at + size), bytes.subarray(at + size)];
    switch (below(6)) {
      case 0: {
        const flipped = Buffer.from(bytes);
        if (at < flipped.length) flipped[at] = (flipped[at] ?? 0) ^ (1 << below(8));
        bytes = flipped;
        break;
      }
      case 1:
        bytes = Buffer.concat([before, after]);
        break;
      case 2:
        bytes = Buffer.concat([before, piece, piece, after]);
        break;
      case 3:
        bytes = Buffer.concat([after, before]);
        break;
      case 4:
        bytes = Buffer.from(bytes.subarray(0, at));
        break;
      default:
        bytes = Buffer.concat([before, Buffer.from(hostile[below(hostile.length)] ?? ''), bytes.subarray(at)]);
    }
  }
  return bytes;
};

/** The same for what stands in an address: always something that can be sent. */
export const mutatePath = (original: string, random: () => number): string => {
  const text = mutateBytes(Buffer.from(original), random)
    .toString('latin1')
    .replaceAll(/[^\u0021-\u007e]/g, (character) => `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`);
  return text.startsWith('/api/') ? text : `/api/${text.replace(/^\/+/, '')}`;
};
