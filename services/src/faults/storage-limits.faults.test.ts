import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DOCUMENT_BYTES, LARGE_IMAGE_BYTES, MAX_PLAYERS_REGISTRATION, SMALL_IMAGE_BYTES } from '@courtledger/contracts/kernel/limits';
import { requestTournament } from '@courtledger/contracts/request/request.api';
import { addPlayerToTeam, appointCoach, correctTeam, registerTeam } from '@courtledger/contracts/team/team.api';
import { createTournament, getTournament, listTournaments } from '@courtledger/contracts/tournament/tournament.api';
import sharp from 'sharp';
import { afterEach, expect, it } from 'vitest';
import { systemClock } from '../app.ts';
import type { Reply } from '../platform/testing/toy-gate.ts';
import { ask } from '../platform/testing/toy-gate.ts';
import { storageFigures } from '../platform/throttle-storage.ts';
import { cookieOf, loggedInAdmin, openSite, pdf, picture, playerForm, tournamentForm, type Given, type Site } from '../testing/site.ts';

const full = process.env['FAULTS'] === 'full';
// The real figures take two thirds of a gigabyte of uploads. The small run divides them, and the files, by a hundred: as many files, as many refusals.
const share = full ? 1 : 100;
const figures = {
  ...storageFigures,
  bytesPerRegistration: storageFigures.bytesPerRegistration / share,
  bytesPerAddress: storageFigures.bytesPerAddress / share,
};
const [imageBytes, documentBytes, posterBytes] = [SMALL_IMAGE_BYTES, DOCUMENT_BYTES, LARGE_IMAGE_BYTES].map((bytes) => Math.floor(bytes / share)) as [
  number,
  number,
  number,
];
const plenty = 1024 * storageFigures.reservedBytes;
const day = 24 * 3_600_000;

let site: Site | undefined;
afterEach(async () => site?.close());

type Place = { readonly token: string; readonly tournamentId: string; readonly teamId: string };
type Stage = { readonly site: Site; readonly place: Place; free: number; ahead: number };
/** A site whose disk and clock the test turns, with a tournament and a team that an admin looks after. */
const openStage = async (): Promise<Stage> => {
  const state = { free: plenty, ahead: 0 };
  const clock = { now: () => systemClock.now() + state.ahead, monotonic: () => systemClock.monotonic() + state.ahead };
  const opened = await openSite({ rateLimit: true, trustProxyHops: 1 }, { clock, storage: { freeBytes: () => state.free, figures } });
  site = opened;
  const { token } = await loggedInAdmin(opened);
  const { _id: tournamentId } = await opened.call(createTournament, { token, form: await tournamentForm('Winter League') });
  const { _id: teamId } = await opened.call(registerTeam, {
    token,
    form: { name: 'Pokhara Lynx', origin: 'Pokhara', teamPrimaryNumber: '9811111111', logo: await picture() },
  });
  const place: Place = { token, tournamentId, teamId };
  return Object.assign(state, { site: opened, place });
};

const from = (address: string, given: Given): Given => ({ ...given, headers: { 'x-forwarded-for': address } });
/** A file of exactly that length: what stands behind the end of a picture or a PDF is dropped, and counts. */
const padded = (bytes: Buffer, length: number): Buffer => Buffer.concat([bytes, Buffer.alloc(length - bytes.length)]);
const photo = async (length: number): Promise<Buffer> =>
  padded(
    await sharp({ create: { width: 24, height: 24, channels: 3, background: '#777777' } })
      .jpeg()
      .toBuffer(),
    length,
  );

const registered = async (on: Site, address: string, name: string): Promise<{ readonly teamId: string; readonly cookie: string }> => {
  const reply = await on.send(registerTeam, from(address, { form: { name, origin: 'Pokhara', teamPrimaryNumber: '9811111111', logo: await picture() } }));
  return { teamId: registerTeam.response.parse(reply.json())._id, cookie: cookieOf(reply) };
};
const coach = async (on: Site, address: string, { teamId, cookie }: { readonly teamId: string; readonly cookie: string }, image: Buffer): Promise<Reply> =>
  on.send(
    appointCoach,
    from(address, { cookie, form: { teamId, coachname: 'Bikash Gurung', coachphoneNumber: '9822222222', contact_number_2: '9833333333', coachImage: image } }),
  );
