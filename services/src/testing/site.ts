import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAdmin, logInAdmin, logInSuperAdmin } from '@courtledger/contracts/admin/admin.api';
import { allEndpoints } from '@courtledger/contracts/kernel/all-endpoints';
import { kathmanduDay } from '@courtledger/contracts/kernel/days';
import type { Endpoint, ResponseOf } from '@courtledger/contracts/kernel/endpoint';
import { openApiDocument } from '@courtledger/contracts/kernel/openapi';
import { problem, type Problem } from '@courtledger/contracts/kernel/problem';
import { assignMatch } from '@courtledger/contracts/match/match.api';
import { addPlayerToTeam, appointCoach, registerTeam } from '@courtledger/contracts/team/team.api';
import { createTournament, enterTeam } from '@courtledger/contracts/tournament/tournament.api';
import sharp from 'sharp';
import { createApp, type App, type AppOptions } from '../app.ts';
import type { Opened } from '../product.ts';
import type { Config } from '../platform/config.ts';
import { silentLogger } from '../platform/testing/silent-logger.ts';
import { ask, type Reply } from '../platform/testing/toy-gate.ts';

const pictures = new Map<string, Promise<Buffer>>();
/** A tiny picture of one colour, as PNG; drawn once. */
export const picture = async (colour = '#c2410c', size = 24): Promise<Buffer> => {
  const key = `${colour} ${String(size)}`;
  const drawn =
    pictures.get(key) ??
    sharp({ create: { width: size, height: size, channels: 3, background: colour } })
      .png()
      .toBuffer();
  pictures.set(key, drawn);
  return drawn;
};
export const pdf = Buffer.from('%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n');

/** What a call brings; `as` is a bearer token or a `Cookie` header. */
export type Given = {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  /** Fields of a multipart body; files are buffers. */
  readonly form?: Readonly<Record<string, string | Buffer>>;
  readonly token?: string;
  readonly cookie?: string;
  readonly headers?: Readonly<Record<string, string>>;
};

const fileName = (bytes: Buffer): string => (bytes.subarray(0, 5).toString('latin1') === '%PDF-' ? 'file.pdf' : bytes[0] === 0xff ? 'file.jpg' : 'file.png');

export const encodeForm = async (fields: Readonly<Record<string, string | Buffer>>): Promise<{ readonly bytes: Buffer; readonly contentType: string }> => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === 'string') form.set(name, value);
    else form.set(name, new Blob([new Uint8Array(value)]), fileName(value));
  }
  const encoded = new Response(form);
  return { bytes: Buffer.from(await encoded.arrayBuffer()), contentType: encoded.headers.get('content-type') ?? '' };
};

/** The path of an endpoint with its parameters and query filled in. */
export const pathOf = (endpoint: Pick<Endpoint, 'path'>, { params = {}, query = {} }: Given = {}): string => {
  const path = endpoint.path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? name));
  const search = new URLSearchParams(query).toString();
  return `/api${path}${search === '' ? '' : `?${search}`}`;
};

const described = openApiDocument(Object.values(allEndpoints), '0').paths;
/**
 * Throws where the site's own description (`/api/openapi.json`) does not name the answer: its status, and of a success the type. What fails in the server (5xx)
 * is looked at elsewhere.
 */
