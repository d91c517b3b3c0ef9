import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { takeLogLock } from '../../event-log/log-lock.ts';
import { serverKey } from '../../platform/key-file.ts';
import { openPersonVault } from '../../platform/person-vault.ts';
import { openSeasonKey } from '../../platform/season-key.ts';
import { parseArguments } from '../arguments.ts';
import { expectInstallation } from '../installation.ts';
import { OperatorError } from '../operator-error.ts';
import { requiredKeys } from '../required-keys.ts';
import { UsageError, type Verb } from '../verb.ts';

const makers: Readonly<Record<(typeof requiredKeys)[number]['file'], (dataDir: string) => void>> = {
  'persons.sqlite': (dataDir) => openPersonVault(dataDir, { anew: true }).close(),
  'email.key': (dataDir) => void serverKey(dataDir, 'email'),
  'season.pem': (dataDir) => void openSeasonKey(dataDir),
  'address.key': (dataDir) => void serverKey(dataDir, 'address'),
};

export const newKey: Verb = {
  name: 'new-key',
  usage: `${requiredKeys.map(({ file }) => file).join('|')} [--yes]`,
  summary: 'make a key that the log needs anew, when it is lost for good and in no backup; without --yes, say what that means; refuses while a server runs',
  async run({ config, terminal }, args) {
    const { values, words } = parseArguments(args, { yes: { type: 'boolean' } }, { least: 1 });
    const key = requiredKeys.find(({ file }) => file === words[0]);
    if (key === undefined) throw new UsageError(`A key is one of ${requiredKeys.map(({ file }) => file).join(', ')}`);
    const { dataDir } = config;
    expectInstallation(dataDir);
    const path = join(dataDir, 'keys', key.file);
    if (existsSync(path)) throw new OperatorError(`${path} is there: it is never replaced`);
    terminal.out(`With a new ${key.file} ${key.lost}.`);
    if (values.yes !== true) {
      terminal.note('Nothing was made. Look for it in a backup first: add --yes when it is lost for good.');
      return 2;
    }
    const lock = takeLogLock(join(dataDir, 'event-log.sqlite'));
    try {
      makers[key.file](dataDir);
    } finally {
      lock.release();
    }
    terminal.out(`${path} was made.`);
    return 0;
  },
};
