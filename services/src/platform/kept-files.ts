import type { PersonId } from '@courtledger/contracts/kernel/ids';
import type { PersonDetails } from '@courtledger/contracts/player/person.events';
import type { StagedFile } from './call.ts';

/** The edge refuses a call whose required file did not come: that one is missing here is a fault of ours. */
const came = (file: StagedFile | undefined): StagedFile => {
  if (file === undefined) throw new Error('A required file is missing');
  return file;
};

/** Keeps a required image for good and gives its address. Just before the append: file first, then the fact. */
export const keptImage = async (file: StagedFile | undefined): Promise<string> => came(file).keepImage();

/** Keeps a required document, sealed under the person's key. */
export const keptDocument = async (file: StagedFile | undefined, personId: PersonId): Promise<NonNullable<PersonDetails['document']>> =>
  came(file).keepDocument(personId);