const poster = async (on: Site, address: string, image: Buffer): Promise<Reply> =>
  on.send(
    requestTournament,
    from(address, {
      form: {
        tournamentName: 'Hill Cup',
        contactPhone1: '9811111111',
        contactPhone2: '9822222222',
        organizerName: 'Ram',
        location: 'Ilam',
        prizePool: 'TBD',
        poster: image,
      },
    }),
  );

const expectThrottled = (reply: Reply, words: string): void => {
  expect([reply.status, Number(reply.headers['retry-after']) > 0, (reply.json() as { message: string }).message]).toEqual([429, true, words]);
};

/** Visitors see the season, pictures and all; its admin still uploads. */
const expectSiteWorks = async ({ site: on, place }: Stage, address: string): Promise<void> => {
  const asked = from(address, { params: { id: place.tournamentId } });
  const tournament = getTournament.response.parse((await on.send(getTournament, asked)).json());
  expect((await on.send(listTournaments, from(address, {}))).status).toBe(200);
  expect((await ask(on.port, 'GET', tournament.posterImage, { 'x-forwarded-for': address })).status).toBe(200);
  expect(
    (await on.send(correctTeam, from(address, { token: place.token, params: { id: place.teamId }, form: { logo: await picture('#abcdef') } }))).status,
  ).toBe(200);
};

const filesIn = (on: Site, folder: string): readonly string[] => readdirSync(join(on.config.dataDir, folder));
const bytesIn = (on: Site, folder: string): number => filesIn(on, folder).reduce((sum, name) => sum + statSync(join(on.config.dataDir, folder, name)).size, 0);
/** What arrived and was not kept goes when the call has been answered. */
const expectNothingHalf = async (on: Site): Promise<void> => {
  await expect
    .poll(() => ['media', 'documents'].flatMap((folder) => filesIn(on, folder)).filter((name) => name.startsWith('.tmp-')), { timeout: 10_000 })
    .toEqual([]);
};
const keptIn = (on: Site, folder: string): number => filesIn(on, folder).filter((name) => !name.startsWith('.tmp-')).length;

it('takes 30 players of a registration, however many were refused between them, and of others all the same (S23)', { timeout: 120_000 }, async () => {
  const stage = await openStage();
  const { site: on, place } = stage;
  const [address, other] = ['203.0.113.1', '203.0.113.2'];
  const team = await registered(on, address, 'Hungry Hippos');
  expect((await coach(on, address, team, await picture())).status).toBe(200);
  const add = async (number: number, given: Given): Promise<Reply> =>
    on.send(addPlayerToTeam, from(address, { ...given, form: await playerForm(team.teamId, number) }));
  const statuses: number[][] = [];
  // Each is sent once more, as by somebody who has mistyped a number: nothing of that is stored, and it takes no place of another.
  for (let number = 1; number <= MAX_PLAYERS_REGISTRATION; number += 1)
    statuses.push([(await add(number, { cookie: team.cookie })).status, (await add(number, { cookie: team.cookie })).status]);
  expect(statuses).toEqual(Array.from({ length: MAX_PLAYERS_REGISTRATION }, () => [201, 409]));
  await expectNothingHalf(on);
  const stored = [keptIn(on, 'media'), keptIn(on, 'documents')];
  expect((await add(MAX_PLAYERS_REGISTRATION + 1, { cookie: team.cookie })).status).toBe(409);
  expect([keptIn(on, 'media'), keptIn(on, 'documents')]).toEqual(stored);
  expect((await add(33, { token: place.token })).status).toBe(201);
  const next = await registered(on, other, 'Patient Pandas');
  expect((await coach(on, other, next, await picture())).status).toBe(200);
  await expectNothingHalf(on);
  await expectSiteWorks(stage, address);
});