const expectDescribed = ({ name, method, path }: Endpoint, { status, headers }: Reply): void => {
  const operation = described[path.replaceAll(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];
  if (operation?.['operationId'] !== name || status >= 500) return;
  const response = (operation['responses'] as Readonly<Record<string, { readonly content?: object }>>)[String(status)];
  if (response === undefined) throw new Error(`${name} answered ${status}, of which its description says nothing`);
  const [type] = (headers['content-type'] ?? '').split(';', 1);
  const types = Object.keys(response.content ?? {});
  if (status < 300 && types.length > 0 && !types.includes('*/*') && !types.includes(type ?? ''))
    throw new Error(`${name} answered ${String(type)}, and its description says ${types.join(', ')}`);
};

/** The API of a site, wherever it runs. */
export type Api = {
  readonly port: number;
  /** Calls an endpoint and gives whatever is answered. */
  readonly send: (endpoint: Endpoint, given?: Given) => Promise<Reply>;
  /** Calls an endpoint, expects its success, and gives the answer parsed by its contract. */
  readonly call: <E extends Endpoint>(endpoint: E, given?: Given) => Promise<ResponseOf<E>>;
  /** Calls an endpoint, expects a refusal, and gives it parsed by its contract. */
  readonly refused: (endpoint: Endpoint, given?: Given) => Promise<Problem>;
};

export type Site = Api & {
  readonly app: App;
  readonly opened: Opened;
  readonly config: Config;
  /** How many events the log holds. */
  readonly events: () => Promise<number>;
  readonly close: () => Promise<void>;
};

export const superAdminPassword = 'swift-harbour-lantern';
export const testConfig = (dataDir: string, change: Partial<Config> = {}): Config => ({
  environment: 'test',
  host: '127.0.0.1',
  port: 0,
  dataDir,
  webDir: join(dataDir, 'no-pages'),
  publicUrl: undefined,
  allowedOrigins: [],
  trustProxyHops: 0,
  rateLimit: false,
  jwtSecret: undefined,
  superAdmin: { id: 'root', password: superAdminPassword },
  writeQueue: 2000,
  store: { kind: 'memory' },
  backups: { minutes: 0, folder: join(dataDir, 'backups') },
  logLevel: 'silent',
  ...change,
});

/** Calls the API at a port of this machine. */
export const apiOn = (port: number): Api => {
  const send: Api['send'] = async (endpoint, given = {}) => {
    const headers: Record<string, string> = { ...given.headers };
    if (given.token !== undefined) headers['authorization'] = `Bearer ${given.token}`;
    if (given.cookie !== undefined) headers['cookie'] = given.cookie;
    let body: Buffer | string | undefined;
    if (given.form !== undefined) {
      const encoded = await encodeForm(given.form);
      headers['content-type'] = encoded.contentType;
      body = encoded.bytes;
    } else if (given.json !== undefined) {
      headers['content-type'] = 'application/json';
      body = JSON.stringify(given.json);
    }
    const reply = await ask(port, endpoint.method, pathOf(endpoint, given), headers, body);
    expectDescribed(endpoint, reply);
    return reply;
  };
  return {
    port,
    send,
    async call<E extends Endpoint>(endpoint: E, given?: Given) {
      const reply = await send(endpoint, given);
      if (reply.status !== endpoint.status) throw new Error(`${endpoint.name} answered ${reply.status}: ${reply.text.slice(0, 500)}`);
      return endpoint.response.parse(reply.text === '' ? undefined : reply.json()) as ResponseOf<E>;
    },
    async refused(endpoint, given) {
      const reply = await send(endpoint, given);
      if (reply.status < 400) throw new Error(`${endpoint.name} answered ${reply.status}`);
      return problem.parse(reply.json());
    },
  };
};

/** The whole site in this process, on a port of the system's choosing and a folder of its own. */
export const openSite = async (change: Partial<Config> = {}, more: Partial<AppOptions> = {}): Promise<Site> => {
  const folder = change.dataDir === undefined ? mkdtempSync(join(tmpdir(), 'courtledger-')) : undefined;
  const config = testConfig(change.dataDir ?? folder ?? '', change);
  const app = createApp({ config, logger: silentLogger, passwordCost: { memoryCost: 64, timeCost: 1 }, ...more });
  const port = await app.listen();
  const opened = await app.open();
  return {
    ...apiOn(port),
    app,
    opened,
    config,
    async events() {
      return (await opened.store.log.readAll('start', 1_000_000)).length;
    },
    async close() {
      await app.close(2000);
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
    },
  };
};

/** Cookies of an answer as the next call's `Cookie` header. */
export const cookieOf = (reply: Reply): string => (reply.headers['set-cookie'] ?? []).map((cookie) => cookie.split(';', 1)[0]).join('; ');

/** Logs the super admin in, makes an admin and logs that one in. */
export const loggedInAdmin = async (site: Api): Promise<{ readonly token: string; readonly superToken: string }> => {
  const { token: superToken } = await site.call(logInSuperAdmin, { json: { id: 'root', password: superAdminPassword } });
  await site.call(createAdmin, {
    token: superToken,
    json: { username: 'Asha Rai', password: 'copper-meadow-71', email: 'asha@example.org', phoneNumber: '9800000001' },
  });
  const { token } = await site.call(logInAdmin, { json: { email: 'asha@example.org', password: 'copper-meadow-71' } });
  return { token, superToken };
};

export const tournamentForm = async (name: string): Promise<Record<string, string | Buffer>> => ({
  name,
  location: 'Kathmandu',
  startDate: '2026-11-01',
  endDate: kathmanduDay(Date.now() + 30 * 86_400_000),
  registeringStartDate: '2026-10-01',
  registerable: 'true',
  league: 'true',
  'organizer[name]': 'Hoops Nepal',
  'organizer[phoneNumber]': '9801234567',
  'prizePool[firstPrize]': '50000',
  'prizePool[secondPrize]': '30000',
  'prizePool[thirdPrize]': '10000',
  'prizePool[mvp]': '5000',
  'prizePool[entryFee]': 'TBD',
  posterImage: await picture('#123456'),
  organizerImage: await picture('#654321'),
});

export const playerForm = async (teamId: string, number: number): Promise<Record<string, string | Buffer>> => ({
  name: `Player ${number}`,
  mobileNumber: `98${String(number).padStart(8, '0')}`,
  currentTeam: teamId,
  height: '180',
  weight: '75',
  age: '24',
  jerseyNumber: String(number),
  image: await picture('#777777'),
  document: pdf,
});

export type RegisteredTeam = { readonly teamId: string; readonly players: readonly string[]; readonly cookie: string };

/** Registers a team with coach and `players` players as a visitor does, with nothing but the cookie of step 1. */
export const registeredTeam = async (site: Api, name: string, players = 4): Promise<RegisteredTeam> => {
  const first = await site.send(registerTeam, { form: { name, origin: 'Pokhara', teamPrimaryNumber: '9811111111', logo: await picture() } });
  const { _id: teamId } = registerTeam.response.parse(first.json());
  const cookie = cookieOf(first);
  await site.call(appointCoach, {
    cookie,
    form: { teamId, coachname: 'Bikash Gurung', coachphoneNumber: '9822222222', contact_number_2: '9833333333', coachImage: await picture('#00aa00') },
  });
  const ids: string[] = [];
  // One after another: each waits for the one before, as in the wizard.
  for (let number = 1; number <= players; number += 1) {
    ids.push((await site.call(addPlayerToTeam, { cookie, form: await playerForm(teamId, number) }))._id);
  }
  return { teamId, players: ids, cookie };
};

export type Season = {
  readonly token: string;
  readonly superToken: string;
  readonly tournamentId: string;
  readonly teams: readonly [RegisteredTeam, RegisteredTeam];
  readonly matchId: string;
};

/** A tournament with two teams and one match between them. */
export const season = async (site: Api): Promise<Season> => {
  const { token, superToken } = await loggedInAdmin(site);
  const { _id: tournamentId } = await site.call(createTournament, { token, form: await tournamentForm('Winter League') });
  const teams = [await registeredTeam(site, 'Pokhara Lynx'), await registeredTeam(site, 'Dharan Dukes')] as const;
  for (const team of teams) {
    await site.call(enterTeam, { cookie: team.cookie, json: { tournamentId, teamId: team.teamId } });
  }
  const { match } = await site.call(assignMatch, {
    token,
    json: { tournamentId, teamAId: teams[0].teamId, teamBId: teams[1].teamId, matchDate: '2026-11-21', matchTime: '9:30' },
  });
  return { token, superToken, tournamentId, teams, matchId: match._id };
};
