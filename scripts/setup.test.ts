import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';

let place: string;
let root: string;
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'courtledger-setup-'));
  root = join(place, "Zoë's clone");
});
afterEach(() => {
  rmSync(place, { recursive: true });
});

/** What stands in for npm: it is run by Node, as npm is. */
const clone = (npm: string): void => {
  for (const folder of ['scripts', 'services/src']) mkdirSync(join(root, folder), { recursive: true });
  for (const name of ['setup.mjs', 'install-lock.mjs', 'need-node.mjs']) copyFileSync(join(import.meta.dirname, name), join(root, 'scripts', name));
  writeFileSync(join(root, 'package-lock.json'), '{}');
  writeFileSync(join(root, 'services/src/seed.ts'), "console.log('seeded', process.env.NODE_ENV)");
  writeFileSync(join(root, 'services/src/main.ts'), "console.log('served')");
  writeFileSync(join(root, 'scripts/test-all.ts'), 'console.log(...process.execArgv, ...process.argv.slice(2), process.env.NODE_ENV)');
  writeFileSync(join(root, 'npm.mjs'), `import { mkdirSync, writeFileSync } from 'node:fs';\nmkdirSync('node_modules', { recursive: true });\n${npm}`);
};
const installs = "writeFileSync('node_modules/.package-lock.json', '{}');";

type Ended = { readonly code: number | null; readonly out: string; readonly error: string };
const start = (
  what: 'seed' | 'start' | 'test' | 'faults',
  preload = '',
  more: readonly string[] = [],
): { readonly child: ChildProcess; readonly ended: Promise<Ended>; readonly said: (words: string) => Promise<void> } => {
  const child = spawn(process.execPath, ['--import', `data:text/javascript,${encodeURIComponent(preload)}`, join(root, 'scripts/setup.mjs'), what, ...more], {
    env: { PATH: process.env['PATH'], NODE_ENV: 'development', npm_execpath: join(root, 'npm.mjs') },
  });
  let [out, error] = ['', ''];
  child.stdout.on('data', (piece: Buffer) => (out += piece.toString()));
  child.stderr.on('data', (piece: Buffer) => (error += piece.toString()));
  const ended = (async () => {
    const [code] = (await once(child, 'close')) as [number | null];
    return { code, out, error };
  })();
  const said = async (words: string): Promise<void> => {
    await expect.poll(() => out).toContain(words);
  };
  return { child, ended, said };
};
const installing = 'Installing the packages (about half a minute)\n';

it('installs once, and starts the product in the environment that it was given', async () => {
  clone(installs);
  expect(await start('seed').ended).toEqual({ code: 0, out: `${installing}seeded development\n`, error: '' });
  expect(await start('seed').ended).toEqual({ code: 0, out: 'seeded development\n', error: '' });
});

it('installs all that the product and its tests need, whatever npm is told elsewhere: to leave packages out, to look at the Node that it runs on, to make no links', async () => {
  clone(`${installs} console.log(process.argv.slice(2).join(' '));`);
  expect(await start('seed').ended).toEqual({
    code: 0,
    out: `${installing}ci --include=dev --include=optional --no-engine-strict --bin-links\nseeded development\n`,
    error: '',
  });
});

it("tests with the tools' own environment, and not before it has looked whether Node is new enough: where an installation brings none it may be too old", async () => {
  clone(installs);
  expect(await start('test').ended).toEqual({ code: 0, out: `${installing}--import ./scripts/need-node.mjs undefined\n`, error: '' });
  expect(await start('faults').ended).toEqual({ code: 0, out: '--import ./scripts/need-node.mjs --faults undefined\n', error: '' });
});

it('refuses what it would pass over, before it has done anything: somebody asks "npm run seed" for help', async () => {
  clone(installs);
  expect(await start('seed', '', ['--help']).ended).toEqual({
    code: 1,
    out: '',
    error:
      'This takes no arguments, and was given --help. Settings are environment variables, see .env.example; single tests are run by npx vitest run and npx playwright test.\n',
  });
  expect(existsSync(join(root, 'node_modules'))).toBe(false);
});

it('does not take it for installed when npm ends with 0 and has installed nothing: npm 10 without its registry', async () => {
  clone('');
  // Of an installation before.
  mkdirSync(join(root, 'node_modules'), { recursive: true });
  writeFileSync(join(root, 'node_modules/.package-lock.json'), '{}');
  const refused = {
    code: 1,
    out: installing,
    error: 'npm has ended without having installed the packages. See what it says above, and whether its registry can be reached; then try again.\n',
  };
  expect([await start('seed').ended, await start('seed').ended, existsSync(join(root, '.installing'))]).toEqual([refused, refused, false]);
  clone(installs);
  expect(await start('seed').ended).toEqual({ code: 0, out: `${installing}seeded development\n`, error: '' });
});

