import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

/**
 * What a first visit downloads, gzipped, from the manifest of the last build. Exits 1 when the landing page weighs more than it may,
 * when a public page pulls in what belongs to forms and dashboards, when a file is none for production (S29), and when there was nothing to weigh.
 */
const dist = join(import.meta.dirname, '../web/dist');
const landingLimit = 140_000;

type Chunk = { readonly file: string; readonly isEntry?: boolean; readonly imports?: readonly string[]; readonly css?: readonly string[] };

const manifestPath = join(dist, '.vite/manifest.json');
if (!existsSync(manifestPath)) {
  console.error('bundle-budget: nothing is built yet; run "npm run build" first');
  process.exit(1);
}
const manifest = JSON.parse(readFileSync(manifestPath, 'utf8')) as Record<string, Chunk>;
const faults: string[] = [];

/** The files that a chunk needs before it runs: itself, what it imports, and their style sheets. */
const filesOf = (name: string, seen = new Set<string>()): ReadonlySet<string> => {
  const chunk = manifest[name];
  if (!chunk) throw new Error(`${name} is not in the manifest`);
  if (seen.has(chunk.file)) return seen;
  seen.add(chunk.file);
  for (const css of chunk.css ?? []) seen.add(css);
  for (const imported of chunk.imports ?? []) filesOf(imported, seen);
  return seen;
};

const weights = new Map<string, number>();
const weigh = (file: string): number => {
  const known = weights.get(file) ?? gzipSync(readFileSync(join(dist, file)), { level: 9 }).length;
  weights.set(file, known);
  return known;
};
const sum = (files: Iterable<string>): number => Array.from(files).reduce((total, file) => total + weigh(file), 0);
const kB = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`;

const entry = Object.keys(manifest).find((name) => manifest[name]?.isEntry);
if (entry === undefined) throw new Error('the manifest has no entry');
const first = filesOf(entry);
const byKind = (ending: string): number => sum(Array.from(first).filter((file) => file.endsWith(ending)));
console.log(
  `first view of the landing page: ${kB(byKind('.js'))} JS + ${kB(byKind('.css'))} CSS = ${kB(sum(first))} gzip in ${String(first.size)} files (at most ${kB(landingLimit)})`,
);
if (sum(first) > landingLimit) faults.push(`the landing page weighs ${kB(sum(first))}, at most ${kB(landingLimit)}`);

const pages = Object.keys(manifest).filter((name) => /-(page|screen)\.tsx$/.test(name));
for (const page of pages) console.log(`  ${page.replace(/^src\//, '')}: ${kB(sum(new Set([...first, ...filesOf(page)])))}`);

/**
 * Marks that survive minifying, of packages that only forms and dashboards may load, and where each stands in its package: one that is there no more would be
 * found nowhere.
 */
const heavy = [
  { name: 'Mantine', mark: 'mantine-color-scheme', source: '@mantine/core/esm/core/MantineProvider/convert-css-variables/convert-css-variables.mjs' },
  { name: 'zod', mark: 'invalid_union', source: 'zod/v4/core/schemas.js' },
  { name: 'recharts', mark: 'recharts-wrapper', source: 'recharts/es6/chart/RechartsWrapper.js' },
] as const;
for (const { name, mark, source } of heavy) {
  const path = join(import.meta.dirname, '../node_modules', source);
  if (!existsSync(path) || !readFileSync(path, 'utf8').includes(mark)) faults.push(`'${mark}' stands no more in ${source}: the check would not see ${name}`);
}
const publicPages = pages.filter(
  (page) => /(results|upcoming|about|tournament|standings|match-details|match-players|match-cards|player)-page\.tsx$/.test(page) && !page.includes('request'),
);
for (const page of [entry, ...publicPages]) {
  const code = Array.from(filesOf(page))
    .filter((file) => file.endsWith('.js'))
    .map((file) => readFileSync(join(dist, file), 'utf8'))
    .join('\n');
  for (const { name, mark } of heavy) if (code.includes(mark)) faults.push(`${page} loads ${name}`);
}

/** What a file is told by that was built for developers: React's checks, the reloader of modules, a map to the sources. */
const ofDevelopment = /sourceMappingURL|@vite\/client|import\.meta\.hot\b|react-dom\.development|jsxDEV/;
const built = readdirSync(dist, { recursive: true, encoding: 'utf8' });
const scripts = built.filter((name) => name.endsWith('.js'));
for (const name of built.filter((each) => each.endsWith('.map'))) faults.push(`${name} is a map to the sources`);
for (const name of scripts) if (ofDevelopment.test(readFileSync(join(dist, name), 'utf8'))) faults.push(`${name} is not built for production`);

const counted = { scripts: scripts.length, files: weights.size, pages: pages.length, publicPages: publicPages.length };
if (counted.scripts < 11 || counted.files < 15 || counted.pages < 9 || counted.publicPages < 9)
  faults.push(`only ${JSON.stringify(counted)} weighed: the check did not see the build`);
for (const fault of faults) console.error(`bundle-budget: ${fault}`);
console.log(
  `bundle-budget: ${String(counted.files)} files, ${String(counted.publicPages)} public pages weighed, ${String(counted.scripts)} scripts read, ${String(faults.length)} faults`,
);
process.exit(faults.length > 0 ? 1 : 0);
