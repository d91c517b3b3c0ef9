import { readFileSync, readdirSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, normalize, relative, sep } from 'node:path';
import { Visitor, parseSync } from 'rolldown/utils';

/**
 * The rules of the house that types and lint cannot say: import directions, features that do not know each other, purity, no barrels, no `utils`, no file that
 * hides a second noun, nothing exported that nobody else names, or that is there for tests alone, no package that nobody uses, or that is used and not
 * declared. Exits 1 with a line a fault, and also when it read too little to mean anything.
 */
const root = join(import.meta.dirname, '..');
const workspaces = ['contracts', 'projections', 'services', 'web'] as const;
type Workspace = (typeof workspaces)[number];
type Program = ReturnType<typeof parseSync>['program'];
const mayImport: Record<Workspace, readonly Workspace[]> = {
  contracts: [],
  projections: ['contracts'],
  services: ['contracts', 'projections'],
  web: ['contracts'],
};
const features = new Set(['tournament', 'team', 'match', 'player', 'admin', 'request']);
/** A feature file of one of these kinds is never imported from another feature. */
const privateKinds = /\.(decider|routes|projection)(\.ts)?$|-(page|screen|tab|modal)(\.tsx)?$/;
const pureKinds = /\.(decider|projection|rules)\.ts$/;
const impureGlobals = new Set([
  'process',
  'performance',
  'crypto',
  'fetch',
  'setTimeout',
  'setInterval',
  'setImmediate',
  'queueMicrotask',
  'navigator',
  'console',
  'globalThis',
  'Temporal',
]);
/** Elsewhere the types know none of them, and a document is what a projection folds into. */
const browserGlobals = new Set(['localStorage', 'sessionStorage', 'window', 'document']);
/** Modules whose address is handed to a thread, which imports them. */
const loadedByAddress = new Set(['services/src/platform/projector-module.ts']);
const longestLines = 400;
const minimum = { files: 40, imports: 100, pure: 8, exports: 1000, packages: 20 };

const faults: string[] = [];
const counts = { files: 0, imports: 0, pure: 0, exports: 0, packages: 0 };

type Manifest = { readonly dependencies?: Readonly<Record<string, string>>; readonly peerDependencies?: Readonly<Record<string, string>> };
const manifestOf = (folder: string): Manifest => JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Manifest;
/** The packages that a workspace declares for what is run; ours are not among them. */
const declaredBy = (workspace: Workspace): readonly string[] =>
  Object.keys(manifestOf(workspace).dependencies ?? {}).filter((name) => !name.startsWith('@courtledger/'));
const declared: Readonly<Record<Workspace, readonly string[]>> = {
  contracts: declaredBy('contracts'),
  projections: declaredBy('projections'),
  services: declaredBy('services'),
  web: declaredBy('web'),
};

const sourceFiles = workspaces.flatMap((workspace) =>
  readdirSync(join(root, workspace, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path) && !path.endsWith('.d.ts'))
    .map((path) => ({ workspace, path: join(workspace, 'src', path) })),
);

