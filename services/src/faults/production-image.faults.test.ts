import { readFileSync, readdirSync, readlinkSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { startServer, type ServerProcess } from '../testing/server-process.ts';
import { scratchFolder } from './testing/dead-data.ts';
import { filesUnder } from './testing/files-under.ts';

const root = join(import.meta.dirname, '../../..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

const running: ServerProcess[] = [];
afterEach(async () => {
  for (const server of running.splice(0)) {
    server.child.kill('SIGKILL');
    await server.ended;
  }
});

const ignorePatterns = read('.dockerignore')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'));
/** Whether `COPY . .` leaves a file out: the last pattern that fits it, or a folder that it is in, decides. */
const isLeftOut = (path: string): boolean => {
  const parts = path.split('/');
  const ways = parts.map((_, at) => parts.slice(0, at + 1).join('/'));
  return ignorePatterns.reduce((left, pattern) => {
    const isKept = pattern.startsWith('!');
    return ways.some((way) => matchesGlob(way, isKept ? pattern.slice(1) : pattern)) ? !isKept : left;
  }, false);
};

/** No container can be built where this runs: what the image would hold is read off the files that make it. */
describe('the image (S29)', () => {
  it.each([
    '.env',
    '.env.local',
    'data/keys/jwt.key',
    'services/data/event-log.sqlite',
    'web/dist/old.js.map',
    'services/server.log',
    '.git/config',
    'node_modules/vite/index.js',
    'services/src/main.test.ts',
  ])('leaves out %s', (path) => {
    expect(isLeftOut(path)).toBe(true);
  });

  it('takes in nothing secret, nothing of a developer’s and no source map', () => {
    const files = filesUnder(root).filter((path) => !isLeftOut(path));
    expect(files).toEqual(expect.arrayContaining(['services/src/main.ts', 'scripts/need-node.mjs', '.env.example', 'package-lock.json']));
    expect(files.filter((path) => /(?:^|\/)\.env(?!\.example$)|\.map$|\.(?:pem|key|sqlite(?:-wal|-shm)?|jsonl)$|\.test\.tsx?$/.test(path))).toEqual([]);
    // The pages' sources go once they are built; what runs is the server itself, for production.
    const dockerfile = read('Dockerfile');
    expect(dockerfile).toMatch(/npm prune --omit=dev[\s\S]*rm -rf [^\n]*web\/src web\/e2e/);
    expect(dockerfile).toMatch(/ENV NODE_ENV=production/);
    expect(dockerfile).toMatch(/^CMD \["node", "--import", "\.\/scripts\/need-node\.mjs", "services\/src\/main\.ts"\]$/m);
  });

  it('keeps no tool of development: none of them is needed by what runs', () => {
    const { packages } = JSON.parse(read('package-lock.json')) as {
      readonly packages: Readonly<Record<string, { readonly dev?: boolean; readonly devOptional?: boolean; readonly link?: boolean }>>;
    };
    const kept = Object.entries(packages)
      .filter(([path, { dev, devOptional, link }]) => path.startsWith('node_modules/') && dev !== true && devOptional !== true && link !== true)
      .map(([path]) => path.slice('node_modules/'.length));
    expect(kept).toEqual(expect.arrayContaining(['express', 'better-sqlite3', 'zod']));
    expect(
      kept.filter((name) =>
        /^(?:vite|vitest|rolldown|esbuild|rollup|typescript|oxlint|jsdom|nodemon|tsx|webpack|playwright|playwright-core|axe-core)$|^@(?:vitejs|vitest|playwright|testing-library|oxlint)\//.test(
          name,
        ),
      ),
    ).toEqual([]);
  });
});

/** The TCP ports on which a process listens (Linux). */
const listeningPorts = (pid: number): readonly number[] => {
  const sockets = new Set(
    readdirSync(`/proc/${String(pid)}/fd`).flatMap((name) => {
      try {
        return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${String(pid)}/fd/${name}`))?.[1] ?? [];
      } catch {
        // Closed between the two looks.
        return [];
      }
    }),
  );
  const listening = '0A';
  return ['tcp', 'tcp6'].flatMap((kind) =>
    readFileSync(`/proc/${String(pid)}/net/${kind}`, 'utf8')
      .split('\n')
      .slice(1)
      .flatMap((line) => {
        const [, local = '', , state, , , , , , inode = ''] = line.trim().split(/\s+/);
        return state === listening && sockets.has(inode) ? [Number.parseInt(local.split(':')[1] ?? '', 16)] : [];
      }),
  );
};

describe('a server in production (S29)', () => {
  it('listens on its one port and serves no source', async () => {
    using folder = scratchFolder();
    const server = startServer({ DATA_DIR: folder.path, LOG_LEVEL: 'error', NODE_ENV: 'production' });
    running.push(server);
    const port = await server.ready;
    expect(listeningPorts(server.child.pid ?? 0)).toEqual([port]);
    for (const path of [
      '/@vite/client',
      '/src/app/main.tsx',
      '/.env',
      '/package.json',
      '/assets/../package.json',
      '/node_modules/vite/package.json',
      '/assets/index.js.map',
    ]) {
      const answer = await fetch(`http://127.0.0.1:${String(port)}${path}`);
      const text = await answer.text();
      // Any address that is none of a file's is the single-page app's, or 404.
      expect([
        path,
        /"(?:dependencies|workspaces|sources)"|JWT_SECRET|import\.meta\.hot/.test(text),
        answer.status === 404 || answer.headers.get('content-type')?.startsWith('text/html'),
      ]).toEqual([path, false, true]);
    }
  });
});
