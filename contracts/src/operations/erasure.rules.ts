import type { ErasureAnswer } from './audit.answers.ts';

/** What of a person is gone once it was erased, in a sentence. */
export const erasedText = ({ filesUnknown }: Pick<ErasureAnswer, 'filesUnknown'>): string =>
  filesUnknown === true
    ? 'The details are gone. The key was given up before, so that nobody can tell which photo and documents were this person’s: like every file that no fact names, they are removed within about a day.'
    : 'Details, photo and documents are gone.';
