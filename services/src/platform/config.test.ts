import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { describe, expect, it } from 'vitest';
import { ConfigRefused, parseConfig, readEnvironment } from './config.ts';

const root = join(import.meta.dirname, '../../..');
const refusal = (environment: Record<string, string>): readonly string[] => {
  try {
    parseConfig(environment, root);
  } catch (error) {
    if (error instanceof ConfigRefused) return error.problems;
    throw error;
  }
  return [];
};

describe('parseConfig', () => {
  it('needs nothing, and is strict by default', () => {
    expect(parseConfig({}, root)).toEqual({
      environment: 'production',
      host: '127.0.0.1',
      port: 8080,
      dataDir: join(root, 'data'),
      webDir: join(root, 'web/dist'),
      publicUrl: undefined,
      allowedOrigins: [],
      trustProxyHops: 0,
      rateLimit: true,
      jwtSecret: undefined,
      superAdmin: undefined,
      writeQueue: 2000,
      store: { kind: 'sqlite' },
      backups: { minutes: 15, folder: join(root, 'data/backups') },
      logLevel: 'info',
    });
  });

  it('takes what is set', () => {
    expect(
      parseConfig(
        {
          NODE_ENV: 'test',
          HOST: '0.0.0.0',
          PORT: '0',
          DATA_DIR: '/tmp/there',
          PUBLIC_URL: 'https://hoops.example',
          ALLOWED_ORIGINS: 'https://a.example, https://b.example:8443',
          TRUST_PROXY: '2',
          RATE_LIMIT: 'off',
          JWT_SECRET: 'x'.repeat(32),
          SUPERADMIN_ID: 'root',
          SUPERADMIN_PASSWORD: ' spaced words ',
          EVENTSTORE_URL: 'esdb://127.0.0.1:2113?tls=false',
          WRITE_QUEUE: '100',
          BACKUP_MINUTES: '0',
          BACKUP_DIR: '/mnt/backups',
          LOG_LEVEL: 'warn',
        },
        root,
      ),
    ).toEqual({
      environment: 'test',
      host: '0.0.0.0',
      port: 0,
      dataDir: '/tmp/there',
      webDir: join(root, 'web/dist'),
      publicUrl: new URL('https://hoops.example'),
      allowedOrigins: ['https://a.example', 'https://b.example:8443'],
      trustProxyHops: 2,
      rateLimit: false,
      jwtSecret: 'x'.repeat(32),
      superAdmin: { id: 'root', password: ' spaced words ' },
      writeQueue: 100,
      store: { kind: 'eventstoredb', url: 'esdb://127.0.0.1:2113?tls=false' },
      backups: { minutes: 0, folder: '/mnt/backups' },
      logLevel: 'warn',
    });
  });

  it.each<[string, Record<string, string>, string]>([
    ['a short secret', { JWT_SECRET: 'x'.repeat(31) }, 'JWT_SECRET must have at least 32 characters (leave it out and one is made in DATA_DIR/keys)'],
    [
      'the sample secret',
      { JWT_SECRET: 'please-set-your-own-secret-of-32-or-more' },
      'JWT_SECRET is the value of .env.example: set one of your own, or leave it out',
    ],
    ['an id without password', { SUPERADMIN_ID: 'root' }, 'SUPERADMIN_ID and SUPERADMIN_PASSWORD go together: set both or neither'],
    ['a password without id', { SUPERADMIN_PASSWORD: 'long enough' }, 'SUPERADMIN_ID and SUPERADMIN_PASSWORD go together: set both or neither'],
    ['a short super admin password', { SUPERADMIN_ID: 'root', SUPERADMIN_PASSWORD: 'seven77' }, 'SUPERADMIN_PASSWORD must have at least 8 characters'],
    [
      'a super admin password that nobody types',
      { SUPERADMIN_ID: 'root', SUPERADMIN_PASSWORD: 'x'.repeat(129) },
      'SUPERADMIN_PASSWORD must have at most 128 characters',
    ],
    [
      'the sample password',
      { SUPERADMIN_ID: 'root', SUPERADMIN_PASSWORD: 'change-this-password' },
      'SUPERADMIN_PASSWORD is the value of .env.example: set one of your own',
    ],
    ['a port that is none', { PORT: '80a' }, 'PORT must be a whole number from 0 to 65535'],
    ['a port too high', { PORT: '65536' }, 'PORT must be a whole number from 0 to 65535'],
    ['an unknown environment', { NODE_ENV: 'prod' }, 'NODE_ENV must be one of production, development, test'],
    ['an unknown level', { LOG_LEVEL: 'loud' }, 'LOG_LEVEL must be one of silent, error, warn, info, debug'],
    ['a throttle neither on nor off', { RATE_LIMIT: 'no' }, 'RATE_LIMIT must be one of on, off'],
    [
      'an origin with a path',
      { ALLOWED_ORIGINS: 'https://a.example/' },
      "ALLOWED_ORIGINS: 'https://a.example/' is not an origin (https://example.org, without a path)",
    ],
    ['any origin', { ALLOWED_ORIGINS: '*' }, "ALLOWED_ORIGINS: '*' is not an origin (https://example.org, without a path)"],
    ['a public address that is none', { PUBLIC_URL: 'hoops.example' }, 'PUBLIC_URL must be an address that begins with https:// or http://'],
    [
      'a public address below a site',
      { PUBLIC_URL: 'https://hoops.example/nepal' },
      'PUBLIC_URL must be the address of a site and nothing more, for the pages stand at its root and nowhere else: write https://hoops.example',
    ],
    [
      'a public address with a password',
      { PUBLIC_URL: 'https://me:secret@hoops.example' },
      'PUBLIC_URL must be the address of a site and nothing more, for the pages stand at its root and nowhere else: write https://hoops.example',
    ],
    ['trust in any number of proxies', { TRUST_PROXY: 'true' }, 'TRUST_PROXY must be a whole number from 0 to 10'],
    ['a queue that takes nothing', { WRITE_QUEUE: '0' }, 'WRITE_QUEUE must be a whole number from 1 to 100000'],
    ['a queue that is no number', { WRITE_QUEUE: 'x' }, 'WRITE_QUEUE must be a whole number from 1 to 100000'],
    ['a queue too long', { WRITE_QUEUE: '100001' }, 'WRITE_QUEUE must be a whole number from 1 to 100000'],
    ['a home folder that only a shell knows', { DATA_DIR: '~/courtledger' }, 'DATA_DIR begins with ~, which is no home folder here: write the whole path'],
    ['the same for backups', { BACKUP_DIR: '~/backups' }, 'BACKUP_DIR begins with ~, which is no home folder here: write the whole path'],
    ['a variable that only a shell replaces', { DATA_DIR: '$HOME/courtledger' }, 'DATA_DIR has $HOME, which is not replaced here: write the whole path'],
    ['the same amid a path', { BACKUP_DIR: '/srv/${USER}/backups' }, 'BACKUP_DIR has ${USER}, which is not replaced here: write the whole path'],
    ['a negative time between backups', { BACKUP_MINUTES: '-5' }, 'BACKUP_MINUTES must be 0, or a whole number from 5 to 1440'],
    ['backups all the time', { BACKUP_MINUTES: '4' }, 'BACKUP_MINUTES must be 0, or a whole number from 5 to 1440'],
    ['backups less than once a day', { BACKUP_MINUTES: '1441' }, 'BACKUP_MINUTES must be 0, or a whole number from 5 to 1440'],
    [
      'backups among what is backed up',
      { DATA_DIR: '/tmp/there', BACKUP_DIR: '/tmp/there/media/backups' },
      'BACKUP_DIR must be a folder of its own, not DATA_DIR or one of the folders that are backed up',
    ],
    [
      'backups beside the log',
      { DATA_DIR: '/tmp/there', BACKUP_DIR: '/tmp/there/' },
      'BACKUP_DIR must be a folder of its own, not DATA_DIR or one of the folders that are backed up',
    ],
    ['a log that is no event store', { EVENTSTORE_URL: 'http://there:2113' }, 'EVENTSTORE_URL must begin with esdb:// or esdb+discover://'],
    [
      'the default password of the event store',
      { EVENTSTORE_URL: 'esdb://admin:changeit@store.example:2113' },
      "EVENTSTORE_URL uses EventStoreDB's default password: set one of your own",
    ],
    [
      'a bare % in the password of the event store',
      { EVENTSTORE_URL: 'esdb://courtledger:100%sure@store.example:2113' },
      'EVENTSTORE_URL has a % in its user or password that begins no escape: write it as %25',
    ],
    [
      "the same on a developer's own machine",
      { NODE_ENV: 'development', EVENTSTORE_URL: 'esdb://50%:secret99@localhost:2113?tls=false' },
      'EVENTSTORE_URL has a % in its user or password that begins no escape: write it as %25',
    ],
    ['no password for the event store', { EVENTSTORE_URL: 'esdb://store.example:2113' }, 'EVENTSTORE_URL names no user and password'],
    [
      'an event store without TLS',
      { EVENTSTORE_URL: 'esdb+discover://u:secret99@a.example:2113,b.example:2113?tls=false' },
      'EVENTSTORE_URL turns TLS off for a server on another machine',
    ],
    [
      'a cluster of which only one is here',
      { EVENTSTORE_URL: 'esdb://u:secret99@127.0.0.1:2113,b.example:2113?tls=false' },
      'EVENTSTORE_URL turns TLS off for a server on another machine',
    ],
  ])('refuses %s', (_, environment, problem) => {
    expect(refusal(environment)).toEqual([problem]);
  });

  it('names the folder of that very name, in which an earlier release has recorded', () => {
    const there = mkdtempSync(join(tmpdir(), 'config-'));
    try {
      const [data, backups] = [join(there, '$HOME/league'), join(there, '~/backups')];
      for (const made of [data, backups]) mkdirSync(made, { recursive: true });
      expect(() => parseConfig({ DATA_DIR: '$HOME/league', BACKUP_DIR: '~/backups' }, there)).toThrow(
        new ConfigRefused([
          `DATA_DIR has $HOME, which is not replaced here: write the whole path. An earlier release took it as it stands: what it has put there is in ${data}`,
          `BACKUP_DIR begins with ~, which is no home folder here: write the whole path. An earlier release took it as it stands: what it has put there is in ${backups}`,
        ]),
      );
    } finally {
      rmSync(there, { recursive: true });
    }
  });

  it('names all faults at once', () => {
    expect(refusal({ PORT: 'x', JWT_SECRET: 'short' })).toHaveLength(2);
  });

  it('lets a developer use an event store of their own machine without password', () => {
    expect(parseConfig({ EVENTSTORE_URL: 'none' }, root).store).toEqual({ kind: 'sqlite', isMeant: true });
    expect(refusal({ EVENTSTORE_URL: 'esdb://localhost:2113?tls=false' })).toEqual([]);
    expect(refusal({ EVENTSTORE_URL: 'esdb://admin:changeit@127.0.0.1:2113?tls=false' })).toEqual([]);
    expect(refusal({ NODE_ENV: 'development', EVENTSTORE_URL: 'esdb://admin:changeit@store:2113?tls=false' })).toEqual([]);
  });

  it('has a documented sample for every variable it reads', () => {
    const documented = new Set([...readFileSync(join(root, '.env.example'), 'utf8').matchAll(/^#?([A-Z_]+)=/gm)].map(([, name]) => name));
    const source = readFileSync(join(import.meta.dirname, 'config.ts'), 'utf8');
    const read = new Set([...source.matchAll(/(?:text|folder|integer|oneOf)\('([A-Z_]+)'|environment\['([A-Z_]+)'\]/g)].map((match) => match[1] ?? match[2]));
    expect(read.size).toBeGreaterThan(10);
    expect(documented).toEqual(read);
  });

  it('has samples that are defaults or refused', () => {
    const samples = parseEnv(readFileSync(join(root, '.env.example'), 'utf8').replaceAll(/^#(?=[A-Z_]+=)/gm, ''));
    expect(refusal(samples as Record<string, string>)).toHaveLength(3);
  });
});

describe('readEnvironment', () => {
  it('refuses a .env that cannot be read, in words', () => {
    const folder = mkdtempSync(join(tmpdir(), 'courtledger-env-'));
    try {
      mkdirSync(join(folder, '.env'));
      expect(() => readEnvironment(folder, {})).toThrow(new ConfigRefused(['The file .env cannot be read: EISDIR: illegal operation on a directory, read']));
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('adds what .env says and lets the environment win', () => {
    const folder = mkdtempSync(join(tmpdir(), 'courtledger-env-'));
    try {
      expect(readEnvironment(folder, { PORT: '1' })).toEqual({ PORT: '1' });
      writeFileSync(join(folder, '.env'), 'PORT=2\nLOG_LEVEL=warn\n');
      expect(readEnvironment(folder, { PORT: '1' })).toEqual({ PORT: '1', LOG_LEVEL: 'warn' });
      // As an editor on Windows leaves it.
      writeFileSync(join(folder, '.env'), '\uFEFFPORT=2\r\nLOG_LEVEL=warn\r\n');
      expect(readEnvironment(folder, {})).toEqual({ PORT: '2', LOG_LEVEL: 'warn' });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
