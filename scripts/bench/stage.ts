import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import sharp from 'sharp';
import { noSettings } from '../../services/src/testing/no-settings.ts';
import { endingWithRun, scratchFolder } from './scratch.ts';

/** A product (or reference) process under measurement. */
export type Stage = { readonly port: number; readonly pid: number; readonly dataDir: string; readonly startedInMs: number; stop(): Promise<void> };

const credentials = { SUPERADMIN_ID: 'bench', SUPERADMIN_PASSWORD: 'a-long-bench-password-7391' };

export async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  if (typeof address !== 'object' || !address) throw new Error('no port');
  return address.port;
}

/**
 * Starts the product as its users do (access log and all), in a process of its own on a temporary DATA_DIR (or the given one), throttles off. Resolves when it
 * answers ready.
 */
export async function startProduct(dataDir = scratchFolder()): Promise<Stage> {
  const port = await freePort();
  const started = performance.now();
  const child = endingWithRun(
    spawn(process.execPath, [join(import.meta.dirname, '../../services/src/main.ts')], {
      env: {
        ...process.env,
        ...noSettings,
        ...credentials,
        PORT: String(port),
        HOST: '127.0.0.1',
        DATA_DIR: dataDir,
        RATE_LIMIT: 'off',
        JWT_SECRET: 'bench-'.repeat(8),
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    }),
  );
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  await untilReady(port, child, () => said);
  return { port, pid: child.pid ?? 0, dataDir, startedInMs: performance.now() - started, stop: async () => stop(child) };
}

/** The same with the season in it that `npm run seed` plants. */
export async function startWithSeason(): Promise<Stage> {
  const dataDir = scratchFolder();
  const seeded = spawnSync(process.execPath, [join(import.meta.dirname, '../../services/src/seed.ts')], {
    env: { ...process.env, ...noSettings, DATA_DIR: dataDir, LOG_LEVEL: 'error', RATE_LIMIT: 'off' },
    stdio: 'ignore',
  });
  if (seeded.status !== 0) throw new Error('the season could not be planted');
  return startProduct(dataDir);
}

/** Starts a reference server; see reference-server.ts. */
export async function startReference(kind: string, file = ''): Promise<Stage> {
  const started = performance.now();
  const child = endingWithRun(
    spawn(process.execPath, [join(import.meta.dirname, 'reference-server.ts'), kind, file], { stdio: ['ignore', 'pipe', 'inherit'] }),
  );
  const port = await new Promise<number>((resolve, reject) => {
    child.stdout.once('data', (chunk: Buffer) => {
      resolve(Number(chunk.toString().trim()));
    });
    child.once('exit', () => {
      reject(new Error(`reference server ${kind} ended before it listened`));
    });
  });
  return { port, pid: child.pid ?? 0, dataDir: '', startedInMs: performance.now() - started, stop: async () => stop(child) };
}

async function untilReady(port: number, child: ChildProcess, said: () => string): Promise<void> {
  for (let tries = 0; tries < 6000; tries += 1) {
    if (child.exitCode !== null) throw new Error(`the product ended with ${String(child.exitCode)} before it was ready: ${said()}`);
    const ready = await fetch(`http://127.0.0.1:${String(port)}/readyz`).then(
      (answer) => answer.ok,
      () => false,
    );
    if (ready) return;
    await delay(20);
  }
  child.kill();
  throw new Error(`the product was not ready within two minutes: ${said()}`);
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

/** CPU time of a process and its threads so far, in microseconds (Linux; elsewhere NaN). Threads that have ended are not counted. */
export const cpuMicroseconds = (pid: number): number => {
  try {
    return readdirSync(`/proc/${String(pid)}/task`).reduce(
      (sum, task) => sum + Number(readFileSync(`/proc/${String(pid)}/task/${task}/schedstat`, 'utf8').split(' ')[0]) / 1000,
      0,
    );
  } catch {
    return Number.NaN;
  }
};

export const discard = (stage: Stage): void => {
  rmSync(stage.dataDir, { recursive: true, force: true });
};

export type Season = {
  readonly token: string;
  readonly tournamentId: string;
  readonly matches: readonly { readonly id: string; readonly players: readonly { readonly id: string }[] }[];
};

/** A league of `teams` teams with `players` each, and `matches` matches between them, through the product's own API. */
export async function prepareSeason(port: number, plan: { readonly teams: number; readonly players: number; readonly matches: number }): Promise<Season> {
  const api = async (
    method: string,
    path: string,
    body?: FormData | object,
    headers: Record<string, string> = {},
  ): Promise<{ readonly status: number; readonly json: Record<string, unknown>; readonly cookies: string }> => {
    const answer = await fetch(`http://127.0.0.1:${String(port)}/api${path}`, {
      method,
      headers: body === undefined || body instanceof FormData ? headers : { ...headers, 'content-type': 'application/json' },
      ...(body !== undefined && { body: body instanceof FormData ? body : JSON.stringify(body) }),
    });
    const json = (await answer.json()) as Record<string, unknown>;
    if (!answer.ok) throw new Error(`${method} ${path} answered ${String(answer.status)}: ${JSON.stringify(json)}`);
    return {
      status: answer.status,
      json,
      cookies: answer.headers
        .getSetCookie()
        .map((cookie) => cookie.split(';')[0])
        .join('; '),
    };
  };
  const { token: root } = (await api('POST', '/superadmin/login', { id: credentials.SUPERADMIN_ID, password: credentials.SUPERADMIN_PASSWORD })).json as {
    token: string;
  };
  const account = { username: 'Bench', email: 'bench@example.org', phoneNumber: '9800000000', password: 'another-long-password-5512' };
  await api('POST', '/superadmin/create-admin', account, { authorization: `Bearer ${root}` });
  const { token } = (await api('POST', '/admin/login', { email: account.email, password: account.password })).json as { token: string };
  const admin = { authorization: `Bearer ${token}` };
  const picture = new Blob(
    [
      new Uint8Array(
        await sharp({ create: { width: 64, height: 64, channels: 3, background: '#8F1D14' } })
          .png()
          .toBuffer(),
      ),
    ],
    { type: 'image/png' },
  );
  const form = (fields: Record<string, string>, files: readonly string[]): FormData => {
    const data = new FormData();
    for (const [name, value] of Object.entries(fields)) data.set(name, value);
    for (const name of files) data.set(name, picture, 'picture.png');
    return data;
  };
  const tournament = await api(
    'POST',
    '/tournaments/create-tournament',
    form(
      {
        name: 'Bench League',
        startDate: '2026-11-01',
        endDate: '2026-12-30',
        registeringStartDate: '2026-10-01',
        location: 'Kathmandu',
        'organizer[name]': 'Bench',
        'organizer[phoneNumber]': '9800000000',
        'prizePool[firstPrize]': '1',
        'prizePool[secondPrize]': '1',
        'prizePool[thirdPrize]': '1',
        'prizePool[entryFee]': '1',
        'prizePool[mvp]': '1',
        registerable: 'true',
        league: 'true',
      },
      ['posterImage', 'organizerImage'],
    ),
    admin,
  );
  const tournamentId = String(tournament.json['_id']);
  const teams: { id: string; players: { id: string }[] }[] = [];
  for (let team = 0; team < plan.teams; team += 1) {
    const id = String(
      (
        await api(
          'POST',
          '/team/create-team-step-1',
          form({ name: `Team ${String(team)}`, origin: 'Kathmandu', teamPrimaryNumber: '9800000000' }, ['logo']),
          admin,
        )
      ).json['_id'],
    );
    await api(
      'POST',
      '/team/add-coach-details',
      form({ teamId: id, coachname: 'A Coach Name', coachphoneNumber: '9800000000', contact_number_2: '9800000001' }, ['coachImage']),
      admin,
    );
    const players: { id: string }[] = [];
    for (let player = 0; player < plan.players; player += 1) {
      const added = await api(
        'POST',
        '/team/add-single-player-to-team',
        form(
          {
            name: `Player ${String(player)}`,
            mobileNumber: '9800000000',
            currentTeam: id,
            height: '180',
            weight: '80',
            age: '24',
            jerseyNumber: String(player),
          },
          ['image', 'document'],
        ),
        admin,
      );
      players.push({ id: String(added.json['_id']) });
    }
    await api('POST', '/tournaments/assign-team-to-tournament', { tournamentId, teamId: id }, admin);
    teams.push({ id, players });
  }
  const matches: { id: string; players: { id: string }[] }[] = [];
  for (let match = 0; match < plan.matches; match += 1) {
    const a = teams[match % plan.teams];
    const b = teams[(match + 1 + Math.floor(match / plan.teams)) % plan.teams];
    if (!a || !b || a === b) continue;
    const made = await api(
      'POST',
      '/tournaments/create-match-and-save-to-tournament',
      { tournamentId, teamAId: a.id, teamBId: b.id, matchDate: '2026-11-10', matchTime: '15:00' },
      admin,
    );
    matches.push({ id: (made.json['match'] as { _id: string })._id, players: [...a.players, ...b.players] });
  }
  return { token, tournamentId, matches };
}
