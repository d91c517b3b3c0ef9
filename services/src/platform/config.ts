import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { messageOf } from '@courtledger/contracts/kernel/errors';
import { PASSWORD_MAX, PASSWORD_MIN } from '@courtledger/contracts/kernel/limits';
import { credentialIn, unreadableCredential } from '../event-log/eventstoredb-address.ts';
import { isInTheWayOfBackups } from './folders.ts';

/** Everything that the environment decides, parsed once at the start. `.env.example` documents each variable. */
export type Config = {
  readonly environment: 'production' | 'development' | 'test';
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  readonly dataDir: string;
  /** Where the built pages are (`web/dist`). */
  readonly webDir: string;
  /** The site's address as people type it; behind https it makes cookies `Secure`. */
  readonly publicUrl: URL | undefined;
  /** Exact origins of other sites that may call this API from a browser. */
  readonly allowedOrigins: readonly string[];
  /** How many proxies of our own stand before this server: that many addresses at the end of X-Forwarded-For are believed. */
  readonly trustProxyHops: number;
  readonly rateLimit: boolean;
  readonly jwtSecret: string | undefined;
  readonly superAdmin: { readonly id: string; readonly password: string } | undefined;
  /** How many commands may wait for the disk at once; whoever comes then is told to come back (docs/decisions/write-queue.md). */
  readonly writeQueue: number;
  /** 'memory' is for tests: nothing outlives the process. */
  readonly store:
    | { readonly kind: 'sqlite'; /** It was said in words that the file counts, also where the log was in EventStoreDB before. */ readonly isMeant?: true }
    | { readonly kind: 'memory' }
    | { readonly kind: 'eventstoredb'; readonly url: string };
  /**
   * The backups that the server makes by itself. `minutes`: so long at most a change is in none (0: it makes none). `folder`: where they go, and those that the
   * super admin asks for.
   */
  readonly backups: { readonly minutes: number; readonly folder: string };
  readonly logLevel: 'silent' | 'error' | 'warn' | 'info' | 'debug';
};

