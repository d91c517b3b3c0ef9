import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readyAnswer } from '@courtledger/contracts/kernel/health.api';
import { recordStatIncrement } from '@courtledger/contracts/match/match.api';
import { getLogEvent, getOperationsStatus, startRebuild, verifyLog } from '@courtledger/contracts/operations/operations.api';
import { getSeasonFile } from '@courtledger/contracts/tournament/season.api';
import { expect, it } from 'vitest';
import { ask } from '../platform/testing/toy-gate.ts';
import { season, type Season, type Site } from '../testing/site.ts';
import { verbContext } from '../testing/verb-context.ts';
import { jobOf, newFolder, open, played, pointsOf, readiness, refusalOf, refusedAt, score } from './testing/played-site.ts';
import { exportVerb } from './verbs/export.verb.ts';

/** What happens to the file of the log while a server has it open. */

/**
 * Changes the log behind SQLite's back, as a disk or an editor of bytes does: every connection that has the page in its cache goes on seeing what was there. By
 * a process of its own: to close a file drops the locks of whoever else in the process has it open.
 */
const overwrite = (dataDir: string, from: string, to: string): void => {
  const program = `const fs = require('node:fs'); const [path, from, to] = process.argv.slice(1); const file = fs.openSync(path, 'r+'); const bytes = fs.readFileSync(path);
    const at = []; for (let next = bytes.indexOf(from); next >= 0; next = bytes.indexOf(from, next + 1)) at.push(next);
    for (const place of at) fs.writeSync(file, to, place); fs.closeSync(file); console.log(at.length);`;
  expect(execFileSync(process.execPath, ['-e', program, join(dataDir, 'event-log.sqlite'), from, to], { encoding: 'utf8' })).toBe('1\n');
};
/**
 * A season with 14 points, all of it in the file and in the cache of the log's own connection, one of whose bytes is another since then: they are 15. Gives the
 * position.
 */
const changedUnderfoot = async (dataDir: string): Promise<{ readonly site: Site; readonly place: Season; readonly position: string }> => {
  const site = await open(dataDir);
  const place = await season(site);
  await score(site, place, 'one', 14);
  const position = String(await site.opened.store.log.head());
  await score(site, place, 'two', 1);
  // In the cache, if it was not before: the chain is walked once, and what is appended hangs on the page.
  site.opened.operations.verifications.start();
  expect((await site.opened.operations.verifications.ended())?.state).toBe('whole');
  await score(site, place, 'three', 1);
  expect(await site.opened.store.administration?.checkpoint()).toEqual({ complete: true });
  overwrite(dataDir, '"points":14', '"points":15');
  return { site, place, position };
};
/** Writes have stopped, everybody is told where, and nothing is signed or copied any more. */
const expectStopped = async ({ site, place, position }: Awaited<ReturnType<typeof changedUnderfoot>>): Promise<void> => {
  const token = place.superToken;
  const ready = await ask(site.port, 'GET', '/readyz');
  expect([ready.status, readyAnswer.parse(ready.json()).writes, readyAnswer.parse(ready.json()).reason]).toEqual([
    503,
    false,
    `The log is damaged at position ${position}`,
  ]);
  expect(
    (
      await site.refused(recordStatIncrement, {
        token: place.token,
        params: { id: place.matchId },
        json: { entryId: 'after', playerId: place.teams[0].players[0] ?? '', points: 1 },
      })
    ).status,
  ).toBe(503);
  expect(await refusalOf(site, getSeasonFile, { params: { id: place.tournamentId } })).toEqual(refusedAt(position));
  const { verifications, backups } = site.opened.operations;
  await verifications.ended();
  const { log, lastVerification } = await site.call(getOperationsStatus, { token });
  expect([log.refusal, lastVerification?.state, lastVerification?.firstBreak?.position]).toEqual([
    expect.stringContaining(`damaged at position ${position}:`),
    'broken',
    position,
  ]);
  backups.start();
  expect(await backups.ended()).toMatchObject({ state: 'failed', error: expect.stringContaining(`The log is damaged at position ${position}:`) as unknown });
};

