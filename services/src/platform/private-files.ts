/**
 * In the log, the read models and the refusals stand addresses, telephone numbers and hashes of passwords. A DATA_DIR that somebody else has made may be open
 * to everybody who has an account on the machine: what this process makes from now on is for its owner alone, unless it says otherwise.
 */
export const makeFilesPrivate = (): void => {
  process.umask(0o077);
};