/** What of a workspace may name a package: its code and its styles, without tests. */
const ownTexts: Record<Workspace, string[]> = { contracts: [], projections: [], services: [], web: [] };
const imports = new Map<string, string[]>();
/** What is run of a file, and what it needs for that: files of ours by their path, packages by their name. Types are not run. */
const runs = new Map<string, { readonly program: Program; readonly needs: readonly string[] }>();
const exported: { readonly path: string; readonly name: string; readonly isType: boolean }[] = [];
/** What others import of each file, by its path. */
type Asked = Map<string, Set<string>>;
const [inProduct, inTests]: readonly [Asked, Asked] = [new Map(), new Map()];
const ask = (asked: Asked, target: string, name: string): void => {
  asked.set(target, (asked.get(target) ?? new Set<string>()).add(name));
};
/** Comments do not count. */
const wordsIn = (text: string): readonly string[] => text.replaceAll(/\/\*.*?\*\/|\/\/[^\n]*/gs, '').match(/[A-Za-z_$][\w$]*/g) ?? [];
/** Notes what a file asks of others. Who loads one when it is run may ask for whatever it names. */
const noteAsked = (asked: Asked, path: string, text: string): void => {
  const { staticImports, staticExports, dynamicImports } = parseSync(path, text).module;
  const names = new Set(wordsIn(text));
  const askAll = (specifier: string): void => {
    for (const name of names) ask(asked, fileOf(path, specifier)?.target ?? specifier, name);
  };
  for (const { entries, moduleRequest } of staticImports)
    for (const { importName, localName } of entries) {
      const target = fileOf(path, moduleRequest.value)?.target ?? moduleRequest.value;
      if (importName.name !== null) ask(asked, target, importName.name);
      // `import * as queries`: what is taken of it.
      else for (const [, name = ''] of text.matchAll(new RegExp(`\\b${localName.value}\\.(\\w+)`, 'g'))) ask(asked, target, name);
    }
  for (const { entries } of staticExports)
    for (const { moduleRequest, importName } of entries)
      if (moduleRequest && importName.name !== null) ask(asked, fileOf(path, moduleRequest.value)?.target ?? moduleRequest.value, importName.name);
  for (const { moduleRequest } of dynamicImports) {
    const source = text.slice(moduleRequest.start, moduleRequest.end);
    if (/^['"]/.test(source)) askAll(source.slice(1, -1));
  }
};
for (const folder of ['web/e2e', 'web/test'])
  for (const path of readdirSync(join(root, folder), { encoding: 'utf8' }))
    if (path.endsWith('.ts')) noteAsked(inTests, join(folder, path), readFileSync(join(root, folder, path), 'utf8'));
for (const path of readdirSync(join(root, 'scripts'), { recursive: true, encoding: 'utf8' }))
  if (/\.(ts|mjs)$/.test(path))
    noteAsked(path.includes('.test.') ? inTests : inProduct, join('scripts', path), readFileSync(join(root, 'scripts', path), 'utf8'));

for (const { workspace, path } of sourceFiles) {
  counts.files += 1;
  const text = readFileSync(join(root, path), 'utf8');
  if (!path.includes('.test.')) ownTexts[workspace].push(text);
  const parsed = parseSync(path, text);
  if (parsed.errors.length > 0) faults.push(`${path}: cannot be parsed`);
  const { staticImports, staticExports, dynamicImports } = parsed.module;
  const handedOn = staticExports.flatMap((entry) => entry.entries);
  const dynamic = dynamicImports.flatMap((entry) => {
    const source = text.slice(entry.moduleRequest.start, entry.moduleRequest.end);
    return /^['"]/.test(source) ? [source.slice(1, -1)] : [];
  });
  const specifiers = [...staticImports.map((entry) => entry.moduleRequest.value), ...handedOn.flatMap((part) => part.moduleRequest?.value ?? []), ...dynamic];
  const needs = [
    ...staticImports.flatMap(({ entries, moduleRequest }) => (entries.length > 0 && entries.every(({ isType }) => isType) ? [] : [moduleRequest.value])),
    ...handedOn.flatMap(({ isType, moduleRequest }) => (moduleRequest && !isType ? [moduleRequest.value] : [])),
    ...dynamic,
  ];
  counts.imports += specifiers.length;
  const isTest = /\.(test|faults\.test|bench|contract)\.tsx?$/.test(path) || path.includes(`${sep}testing${sep}`);
  for (const specifier of specifiers) checkImport(workspace, path, specifier, isTest);

  noteAsked(isTest ? inTests : inProduct, path, text);
  if (!isTest) {
    for (const entry of staticExports)
      for (const { moduleRequest, exportName } of entry.entries)
        if (!moduleRequest && exportName.name !== null) exported.push({ path, name: exportName.name, isType: entry.entries.every(({ isType }) => isType) });
  }
  if (
    !isTest &&
    staticExports.length > 0 &&
    staticExports.every((entry) => entry.entries.every((part) => part.moduleRequest)) &&
    parsed.program.body.every((node) => node.type.startsWith('Export'))
  )
    faults.push(`${path}: a barrel (it only hands on what other files export)`);
  if (/(^|\/)(utils?|helpers|misc|common)\.tsx?$/.test(path)) faults.push(`${path}: a name that says nothing`);
  const lines = text.split('\n').length;
  if (lines > longestLines && !isTest) faults.push(`${path}: ${String(lines)} lines (a second noun hides in a file over ${String(longestLines)})`);
  if (!isTest) runs.set(path, { program: parsed.program, needs: needs.map((specifier) => fileOf(path, specifier)?.target ?? specifier) });
}

/** A file is as pure as what it calls: whatever a pure one needs is held to the same. */
const pure = new Set([...runs.keys()].filter((path) => pureKinds.test(path)));
counts.pure = pure.size;
for (const path of pure) {
  const run = runs.get(path);
  if (run === undefined) continue;
  checkPurity(path, run.program);
  for (const need of run.needs) {
    if (runs.has(need)) pure.add(need);
    else if (need !== 'zod') faults.push(`${path}: is pure and imports ${need}`);
  }
}

/** A cycle is a fault wherever it stands: depth-first over relative imports. */
const done = new Set<string>();
const visit = (path: string, trail: readonly string[]): void => {
  const at = trail.indexOf(path);
  if (at >= 0) {
    faults.push(`cycle: ${[...trail.slice(at), path].join(' -> ')}`);
    return;
  }
  if (done.has(path)) return;
  for (const next of imports.get(path) ?? []) visit(next, [...trail, path]);
  done.add(path);
};
for (const { path } of sourceFiles) visit(path, []);

for (const { path, name, isType } of exported) {
  counts.exports += 1;
  // What is loaded by an address, nobody imports.
  if (loadedByAddress.has(path) || inProduct.get(path)?.has(name)) continue;
  const atHome = wordsIn(readFileSync(join(root, path), 'utf8')).filter((word) => word === name).length;
  if (atHome === 1) faults.push(`${path}: nothing but tests asks for ${name}`);
  // A type may be what a signature says, for whoever comes.
  else if (!isType && !inTests.get(path)?.has(name)) faults.push(`${path}: ${name} is exported, and nobody else names it`);
}

for (const path of readdirSync(join(root, 'web/src'), { recursive: true, encoding: 'utf8' }))
  if (path.endsWith('.css')) ownTexts.web.push(readFileSync(join(root, 'web/src', path), 'utf8'));
/** Every package that a workspace declares is named by it, or asked for by another one that it declares, as `@mantine/dates` asks for `dayjs`. */
for (const workspace of workspaces) {
  const unnamed = declared[workspace].filter((name) => !ownTexts[workspace].some((text) => text.includes(`'${name}'`) || text.includes(`'${name}/`)));
  const peers = new Set(
    declared[workspace].filter((name) => !unnamed.includes(name)).flatMap((name) => Object.keys(manifestOf(join('node_modules', name)).peerDependencies ?? {})),
  );
  counts.packages += declared[workspace].length;
  for (const name of unnamed) if (!peers.has(name)) faults.push(`${workspace}/package.json: ${name} is declared, and nothing uses it`);
}

for (const [what, least] of Object.entries(minimum) as [keyof typeof counts, number][]) {
  if (counts[what] < least) faults.push(`only ${String(counts[what])} ${what} read, at least ${String(least)} expected: the check did not see the code`);
}
for (const line of faults) console.error(line);
console.log(
  `boundaries: ${String(counts.files)} files, ${String(counts.imports)} imports, ${String(counts.pure)} pure files, ${String(counts.exports)} exports read, ${String(counts.packages)} packages, ${String(faults.length)} faults`,
);
process.exit(faults.length > 0 ? 1 : 0);

function featureOf(path: string): string | undefined {
  const feature = path.split(sep)[2];
  return feature !== undefined && features.has(feature) ? feature : undefined;
}

/** The file of ours that an import names, and the workspace where it names that too; undefined for a package. */
function fileOf(path: string, specifier: string): { readonly target: string; readonly workspace?: Workspace } | undefined {
  const [, workspace, name] = /^@courtledger\/(\w+)\/(.+)$/.exec(specifier) ?? [];
  if (workspace !== undefined && name !== undefined) return { target: join(workspace, 'src', `${name}.ts`), workspace: workspace as Workspace };
  return specifier.startsWith('.') ? { target: normalize(join(dirname(path), specifier)) } : undefined;
}

function checkImport(workspace: Workspace, path: string, specifier: string, isTest: boolean): void {
  const file = fileOf(path, specifier);
  if (file === undefined) {
    if (isTest) return;
    if (workspace === 'contracts' && specifier !== 'zod') faults.push(`${path}: contracts import zod only, not ${specifier}`);
    // It is there as somebody else's, perhaps a tool's, and may be gone where the product runs.
    else if (!isBuiltin(specifier) && !declared[workspace].some((name) => specifier === name || specifier.startsWith(`${name}/`)))
      faults.push(`${path}: imports ${specifier}, which ${workspace}/package.json does not declare`);
    return;
  }
  if (file.workspace !== undefined) {
    // Under that name neither features nor cycles would be seen.
    if (file.workspace === workspace) faults.push(`${path}: names a file of its own workspace ${specifier}, not by a relative path`);
    else if (!mayImport[workspace].includes(file.workspace)) faults.push(`${path}: ${workspace} must not import ${file.workspace}`);
    return;
  }
  const { target } = file;
  if (relative(join(workspace, 'src'), target).startsWith('..') && !isTest && !/\.(css|svg|json|woff2)$/.test(target))
    faults.push(`${path}: ${specifier} leaves its workspace by a relative path`);
  if (!isTest) imports.set(path, [...(imports.get(path) ?? []), target]);
  const from = featureOf(path);
  const to = featureOf(target);
  if (from && to && from !== to && privateKinds.test(target) && !isTest) faults.push(`${path}: feature ${from} imports ${to}'s ${target}`);
}

function checkPurity(path: string, program: Program): void {
  const members = new Set<unknown>();
  new Visitor({
    MemberExpression(node) {
      members.add(node.property);
      if (node.object.type !== 'Identifier' || node.property.type !== 'Identifier') return;
      const name = `${node.object.name}.${node.property.name}`;
      if (name === 'Date.now' || name === 'Math.random') faults.push(`${path}: is pure and calls ${name}`);
    },
    Property(node) {
      if (!node.computed) members.add(node.key);
    },
    // A player has an ID document, and so have types of players.
    TSPropertySignature(node) {
      if (!node.computed) members.add(node.key);
    },
    NewExpression(node) {
      if (node.callee.type === 'Identifier' && node.callee.name === 'Date' && node.arguments.length === 0)
        faults.push(`${path}: is pure and reads the clock (new Date())`);
    },
    CallExpression(node) {
      if (node.callee.type === 'Identifier' && node.callee.name === 'Date') faults.push(`${path}: is pure and reads the clock (Date())`);
    },
    AwaitExpression() {
      faults.push(`${path}: is pure and awaits`);
    },
    Identifier(node) {
      if ((impureGlobals.has(node.name) || (path.startsWith('web') && browserGlobals.has(node.name))) && !members.has(node))
        faults.push(`${path}: is pure and uses ${node.name}`);
    },
  }).visit(program);
}
