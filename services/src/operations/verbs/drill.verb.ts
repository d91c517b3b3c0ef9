import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArguments } from '../arguments.ts';
import { expectNoBackup } from '../backup-place.ts';
import { drillBackup, expectRoom } from '../drill.ts';
import { countedText, secondsText } from '../figures.ts';
import { isInstallation } from '../installation.ts';
import { openDrillPlace, removeDeadDrills } from '../leftovers.ts';
import { nodeSizes } from '../node-sizes.ts';
import { OperatorError } from '../operator-error.ts';
import type { Verb } from '../verb.ts';
import { backUpNow } from './backup.verb.ts';

export const drill: Verb = {
  name: 'drill',
  usage: '[<backup folder>]',
  summary:
    'back up (or take a backup that is there), restore it elsewhere, rebuild, and compare every row with the live read model; exit code 1 when something is wrong or differs, 2 when all could be restored and nothing was there to compare it with',
  async run({ config, reach, terminal, interrupted, folder: from }, args) {
    const { words } = parseArguments(args, {}, { most: 1 });
    const [given] = words;
    const { dataDir } = config;
    expectNoBackup(dataDir);
    // Where starts, erasures and nights look for what a killed drill left. A machine that only drills has no such folder.
    const within = isInstallation(dataDir) ? dataDir : tmpdir();
    for (const name of removeDeadDrills(within)) terminal.note(`Removed what a killed drill had left: ${join(within, name)}`);
    const onStep = (step: string): void => terminal.note(step);
    let folder = given === undefined ? '' : resolve(from, given);
    // Opened first: without a server it is the product in this process that looks for leftovers.
    const client = given === undefined ? (await reach()).client : undefined;
    const place = openDrillPlace(within, Date.now());
    try {
      if (client !== undefined) {
        const { log, media, documents, keys } = await nodeSizes(config);
        expectRoom(within, (log ?? 0) + media + documents + keys);
        onStep('Backing up');
        folder = join(place.path, 'backup');
        const made = await backUpNow(client, folder, interrupted);
        if (made.state === 'failed') throw new OperatorError(`The backup failed: ${made.error ?? ''}`);
      }
      const { events, head, files, seconds, live } = await drillBackup(folder, {
        now: Date.now(),
        place: place.path,
        live: within === dataDir ? config : undefined,
        onStep,
        signal: interrupted,
      });
      const restored = `${countedText(events, 'event')} up to position ${head} and ${countedText(files, 'file')} restored, verified and rebuilt in ${secondsText(seconds)}`;
      if (typeof live === 'string') {
        terminal.out(`The backup can be restored: ${restored}.`);
        terminal.out(`NOT COMPARED: the read model of it was not held against the live one, since ${live}.`);
        return 2;
      }
      terminal.out(`The drill went well: ${restored}.`);
      terminal.out(
        `The read model of it, with what was recorded since, is the live one at position ${live.position}: ${countedText(live.rows, 'row')} compared.`,
      );
      if (live.forgotten > 0)
        terminal.out(
          `The backup still has the keys of ${countedText(live.forgotten, 'person')} whose keys this installation has given up or destroyed since: here they count as erased. A restore erases again whom an erasure is known of (erasures.jsonl); the names of the others come back.`,
        );
      return 0;
    } finally {
      place.remove();
    }
  },
};
