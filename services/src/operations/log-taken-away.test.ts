import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { getMatch, recordStatIncrement } from '@courtledger/contracts/match/match.api';
import { expect, it } from 'vitest';
import { siteFolder } from '../testing/site-folder.ts';
import { season } from '../testing/site.ts';

const folder = siteFolder();

it.each([
  ['removed', 'the file is gone', (path: string) => rmSync(path)],
  ['removed with what stands beside it', 'the file is gone', (path: string) => ['', '-wal', '-shm'].forEach((suffix) => rmSync(path + suffix))],
  ['exchanged for an older copy', 'another file stands in the place of the one that was opened', (path: string) => renameSync(`${path}.older`, path)],
] as const)(
  'of a log file that is %s under a server nothing is lost that was answered with success: writes stop, everybody is told where it is, and it goes on from there',
  async (_, reason, takeAway) => {
    const data = folder.path('data');
    const path = join(data, 'event-log.sqlite');
    const site = await folder.open(data);
    const { matchId, token, teams } = await season(site);
    writeFileSync(`${path}.older`, readFileSync(path));
    let points = 0;
    const tap = async (on: typeof site): Promise<number> => {
      const { status } = await on.send(recordStatIncrement, {
        token,
        params: { id: matchId },
        json: { entryId: `tap-${String(points)}`, playerId: teams[0].players[0] ?? '', points: 1 },
      });
      if (status < 400) points += 1;
      return status;
    };
    for (let count = 0; count < 5; count += 1) await tap(site);
    takeAway(path);
    // One that is gone is missed by the next batch; another one within two seconds.
    let status = await tap(site);
    while (status < 400) status = await tap(site);
    const rescued = readdirSync(data).find((name) => name.startsWith('event-log.sqlite.rescued-'));
    const { log } = await site.opened.operations.status();
    expect([status, site.app.readiness(), log.refusal, points >= 5]).toMatchObject([
      503,
      { status: 'not-ready', checks: { log: 'failing' }, writes: false, reason: 'The log is damaged at position 0' },
      `The event log is damaged at position 0: ${reason}. What was recorded is in ${path}.rescued-${log.head}: stop the server, and put that in the place of ${path}.`,
      true,
    ]);
    expect(rescued).toBe(`event-log.sqlite.rescued-${log.head}`);
    await site.app.close(2000);
    renameSync(join(data, rescued ?? ''), path);
    const again = await folder.open(data);
    expect(await tap(again)).toBeLessThan(300);
    expect((await again.call(getMatch, { params: { id: matchId } })).player_stats.map((line) => line.points)).toEqual([points]);
  },
  30_000,
);
