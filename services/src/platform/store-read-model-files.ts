import { readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setAside } from '@courtledger/projections/kernel/read-model';
import { readIfThereSync, replaceFileSync } from './durable-file.ts';

const fileName = /^read-model-(\d{1,9})\.sqlite$/;
const pointerName = 'read-model.live';

/**
 * The name of the file that the pointer `DATA_DIR/read-model.live` names; the first one when there is no pointer (it is a convenience: every file can be made
 * again).
 */
export const liveReadModel = (dataDir: string): string => {
  const named = readIfThereSync(join(dataDir, pointerName))?.toString('utf8').trim() ?? '';
  return fileName.test(named) ? named : 'read-model-1.sqlite';
};

/** Makes another file the live one, for good. */
export const pointToReadModel = (dataDir: string, name: string): void => {
  if (!fileName.test(name)) throw new Error(`${name} is no name of a read model`);
  replaceFileSync(join(dataDir, pointerName), `${name}\n`);
};

/** The files that are there, by number. */
export const readModelFiles = (dataDir: string): readonly string[] =>
  readdirSync(dataDir)
    .filter((name) => fileName.test(name))
    .toSorted((a, b) => Number(fileName.exec(a)?.[1]) - Number(fileName.exec(b)?.[1]));

const witnessName = /^read-model-\d{1,9}\.sqlite(?:\.(?:damaged|outdated|lost-keys)-\d+)?$/;

/**
 * Every read model that may have seen how far the log goes, also those that went out of the way since they were damaged, of another release, or of lost keys:
 * as paths.
 */
export const witnessesIn = (dataDir: string): readonly string[] =>
  readdirSync(dataDir)
    .filter((name) => witnessName.test(name))
    .map((name) => join(dataDir, name));

/** A name that no read model has yet: where a rebuild writes. */
export const nextReadModel = (dataDir: string): string => {
  const numbers = [liveReadModel(dataDir), ...readModelFiles(dataDir)].map((name) => Number(fileName.exec(name)?.[1] ?? 0));
  return `read-model-${Math.max(...numbers) + 1}.sqlite`;
};

/** Sets every read model aside that was made of a log which is there no more, those that went out of the way before as well. Gives the new names. */
export const setAllAside = (dataDir: string, why: string): readonly string[] =>
  witnessesIn(dataDir).map((path) => basename(setAside(path, why, path.replace(/(?<=\.sqlite)\..*/, ''))));

/** Sets read models aside, under their names with `.<why>-1`; no process may use them. Gives the new names. */
export const setReadModelsAside = (dataDir: string, why: string, files: readonly string[]): readonly string[] =>
  files.map((name) => basename(setAside(join(dataDir, name), why)));

/** Removes a read model that is not the live one, with what stands beside it. */
export const removeReadModel = (dataDir: string, name: string): void => {
  if (!fileName.test(name) || name === liveReadModel(dataDir)) throw new Error(`${name} is not a read model that may be removed`);
  for (const suffix of ['', '-wal', '-shm', '-journal', '.seal']) rmSync(join(dataDir, name + suffix), { force: true });
};
