import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { takeDataLock } from '../../event-log/log-lock.ts';
import { openDataFolder } from '../../platform/folders.ts';
import { KeyRefused, serverKey } from '../../platform/key-file.ts';
import { openSeasonKey } from '../../platform/season-key.ts';
import { parseArguments } from '../arguments.ts';
import { controlClient } from '../control-client.ts';
import { expectProduct } from '../installation.ts';
import { giveUpLostPersons, lostPersons, lostPersonsLines } from '../lost-persons.ts';
import { OperatorError } from '../operator-error.ts';
import { requiredKeys } from '../required-keys.ts';
import { UsageError, type Verb, type VerbContext } from '../verb.ts';

type Maker = (config: VerbContext['config']) => Promise<readonly string[]>;
const makes = (make: (dataDir: string) => unknown): Maker => async ({ dataDir }) => {
  make(dataDir);
  return [];
};

/** Each gives the names of what it set aside. */
const makers: Readonly<Record<(typeof requiredKeys)[number]['file'], Maker>> = {
  'persons.sqlite': giveUpLostPersons,
  'email.key': makes((dataDir) => serverKey(dataDir, 'email')),
  'season.pem': makes(openSeasonKey),
  'address.key': makes((dataDir) => serverKey(dataDir, 'address')),
};

export const newKey: Verb = {
  name: 'new-key',
  usage: `${requiredKeys.map(({ file }) => file).join('|')} [--yes]`,
  summary: 'make a key that the log needs anew, when it is lost for good and in no backup; persons without a key are shown as erased then; without --yes, say what that means; refuses while a server runs',
  async run({ config, terminal }, args) {
    const { values, words } = parseArguments(args, { yes: { type: 'boolean' } }, { least: 1 });
    const key = requiredKeys.find(({ file }) => file === words[0]);
    if (key === undefined) throw new UsageError(`A key is one of ${requiredKeys.map(({ file }) => file).join(', ')}`);
    const { dataDir } = config;
    await expectProduct(config).catch((error: unknown) => {
      // A log that was imported into EventStoreDB is all that there is, and keys are what is to be made.
      if (!(error instanceof KeyRefused)) throw error;
    });
    const path = join(dataDir, 'keys', key.file);
    const isThere = existsSync(path);
    const lost = key.file === 'persons.sqlite' ? await lostPersons(config) : undefined;
    // The file of keys may be there without some of the keys: an older one that somebody put in its place.
    if (isThere && (lost === undefined || lost.all.length === 0)) throw new OperatorError(`${path} is there: it is never replaced`);
    terminal.out(isThere ? `${path} is there, without the keys of everybody in the log; those that are in it stay.` : `With a new ${key.file} ${key.lost}.`);
    if (lost !== undefined) for (const line of lostPersonsLines(lost, dataDir)) terminal.out(line);
    if (values.yes !== true) {
      terminal.note('Nothing was made. Look for it in a backup first: add --yes when it is lost for good.');
      return 2;
    }
    const answers = await controlClient(join(dataDir, 'control.sock')).call('GET', '/healthz').then(() => true, () => false);
    if (answers) throw new OperatorError(`A server is running on ${dataDir}. Stop it first.`);
    openDataFolder(dataDir);
    const lock = takeDataLock(dataDir);
    let aside: readonly string[];
    try {
      aside = await makers[key.file](config);
    } finally {
      lock.release();
    }
    terminal.out(isThere ? `${path}: the missing keys count as destroyed.` : `${path} was made.`);
    for (const name of aside) terminal.out(`${join(dataDir, name)}: set aside. It still has the names; remove it when you have what you need of it.`);
    return 0;
  },
};
