/**
 * `Content-Disposition` of a file that is saved under a name (RFC 6266): whole in `filename*`, and before it what is ASCII of it, for programs that read only
 * that.
 */
export const attachment = (name: string): string => {
  const plain = name
    .normalize('NFKD')
    // Some signs are taken apart into one that leads out of a folder.
    .replaceAll(/[^ -~]|["\\%/]/g, '')
    .replaceAll(/ +/g, ' ')
    .trim();
  if (plain === name) return `attachment; filename="${plain}"`;
  const whole = encodeURIComponent(name.toWellFormed()).replaceAll(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
  return `attachment; filename="${plain}"; filename*=UTF-8''${whole}`;
};
