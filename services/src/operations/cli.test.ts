import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { kathmanduDay } from '@courtledger/contracts/kernel/days';
import { recordStatIncrement } from '@courtledger/contracts/match/match.api';
import { operationsStatus } from '@courtledger/contracts/operations/operations.answers';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../event-log/testing/log-files.ts';
import { liveReadModel } from '../platform/store-read-model-files.ts';
import { callOps, startOps, type Ran, type Running } from '../testing/command-line.ts';
import { openSite, season, type Season, type Site } from '../testing/site.ts';
import { allVerbs } from './all-verbs.ts';

let folder: ReturnType<typeof temporaryFolder>;
let site: Site | undefined;
const running: Running[] = [];
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(async () => {
  for (const one of running.splice(0)) {
    one.child.kill('SIGINT');
    await one.ended;
  }
  await site?.close();
  site = undefined;
  folder.remove();
});

const at = (dataDir = folder.path('data')) => ({ dataDir, folder: folder.path('') });
const ops = async (...args: string[]): Promise<Ran> => callOps(args, at());
/** The same in a process, which ends when nothing keeps it alive any more. */
const opsProcess = async (...args: string[]): Promise<Ran> => startOps(args, at()).ended;

const score = async ({ token, matchId, teams }: Season, entryId: string): Promise<void> => {
  await site?.call(recordStatIncrement, { token, params: { id: matchId }, json: { entryId, playerId: teams[0].players[0] ?? '', points: 2 } });
};

const factsOf = (out: string): string | undefined => /^Facts: ([0-9a-f]{64})/m.exec(out)?.[1];

