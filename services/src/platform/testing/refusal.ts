import { DomainError } from '@courtledger/contracts/kernel/errors';

/** 'accepted', or `code: message` of the refusal. Other errors are thrown. */
export const refusal = async (attempt: Promise<unknown>): Promise<string> => {
  try {
    await attempt;
    return 'accepted';
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return `${error.code}: ${error.message}`;
  }
};
