import { DomainError } from '@courtledger/contracts/kernel/errors';
import { isCode } from './durable-file.ts';

const diskCodes = /^(?:SQLITE_(?:FULL|IOERR|READONLY|CANTOPEN)|(?:ENOSPC|EDQUOT|EROFS|EIO)$)/;

/**
 * Whether an error, or what caused it, says that a disk took nothing (full, failing, read-only). Also one that came from another thread, which has its code
 * only.
 */
export const isDiskRefusal = (error: unknown): boolean =>
  error instanceof Error && (('code' in error && typeof error.code === 'string' && diskCodes.test(error.code)) || isDiskRefusal(error.cause));

/** Whether an error says that this process, or the machine, may open no more files and connections. It passes as soon as some of them are closed. */
export const isOutOfFiles = (error: unknown): boolean => isCode(error, 'EMFILE') || isCode(error, 'ENFILE');

/**
 * An error of a system call or of SQLite that says that the disk took nothing (full, failing, read-only), as `unavailable` (503, R4); any other error as it is.
 */
export const diskFailure = (error: unknown): unknown => {
  if (error instanceof DomainError || !(error instanceof Error)) return error;
  const failed = 'syscall' in error || isDiskRefusal(error);
  return failed ? new DomainError('unavailable', 'This could not be stored, please try again', { retryAfter: 5, cause: error }) : error;
};

/** Runs work that writes to the disk. @throws DomainError `unavailable` when the disk takes nothing */
export const storing = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    throw diskFailure(error);
  }
};