const findings: readonly (readonly [string, (at: Awaited<ReturnType<typeof changedUnderfoot>>, dataDir: string) => Promise<void>])[] = [
  [
    'verify-log',
    async ({ site, place }) => {
      await site.call(verifyLog, { token: place.superToken });
      await site.opened.operations.verifications.ended();
    },
  ],
  [
    'somebody who opens that event',
    async ({ site, place, position }) => {
      expect((await site.call(getLogEvent, { token: place.superToken, params: { position } })).damage).toContain(`The log is damaged at position ${position}:`);
    },
  ],
  [
    'a rebuild',
    async ({ site, place, position }) => {
      await site.call(startRebuild, { token: place.superToken, json: {} });
      expect(await jobOf(site)).toMatchObject({ state: 'failed', error: expect.stringContaining(`position ${position}:`) as unknown });
    },
  ],
  [
    'a comparison',
    async ({ site, place, position }) => {
      await site.call(startRebuild, { token: place.superToken, json: { verifyOnly: true } });
      expect(await jobOf(site)).toMatchObject({ state: 'different', error: expect.stringContaining(`position ${position}:`) as unknown });
    },
  ],
  [
    'a backup, which copies what is in the file and not what the server remembers of it',
    async ({ site, position }, dataDir) => {
      site.opened.operations.backups.start(join(dataDir, 'backups', 'mine'));
      expect(await site.opened.operations.backups.ended()).toMatchObject({
        state: 'failed',
        error: expect.stringContaining(`The log is damaged at position ${position}:`) as unknown,
      });
      expect(existsSync(join(dataDir, 'backups', 'mine'))).toBe(false);
    },
  ],
];
it.each(findings)(
  'a byte that is changed in the file of a running server ends writes, whoever meets it first: %s',
  async (_, find) => {
    const dataDir = newFolder();
    const at = await changedUnderfoot(dataDir);
    await find(at, dataDir);
    await expectStopped(at);
    expect(await pointsOf(at.site, at.place)).toEqual([16]);
  },
  60_000,
);

it('an export beside a running server that meets a changed byte has the server look for itself', async () => {
  const dataDir = newFolder();
  const at = await changedUnderfoot(dataDir);
  const exporting = exportVerb.run(verbContext({ config: at.site.config }), [join(dataDir, 'out.jsonl')]);
  await expect(exporting).rejects.toThrow(`found it at position ${at.position}, and writes nothing any more`);
  expect(existsSync(join(dataDir, 'out.jsonl'))).toBe(false);
  await expectStopped(at);
}, 60_000);

it('a season file whose own facts were changed under the server is not signed', async () => {
  const dataDir = newFolder();
  const site = await open(dataDir);
  const place = await season(site);
  await score(site, place, 'one', 14);
  const position = String(await site.opened.store.log.head());
  expect(await site.opened.store.administration?.checkpoint()).toEqual({ complete: true });
  overwrite(dataDir, '"points":14', '"points":15');
  expect(await refusalOf(site, getSeasonFile, { params: { id: place.tournamentId } })).toEqual(refusedAt(position));
  await expectStopped({ site, place, position });
}, 30_000);

it.each([
  [
    'another file stands in the place of the log',
    (path: string) => {
      writeFileSync(`${path}.new`, readFileSync(path));
      renameSync(`${path}.new`, path);
    },
  ],
  ['the file of the log is gone', (path: string) => rmSync(path)],
] as const)(
  '%s: the walk sees it, and nothing is written that would be lost',
  async (_, change) => {
    const dataDir = newFolder();
    const { site, place } = await played(dataDir);
    change(join(dataDir, 'event-log.sqlite'));
    await site.call(verifyLog, { token: place.superToken });
    expect((await site.opened.operations.verifications.ended())?.firstBreak?.position).toBe('0');
    expect(await readiness(site)).toEqual([503, false]);
    expect(
      (
        await site.refused(recordStatIncrement, {
          token: place.token,
          params: { id: place.matchId },
          json: { entryId: 'two', playerId: place.teams[0].players[0] ?? '', points: 1 },
        })
      ).status,
    ).toBe(503);
  },
  30_000,
);
