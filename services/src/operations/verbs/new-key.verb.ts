import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { inUseText, takeDataLock } from '../../event-log/log-lock.ts';
import { expectFolderPermissions, openDataFolder } from '../../platform/folders.ts';
import { KeyRefused, serverKey } from '../../platform/key-file.ts';
import { knowsOneOf } from '../../platform/person-vault.ts';
import { openSeasonKey } from '../../platform/season-key.ts';
import { parseArguments } from '../arguments.ts';
import { isAnswering } from '../control-client.ts';
import { expectProduct } from '../installation.ts';
import { expectNoLogElsewhere } from '../log-elsewhere.ts';
import { giveUpLostPersons, lostPersons, lostPersonsLines } from '../lost-persons.ts';
import { OperatorError } from '../operator-error.ts';
import { acceptKey, forgetKey } from '../kept-keys.ts';
import { openOperationsState } from '../operations-state.ts';
import { missingKeysHere, requiredKeys } from '../required-keys.ts';
import { UsageError, type Verb, type VerbContext } from '../verb.ts';

type KeyFile = (typeof requiredKeys)[number]['file'];
type Maker = (config: VerbContext['config']) => Promise<readonly string[]>;
/** Each opens the key, and makes it where it is not there; that of persons is only looked into. */
const openers: Readonly<Record<KeyFile, (dataDir: string) => unknown>> = {
  'persons.sqlite': (dataDir) => knowsOneOf(dataDir, []),
  'email.key': (dataDir) => serverKey(dataDir, 'email'),
  'season.pem': openSeasonKey,
  'address.key': (dataDir) => serverKey(dataDir, 'address'),
};
const makes =
  (file: KeyFile): Maker =>
  async ({ dataDir }) => {
    openers[file](dataDir);
    return [];
  };

/** Each gives the names of what it set aside. */
const makers: Readonly<Record<KeyFile, Maker>> = {
  'persons.sqlite': giveUpLostPersons,
  'email.key': makes('email.key'),
  'season.pem': makes('season.pem'),
  'address.key': makes('address.key'),
};

export const newKey: Verb = {
  name: 'new-key',
  usage: `${requiredKeys.map(({ file }) => file).join('|')} [--yes]`,
  summary:
    'make a key that the log needs anew, when it is lost for good and in no backup; persons without a key are shown as erased then; without --yes, say what that means; refuses while a server or another tool has DATA_DIR',
  async run({ config, terminal }, args) {
    const { values, words } = parseArguments(args, { yes: { type: 'boolean' } }, { least: 1 });
    const key = requiredKeys.find(({ file }) => file === words[0]);
    if (key === undefined) throw new UsageError(`A key is one of ${requiredKeys.map(({ file }) => file).join(', ')}`);
    const { dataDir } = config;
    await expectProduct(config).catch((error: unknown) => {
      // A log that was imported into EventStoreDB is all that there is, and keys are what is to be made.
      if (!(error instanceof KeyRefused)) throw error;
    });
    // The log would not have been asked: as if it needed no key, and had nobody to give up.
    expectNoLogElsewhere(config);
    expectFolderPermissions(dataDir);
    const path = join(dataDir, 'keys', key.file);
    const isThere = existsSync(path);
    // One that is there and is no key is refused with the way out, as a start refuses it: it is not replaced, nor taken as it is.
    if (isThere) openers[key.file](dataDir);
    const lost = key.file === 'persons.sqlite' ? await lostPersons(config) : undefined;
    // The file of keys may be there without some of the keys: an older one that somebody put in its place.
    const isExchanged = isThere && lost === undefined && (await missingKeysHere(config)).some(({ file }) => file === key.file);
    if (isThere && !isExchanged && (lost === undefined || lost.all.length === 0)) throw new OperatorError(`${path} is there: it is never replaced`);
    terminal.out(
      isExchanged
        ? `${path} is there, and is not the one that this log was kept with. It is taken as it is: without the other one, ${key.lost}.`
        : isThere
          ? `${path} is there, without the keys of everybody in the log; those that are in it stay.`
          : `With a new ${key.file} ${key.lost}.`,
    );
    if (lost !== undefined) for (const line of lostPersonsLines(lost, dataDir)) terminal.out(line);
    if (values.yes !== true) {
      terminal.note(
        `Nothing was ${isExchanged ? 'changed' : 'made'}. Look for it in a backup first: add --yes when it is lost for good${isExchanged ? ', or when the one that is there is the right one' : ''}.`,
      );
      return 2;
    }
    if (await isAnswering(dataDir)) throw new OperatorError(inUseText(dataDir));
    openDataFolder(dataDir);
    const lock = takeDataLock(dataDir);
    let aside: readonly string[];
    try {
      const state = openOperationsState(dataDir);
      // Before the key is there: killed in between, whichever the next start finds is this log's.
      if (!isExchanged) forgetKey(state, key.file);
      aside = isExchanged ? [] : await makers[key.file](config);
      acceptKey(state, dataDir, key.file);
    } finally {
      lock.release();
    }
    terminal.out(isExchanged ? `${path} counts as this log's from now on.` : isThere ? `${path}: the missing keys count as destroyed.` : `${path} was made.`);
    for (const name of aside) terminal.out(`${join(dataDir, name)}: set aside. It still has the names; remove it when you have what you need of it.`);
    return 0;
  },
};
