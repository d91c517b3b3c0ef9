import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArguments } from '../arguments.ts';
import { drillBackup } from '../drill.ts';
import { countText, secondsText } from '../figures.ts';
import { callersPath } from '../paths.ts';
import { OperatorError } from '../operator-error.ts';
import type { Verb } from '../verb.ts';
import { backUpNow } from './backup.verb.ts';

export const drill: Verb = {
  name: 'drill',
  usage: '[<backup folder>]',
  summary: 'back up (or take a backup that is there), restore it elsewhere, rebuild, compare: shows that it can be done',
  async run({ reach, terminal }, args) {
    const { words } = parseArguments(args, {}, { most: 1 });
    const [given] = words;
    const temporary = given === undefined ? mkdtempSync(join(tmpdir(), 'courtledger-drill-backup-')) : undefined;
    try {
      let folder = given === undefined ? '' : callersPath(given);
      if (temporary !== undefined) {
        terminal.note('Backing up');
        const { client } = await reach();
        folder = join(temporary, 'backup');
        const made = await backUpNow(client, folder);
        if (made.state === 'failed') throw new OperatorError(`The backup failed: ${made.error ?? ''}`);
      }
      const { events, head, files, seconds } = await drillBackup(folder, { now: Date.now(), onStep: (step) => terminal.note(step) });
      terminal.out(`The drill went well: ${countText(events)} events up to position ${head} and ${countText(files)} files restored, verified and rebuilt in ${secondsText(seconds)}.`);
      return 0;
    } finally {
      if (temporary !== undefined) rmSync(temporary, { recursive: true, force: true });
    }
  },
};
