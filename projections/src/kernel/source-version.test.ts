import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, cpSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { setEnvironmentData, Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { projectionVersion } from './schema.ts';
import { decidingSources, ownSources, sourceVersion, type SourceFolders } from './source-version.ts';
import { scratchFolder } from './testing/scratch.ts';

const copyOf = (to: string): SourceFolders => {
  const folders = { projections: join(to, 'projections'), contracts: join(to, 'contracts') };
  cpSync(ownSources.projections, folders.projections, { recursive: true });
  cpSync(ownSources.contracts, folders.contracts, { recursive: true });
  return folders;
};
const place = (folders: SourceFolders, name: string): string =>
  join(name.startsWith('projections/') ? folders.projections : folders.contracts, name.slice(name.indexOf('/') + 1));

/**
 * Imports every source of the projections in a process of its own, as the product runs, and gives what it loaded of them and of the contracts, and the version
 * that it worked out.
 */
const loaded = (): { readonly names: readonly string[]; readonly version: string } => {
  const sources = readdirSync(ownSources.projections, { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.ts') && !path.endsWith('.test.ts') && !path.startsWith(join('kernel', 'testing')),
  );
  const program = `
    import { registerHooks } from 'node:module';
    const names = new Set();
    registerHooks({ load(url, context, next) { const at = /\\/(projections|contracts)\\/src\\/(.*)$/.exec(url); if (at) names.add(at[1] + '/' + at[2]); return next(url, context); } });
    for (const url of ${JSON.stringify(sources.map((path) => pathToFileURL(join(ownSources.projections, path)).href))}) await import(url);
    const { projectionVersion } = await import(${JSON.stringify(pathToFileURL(join(ownSources.projections, 'kernel/schema.ts')).href)});
    console.log(JSON.stringify({ names: [...names].sort(), version: projectionVersion }));`;
  return JSON.parse(execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' })) as ReturnType<typeof loaded>;
};

test('the version is made of exactly what the projections load, and every process works out the same', () => {
  const { names, version } = loaded();
  expect([...decidingSources(ownSources).keys()].toSorted()).toEqual(names);
  expect([version, sourceVersion(ownSources)]).toEqual([projectionVersion, projectionVersion]);
  expect(projectionVersion).toMatch(/^[0-9a-f]{16}$/);
}, 60_000);

test('threads have the version of their process, whatever becomes of the sources meanwhile', async () => {
  const program = `
    const { workerData, parentPort } = require('node:worker_threads');
    import(workerData).then(({ projectionVersion }) => parentPort.postMessage(projectionVersion));`;
  setEnvironmentData('courtledger projection version', 'of this process');
  try {
    const worker = new Worker(program, { eval: true, workerData: pathToFileURL(join(ownSources.projections, 'kernel/schema.ts')).href });
    expect(await once(worker, 'message')).toEqual(['of this process']);
    await worker.terminate();
  } finally {
    setEnvironmentData('courtledger projection version', projectionVersion);
  }
}, 30_000);

test('a rule that counts otherwise is another version, without anybody saying so', () => {
  using folder = scratchFolder();
  const folders = copyOf(folder.file('release'));
  expect(sourceVersion(folders)).toBe(projectionVersion);
  const rules = join(folders.projections, 'tournament/standings.rules.ts');
  const text = readFileSync(rules, 'utf8');
  const changed = text.replace(/WIN = (\d+)/, 'WIN = 1$1');
  expect(changed).not.toBe(text);
  writeFileSync(rules, changed);
  expect(sourceVersion(folders)).not.toBe(projectionVersion);
  writeFileSync(rules, text);
  expect(sourceVersion(folders)).toBe(projectionVersion);
});

test('each of those sources counts, and a new one; tests, and contracts that no projection loads, do not', () => {
  using folder = scratchFolder();
  const folders = copyOf(folder.file('release'));
  const seen = [sourceVersion(folders)];
  for (const name of decidingSources(folders).keys()) {
    appendFileSync(place(folders, name), '\n');
    seen.push(sourceVersion(folders));
  }
  writeFileSync(join(folders.projections, 'match', 'fouls.rules.ts'), 'export const FOULS = 5;\n');
  const last = sourceVersion(folders);
  expect(new Set([...seen, last]).size).toBe(seen.length + 1);
  for (const path of ['projections/kernel/schema.test.ts', 'projections/kernel/testing/more.ts', 'contracts/match/match.api.ts'])
    appendFileSync(place(folders, path), '\n// changed\n');
  expect(sourceVersion(folders)).toBe(last);
});
