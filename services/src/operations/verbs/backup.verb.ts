import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { bytesText } from '@courtledger/contracts/kernel/figures';
import { backUp, getBackup } from '@courtledger/contracts/operations/operations.api';
import type { BackupRun } from '@courtledger/contracts/operations/operations.answers';
import { parseArguments } from '../arguments.ts';
import { ask } from '../ask.ts';
import type { ControlClient } from '../control-client.ts';
import { countedText } from '../figures.ts';
import { leftOutText } from '../log-lines.ts';
import { missingFilesNote } from '../missing-files.ts';
import { OperatorError } from '../operator-error.ts';
import type { Verb } from '../verb.ts';

/**
 * Has a backup made and waits for it.
 * @param to an absolute path, or undefined for the server's own folder.
 * @throws OperatorError when another one began before anybody saw how it ended
 */
export const backUpNow = async (client: ControlClient, to: string | undefined, interrupted: AbortSignal): Promise<BackupRun> => {
  const { backup: begun } = await ask(client, backUp, { body: to === undefined ? {} : { to } });
  let backup: BackupRun | null = begun;
  while (backup?.state === 'running') {
    await delay(100, undefined, { signal: interrupted });
    ({ backup } = await ask(client, getBackup));
    if (backup !== null && (backup.folder !== begun?.folder || backup.startedAt !== begun.startedAt))
      throw new OperatorError(`Another backup has begun since, and how this one ended was not seen: look whether ${begun?.folder ?? 'it'} is there.`);
  }
  if (backup === null) throw new Error('The server knows of no backup');
  return backup;
};

export const backup: Verb = {
  name: 'backup',
  usage: '[<new folder>]',
  summary: 'copy log, keys, media and documents as they stand at one moment, with a manifest of hashes',
  async run({ reach, terminal, interrupted, folder }, args) {
    const { words } = parseArguments(args, {}, { most: 1 });
    const { client, own } = await reach();
    const [to] = words;
    const made = await backUpNow(client, to === undefined ? undefined : resolve(folder, to), interrupted).catch((error: unknown) => {
      if (interrupted.aborted && !own) terminal.note('The server goes on with the backup: "status" tells what comes of it.');
      throw error;
    });
    if (made.state === 'failed') {
      terminal.note(`The backup failed: ${made.error ?? ''}`);
      return 1;
    }
    terminal.out(
      `${made.folder}: ${countedText(made.events, 'event')} up to position ${made.head ?? '0'}, ${countedText(made.files, 'file')}, ${bytesText(made.bytes)}, verified.`,
    );
    if (made.leftOut !== undefined) terminal.note(`${leftOutText(made.leftOut)}.`);
    const missing = await missingFilesNote(made.folder, interrupted);
    if (missing !== undefined) terminal.note(missing);
    return 0;
  },
};
