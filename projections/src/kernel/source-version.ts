import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';

/** The folders of sources that decide what a read model holds. */
export type SourceFolders = { readonly projections: string; readonly contracts: string };

/** Where this very code stands: the product runs from its sources, in an image too. */
export const ownSources: SourceFolders = { projections: join(import.meta.dirname, '..'), contracts: join(import.meta.dirname, '../../../contracts/src') };

const isSource = (path: string): boolean => path.endsWith('.ts') && !path.endsWith('.test.ts') && !path.split(sep).includes('testing');

/** What a source imports or hands on at run time: types leave nothing of an import. */
const imports = /^(?:import|export)\s(?!type\b)(?:[^'";]*?\sfrom\s+)?'(?<from>[^']+)'/gm;
const contractsPackage = '@courtledger/contracts/';

/** Files of a hash are read in an order of their own, under one name on every system. */
const nameOf = (folder: string, path: string): string => `${folder}/${path.replaceAll(sep, '/')}`;

/**
 * The texts that decide what a read model holds, by name: all of the projections, and of the contracts what those load, themselves or through one another.
 * Tests and what stands in `testing` decide nothing.
 */
export const decidingSources = (folders: SourceFolders): ReadonlyMap<string, string> => {
  const found = new Map<string, string>();
  const waiting: string[] = [];
  /** @param path below the folder of the contracts */
  const addContract = (path: string): void => {
    const name = nameOf('contracts', path);
    if (found.has(name)) return;
    const text = readFileSync(join(folders.contracts, path), 'utf8');
    found.set(name, text);
    for (const match of text.matchAll(imports)) {
      const from = match.groups?.['from'] ?? '';
      if (from.startsWith('.')) waiting.push(join(dirname(path), from));
    }
  };
  for (const path of readdirSync(folders.projections, { recursive: true, encoding: 'utf8' }).filter(isSource)) {
    const text = readFileSync(join(folders.projections, path), 'utf8');
    found.set(nameOf('projections', path), text);
    for (const match of text.matchAll(imports)) {
      const from = match.groups?.['from'] ?? '';
      if (from.startsWith(contractsPackage)) waiting.push(`${from.slice(contractsPackage.length)}.ts`);
    }
  }
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) addContract(path);
  return found;
};

/** A hash (16 hexadecimal digits) over those texts, comments and line ends included: whoever changes a rule need not think of it. */
export const sourceVersion = (folders: SourceFolders): string => {
  const hash = createHash('sha256');
  // No text holds a NUL, so the joined text says only one thing.
  for (const [name, text] of [...decidingSources(folders)].toSorted(([a], [b]) => (a < b ? -1 : 1))) hash.update(`${name}\0${text}\0`);
  return hash.digest('hex').slice(0, 16);
};
