import { isLegible, type RecordedEvent } from '@courtledger/contracts/kernel/event';
import type { PersonId } from '@courtledger/contracts/kernel/ids';
import type { PersonDetails, PersonEvent } from '@courtledger/contracts/player/person.events';
import { toFact, UnreadableFact } from '../event-log/upcast.ts';
import type { DocumentStore } from './documents.ts';
import type { MediaStore } from './media.ts';
import type { PersonVault } from './ports.ts';

type Deps = { readonly vault: Pick<PersonVault, 'open'>; readonly documents: Pick<DocumentStore, 'remove'>; readonly media: Pick<MediaStore, 'remove'> };

/** Undefined for a fact that this release cannot read: the files that it names are orphans once it is blanked. */
const openFact = (personId: PersonId, fact: RecordedEvent, vault: Deps['vault']): PersonDetails | null | undefined => {
  try {
    const { sealed } = (toFact(fact) as PersonEvent).data as { readonly sealed?: unknown };
    return typeof sealed === 'string' ? vault.open(personId, sealed) : undefined;
  } catch (error) {
    if (error instanceof UnreadableFact) return undefined;
    throw error;
  }
};

/**
 * Removes every photo and document that was ever recorded of a person, not only the last.
 * @param facts of the person's stream; those without data say nothing
 */
export const removeFilesOf = async (personId: PersonId, facts: readonly RecordedEvent[], { vault, documents, media }: Deps): Promise<void> => {
  for (const fact of facts) {
    if (!isLegible(fact)) continue;
    const details = openFact(personId, fact, vault);
    if (details?.document !== undefined) await documents.remove(details.document.documentId);
    if (details?.photo !== undefined) await media.remove(details.photo);
  }
};
