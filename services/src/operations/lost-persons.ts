import { rmSync } from 'node:fs';
import type { Config } from '../platform/config.ts';
import { foldPath } from '../platform/kept-fold.ts';
import { givePersonKeysUp, hasPersonKeys, knowsOneOf, openPersonVault } from '../platform/person-vault.ts';
import { readModelFiles, setReadModelsAside } from '../platform/store-read-model-files.ts';
import { amountText } from './figures.ts';
import { personsInLog, type PersonsInLog } from './persons-in-log.ts';

/** How a read model is named that still shows persons whose keys were given up. */
const setAsideAs = 'lost-keys';

/** Persons of the log who have no key here, not even a destroyed one. `people`: those of them who were not erased before. */
export type LostPersons = { readonly all: readonly string[]; readonly people: number };

const lostOf = (dataDir: string, { all, erased }: PersonsInLog): LostPersons => {
  // An empty file, without a table, has no keys either.
  const hasKeys = hasPersonKeys(dataDir) && knowsOneOf(dataDir, all);
  const vault = hasKeys ? openPersonVault(dataDir, { readonly: true }) : undefined;
  try {
    const lost = [...all].filter((personId) => vault === undefined || vault.state(personId) === 'absent');
    return { all: lost, people: lost.filter((personId) => !erased.has(personId)).length };
  } finally {
    vault?.close();
  }
};

/** Whose keys are lost. */
export const lostPersons = async (config: Pick<Config, 'store' | 'dataDir'>): Promise<LostPersons> => lostOf(config.dataDir, await personsInLog(config));

/** What happens to them when their keys are given up, in words. */
export const lostPersonsLines = ({ people }: LostPersons, dataDir: string): readonly string[] => {
  if (people === 0) return [];
  const files = readModelFiles(dataDir);
  return [
    `${amountText(people)} ${people === 1 ? 'person is in the log and has' : 'persons are in the log and have'} no key. From the next start on, on every page and in every rebuild, drill and backup, it is as if they had been erased:`,
    "  goes:  name, photo, phone and every other detail; they are shown as 'Former player' ('Former coach', 'Former contact', 'Former requester') and cannot be corrected;",
    '         their photos and ID documents, like every file that no fact of this log names, are removed a day after the next start',
    '  stays: teams, jersey numbers, entries, results and standings; whoever is registered from now on is recorded as always',
    ...(files.length === 0
      ? []
      : [
          `  The read models (${files.join(', ')}) are the last place with the names: they are set aside under the same name with .${setAsideAs}-1, and the next erasure removes them. The next start makes a new one.`,
        ]),
    '  The log keeps the sealed details: only a backup that has the keys, restored, brings the names back.',
  ];
};

/**
 * Gives them up: marked in the keys, so that a backup carries it. What was made with the keys goes out of the way first: cut off in between, it is called
 * again. Gives the names of the read models that were set aside.
 */
export const giveUpLostPersons = async (config: Pick<Config, 'store' | 'dataDir'>): Promise<readonly string[]> => {
  const { dataDir } = config;
  const { all, people } = await lostPersons(config);
  const aside = people === 0 ? [] : setReadModelsAside(dataDir, setAsideAs, readModelFiles(dataDir));
  // It remembers which photos their details named.
  rmSync(foldPath(dataDir, 'file-references'), { force: true });
  givePersonKeysUp(dataDir, all);
  return aside;
};
