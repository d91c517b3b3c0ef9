import type { IncomingMessage } from 'node:http';
import type { FileRule } from '@courtledger/contracts/kernel/endpoint';
import { DomainError, type FieldError } from '@courtledger/contracts/kernel/errors';
import { fieldTexts } from '@courtledger/contracts/kernel/texts';
import type { Caller, StagedFile } from './call.ts';
import type { DocumentStore } from './documents.ts';
import { storing } from './durable-failure.ts';
import type { MediaStore } from './media.ts';
import { tidyFields } from './uploads-fields.ts';
import { readForm, type ArrivedFile, type FormEndpoint } from './uploads-form.ts';
import { reencodeImage, TooDemanding, TooManyPixels, UndecodableImage } from './uploads-images.ts';
import { kindOf } from './uploads-kinds.ts';

/** Who uploads, for the limits on storage. */
export type Uploader = { readonly caller: Caller; readonly address: string };

/** Files that may be stored, and are counted as if they were. Say so when none was: `refund`. */
export type Admission = { refund(): void };
/** Decides whether files may still be stored (throttle-storage.ts). @throws DomainError */
export type StorageLimits = { admit(uploader: Uploader, files: number, bytes: number): Admission };

/** A multipart body that was read. Use: check who calls and the fields first, then `stage`, then `discard` when the call ends, whatever came of it. */
export type ReceivedForm = {
  /** Text parts: bracketed names nested, no prototypes, names of file fields left out. To be parsed by the endpoint's schema. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** SHA-256 (hex) of each file that came, by field: part of the fingerprint of the command. */
  readonly hashes: Readonly<Record<string, string>>;
  /** Required files that did not come, in the endpoint's order, with the specification's texts: field errors beside those of the schema. */
  missing(): readonly FieldError[];
  /**
   * Checks kinds and decodes images: only now, so that strangers and wrong forms cost no decoding.
   * @throws DomainError `unsupported-media`, or of the storage limits
   */
  stage(uploader: Uploader): Promise<Readonly<Record<string, StagedFile>>>;
  /** Removes everything that was not kept. Idempotent. */
  discard(): Promise<void>;
};

export type Uploads = {
  /**
   * Reads a multipart request (see `readForm` for its limits).
   * @param address where it comes from (`clientAddress`)
   * @throws DomainError `too-large`, `invalid`, `malformed`, `unavailable`
   */
  receive(request: IncomingMessage, endpoint: FormEndpoint, address: string): Promise<ReceivedForm>;
};

const unsupported = (path: string, message: string): DomainError => new DomainError('unsupported-media', message, { errors: [{ path, message }] });

const bytesOf = (file: ArrivedFile): Buffer => {
  if ('bytes' in file.content) return file.content.bytes;
  throw new Error('An image has no document bytes');
};

export const createUploads = (deps: { readonly media: MediaStore; readonly documents: DocumentStore; readonly limits?: StorageLimits }): Uploads => {
  /** @param noteKept called for a file that is stored for good */
  const stageOne = async (file: ArrivedFile, rule: FileRule, address: string, noteKept: () => void): Promise<StagedFile> => {
    const keep = async <T>(store: () => Promise<T>): Promise<T> => {
      const stored = await storing(store);
      noteKept();
      return stored;
    };
    const extension = kindOf(rule, file.name, file.start);
    if (extension === undefined) throw unsupported(file.field, rule.refused);
    const wrongUse = async (): Promise<never> => {
      throw new Error(`${file.field} is ${rule.kind === 'image' ? 'an image' : 'a document'}`);
    };
    if (rule.kind === 'document') {
      const plain = bytesOf(file);
      return {
        kind: 'document',
        sha256: file.sha256,
        extension,
        keepImage: wrongUse,
        keepDocument: async (personId) => ({ documentId: await keep(async () => deps.documents.put(personId, plain)), kind: extension }),
      };
    }
    if (extension === 'pdf') throw unsupported(file.field, rule.refused);
    try {
      const image = await reencodeImage('path' in file.content ? file.content.path : file.content.bytes, extension, rule.maxEdge, address);
      return { kind: 'image', sha256: file.sha256, extension, keepDocument: wrongUse, keepImage: async () => keep(async () => deps.media.put(image)) };
    } catch (error) {
      // Its kind and its bytes are as they should be: the field's own text would be wrong.
      if (error instanceof TooManyPixels) throw unsupported(file.field, fieldTexts.imageTooManyPixels);
      if (error instanceof TooDemanding) throw unsupported(file.field, fieldTexts.imageTooDemanding);
      throw error instanceof UndecodableImage ? unsupported(file.field, rule.refused) : error;
    }
  };

  return {
    async receive(request, endpoint, address) {
      const rules: Readonly<Record<string, FileRule>> = endpoint.files;
      const form = await readForm(request, endpoint, address, () => deps.media.temporaryPath());
      const twice = form.files.find((file, index) => form.files.findIndex((other) => other.field === file.field) !== index);
      if (twice !== undefined) {
        await form.discard();
        throw new DomainError('malformed', `Only one file can be sent as ${twice.field}`);
      }
      let admission: Admission | undefined;
      return {
        fields: tidyFields(form.body, new Set(Object.keys(rules))),
        hashes: Object.fromEntries(form.files.map((file) => [file.field, file.sha256])),
        missing: () =>
          Object.entries(rules).flatMap(([path, rule]) =>
            rule.required && !form.files.some((file) => file.field === path) ? [{ path, message: rule.missing }] : [],
          ),
        async stage(uploader) {
          if (form.files.length > 0)
            admission = deps.limits?.admit(
              uploader,
              form.files.length,
              form.files.reduce((sum, file) => sum + file.size, 0),
            );
          const noteKept = (): void => {
            admission = undefined;
          };
          const staged: Record<string, StagedFile> = {};
          for (const file of form.files) {
            const rule = rules[file.field];
            // One after another: a call holds at most one of the two places for decoding.
            if (rule !== undefined) staged[file.field] = await stageOne(file, rule, uploader.address, noteKept);
          }
          return staged;
        },
        async discard() {
          // Nothing came of the call, or it was a repetition.
          admission?.refund();
          admission = undefined;
          await form.discard();
        },
      };
    },
  };
};
