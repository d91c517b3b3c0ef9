import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { allEndpoints } from '@courtledger/contracts/kernel/all-endpoints';
import { describe, expect, test } from 'vitest';
import { parseDocument } from 'yaml';

import { EventStoreDbConnection } from '../eventstoredb-event-log-connection.ts';
import { parseConfig } from '../../platform/config.ts';
import { formBytes } from '../../platform/uploads-form.ts';

// No container can be started where this runs: the files are read, and held against what they must not do.

type Service = {
  readonly image?: string;
  readonly build?: unknown;
  readonly restart?: string;
  readonly privileged?: boolean;
  readonly user?: string;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly read_only?: boolean;
  readonly network_mode?: string;
  readonly networks?: readonly string[];
  readonly ports?: readonly string[];
  readonly profiles?: readonly string[];
  readonly volumes?: readonly string[];
  readonly configs?: readonly { readonly source: string }[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
};
type Compose = {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: Readonly<Record<string, unknown>>;
  readonly networks: Readonly<Record<string, { readonly internal?: boolean }>>;
  readonly configs: Readonly<Record<string, { readonly content: string }>>;
};

const root = join(import.meta.dirname, '../../../..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const text = read('docker-compose.yml');
const document = parseDocument(text, { merge: true, strict: true, uniqueKeys: true });
const compose = document.toJS() as Compose;
const services = Object.entries(compose.services);
const named = (prefix: RegExp): readonly [string, Service][] => services.filter(([name]) => prefix.test(name));
const lasting = services.filter(([, service]) => service.restart !== 'no');
const gateways = named(/^gateway/);

/** Fills `${NAME:-default}` and `${NAME:?message}` as compose does. Throws the message of one that is missing. */
const interpolate = (value: string, environment: Readonly<Record<string, string>>): string =>
  value.replaceAll(/(?<!\$)\$\{(?<name>[A-Z_]+)(?::(?<kind>[-?])(?<rest>[^}]*))?\}/g, (...match) => {
    const { name = '', kind, rest = '' } = match.at(-1) as { name?: string; kind?: string; rest?: string };
    const set = environment[name];
    if (set !== undefined && set !== '') return set;
    if (kind === '?') throw new Error(rest);
    return rest;
  });

const passwords = {
  SUPERADMIN_PASSWORD: 'a-password-of-our-own',
  JWT_SECRET: 'x'.repeat(40),
  EVENTSTORE_ADMIN_PASSWORD: 'another_of-our-own',
  EVENTSTORE_OPS_PASSWORD: 'and_one_more',
};
const environmentOf = (service: Service, set: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(service.environment ?? {}).map(([name, value]) => [name, interpolate(value, set)]));

describe('docker-compose.yml', () => {
  test('parses without an error or a warning, and holds what it promises', () => {
    expect([...document.errors, ...document.warnings]).toEqual([]);
    expect(Object.keys(compose.services)).toEqual([
      'certificates',
      'eventstore',
      'gateway',
      'eventstore-1',
      'eventstore-2',
      'eventstore-3',
      'gateway-1',
      'gateway-2',
      'balancer',
    ]);
    expect(services.filter(([, service]) => service.profiles === undefined).map(([name]) => name)).toEqual(['certificates', 'eventstore', 'gateway']);
    expect(services.filter(([, service]) => service.profiles?.includes('scale-out')).map(([name]) => name)).toEqual([
      'eventstore-1',
      'eventstore-2',
      'eventstore-3',
      'gateway-1',
      'gateway-2',
      'balancer',
    ]);
  });

  test('names exact images, and builds the product here', () => {
    for (const [name, service] of services) expect(`${name}: ${service.image}`).toMatch(/^[a-z0-9-]+: [a-z0-9./-]+:(?!latest$)[a-z0-9.-]*[a-z0-9]$/);
    for (const [name, service] of named(/^eventstore/)) expect(`${name}: ${service.image}`).toMatch(/: eventstore\/eventstore:23\.10\.\d+-/);
    for (const [name, service] of gateways) expect([name, service.build]).toEqual([name, { context: '.' }]);
  });

  test('takes no rights that it does not need', () => {
    for (const [name, service] of lasting)
      expect([name, service.cap_drop, service.privileged, service.user, service.network_mode]).toEqual([name, ['ALL'], undefined, undefined, undefined]);
    for (const [name, service] of lasting) expect([name, service.security_opt]).toEqual([name, ['no-new-privileges:true']]);
    for (const [name, service] of gateways) expect([name, service.read_only]).toEqual([name, true]);
    expect(compose.services['certificates']?.network_mode).toBe('none');
  });

  test('publishes ports on loopback only, and none of EventStoreDB', () => {
    expect(services.flatMap(([, service]) => service.ports ?? [])).toEqual(['127.0.0.1:8080:8080', '127.0.0.1:8081:8080']);
    expect(named(/^eventstore/).flatMap(([, service]) => service.ports ?? [])).toEqual([]);
    for (const [name, service] of named(/^eventstore/)) expect([name, service.networks]).toEqual([name, ['log']]);
    expect(compose.networks['log']).toEqual({ internal: true });
  });

  test('every lasting service has a health check, is started again, and waits for what it needs', () => {
    expect(lasting).toHaveLength(8);
    for (const [name, service] of lasting) {
      expect([name, service.restart]).toEqual([name, 'unless-stopped']);
      expect(`${name}: ${service.healthcheck?.test[0]}`).toMatch(/: CMD(-SHELL)?$/);
    }
    for (const [name, service] of services)
      for (const [needed, { condition }] of Object.entries(service.depends_on ?? {})) {
        const target = compose.services[needed];
        expect([name, needed, condition]).toEqual([
          name,
          Object.keys(compose.services).find((other) => other === needed),
          target?.restart === 'no' ? 'service_completed_successfully' : 'service_healthy',
        ]);
        // A service without a profile must not wait for one that is not started.
        expect([name, needed, service.profiles ?? target?.profiles]).toEqual([name, needed, service.profiles]);
      }
  });

  test('keeps everything in named volumes, each declared and each used', () => {
    const used = services.flatMap(([, service]) => (service.volumes ?? []).map((volume) => volume.split(':')[0]));
    expect(new Set(used)).toEqual(new Set(Object.keys(compose.volumes)));
    for (const [name, service] of named(/^eventstore/)) expect(service.volumes).toContain(`${name}-data:/var/lib/eventstore`);
    for (const [name, service] of gateways) expect(service.volumes).toContain(`${name}-data:/data`);
    // The key of the authority is nobody else's, and no service can write the certificates.
    expect(used.filter((volume) => volume === 'certificate-authority')).toHaveLength(1);
    expect(lasting.flatMap(([, service]) => service.volumes ?? []).filter((volume) => /certificates|trust/.test(volume) && !volume.endsWith(':ro'))).toEqual(
      [],
    );
    for (const config of services.flatMap(([, service]) => service.configs ?? [])) expect(Object.keys(compose.configs)).toContain(config.source);
  });

  test('has no default password: each secret must be set, and the start says which', () => {
    expect(text).not.toMatch(/changeit|EVENTSTORE_INSECURE|tls=false/i);
    const secrets = services.flatMap(([, service]) =>
      Object.entries(service.environment ?? {}).filter(([name, value]) => /PASSWORD|SECRET/.test(name) || value.includes('PASSWORD')),
    );
    expect(secrets.length).toBeGreaterThan(10);
    for (const [name, value] of secrets) expect(`${name}=${value}`).toMatch(/\$\{[A-Z_]+:\?set [A-Z_]+ in \.env[^}]*\}/);
    for (const [missing] of Object.entries(passwords)) {
      const rest = Object.fromEntries(Object.entries(passwords).filter(([name]) => name !== missing));
      expect(() => services.map(([, service]) => environmentOf(service, rest))).toThrow(`set ${missing} in .env`);
    }
  });

  test('the three nodes are one cluster that knows itself', () => {
    const nodes = ['eventstore-1', 'eventstore-2', 'eventstore-3'];
    for (const node of nodes) {
      const environment = environmentOf(compose.services[node] ?? {}, passwords);
      expect(environment).toMatchObject({
        EVENTSTORE_CLUSTER_SIZE: '3',
        EVENTSTORE_NODE_HOST_ADVERTISE_AS: node,
        EVENTSTORE_REPLICATION_HOST_ADVERTISE_AS: node,
      });
      expect(environment['EVENTSTORE_GOSSIP_SEED']).toBe(
        nodes
          .filter((other) => other !== node)
          .map((other) => `${other}:2113`)
          .join(','),
      );
    }
    expect(environmentOf(compose.services['eventstore'] ?? {}, passwords)['EVENTSTORE_CLUSTER_SIZE']).toBe('1');
  });

  test.each(gateways.map(([name, service]) => ({ name, service })))(
    '$name: the product accepts its environment, in production, and the client its connection string',
    ({ service }) => {
      const environment = environmentOf(service, passwords);
      const documented = new Set([...read('.env.example').matchAll(/^#?([A-Z_]+)=/gm)].map((match) => match[1]));
      expect(Object.keys(environment).filter((name) => !documented.has(name))).toEqual([]);
      const config = parseConfig(environment, root);
      expect(config).toMatchObject({
        environment: 'production',
        host: '0.0.0.0',
        port: 8080,
        dataDir: '/data',
        rateLimit: true,
        store: { kind: 'eventstoredb' },
      });
      expect(() => parseConfig(environmentOf(service, { ...passwords, EVENTSTORE_ADMIN_PASSWORD: 'changeit' }), root)).toThrow(/default password/);
      const url = environment['EVENTSTORE_URL'] ?? '';
      // The file of the authority is inside the container only.
      const { credentials } = new EventStoreDbConnection(url.replace(/&tlsCAFile=[^&]*/, ''));
      expect(credentials).toEqual({ username: 'admin', password: passwords.EVENTSTORE_ADMIN_PASSWORD });
      const hosts = [...url.matchAll(/eventstore(?:-\d)?(?=:2113)/g)].map(([host]) => host);
      expect(Object.keys(service.depends_on ?? {})).toEqual(expect.arrayContaining(hosts));
    },
  );

  test('what an operator sets in .env reaches every gateway; of the two that share everything one makes backups', () => {
    const set = {
      ...passwords,
      BACKUP_MINUTES: '60',
      WRITE_QUEUE: '100',
      ALLOWED_ORIGINS: 'https://a.example',
      LOG_LEVEL: 'warn',
      RATE_LIMIT: 'off',
      PUBLIC_URL: 'https://hoops.example',
      TRUST_PROXY: '2',
    };
    const configs = gateways.map(([name, service]) => [name, parseConfig(environmentOf(service, set), root)] as const);
    for (const [, config] of configs)
      expect(config).toMatchObject({
        writeQueue: 100,
        allowedOrigins: ['https://a.example'],
        logLevel: 'warn',
        rateLimit: false,
        publicUrl: new URL('https://hoops.example'),
        trustProxyHops: 2,
      });
    expect(configs.map(([name, { backups }]) => [name, backups.minutes])).toEqual([
      ['gateway', 60],
      ['gateway-1', 60],
      ['gateway-2', 0],
    ]);
  });

  test('the balancer lets every form through that a gateway takes', () => {
    const megabytes = /client_max_body_size (\d+)m;/.exec(compose.configs['balancer']?.content ?? '')?.[1];
    expect(Number(megabytes) * 2 ** 20).toBeGreaterThanOrEqual(Math.max(...Object.values(allEndpoints).map(formBytes)));
  });

  test('the balancer knows every gateway behind it, and the shared folders are shared', () => {
    const content = compose.configs['balancer']?.content ?? '';
    const behind = [...content.matchAll(/server (gateway-\d):8080;/g)].map((match) => match[1]);
    expect(behind).toEqual(['gateway-1', 'gateway-2']);
    // What a visitor has just written is read back where it was, and live events come when they happen.
    expect(['ip_hash', 'proxy_buffering off'].filter((said) => !content.includes(`${said};`))).toEqual([]);
    // A single $ would be taken for a variable of compose.
    expect(content.replaceAll('$$', '')).not.toContain('$');
    for (const name of behind)
      expect(compose.services[name ?? '']?.volumes).toEqual(
        expect.arrayContaining(['shared-media:/data/media', 'shared-documents:/data/documents', 'shared-keys:/data/keys']),
      );
  });
});

describe('Dockerfile', () => {
  const lines = read('Dockerfile')
    .replaceAll(/\\\n/g, ' ')
    .split('\n')
    .filter((line) => line !== '' && !line.trimStart().startsWith('#'));
  const starts = lines.flatMap((line, index) => (line.startsWith('FROM ') ? [index] : []));
  const stages = starts.map((start, index) => lines.slice(start, starts[index + 1]));
  const last = stages.at(-1) ?? [];

  test('builds with the locked packages and runs as nobody special, in production', () => {
    expect(stages.map(([from]) => from?.split(' ')[1])).toEqual(['node:24-slim', 'node:24-slim']);
    expect(stages[0]?.join('\n')).toMatch(/RUN npm ci .*\n(?:.*\n)*RUN npm run build/);
    expect(last.filter((line) => line.startsWith('USER '))).toEqual(['USER node']);
    expect(last.findIndex((line) => line.startsWith('USER '))).toBeLessThan(last.findIndex((line) => line.startsWith('CMD ')));
    expect(last.find((line) => line.startsWith('ENV '))).toBe('ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 DATA_DIR=/data');
    expect(last.at(-1)).toBe('CMD ["node", "--import", "./scripts/need-node.mjs", "services/src/main.ts"]');
    expect(lines.filter((line) => line.startsWith('ADD ') || /PASSWORD|SECRET/.test(line))).toEqual([]);
  });

  test('copies each workspace that npm ci asks for', () => {
    const { workspaces } = JSON.parse(read('package.json')) as { workspaces: readonly string[] };
    for (const workspace of workspaces) expect(lines).toContain(`COPY ${workspace}/package.json ${workspace}/`);
  });

  test('leaves secrets, data and the history out of the image', () => {
    expect(read('.dockerignore').split('\n')).toEqual(expect.arrayContaining(['.git', '.env', '.env.*', 'data', '**/node_modules']));
  });
});