it('takes 200 MB of a registration, to within one player (S23)', { timeout: 300_000 }, async () => {
  const stage = await openStage();
  const { site: on } = stage;
  const address = '203.0.113.3';
  const team = await registered(on, address, 'Heavy Hippos');
  const [image, document] = [await photo(imageBytes), padded(pdf, documentBytes)];
  expect((await coach(on, address, team, image)).status).toBe(200);
  const before = bytesIn(on, 'documents');
  const add = async (number: number): Promise<Reply> =>
    on.send(addPlayerToTeam, from(address, { cookie: team.cookie, form: { ...(await playerForm(team.teamId, number)), image, document } }));
  const fits = Math.floor((figures.bytesPerRegistration - imageBytes) / (imageBytes + documentBytes));
  expect(fits).toBe(28);
  for (let number = 1; number <= fits; number += 1) expect([number, (await add(number)).status]).toEqual([number, 201]);
  const stored = bytesIn(on, 'documents') - before;
  // At once, too: each is counted before it is looked at.
  for (const reply of await Promise.all([29, 30, 31].map(add))) expectThrottled(reply, 'Too many files were uploaded for this registration');
  expect(bytesIn(on, 'documents') - before).toBe(stored);
  expect(stored).toBeGreaterThanOrEqual(fits * documentBytes);
  expect(stored).toBeLessThan(figures.bytesPerRegistration);
  await expectNothingHalf(on);
  await expectSiteWorks(stage, address);
});

it('takes 500 MB of an address and day, and of its neighbour all the same (S23)', { timeout: 300_000 }, async () => {
  const stage = await openStage();
  const { site: on } = stage;
  const [address, neighbour] = ['203.0.113.4', '203.0.113.5'];
  const image = await photo(posterBytes);
  const fits = Math.floor(figures.bytesPerAddress / posterBytes);
  expect(fits).toBe(20);
  for (let count = 1; count <= fits; count += 1) expect([count, (await poster(on, address, image)).status]).toEqual([count, 201]);
  const stored = keptIn(on, 'media');
  const logo = await photo(imageBytes);
  const late = async (at: string): Promise<Reply> =>
    on.send(registerTeam, from(at, { form: { name: 'Late Lynx', origin: 'Pokhara', teamPrimaryNumber: '9811111111', logo } }));
  expectThrottled(await late(address), 'Too much was uploaded from your network today');
  expect(keptIn(on, 'media')).toBe(stored);
  expect((await late(neighbour)).status).toBe(201);
  await expectNothingHalf(on);
  await expectSiteWorks(stage, address);
  stage.ahead += day;
  expect((await late(address)).status).toBe(201);
});

it('closes registration when 2 GB are left, and opens it again with room (S23)', { timeout: 120_000 }, async () => {
  const stage = await openStage();
  const { site: on } = stage;
  const address = '203.0.113.6';
  const image = await picture();
  const team = await registered(on, address, 'Early Eagles');
  stage.free = storageFigures.reservedBytes;
  expect((await coach(on, address, team, image)).status).toBe(200);
  stage.free -= 1;
  const stored = [keptIn(on, 'media'), keptIn(on, 'documents'), await on.events()];
  const closed = [
    await on.send(registerTeam, from(address, { form: { name: 'Late Lynx', origin: 'Pokhara', teamPrimaryNumber: '9811111111', logo: image } })),
    await on.send(addPlayerToTeam, from(address, { cookie: team.cookie, form: await playerForm(team.teamId, 1) })),
    await poster(on, address, image),
  ];
  for (const reply of closed)
    expect([reply.status, Number(reply.headers['retry-after']) > 0, (reply.json() as { message: string }).message]).toEqual([
      503,
      true,
      'Registration is closed for the moment, please try again later',
    ]);
  expect([keptIn(on, 'media'), keptIn(on, 'documents'), await on.events()]).toEqual(stored);
  await expectNothingHalf(on);
  await expectSiteWorks(stage, address);
  stage.free += 1;
  expect((await on.send(addPlayerToTeam, from(address, { cookie: team.cookie, form: await playerForm(team.teamId, 1) }))).status).toBe(201);
});
