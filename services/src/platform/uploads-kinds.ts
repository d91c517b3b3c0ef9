import type { FileRule } from '@courtledger/contracts/kernel/endpoint';

export type FileExtension = 'jpg' | 'png' | 'pdf';

/** How many bytes `kindOf` looks at. */
export const magicBytes = 8;

const magics: readonly { readonly extension: FileExtension; readonly bytes: Buffer }[] = [
  { extension: 'png', bytes: Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) },
  { extension: 'jpg', bytes: Buffer.from([0xff, 0xd8, 0xff]) },
  { extension: 'pdf', bytes: Buffer.from('%PDF-') },
];

const namedExtensions: Readonly<Record<string, FileExtension>> = { jpg: 'jpg', jpeg: 'jpg', png: 'png', pdf: 'pdf' };

/**
 * What a file is: its first bytes decide, and the extension of its name must agree (a name without any is taken as it is: canvases and scripts send 'blob').
 * undefined when they disagree, or the kind is not allowed by the rule. The name is used for nothing else.
 */
export const kindOf = (rule: Pick<FileRule, 'kind'>, name: string, start: Buffer): FileExtension | undefined => {
  const extension = magics.find((magic) => start.subarray(0, magic.bytes.length).equals(magic.bytes))?.extension;
  const dot = name.lastIndexOf('.');
  const named = dot === -1 ? extension : namedExtensions[name.slice(dot + 1).toLowerCase()];
  if (extension === undefined || named !== extension) return undefined;
  return rule.kind === 'image' && extension === 'pdf' ? undefined : extension;
};
