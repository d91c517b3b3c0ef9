import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { recordStatIncrement } from '@courtledger/contracts/match/match.api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { UnacceptableEvents } from '../event-log/event-log.ts';
import { temporaryFolder } from '../event-log/testing/log-files.ts';
import { callOps, startOps } from '../testing/command-line.ts';
import { noSettings } from '../testing/no-settings.ts';
import { openSite, season, type Season, type Site } from '../testing/site.ts';
import { tellable } from './expected-errors.ts';

let folder: ReturnType<typeof temporaryFolder>;
let site: Site;
let place: Season;
beforeAll(async () => {
  folder = temporaryFolder();
  site = await openSite({ store: { kind: 'sqlite' }, dataDir: folder.path('data') });
  place = await season(site);
  writeFileSync(folder.path('no-lines.txt'), 'Dear diary\n');
  symlinkSync(folder.path('disk-that-is-away'), folder.path('link'));
  mkdirSync(folder.path('broken-backup'));
  writeFileSync(folder.path('broken-backup/manifest.json'), '{"format": 1,');
}, 60_000);
afterAll(async () => {
  await site.close();
  folder.remove();
});

/** Calls `ops` and gives its exit code and what it said on standard error. */
const ops = async (
  args: readonly string[],
  dataDir = folder.path('data'),
  environment: Readonly<Record<string, string>> = {},
): Promise<readonly [code: number | null, said: readonly string[]]> => {
  const { code, said } = await callOps(args, { dataDir, folder: folder.path(''), environment });
  return [
    code,
    said
      .replaceAll(`${folder.path('.')}/`, '')
      .trimEnd()
      .split('\n'),
  ];
};

describe('a mistake at the command line', () => {
  const mistakes: [args: readonly string[], code: number, said: string, own: boolean][] = [
    [['export', 'nope/x'], 1, 'nope: no such file or folder', false],
    [['export', 'no-lines.txt'], 1, 'no-lines.txt exists already', false],
    [['export', 'no-lines.txt/x'], 1, 'no-lines.txt: not a folder', false],
    [['export', 'link/x'], 1, 'link: a link to what is not there', false],
    [['season-file', 'TOURNAMENT', 'nope/x'], 1, 'nope: no such file or folder', false],
    [['import', 'nope'], 1, 'nope: no such file or folder', true],
    [['import', 'no-lines.txt'], 1, 'Line 1 of no-lines.txt is no event', true],
    [['import', 'broken-backup'], 1, 'broken-backup: a folder, not a file', true],
    [['restore', 'nope'], 1, 'nope is no backup: it has no manifest.json', true],
    [['restore', 'broken-backup'], 1, 'broken-backup/manifest.json cannot be read', true],
    [['drill', 'broken-backup'], 1, 'broken-backup/manifest.json cannot be read', false],
  ];
  it.each(mistakes)(
    '%j ends with one line and code %i: %s',
    async (args, code, said, own) => {
      const [ended, lines] = await ops(
        args.map((word) => (word === 'TOURNAMENT' ? place.tournamentId : word)),
        own ? folder.path('other') : undefined,
      );
      expect([ended, lines.at(-1), lines.filter((line) => /^\s+at |Warning|Error/.test(line))]).toStrictEqual([code, said, []]);
    },
    30_000,
  );

  it('an option that is ambiguous is told in one line', async () => {
    const [code, [first]] = await ops(['tail', '--match', '-n', '1']);
    expect([code, first]).toStrictEqual([2, expect.stringMatching(/^Option '--match' argument is ambiguous\. Did you forget/)]);
  }, 30_000);

  it.each([
    ['backup', ''],
    ['restore', ''],
    ['persons', ''],
    ['export', ''],
  ])(
    '%s with an empty word is a wrong call, not a call for this folder',
    async (...args) => {
      const [code, [first]] = await ops(args);
      expect([code, first]).toStrictEqual([2, 'A word after the verb is empty']);
    },
    30_000,
  );

  it.each([
    [['tail', '--actor', ''], '--actor'],
    [['tail', '-n', ''], '--lines'],
    [['stream', 'x', '--type='], '--type'],
  ])(
    '%j, a filter without a value, is a wrong call, not one without a filter',
    async (args, option) => {
      const [code, [first]] = await ops(args);
      expect([code, first]).toStrictEqual([2, `${option} is empty`]);
    },
    30_000,
  );
});

