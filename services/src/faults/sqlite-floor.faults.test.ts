import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { startServer, type ServerProcess } from '../testing/server-process.ts';
import { scratchFolder } from './testing/dead-data.ts';
import { filesUnder } from './testing/files-under.ts';

const root = join(import.meta.dirname, '../../..');

const running: ServerProcess[] = [];
afterEach(async () => {
  for (const server of running.splice(0)) {
    server.child.kill('SIGKILL');
    await server.ended;
  }
});

/** Loaded before the server, in each of its threads: the library says that it has this version, and is itself in all else. */
const sayingVersion = (version: string): string => `
  import { createRequire } from 'node:module';
  const Database = createRequire(${JSON.stringify(join(root, 'services/package.json'))})('better-sqlite3');
  const { prepare } = Database.prototype;
  Database.prototype.prepare = function (sql) {
    return prepare.call(this, sql.replaceAll('sqlite_version()', "'${version}'"));
  };`;

const start = (dataDir: string, version: string): ServerProcess => {
  const server = startServer({ DATA_DIR: dataDir, LOG_LEVEL: 'error' }, sayingVersion(version));
  running.push(server);
  return server;
};

describe('the version of SQLite (R24)', () => {
  it('below 3.51.3 is refused at the start, before any file is made', async () => {
    using folder = scratchFolder();
    const server = start(folder.path, '3.51.2');
    expect(await server.ended).toEqual({ code: 1, signal: null });
    expect(server.said()).toContain('SQLite 3.51.2 is older than 3.51.3');
    expect(server.said()).not.toContain('listens on');
    expect(readdirSync(folder.path)).toEqual([]);
  });

  it('from 3.51.3 on is taken: the stub alone refuses nothing', async () => {
    using folder = scratchFolder();
    const server = start(folder.path, '3.51.3');
    await server.ready;
    server.child.kill('SIGTERM');
    expect(await server.ended).toEqual({ code: 0, signal: null });
  });
});

describe('another SQLite (R24)', () => {
  /** As words of their own: `better-sqlite3` is the one that we use. */
  const others = /(?<![\w-])sqlite3(?![\w])|(?:node|bun):sqlite|\b(?:sql\.js|libsql|wa-sqlite|sqlite-wasm)\b/;
  const kinds = /\.(?:ts|tsx|js|mjs|cjs|json|sh|ya?ml)$|(?:^|\/)(?:Dockerfile|run)$/;
  /** The bench's reference is another product, in a folder and on a file of its own; it never sees one of ours. */
  const reference = 'scripts/bench/emmett-';
  const folders = ['.ci', 'contracts', 'projections', 'scripts', 'services', 'web'].flatMap((folder) =>
    filesUnder(join(root, folder)).map((name) => join(folder, name)),
  );
  const sources = [...readdirSync(root), ...folders].filter(
    (name) => kinds.test(name) && !name.startsWith(reference) && join(root, name) !== import.meta.filename && statSync(join(root, name)).isFile(),
  );

  it('is used by no source, script, package or image', () => {
    const uses = sources.flatMap((name) =>
      readFileSync(join(root, name), 'utf8')
        .split('\n')
        .flatMap((line, at) => (others.test(line) ? [`${name}:${at + 1}: ${line.trim().slice(0, 120)}`] : [])),
    );
    expect(uses).toEqual([]);
    expect(sources.length).toBeGreaterThan(300);
    expect(sources).toEqual(
      expect.arrayContaining(['package-lock.json', 'Dockerfile', '.ci/run', 'scripts/setup.mjs', 'services/src/event-log/sqlite-connection.ts']),
    );
    for (const use of ['sqlite3 data/event-log.sqlite', "spawn('sqlite3')", "from 'node:sqlite'", '"sqlite3": "6.0.0"']) expect(others.test(use)).toBe(true);
    expect(others.test("from 'better-sqlite3'")).toBe(false);
  });

  it('is not installed beside ours', () => {
    expect(readdirSync(join(root, 'node_modules')).filter((name) => /sqlite|libsql/.test(name))).toEqual(['better-sqlite3']);
  });
});
