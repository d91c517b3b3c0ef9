import type { FileRule } from './endpoint.ts';
import { DOCUMENT_BYTES, LARGE_IMAGE_BYTES, LARGE_IMAGE_EDGE, SMALL_IMAGE_BYTES, SMALL_IMAGE_EDGE } from './limits.ts';
import { fieldTexts } from './texts.ts';

/** A team, coach or player image: JPEG or PNG, at most 2 MB. */
export const smallImage = (missing: string): FileRule => ({
  kind: 'image',
  maxBytes: SMALL_IMAGE_BYTES,
  required: true,
  missing,
  refused: fieldTexts.smallImage,
  maxEdge: SMALL_IMAGE_EDGE,
});

/** A poster or organizer image: JPEG or PNG, at most 25 MB. */
export const largeImage = (missing: string): FileRule => ({
  kind: 'image',
  maxBytes: LARGE_IMAGE_BYTES,
  required: true,
  missing,
  refused: fieldTexts.largeImage,
  maxEdge: LARGE_IMAGE_EDGE,
});

/** An ID document: pdf, jpg, jpeg or png, at most 5 MB; kept apart, encrypted, without a public address. */
export const idDocument = (): FileRule => ({
  kind: 'document',
  maxBytes: DOCUMENT_BYTES,
  required: true,
  missing: fieldTexts.idDocument,
  refused: fieldTexts.idDocumentRefused,
});

/** The same file in an edit: nothing chosen keeps what there is. */
export const optional = (rule: FileRule): FileRule => ({ ...rule, required: false });