describe('the command line', () => {
  it('names every verb, and says what is wrong with a call: exit code 2', async () => {
    const help = await opsProcess('help');
    expect([help.code, allVerbs.filter(({ name, summary }) => !help.out.includes(`\n  ${name}`) || !help.out.includes(summary))]).toEqual([0, []]);
    expect(new Set(allVerbs.map(({ name }) => name)).size).toBe(allVerbs.length);
    const unknown = await opsProcess('frobnicate');
    expect([unknown.code, unknown.out, unknown.said.startsWith('There is no verb frobnicate.')]).toEqual([2, '', true]);
    const wrong = await ops('status', '--jsn');
    expect([wrong.code, wrong.said.includes("'--jsn'"), wrong.said.includes('Usage: npm run ops -- status [--json]')]).toEqual([2, true, true]);
    for (const [args, of] of [
      [['rebuild', '--help'], 'rebuild'],
      [['help', 'event'], 'event'],
    ] as const) {
      const one = await ops(...args);
      expect([one.code, one.said, one.out.split('\n')[0], one.out.split('\n').length]).toEqual([
        0,
        '',
        `Usage: npm run ops -- ${of} ${allVerbs.find(({ name }) => name === of)?.usage ?? ''}`,
        4,
      ]);
    }
    const lacking = await ops('event');
    expect([lacking.code, lacking.said.includes('Usage: npm run ops -- event')]).toEqual([2, true]);
  }, 60_000);

  it('opens the product by itself when no server runs, and leaves nothing running', async () => {
    // A folder that was mistyped is not made an installation of.
    for (const verb of ['status', 'rebuild', 'backup', 'export'] as const) {
      const { code, said } = await ops(verb, ...(verb === 'export' ? ['log.jsonl'] : []));
      expect([code, said.includes(`There is no CourtLedger data in ${folder.path('data')}`), existsSync(folder.path('data'))]).toEqual([1, true, false]);
    }
    await (await openSite({ store: { kind: 'sqlite' }, dataDir: folder.path('data') })).close();
    const status = await opsProcess('status', '--json');
    expect([status.code, status.said.includes('No server is running')]).toEqual([0, true]);
    expect(operationsStatus.parse(JSON.parse(status.out)).log.head).toBe('0');
    // The lock is free again.
    site = await openSite({ store: { kind: 'sqlite' }, dataDir: folder.path('data') });
  }, 60_000);

  it('several verbs at once without a server each get their turn, or a sentence that says to try again', async () => {
    await (await openSite({ store: { kind: 'sqlite' }, dataDir: folder.path('data') })).close();
    const all = await Promise.all([opsProcess('status'), opsProcess('status'), opsProcess('tail')]);
    // On a machine that is slow enough somebody waits in vain; nobody is sent to "npm run ops", or told of a socket.
    expect(all.filter(({ code, said }) => code !== 0 && !/try again/i.test(said))).toEqual([]);
    expect([all.some(({ code }) => code === 0), all.filter(({ said }) => /npm run ops|ECONN|ENOENT|LogInUse/.test(said))]).toEqual([true, []]);
  }, 60_000);

  it.each<[string, boolean]>([
    ['does not answer at all', false],
    ['answers nothing but that it lives', true],
  ])(
    'ends on SIGTERM beside a server that %s',
    async (_, lives) => {
      mkdirSync(folder.path('data'));
      const asked = Promise.withResolvers<void>();
      const silent = createServer((request, response) => {
        if (lives && request.url === '/healthz') response.end();
        else asked.resolve();
      });
      await new Promise<void>((resolve) => {
        silent.listen(join(folder.path('data'), 'control.sock'), resolve);
      });
      const status = startOps(['status'], at());
      running.push(status);
      await asked.promise;
      status.child.kill('SIGTERM');
      const { code, out, said } = await status.ended;
      silent.closeAllConnections();
      silent.close();
      expect([code, out, said.startsWith('Interrupted: ')]).toEqual([143, '', true]);
    },
    60_000,
  );

  it('drives a running server: status, verify, rebuild, switch-back, tail, stream, event, verify-log', async () => {
    site = await openSite({ store: { kind: 'sqlite' }, dataDir: folder.path('data') });
    const { dataDir } = site.config;
    const place = await season(site);
    await score(place, 'one');
    const events = await site.events();
    const status = await ops('status');
    expect([status.code, status.out.includes(`sqlite, head ${events}, takes writes`), status.said]).toEqual([0, true, '']);

    expect((await ops('verify')).code).toBe(0);
    const database = new Database(join(dataDir, liveReadModel(dataDir)), { timeout: 5000 });
    database.exec('UPDATE stat_lines SET points = 9 WHERE points = 2');
    database.close();
    const different = await ops('verify');
    expect([different.code, different.out.includes('DIFFERENT'), different.out.includes('stat_lines'), different.out.includes('9 -> 2')]).toEqual([
      1,
      true,
      true,
      true,
    ]);
    expect((await ops('rebuild', '--dry-run')).code).toBe(1);
    const rebuilt = await opsProcess('rebuild');
    expect([rebuilt.code, rebuilt.out.includes('is the live read model now')]).toEqual([0, true]);
    expect((await ops('verify')).code).toBe(0);
    const back = await ops('switch-back');
    expect([back.code, liveReadModel(dataDir)]).toEqual([0, 'read-model-1.sqlite']);

    const tail = await ops('tail', '-n', '1', '--match', place.matchId);
    expect([
      tail.code,
      tail.out.split('\n').length,
      tail.out.includes(`match-${place.matchId}@1  StatIncrementRecorded  by admin Asha Rai`),
      tail.out.includes('points=2'),
    ]).toEqual([0, 2, true, true]);
    const stream = await ops('stream', `match-${place.matchId}`);
    expect(
      stream.out
        .trim()
        .split('\n')
        .map((line) => line.trim().split(/ {2,}/)[3]),
    ).toEqual(['MatchAssigned', 'StatIncrementRecorded']);
    const event = await ops('event', String(events), '--json');
    const told = JSON.parse(event.out) as { readonly type: string; readonly time: string };
    expect(told.type).toBe('StatIncrementRecorded');
    // A day alone is all of it.
    const day = kathmanduDay(Date.parse(told.time));
    expect((await ops('tail', '-n', '1', '--match', place.matchId, '--since', day, '--until', day)).out).toBe(tail.out);
    expect((await ops('event', '999999')).said).toContain('There is no such event');
    // Each part of a number says how to go on, down to the entries.
    const [team] = place.teams;
    const rank = await ops('trace', 'standings', 'rank', '--tournament', place.tournamentId, '--team', team.teamId);
    const further = `trace standings points --tournament ${place.tournamentId} --team ${team.teamId} --as-of ${String(events)}`;
    expect([
      rank.code,
      rank.out.split('\n')[0],
      rank.out.includes(further.replace(/ --as-of.*/, '')),
      rank.out.includes('  Asha Rai  Player 1  +2 → 2  '),
    ]).toEqual([0, 'Rank of Pokhara Lynx in Winter League = 1', true, true]);
    const points = await ops(...further.split(' '));
    expect([
      points.out.split('\n')[0],
      points.out.includes(`    trace match-team points --match ${place.matchId} --team ${team.teamId} --as-of ${String(events)}\n`),
    ]).toEqual(['Standings points of Pokhara Lynx in Winter League = 2', true]);
    const verified = await opsProcess('verify-log');
    expect([verified.code, verified.out]).toEqual([0, `The log is whole: ${events} events verified.\n`]);
  }, 180_000);

  it('follows what is recorded until it is interrupted', async () => {
    site = await openSite({ store: { kind: 'sqlite' }, dataDir: folder.path('data') });
    const place = await season(site);
    const tail = startOps(['tail', '-n', '1', '-f', '--type', 'StatIncrementRecorded'], at());
    running.push(tail);
    await score(place, 'first');
    await tail.heard('entryId=first');
    await score(place, 'second');
    await tail.heard('entryId=second');
    tail.child.kill('SIGINT');
    const { code, out } = await tail.ended;
    expect([
      code,
      out
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => /entryId=(\w+)/.exec(line)?.[1]),
    ]).toEqual([0, ['first', 'second']]);
  }, 60_000);

  it('backs up, drills and exports beside a running server, restores only without one, and imports', async () => {
    site = await openSite({ store: { kind: 'sqlite' }, dataDir: folder.path('data') });
    const place = await season(site);
    await score(place, 'one');
    const events = await site.events();
    const backup = await opsProcess('backup', 'my-backup');
    expect([backup.code, backup.out.startsWith(`${folder.path('my-backup')}: ${events} events up to position ${events}`)]).toEqual([0, true]);
    expect((await ops('backup', 'my-backup')).code).toBe(1);
    const drill = await opsProcess('drill', 'my-backup');
    expect([drill.code, drill.out.includes(`${events} events up to position ${events}`)]).toEqual([0, true]);
    const exported = await opsProcess('export', 'log.jsonl');
    expect([exported.code, readFileSync(folder.path('log.jsonl'), 'utf8').trim().split('\n').length]).toEqual([0, events + 1]);
    await score(place, 'later');
    const refused = await ops('restore', 'my-backup');
    expect([refused.code, refused.said]).toEqual([
      1,
      `A CourtLedger server or another tool is running on ${folder.path('data')}. Stop the server, or wait until the tool has ended, and try again.\n`,
    ]);
    await site.close();
    site = undefined;
    const restored = await opsProcess('restore', 'my-backup');
    expect([restored.code, restored.out.includes(`Restored ${events} events up to position ${events}`)]).toEqual([0, true]);
    const status = operationsStatus.parse(JSON.parse((await ops('status', '--json')).out));
    expect([status.log.head, status.readModel.position]).toEqual([String(events), String(events)]);

    const imported = await startOps(['import', 'log.jsonl'], at(folder.path('other'))).ended;
    expect([imported.code, imported.out.includes(`${events} events of`), existsSync(join(folder.path('other'), 'event-log.sqlite'))]).toEqual([0, true, true]);
    // What comes of an import says the same, so the way back is the same file of facts.
    const again = await callOps(['export', 'again.jsonl'], at(folder.path('other')));
    expect([factsOf(exported.out)?.length, factsOf(imported.out), factsOf(again.out)]).toEqual([64, factsOf(exported.out), factsOf(exported.out)]);
    writeFileSync(folder.path('cut.jsonl'), readFileSync(folder.path('log.jsonl'), 'utf8').split('\n').slice(0, 10).join('\n'));
    const cut = await callOps(['import', 'cut.jsonl'], at(folder.path('third')));
    expect([cut.code, cut.out, cut.said.startsWith(`${folder.path('cut.jsonl')} is not whole: it ends after 10 events without the line`)]).toEqual([
      1,
      '',
      true,
    ]);
    const partial = await callOps(['import', 'cut.jsonl', '--partial'], at(folder.path('third')));
    expect([
      partial.code,
      partial.out.startsWith('10 events of'),
      `${partial.out}${partial.said}`.includes('named the same'),
      partial.out.includes('of what the file holds. It has no end line'),
      partial.said.includes('is whole as far as the file goes'),
    ]).toEqual([0, true, false, true, true]);
  }, 180_000);

  it('finds a person, says what an erasure takes before it is meant, and erases once', async () => {
    site = await openSite({ store: { kind: 'sqlite' }, dataDir: folder.path('data') });
    const { teams } = await season(site);
    const [playerId = ''] = teams[0].players;
    const found = await ops('persons', 'player', '1');
    expect([found.code, found.out.split('\n')[0]]).toEqual([0, `${playerId}  player  Player 1  Pokhara Lynx`]);
    const events = await site.events();
    const asked = await ops('erase', 'person', playerId, '--reason', 'Asked for it');
    expect([asked.code, asked.out.split('\n').slice(1, 3)]).toEqual([
      2,
      [
        '  goes:  name, phone, age, height, weight, every photo, the ID document, the key that opens them',
        "  stays: the entries in 0 matches, the place, as 'Former player', that it was erased, by whom and why",
      ],
    ]);
    expect(asked.said).toContain('Nothing was erased.');
    expect(await site.events()).toBe(events);
    const erased = await opsProcess('erase', 'person', playerId, '--reason', 'Asked for it', '--yes');
    // Nothing was ever set aside here: nothing is said of it.
    expect([erased.code, erased.out.startsWith(`Erased: player ${playerId}.`), erased.said.includes('set aside'), await site.events()]).toEqual([
      0,
      true,
      false,
      events + 1,
    ]);
    expect((await ops('erase', 'person', playerId)).out).toBe(`${playerId}  player  Former player  Pokhara Lynx  ERASED\n`);
    expect((await ops('trace', 'standings', 'points', '--team', 'x')).said).toContain('standings needs --tournament <id>');
    for (const [args, code, said] of [
      [['stream', 'match-nowhere'], 1, 'There is no such stream'],
      [['tail', '--match', 'nowhere'], 1, 'There is no such match'],
      [['tail', '--type', 'Foo'], 2, "type must be 'TournamentCreated', "],
      [['tail', '--type', 'MatchCancelled'], 0, 'No event fits.'],
      [['trace', 'match-team', 'rank', '--match', 'x', '--team', 'y'], 2, 'A statistic of match-team is one of points, assists, rebounds'],
      [['trace', 'player-total', 'points', '--player', playerId, '--as-of', 'soon'], 2, 'asOf must be a time or a position'],
    ] as const) {
      const wrong = await ops(...args);
      expect([args, wrong.code, wrong.said.split('\n')[0]?.slice(0, said.length)]).toEqual([args, code, said]);
    }
  }, 120_000);
});
