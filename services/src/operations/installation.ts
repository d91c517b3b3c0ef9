import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BackupManifest } from './backup-manifest.ts';

/** Stands in every backup and is made once: the same installation has the same keys for addresses, whatever else is set from outside. */
const path = 'keys/address.key';

/** What tells one installation from another: SHA-256 (hex) of that key. @throws when the key was not made yet */
export const installationOf = (dataDir: string): string => createHash('sha256').update(readFileSync(join(dataDir, path))).digest('hex');

/** The installation that a backup was made of. */
export const installationOfBackup = ({ files }: BackupManifest): string | undefined => files.find((file) => file.path === path)?.sha256;