/** The environment does not make a configuration: `problems` has one readable line for each fault. */
export class ConfigRefused extends Error {
  override readonly name = 'ConfigRefused';
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(`The configuration is refused:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.problems = problems;
  }
}

type Environment = Readonly<Record<string, string | undefined>>;

const loopbackHosts = new Set(['localhost', '127.0.0.1', '[::1]', '::1']);
const logLevels = ['silent', 'error', 'warn', 'info', 'debug'] as const;
const environments = ['production', 'development', 'test'] as const;

/** The values that stand in `.env.example`, read from it: whoever left them there has set nothing. */
const sampleSecrets = (root: string): ReadonlySet<string> => {
  const file = join(root, '.env.example');
  if (!existsSync(file)) return new Set();
  const uncommented = readFileSync(file, 'utf8').replaceAll(/^#\s?(?=[A-Z_]+=)/gm, '');
  return new Set(
    Object.entries(parseEnv(uncommented)).flatMap(([name, value]) => (/SECRET|PASSWORD/.test(name) && value !== undefined && value !== '' ? [value] : [])),
  );
};

/** Refuses what would leave an event database open to strangers (S31). Loopback may be insecure: that is a developer's own machine. */
const eventStoreProblems = (text: string, environment: Config['environment']): string[] => {
  let url: URL;
  try {
    // The hosts of a cluster are a comma list, which URL does not read: the first one stands for the scheme and the credentials.
    url = new URL(text.replace(/^(esdb(?:\+discover)?|kurrentdb(?:\+discover)?):\/\//, 'http://').replace(/,[^/?]*/, ''));
  } catch {
    return ['EVENTSTORE_URL is not a connection string (esdb://user:password@host:2113)'];
  }
  if (!/^esdb(\+discover)?:\/\//.test(text)) return ['EVENTSTORE_URL must begin with esdb:// or esdb+discover://'];
  const [user, password] = [credentialIn(url.username), credentialIn(url.password)];
  if (user === undefined || password === undefined) return [unreadableCredential];
  const hosts = (/^[^:]+:\/\/(?:[^@/]*@)?([^/?]*)/.exec(text)?.[1] ?? '').split(',').map((host) => host.replace(/:\d+$/, ''));
  if (environment !== 'production' || hosts.every((host) => loopbackHosts.has(host))) return [];
  const found: string[] = [];
  if (password === 'changeit') found.push("EVENTSTORE_URL uses EventStoreDB's default password: set one of your own");
  if (password === '') found.push('EVENTSTORE_URL names no user and password');
  if (/[?&]tls=false\b/i.test(text)) found.push('EVENTSTORE_URL turns TLS off for a server on another machine');
  return found;
};

/** An origin in the form browsers send it, or undefined. */
const originOf = (text: string): string | undefined => {
  try {
    const url = new URL(text);
    return (url.protocol === 'https:' || url.protocol === 'http:') && url.origin === text ? url.origin : undefined;
  } catch {
    return undefined;
  }
};

/**
 * Reads the configuration from environment variables.
 * @param root the repository's folder, for relative paths and `.env.example`
 * @throws ConfigRefused naming everything that is wrong at once
 */
export const parseConfig = (environment: Environment, root: string): Config => {
  const faults: string[] = [];
  const text = (name: string): string | undefined => {
    const value = environment[name]?.trim();
    return value === '' ? undefined : value;
  };
  const oneOf = <T extends string>(name: string, allowed: readonly T[], fallback: T): T => {
    const value = text(name);
    const found = allowed.find((candidate) => candidate === value);
    if (value !== undefined && found === undefined) faults.push(`${name} must be one of ${allowed.join(', ')}`);
    return found ?? fallback;
  };
  /** `off`: 0 is taken as well, and turns it off. */
  const integer = (name: string, fallback: number, { least = 0, max, off = false }: { least?: number; max: number; off?: boolean }): number => {
    const value = text(name);
    if (value === undefined) return fallback;
    const number = /^\d{1,6}$/.test(value) ? Number(value) : NaN;
    if ((number >= least && number <= max) || (off && number === 0)) return number;
    faults.push(`${name} must be ${off ? '0, or ' : ''}a whole number from ${least} to ${max}`);
    return fallback;
  };

  // Absent means production: whoever forgets to say gets the strict one.
  const mode = oneOf('NODE_ENV', environments, 'production');
  const samples = sampleSecrets(root);

  const jwtSecret = text('JWT_SECRET');
  if (jwtSecret !== undefined && jwtSecret.length < 32)
    faults.push('JWT_SECRET must have at least 32 characters (leave it out and one is made in DATA_DIR/keys)');
  if (jwtSecret !== undefined && samples.has(jwtSecret)) faults.push('JWT_SECRET is the value of .env.example: set one of your own, or leave it out');

  const superAdminId = text('SUPERADMIN_ID');
  // Not trimmed: a password may begin with a space.
  const superAdminPassword = environment['SUPERADMIN_PASSWORD'] === '' ? undefined : environment['SUPERADMIN_PASSWORD'];
  if ((superAdminId === undefined) !== (superAdminPassword === undefined))
    faults.push('SUPERADMIN_ID and SUPERADMIN_PASSWORD go together: set both or neither');
  if (superAdminPassword !== undefined && superAdminPassword.length < PASSWORD_MIN)
    faults.push(`SUPERADMIN_PASSWORD must have at least ${PASSWORD_MIN} characters`);
  if (superAdminPassword !== undefined && superAdminPassword.length > PASSWORD_MAX)
    faults.push(`SUPERADMIN_PASSWORD must have at most ${PASSWORD_MAX} characters`);
  if (superAdminPassword !== undefined && samples.has(superAdminPassword)) faults.push('SUPERADMIN_PASSWORD is the value of .env.example: set one of your own');

  const eventStoreUrl = text('EVENTSTORE_URL');
  const isFileMeant = eventStoreUrl === 'none';
  if (eventStoreUrl !== undefined && !isFileMeant) faults.push(...eventStoreProblems(eventStoreUrl, mode));

  const allowedOrigins = (text('ALLOWED_ORIGINS') ?? '')
    .split(',')
    .map((origin) => origin.trim())
    .filter((origin) => origin !== '');
  for (const origin of allowedOrigins)
    if (originOf(origin) === undefined) faults.push(`ALLOWED_ORIGINS: '${origin}' is not an origin (https://example.org, without a path)`);

  const publicUrlText = text('PUBLIC_URL');
  const publicUrl = publicUrlText !== undefined && URL.canParse(publicUrlText) ? new URL(publicUrlText) : undefined;
  if (publicUrlText !== undefined && (publicUrl === undefined || !/^https?:$/.test(publicUrl.protocol)))
    faults.push('PUBLIC_URL must be an address that begins with https:// or http://');
  else if (publicUrl !== undefined && publicUrl.href !== `${publicUrl.origin}/`)
    faults.push(`PUBLIC_URL must be the address of a site and nothing more, for the pages stand at its root and nowhere else: write ${publicUrl.origin}`);

  /**
   * A path that only a shell understands would become a folder of that name here, as earlier releases made it: whoever wrote another path would begin anew
   * beside what was recorded.
   */
  const folder = (name: string): string | undefined => {
    const value = text(name);
    const literal =
      value !== undefined && existsSync(resolve(root, value))
        ? `. An earlier release took it as it stands: what it has put there is in ${resolve(root, value)}`
        : '';
    if (value?.startsWith('~') === true) faults.push(`${name} begins with ~, which is no home folder here: write the whole path${literal}`);
    const variable = /\$(?:[A-Za-z_]\w*|\{[^}]*\})/.exec(value ?? '')?.[0];
    if (variable !== undefined) faults.push(`${name} has ${variable}, which is not replaced here: write the whole path${literal}`);
    return value;
  };
  const dataDir = resolve(root, folder('DATA_DIR') ?? 'data');
  const backupFolder = resolve(root, folder('BACKUP_DIR') ?? join(dataDir, 'backups'));
  // A backup of the backups would never end, and a restore would take its own source away.
  if (isInTheWayOfBackups(dataDir, backupFolder)) faults.push('BACKUP_DIR must be a folder of its own, not DATA_DIR or one of the folders that are backed up');

  // The server looks every half minute, and a backup takes its time: less could not be kept.
  const backupMinutes = integer('BACKUP_MINUTES', 15, { least: 5, max: 1440, off: true });

  const config: Config = {
    environment: mode,
    host: text('HOST') ?? '127.0.0.1',
    port: integer('PORT', 8080, { max: 65_535 }),
    dataDir,
    webDir: resolve(root, 'web/dist'),
    publicUrl,
    allowedOrigins,
    trustProxyHops: integer('TRUST_PROXY', 0, { max: 10 }),
    rateLimit: oneOf('RATE_LIMIT', ['on', 'off'], 'on') === 'on',
    jwtSecret,
    superAdmin: superAdminId === undefined || superAdminPassword === undefined ? undefined : { id: superAdminId, password: superAdminPassword },
    // With none nothing could be recorded.
    writeQueue: integer('WRITE_QUEUE', 2000, { least: 1, max: 100_000 }),
    store:
      eventStoreUrl === undefined || isFileMeant
        ? { kind: 'sqlite', ...(isFileMeant && { isMeant: true as const }) }
        : { kind: 'eventstoredb', url: eventStoreUrl },
    backups: { minutes: backupMinutes, folder: backupFolder },
    logLevel: oneOf('LOG_LEVEL', logLevels, 'info'),
  };
  if (faults.length > 0) throw new ConfigRefused(faults);
  return config;
};

/** The environment with what `.env` adds: a variable that is set wins over the file. @throws ConfigRefused when the file cannot be read */
export const readEnvironment = (root: string, environment: Environment = process.env): Environment => {
  const file = join(root, '.env');
  if (!existsSync(file)) return environment;
  let content: string;
  try {
    content = readFileSync(file, 'utf8');
  } catch (error) {
    throw new ConfigRefused([`The file .env cannot be read: ${messageOf(error)}`]);
  }
  // What some editors put before a text would be a part of the first name.
  return { ...parseEnv(content.replace(/^\uFEFF/, '')), ...environment };
};