it('ends quietly, with 0, when whoever reads it has had enough', async () => {
  const { child, ended, heard } = startOps(['tail', '-n', '1', '-f'], { dataDir: folder.path('data'), folder: folder.path('') });
  await heard('\n');
  child.stdout.destroy();
  // The next line finds nobody who reads it.
  await site.call(recordStatIncrement, {
    token: place.token,
    params: { id: place.matchId },
    json: { entryId: 'one', playerId: place.teams[0].players[0] ?? '', points: 2 },
  });
  const { code, said } = await ended;
  expect([code, said]).toStrictEqual([0, '']);
}, 30_000);

it.each([
  ['status', 1],
  ['verify', 2],
] as const)(
  'an answer that a full disk does not take is none: %s ends with one line and code %i, which is no answer of it',
  async (verb, code) => {
    const full = openSync('/dev/full', 'w');
    const child = spawn(process.execPath, [join(import.meta.dirname, 'cli.ts'), verb], {
      env: { ...noSettings, PATH: process.env['PATH'] ?? '', DATA_DIR: folder.path('data') },
      stdio: ['ignore', full, 'pipe'],
    });
    closeSync(full);
    let said = '';
    child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
    await once(child, 'close');
    expect([child.exitCode, said]).toEqual([code, 'standard output: no space is left on the disk\n']);
  },
  30_000,
);

it.each([
  [
    'a file of a copy, which goes to the disk that is full',
    { code: 'ENOSPC', path: '/data/media/a.jpg', dest: '/backup/media/a.jpg' },
    '/backup/media/a.jpg: no space is left on the disk',
  ],
  [
    'a file of a copy that cannot be read',
    { code: 'EIO', path: '/data/media/a.jpg', dest: '/backup/media/a.jpg' },
    '/data/media/a.jpg: the disk could not read or write this',
  ],
  ['a database', { code: 'SQLITE_FULL' }, 'No space is left on the disk'],
  ['what a database keeps beside it', { code: 'SQLITE_IOERR_SHMSIZE' }, 'No space is left on the disk'],
])('tells in one line what the system says to %s', (_, of, said) => {
  expect(tellable(Object.assign(new Error('raw'), of))).toBe(said);
});

it.each([
  [
    'names no user, and does not turn TLS off',
    'esdb://127.0.0.1:1',
    'EVENTSTORE_URL cannot be used: it names no user and password, which a server with TLS asks for (esdb://user:password@host:2113); for a server without TLS it ends with ?tls=false',
  ],
  [
    'has an option that the client does not take',
    'esdb://a:secret@127.0.0.1:1?tls=false&nodePreference=foo',
    'EVENTSTORE_URL cannot be used: it is no connection string, or the client does not take one of its options (tls=false, nodePreference=foo)',
  ],
])(
  'an address of a log that %s ends a verb with one line, without the password',
  async (_, url, said) => {
    const [code, lines] = await ops(['export', 'new.jsonl'], folder.path('other'), { EVENTSTORE_URL: url });
    expect([code, lines]).toStrictEqual([1, [said]]);
  },
  30_000,
);

it('tells in one line that a store does not take an event', () => {
  expect(tellable(new UnacceptableEvents('The event id 7 is already stored'))).toBe('The event id 7 is already stored');
});

it('what the system refuses is told of the file that is there, or of the folder that keeps it', () => {
  const text = 'this user may not read or write here: look at who owns it, and at its mode';
  const told = ['no-lines.txt', 'nowhere/restore.json'].map((name) =>
    tellable(Object.assign(new Error('EACCES'), { code: 'EACCES', path: folder.path(name) })),
  );
  expect(told).toEqual([`${folder.path('no-lines.txt')}: ${text}`, `${folder.path('.').replace(/\/\.$/, '')}: ${text}`]);
});
