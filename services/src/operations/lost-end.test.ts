import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { recordStatIncrement } from '@courtledger/contracts/match/match.api';
import { getOperationsStatus, startRebuild, verifyLog } from '@courtledger/contracts/operations/operations.api';
import { getSeasonFile } from '@courtledger/contracts/tournament/season.api';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { liveReadModel, setReadModelsAside, witnessesIn } from '../platform/store-read-model-files.ts';
import { verbContext } from '../testing/verb-context.ts';
import { openOperationsState, recordedBreakOf } from './operations-state.ts';
import { newFolder, open, played, pointsOf, readiness, refusalOf, refusedAt } from './testing/played-site.ts';
import { exportVerb } from './verbs/export.verb.ts';

/** A log that has lost its end is whole in itself: what has seen more of it tells. */

/** As SQLite leaves it where a page of the write-ahead log of a killed process is damaged. */
const loseEnd = (dataDir: string, position: number | bigint): void => {
  const database = new Database(join(dataDir, 'event-log.sqlite'), { timeout: 5000 });
  database.prepare('DELETE FROM events WHERE position >= ?').run(position);
  database.prepare("UPDATE sqlite_sequence SET seq = ? - 1 WHERE name = 'events'").run(position);
  database.close();
};
const inReadModel = (dataDir: string, sql: string): void => {
  const path = join(dataDir, liveReadModel(dataDir));
  const database = new Database(path);
  database.exec(sql);
  database.close();
  rmSync(`${path}.seal`, { force: true });
};

it('a log whose end is lost is damaged, though what is left of it is whole: the read model has seen more', async () => {
  const dataDir = newFolder();
  const { site: first, place } = await played(dataDir);
  const events = await first.events();
  await first.app.close(2000);
  loseEnd(dataDir, events);
  const missing = refusedAt(String(events));
  for (let start = 0; start < 2; start += 1) {
    // The second start knows no less.
    const site = await open(dataDir);
    expect(await readiness(site)).toEqual([503, false]);
    expect(await pointsOf(site, place)).toEqual([12]);
    expect(
      await refusalOf(site, recordStatIncrement, {
        token: place.token,
        params: { id: place.matchId },
        json: { entryId: `late-${String(start)}`, playerId: place.teams[0].players[0] ?? '', points: 2 },
      }),
    ).toEqual([503, 'Nothing can be recorded at the moment. Please try again shortly.']);
    expect(await refusalOf(site, startRebuild, { token: place.superToken, json: {} })).toEqual(missing);
    expect(await refusalOf(site, getSeasonFile, { params: { id: place.tournamentId } })).toEqual(missing);
    await site.call(verifyLog, { token: place.superToken });
    expect((await site.opened.operations.verifications.ended())?.state).toBe('broken');
    expect((await site.call(getOperationsStatus, { token: place.superToken })).log.refusal).toContain(
      `the log ends before position ${String(events)}, which a read model has reached`,
    );
    await site.app.close(2000);
  }
  // What is made anew of the log has not seen more: the record has.
  rmSync(join(dataDir, liveReadModel(dataDir)));
  expect(await readiness(await open(dataDir))).toEqual([503, false]);
});

it.each([
  ['is of another release', 'outdated', (dataDir) => inReadModel(dataDir, "UPDATE read_model SET value = 'another' WHERE key = 'version'")],
  ['is damaged', 'damaged', (dataDir) => inReadModel(dataDir, 'DROP TABLE standings')],
  ['went out of the way with lost keys', 'missing', (dataDir) => void setReadModelsAside(dataDir, 'lost-keys', [liveReadModel(dataDir)])],
] satisfies readonly (readonly [string, string, (dataDir: string) => void])[])(
  'a lost end is seen as well where the read model %s and is made anew of what is left',
  async (_, state, change) => {
    const dataDir = newFolder();
    const { site: first, place } = await played(dataDir);
    const events = await first.events();
    await first.app.close(2000);
    loseEnd(dataDir, events);
    change(dataDir);
    for (const found of [state, 'good']) {
      // What was set aside is not asked again at the second start, the record is.
      const site = await open(dataDir);
      expect([(await site.opened.store.projector('report', undefined)).state, await readiness(site), await pointsOf(site, place)]).toEqual([
        found,
        [503, false],
        [],
      ]);
      expect(await refusalOf(site, startRebuild, { token: place.superToken, json: {} })).toEqual(refusedAt(String(events)));
      await site.app.close(2000);
    }
  },
);

it('a lost end is seen at the next start where one was killed that had set the read model aside and had said nothing yet', async () => {
  const dataDir = newFolder();
  const { site: first, place } = await played(dataDir);
  const events = await first.events();
  await first.app.close(2000);
  loseEnd(dataDir, events);
  inReadModel(dataDir, 'DROP TABLE standings');
  // What such a start leaves.
  await (await open(dataDir)).app.close(2000);
  openOperationsState(dataDir).change({ damage: undefined, lastVerification: undefined });
  const site = await open(dataDir);
  expect([(await site.opened.store.projector('report', undefined)).state, await readiness(site)]).toEqual(['good', [503, false]]);
  expect(await refusalOf(site, startRebuild, { token: place.superToken, json: {} })).toEqual(refusedAt(String(events)));
});

it('a log that lost everything stays damaged as long as somebody knows how far it went', async () => {
  const dataDir = newFolder();
  const { site: first } = await played(dataDir);
  const events = await first.events();
  await first.app.close(2000);
  for (const suffix of ['', '-wal', '-shm']) rmSync(join(dataDir, `event-log.sqlite${suffix}`), { force: true });
  inReadModel(dataDir, "UPDATE read_model SET value = 'another' WHERE key = 'version'");
  for (let start = 0; start < 3; start += 1) {
    const site = await open(dataDir);
    expect(await readiness(site)).toEqual([503, false]);
    await site.app.close(2000);
    expect(recordedBreakOf(openOperationsState(dataDir).get())).toEqual({
      position: 1n,
      reason: `the log ends before position ${String(events)}, which a read model has reached: events are missing`,
      seen: BigInt(events),
    });
    // Removed after 30 days: the record stays.
    for (const path of witnessesIn(dataDir)) if (!path.endsWith('.sqlite')) rmSync(path);
  }
});

it('a log that has lost its end is not exported as a whole one, by whomever its end was seen', async () => {
  const dataDir = newFolder();
  const { site } = await played(dataDir);
  const events = await site.events();
  await site.app.close(2000);
  const file = join(dataDir, 'log.jsonl');
  const exported = async (): Promise<unknown> => exportVerb.run(verbContext({ config: site.config }), [file]);
  expect([await exported(), existsSync(file)]).toEqual([0, true]);
  rmSync(file);
  loseEnd(dataDir, events);
  const refused = `Broken at position ${String(events)}: the log ends before position ${String(events)}: events are missing. Nothing was exported. "verify-log" tells more; restore a backup from before.`;
  await expect(exported()).rejects.toThrow(refused);
  // By the record alone.
  await (await open(dataDir)).app.close(2000);
  for (const path of witnessesIn(dataDir)) rmSync(path);
  await expect(exported()).rejects.toThrow(refused);
  expect(existsSync(file)).toBe(false);
});
