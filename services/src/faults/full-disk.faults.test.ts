import { spawnSync } from 'node:child_process';
import { closeSync, cpSync, fstatSync, fsyncSync, ftruncateSync, mkdirSync, openSync, readdirSync, readFileSync, statfsSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { recordStatIncrement } from '@courtledger/contracts/match/match.api';
import { getOperationsStatus, getRebuild, startRebuild } from '@courtledger/contracts/operations/operations.api';
import { erasePerson } from '@courtledger/contracts/operations/audit.api';
import { getPlayer, getPlayerDocument } from '@courtledger/contracts/player/player.api';
import { addPlayerToTeam, getTeam, registerTeam } from '@courtledger/contracts/team/team.api';
import { getStandings } from '@courtledger/contracts/tournament/tournament.api';
import sharp from 'sharp';
import { afterEach, describe, expect, it } from 'vitest';
import { runSeed, seededRandom } from '../event-log/testing/random.ts';
import { ask, type Reply } from '../platform/testing/toy-gate.ts';
import { startServer, type ServerProcess } from '../testing/server-process.ts';
import { apiOn, openSite, picture, playerForm, season, superAdminPassword, type Api, type Given } from '../testing/site.ts';
import { inspectDead, scratchFolder } from './testing/dead-data.ts';

const full = process.env['FAULTS'] === 'full';
/** A file system of our own needs rights: those of root, or a machine that gives them to everybody within a name space. */
const asRoot = process.getuid?.() === 0 ? ['unshare', '-m'] : ['unshare', '-r', '-m'];
const mounts = full || spawnSync(asRoot[0] ?? '', [...asRoot.slice(1), 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0;
if (!mounts) process.stderr.write('full disk (R4): no file system can be mounted here, so this row is shown by the full run only\n');

const megabyte = 1024 * 1024;
const diskBytes = 48 * megabyte;

let server: ServerProcess | undefined;
afterEach(async () => {
  server?.child.kill('SIGKILL');
  await server?.ended;
});

/** Becomes Node, on a small disk of its own at `dataDir` with the data of `made`. The disk goes with the process. */
const onSmallDisk = (dataDir: string, made: string): readonly string[] => [
  ...asRoot,
  'sh',
  '-c',
  `mount -t tmpfs -o size=${diskBytes},mode=700 tmpfs "$1" && cp -a "$2/." "$1" && shift 2 && exec "$@"`,
  'sh',
  dataDir,
  made,
];

/** Another program on the same disk that takes all but so many bytes. The server may write between its look and its last byte: then it looks again. */
const leaveFree = (disk: string, bytes: number): void => {
  const path = join(disk, 'other-program');
  const handle = openSync(path, 'a');
  try {
    for (let isDone = false; !isDone;) {
      const { size } = fstatSync(handle);
      const { bavail, bsize } = statfsSync(disk);
      const wanted = Math.max(0, size + bavail * bsize - bytes);
      try {
        if (wanted <= size) ftruncateSync(handle, wanted);
        else for (let rest = wanted - size; rest > 0;) rest -= writeSync(handle, Buffer.alloc(Math.min(rest, megabyte)));
        isDone = true;
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
      }
    }
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
};

/** A picture that does not compress, so that each of its files takes many writes. */
const photo = async (random: () => number, edge: number): Promise<Buffer> =>
  sharp(Buffer.from(Array.from({ length: edge * edge * 3 }, () => Math.floor(random() * 256))), { raw: { width: edge, height: edge, channels: 3 } })
    .png()
    .toBuffer();

/** Every picture in its place can be read to its end; nothing is on its way. @param whole those that were looked at before */
const expectNoHalfFiles = async (disk: string, whole: Set<string>): Promise<void> => {
  await expect
    .poll(() => ['media', 'documents'].flatMap((folder) => readdirSync(join(disk, folder))).filter((name) => name.startsWith('.tmp-')), { timeout: 10_000 })
    .toEqual([]);
  for (const name of readdirSync(join(disk, 'media'))) {
    if (whole.has(name)) continue;
    whole.add(name);
    const { info } = await sharp(readFileSync(join(disk, 'media', name)), { failOn: 'warning' })
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect([name, info.width > 0]).toEqual([name, true]);
  }
};

const expectUnavailable = (reply: Reply): void => {
  expect([reply.status, Number(reply.headers['retry-after']) > 0, reply.text.includes('ENOSPC') || reply.text.includes('SQLITE')]).toEqual([503, true, false]);
};

describe.runIf(mounts)('a disk that is full (R4)', () => {
  it('refuses uploads and taps at whichever write finds no room, reads on, and takes them as they were once there is room', { timeout: 300_000 }, async () => {
    using folder = scratchFolder();
    const random = seededRandom(runSeed('full disk'));
    const [made, dataDir] = [join(folder.path, 'made'), join(folder.path, 'small')];
    for (const path of [made, dataDir]) mkdirSync(path);
    const before = await openSite({ dataDir: made, store: { kind: 'sqlite' } });
    const {
      token,
      superToken,
      tournamentId,
      matchId,
      teams: [team],
    } = await season(before);
    await before.close();
    server = startServer(
      { DATA_DIR: dataDir, SUPERADMIN_ID: 'root', SUPERADMIN_PASSWORD: superAdminPassword, RATE_LIMIT: 'off', LOG_LEVEL: 'error' },
      undefined,
      onSmallDisk(dataDir, made),
    );
    const api: Api = apiOn(await server.ready);
    const disk = join(`/proc/${String(server.child.pid)}/root`, dataDir);
    expect(statfsSync(disk).blocks * statfsSync(disk).bsize).toBe(diskBytes);

    const document = Buffer.concat([Buffer.from('%PDF-1.4\n'), Buffer.from(Array.from({ length: 150_000 }, () => Math.floor(random() * 256)))]);
    const player: Given = {
      token,
      form: { ...(await playerForm(team.teamId, 77)), image: await photo(random, 300), document },
      headers: { 'idempotency-key': 'the-player' },
    };
    const tap = (entryId: string): Given => ({ token, params: { id: matchId }, json: { entryId, playerId: team.players[0], points: 2 } });
    const expectReads = async (): Promise<void> => {
      expect((await api.send(getStandings, { params: { id: tournamentId } })).status).toBe(200);
      expect((await api.send(getTeam, { params: { id: team.teamId } })).status).toBe(200);
      expect((await api.send(getPlayer, { params: { id: team.players[1] ?? '' } })).status).toBe(200);
    };

    // From no byte at all upwards: each time the disk is full at a later write of the same upload.
    const step = full ? 8192 : 200 * 1024;
    const statuses: number[] = [];
    const whole = new Set<string>();
    let reply: Reply | undefined;
    for (let free = 0; reply?.status !== 201; free += step) {
      expect(free).toBeLessThan(diskBytes / 4);
      leaveFree(disk, free);
      reply = await api.send(addPlayerToTeam, player);
      statuses.push(reply.status);
      if (reply.status !== 201) expectUnavailable(reply);
      await expectNoHalfFiles(disk, whole);
      await expectReads();
    }
    process.stderr.write(`full disk: the upload was refused ${statuses.length - 1} times, in steps of ${step} bytes\n`);
    expect(statuses.length).toBeGreaterThan(full ? 20 : 2);

    // Not one byte: a tap finds no room in the log. A stranger's picture finds none in the media.
    const taken: string[] = [];
    let refused = '';
    for (let count = 0; refused === ''; count += 1) {
      expect(count).toBeLessThan(20_000);
      leaveFree(disk, 0);
      const entryId = `tap-${count}`;
      const answered = await api.send(recordStatIncrement, tap(entryId));
      if (answered.status === 201) taken.push(entryId);
      else {
        expectUnavailable(answered);
        refused = entryId;
      }
    }
    process.stderr.write(`full disk: ${taken.length} taps found room in pages that the log had\n`);
    expectUnavailable(await api.send(registerTeam, { form: { name: 'Late Lynx', origin: 'Pokhara', teamPrimaryNumber: '9811111111', logo: await picture() } }));
    await expectReads();

    // An erasure finds no room before its beginning, and then after its fact: it is told as begun, and asked for as often as anybody likes it is one fact.
    const erase = async (reason: string): Promise<Reply> => api.send(erasePerson, { token: superToken, json: { personId: team.players[2], reason } });
    expect((await ask(api.port, 'GET', '/readyz')).json()).toMatchObject({ status: 'not-ready', writes: false });
    expectUnavailable(await erase('Asked before there was room'));
    // Room for facts, and none to write the read model anew. A write that goes through says that the log takes them again.
    leaveFree(disk, 256 * 1024);
    await expect.poll(async () => (await api.send(recordStatIncrement, tap('tap-with-room'))).status, { timeout: 30_000, interval: 100 }).toBe(201);
    taken.push('tap-with-room');
    for (const reason of ['Asked for it', 'Asked again']) expectUnavailable(await erase(reason));
    const { pendingErasures, pendingErasuresWaitFor } = await api.call(getOperationsStatus, { token: superToken });
    expect([pendingErasures, pendingErasuresWaitFor]).toEqual([[team.players[2]], expect.stringContaining('no room to write the read model anew')]);
    leaveFree(disk, 0);
    expectUnavailable(await erase('Asked once more'));
    expectUnavailable(await api.send(startRebuild, { token: superToken, json: {} }));
    await api.call(startRebuild, { token: superToken, json: { verifyOnly: true } });
    await expect
      .poll(async () => (await api.call(getRebuild, { token: superToken })).job, { timeout: 30_000 })
      .toMatchObject({ kind: 'verify', state: 'failed', error: 'No space is left on the disk' });
    leaveFree(disk, diskBytes / 2);
    expect((await erase('Asked at last')).status).toBe(200);
    leaveFree(disk, 0);
    leaveFree(disk, diskBytes / 2);
    const since = performance.now();
    await expect.poll(async () => (await api.send(recordStatIncrement, tap(refused))).status, { timeout: 30_000, interval: 100 }).toBe(201);
    // The row says five seconds; on a machine that is shared with other tests it only tells that nobody has to start the server again.
    expect(performance.now() - since).toBeLessThan(full ? 5000 : 30_000);
    expect(
      (await api.send(registerTeam, { form: { name: 'Late Lynx', origin: 'Pokhara', teamPrimaryNumber: '9811111111', logo: await picture() } })).status,
    ).toBe(201);

    // The upload that was refused so often was done once, with its files.
    const again = await api.send(addPlayerToTeam, player);
    const added = addPlayerToTeam.response.parse(again.json());
    expect([again.status, again.text]).toEqual([201, reply.text]);
    expect((await api.send(getPlayerDocument, { token, params: { id: added._id } })).bytes.equals(document)).toBe(true);
    const profile = getPlayer.response.parse((await api.send(getPlayer, { params: { id: added._id } })).json());
    expect((await ask(api.port, 'GET', profile.image)).status).toBe(200);
    await expectNoHalfFiles(disk, whole);

    expect((await ask(api.port, 'GET', '/readyz')).status).toBe(200);
    const left = join(folder.path, 'left');
    cpSync(disk, left, { recursive: true, filter: (source) => !source.endsWith('control.sock') && !source.endsWith('other-program') });
    const { events, chain, live, rebuilt } = await inspectDead(left);
    expect(chain).toEqual({ events: events.length, erased: 1 });
    expect(events.flatMap(({ type, data }) => (type === 'PersonErased' ? [(data as { reason: string }).reason] : []))).toEqual(['Asked for it']);
    const entries = events.flatMap(({ type, data }) => (type === 'StatIncrementRecorded' ? [(data as { entryId: string }).entryId] : []));
    expect(entries).toEqual([...taken, refused]);
    expect(events.filter(({ type, data }) => type === 'PlayerAddedToTeam' && (data as { jerseyNumber: string }).jerseyNumber === '77')).toHaveLength(1);
    expect(live).toEqual(rebuilt);
  });
});
