import { randomUUID } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { uuidForm, type PersonId } from '@courtledger/contracts/kernel/ids';
import { isCode, removeIfThere, writeFileDurably } from './durable-file.ts';
import { sweep, type SweptAges } from './media.ts';
import type { PersonVault } from './ports.ts';

/**
 * ID documents: sealed under the key of their person, opaque names, no address. Nothing unsealed ever reaches the disk.
 */
export type DocumentStore = {
  /** Stores a document for good and gives its id. Call it before the append. */
  put(personId: PersonId, plain: Buffer): Promise<string>;
  /**
   * The document; null when the person's key is destroyed, undefined when there is no such document. Throws when it was tampered with or belongs to another
   * person.
   */
  open(personId: PersonId, documentId: string): Promise<Buffer | null | undefined>;
  /** Removes a document; what is not there is no error. */
  remove(documentId: string): Promise<void>;
  /** Removes documents that are not among the ids, older than a day and no older than `since`. Gives the names. */
  sweepOrphans(referenced: ReadonlySet<string>, ages: SweptAges): Promise<readonly string[]>;
};

/** Opens `DATA_DIR/documents`. */
export const openDocumentStore = async (dataDir: string, vault: PersonVault): Promise<DocumentStore> => {
  const folder = join(dataDir, 'documents');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return {
    async put(personId, plain) {
      const documentId = randomUUID();
      await writeFileDurably(join(folder, documentId), vault.sealBytes(personId, plain));
      return documentId;
    },
    async open(personId, documentId) {
      if (!uuidForm.test(documentId)) return undefined;
      try {
        return vault.openBytes(personId, await readFile(join(folder, documentId)));
      } catch (error) {
        if (isCode(error, 'ENOENT')) return undefined;
        throw error;
      }
    },
    async remove(documentId) {
      if (uuidForm.test(documentId)) await removeIfThere(join(folder, documentId));
    },
    sweepOrphans: async (referenced, ages) => sweep(folder, ages, (name) => uuidForm.test(name) && !referenced.has(name)),
  };
};
