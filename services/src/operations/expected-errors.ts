import { lstatSync } from 'node:fs';
import { dirname } from 'node:path';
import { messageOf } from '@courtledger/contracts/kernel/errors';
import { AddressRefused, LogUnavailable, UnacceptableEvents, UnknownOutcome } from '../event-log/event-log.ts';
import { LogInUse } from '../event-log/log-lock.ts';
import { openingAdvice } from '../event-log/sqlite-connection.ts';
import { ConfigRefused } from '../platform/config.ts';
import { FolderRefused } from '../platform/folders.ts';
import { KeyRefused } from '../platform/key-file.ts';
import { BackupDamaged } from './backup-manifest.ts';
import { ControlRefusal } from './control-client.ts';
import { ImportDiffers } from './log-lines-import.ts';
import { OperatorError } from './operator-error.ts';

/** What the system says to a path, a disk or a socket that whoever called can do something about. */
const systemTexts: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or folder',
  ENOTDIR: 'a part of the path is no folder',
  EISDIR: 'a folder, not a file',
  // So Node says it of a removal.
  ERR_FS_EISDIR: 'a folder, not a file',
  EEXIST: 'exists already',
  ENOTEMPTY: 'the folder is not empty',
  ENAMETOOLONG: 'the name is too long',
  ELOOP: 'links that lead in a circle',
  EACCES: 'this user may not read or write here: look at who owns it, and at its mode',
  EPERM: 'this user may not read or write here: look at who owns it, and at its mode',
  EROFS: 'nothing can be written here: the disk is read-only',
  ENOSPC: 'no space is left on the disk',
  EDQUOT: 'no space is left for this user',
  SQLITE_FULL: 'no space is left on the disk',
  // What stands beside a database while it is open found no room.
  SQLITE_IOERR_SHMSIZE: 'no space is left on the disk',
  SQLITE_CANTOPEN: `a database cannot be opened: ${openingAdvice}`,
  EMFILE: 'too many open files',
  EIO: 'the disk could not read or write this',
  ECONNREFUSED: 'the server does not answer',
  ECONNRESET: 'the server went away before it had answered',
  EPIPE: 'the server went away before it had answered',
};

/** Of a copy it is the disk that it goes to. */
const isOfTarget: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 'EROFS']);

const isOurs = (error: unknown): error is Error =>
  error instanceof ControlRefusal ||
  error instanceof ConfigRefused ||
  error instanceof FolderRefused ||
  error instanceof KeyRefused ||
  error instanceof LogUnavailable ||
  error instanceof AddressRefused ||
  error instanceof UnknownOutcome ||
  error instanceof UnacceptableEvents ||
  error instanceof BackupDamaged ||
  error instanceof ImportDiffers ||
  error instanceof OperatorError;

/** What refuses: the file that is there, or the folder in which nothing of that name can be looked for or made. */
const refusing = (path: string): string => {
  try {
    lstatSync(path);
    return path;
  } catch {
    const folder = dirname(path);
    return folder === path ? path : refusing(folder);
  }
};

/** Whoever looks at the folder sees something there, which leads nowhere: a disk is not mounted. */
const isLink = (path: string | undefined): boolean => path !== undefined && lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;

/**
 * What is told in one line, because it says what to do: refusals of ours, and what the system says to a path. Undefined for anything else, which is a fault and
 * is shown with its place.
 */
export const tellable = (error: unknown): string | undefined => {
  if (error instanceof LogInUse) return error.toTools;
  if (isOurs(error)) return error.message;
  if (!(error instanceof Error)) return undefined;
  const { code, path: from, dest } = error as NodeJS.ErrnoException & { readonly dest?: string };
  const named = isOfTarget.has(code) ? (dest ?? from) : from;
  const path = named !== undefined && (code === 'EACCES' || code === 'EPERM') ? refusing(named) : named;
  const text = code === 'ENOENT' && isLink(path) ? 'a link to what is not there' : code === undefined ? undefined : systemTexts[code];
  if (text === undefined) return undefined;
  return path === undefined ? `${text.charAt(0).toUpperCase()}${text.slice(1)}` : `${path}: ${text}`;
};

/** The reason that is told of any error: in words that say what to do, else its own. */
export const reasonTold = (error: unknown): string => tellable(error) ?? messageOf(error);