const anywhere = { version: '1.0.0', integrity: 'sha512-a' };
const here = { version: '2.0.0', integrity: 'sha512-b', optional: true, os: [process.platform], cpu: [process.arch] };
const elsewhere = { version: '3.0.0', integrity: 'sha512-c', optional: true, os: ['beos'], cpu: [process.arch] };
const otherLibrary = { version: '4.0.0', integrity: 'sha512-d', optional: true, os: [process.platform], cpu: [process.arch], libc: ['none'] };
it.each<[string, Readonly<Record<string, object>>, boolean, string]>([
  ['takes for installed what npm ci has installed by itself', { anywhere, here }, true, ''],
  ['installs where another version is there', { anywhere: { ...anywhere, version: '1.0.1', integrity: 'sha512-e' }, here }, true, installing],
  ['installs where npm was told to leave out what is for some machines alone', { anywhere }, true, installing],
  ['installs where npm was told to leave out a part of the rest', { here }, true, installing],
  ['installs where npm was told to make no links', { anywhere, here }, false, installing],
])('%s', async (_name, installed, isLinked, said) => {
  clone(installs);
  mkdirSync(join(root, 'node_modules', isLinked ? '.bin' : 'none'), { recursive: true });
  writeFileSync(join(root, 'package-lock.json'), JSON.stringify({ packages: { '': {}, anywhere, here, elsewhere, otherLibrary } }));
  writeFileSync(join(root, 'node_modules/.package-lock.json'), JSON.stringify({ packages: installed }));
  expect(await start('seed').ended).toEqual({ code: 0, out: `${said}seeded development\n`, error: '' });
});

it('told to stop it ends npm with it, or the next installation would meet this one', async () => {
  clone("process.on('SIGTERM', () => {}); console.log('npm', process.pid); setInterval(() => {}, 1000);");
  const { child, ended, said } = start('seed');
  await said('npm ');
  child.kill('SIGTERM');
  const { code, out, error } = await ended;
  const npm = Number(/npm (\d+)/.exec(out)?.[1]);
  expect([code, out, error, existsSync(join(root, 'node_modules/.installed')), existsSync(join(root, '.installing'))]).toEqual([
    1,
    `${installing}npm ${npm}\n`,
    '',
    false,
    false,
  ]);
  expect(() => process.kill(npm, 0)).toThrow('ESRCH');
});

it('of two that start at once one builds the pages, and the other waits for them', async () => {
  clone(
    `${installs} mkdirSync('node_modules/vite/bin', { recursive: true }); writeFileSync('node_modules/vite/bin/vite.js', "require('node:fs').mkdirSync('web/dist', { recursive: true }); console.log('building'); process.stdin.once('data', () => { require('node:fs').writeFileSync('web/dist/index.html', ''); process.exit(0); });");`,
  );
  const first = start('start');
  await first.said('building\n');
  const second = start('start');
  await second.said('Waiting');
  first.child.stdin?.write('go');
  expect([await first.ended, await second.ended]).toEqual([
    { code: 0, out: `${installing}building\nserved\n`, error: '' },
    {
      code: 0,
      out: 'Waiting for another process that installs or builds here. If there is none, as after a power cut, remove the folder .installing\nserved\n',
      error: '',
    },
  ]);
});

it('says in a sentence what it cannot work with: an old Node, a path that npm misreads, a folder in which nothing can be made', async () => {
  clone(installs);
  const { engines } = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8')) as { readonly engines: { readonly node: string } };
  expect(await start('seed', "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.20.8' } })").ended).toEqual({
    code: 1,
    out: '',
    error: `This needs Node ${engines.node.replace('>=', '')} or newer, and this is v18.20.8.\n`,
  });
  writeFileSync(join(root, '.installing'), 'no folder');
  const { code, out, error } = await start('seed').ended;
  expect([code, out, error]).toEqual([1, '', expect.stringMatching(/^The packages cannot be installed: ENOTDIR: .*\n$/)]);
  root = join(place, 'clone #2');
  clone(installs);
  expect(await start('seed').ended).toEqual({
    code: 1,
    out: '',
    error: `npm and Vite cannot work in a folder with #, % or ? in its path. Move this one, and start again: ${root}\n`,
  });
});
