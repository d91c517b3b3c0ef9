import { getStandings as getStandingsEndpoint } from '@courtledger/contracts/tournament/tournament.api';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { foldBranch, renderMatch } from '../kernel/branch.ts';
import type { Reader } from '../kernel/read-model.ts';
import { projected } from '../kernel/testing/projected.ts';
import { RecordedLog } from '../kernel/testing/recorded-log.ts';
import { getMatch } from '../match/match.queries.ts';
import { getStandings, getStandingsCsv } from './standings.queries.ts';

const season = (): RecordedLog => {
  const log = new RecordedLog();
  log.tournament('t1');
  log.team('a', 'Annapurna', 4, ['t1']);
  log.team('b', 'Bagmati', 4, ['t1']);
  log.team('c', '=HYPERLINK("x")', 4, ['t1']);
  log.match('m1', 't1', 'a', 'b');
  log.match('m2', 't1', 'b', 'c');
  return log;
};
const rowsOf = (text: string | undefined) =>
  getStandingsEndpoint.response
    .parse(JSON.parse(text ?? ''))
    .rows.map(({ rank, teamName, played, points, difference }) => [rank, teamName, played, points, difference]);
const provisional = (reader: Reader) => getStandingsEndpoint.response.parse(JSON.parse(getStandings(reader, 't1') ?? '')).provisional;

test('no rows until one match has statistics; then every entered team', () => {
  const log = season();
  using model = projected(log);
  expect(JSON.parse(getStandings(model.reader, 't1') ?? '')).toEqual({ tournamentId: 't1', provisional: true, rows: [] });
  log.stat('m1', 'a-p1', 3);
  model.projector.apply(log.events);
  expect(rowsOf(getStandings(model.reader, 't1'))).toEqual([
    [1, 'Annapurna', 1, 2, 3],
    [2, 'Bagmati', 1, 1, -3],
    [3, '=HYPERLINK("x")', 0, 0, 0],
  ]);
  expect(provisional(model.reader)).toBe(true);
  const entry = log.stat('m2', 'c-p1', 2);
  model.projector.apply(log.events);
  expect(provisional(model.reader)).toBe(false);
  log.reverse('m2', entry);
  model.projector.apply(log.events);
  expect(provisional(model.reader)).toBe(true);
  expect(getStandings(model.reader, 'nothing')).toBeUndefined();
});

test('as they were at a position or a time; the future is now; before its time a tournament has no rows', () => {
  const log = season();
  log.stat('m1', 'a-p1', 3);
  const then = log.events.at(-1);
  log.stat('m1', 'b-p1', 5);
  const now = log.stat('m2', 'c-p1', 1);
  log.reverse('m2', now);
  using model = projected(log);
  const past = [
    [1, 'Annapurna', 1, 2, 3],
    [2, 'Bagmati', 1, 1, -3],
    [3, '=HYPERLINK("x")', 0, 0, 0],
  ];
  const today = getStandings(model.reader, 't1');
  expect(rowsOf(today)[0]).toEqual([1, 'Bagmati', 1, 2, 2]);
  expect(rowsOf(getStandings(model.reader, 't1', { kind: 'position', position: then?.position ?? 0n }))).toEqual(past);
  expect(rowsOf(getStandings(model.reader, 't1', { kind: 'time', time: then?.time ?? '' }))).toEqual(past);
  expect(getStandings(model.reader, 't1', { kind: 'position', position: 9_999_999_999_999_999_999n })).toBe(today);
  expect(getStandings(model.reader, 't1', { kind: 'time', time: '2999-01-01T00:00:00.000Z' })).toBe(today);
  expect(rowsOf(getStandings(model.reader, 't1', { kind: 'position', position: 0n }))).toEqual([]);
  expect(rowsOf(getStandings(model.reader, 't1', { kind: 'time', time: '2000-01-01T00:00:00.000Z' }))).toEqual([]);
  expect(getStandings(model.reader, 'nothing', { kind: 'position', position: 1n })).toBeUndefined();
});

test('a moment that leaves nothing out is answered by the stored row; one that leaves out a fact of any of its streams is not', () => {
  const log = season();
  log.stat('m1', 'a-p1', 3);
  const scored = log.events.at(-1)?.time ?? '';
  // Of a time before it, though it stands after it: the match is whole at both times.
  log.start -= 3_600_000;
  log.stat('m1', 'b-p1', 1);
  const back = log.events.at(-1)?.time ?? '';
  log.start += 3_600_000;
  log.record('tournament-t1', 'TournamentDetailsChanged', { tournamentId: 't1', changes: { name: 'Cup' } });
  const changed = log.events.at(-1)?.time ?? '';
  log.record('team-a', 'TeamDetailsCorrected', { teamId: 'a', changes: { name: 'Annapurna II' } });
  const renamed = log.events.at(-1)?.time ?? '';
  // A match of other teams elsewhere.
  log.tournament('t2');
  log.team('d', 'Dhading', 1, ['t2']);
  using model = projected(log);
  const folded = getStandings(model.reader, 't1', { kind: 'time', time: changed });
  expect(folded).toContain('"Annapurna"');
  const database = new Database(model.path);
  database.prepare("UPDATE standings SET answer = 'the stored row'").run();
  database.close();
  const at = (until: { readonly kind: 'time'; readonly time: string } | { readonly kind: 'position'; readonly position: bigint }): boolean =>
    getStandings(model.reader, 't1', until) === 'the stored row';
  const time = (text: string): boolean => at({ kind: 'time', time: text });
  expect([time('2999-01-01T00:00:00.000Z'), time(renamed), time(changed), time(scored), time(back)]).toEqual([true, true, false, false, false]);
  expect([
    at({ kind: 'position', position: 2n ** 64n }),
    at({ kind: 'position', position: log.head }),
    at({ kind: 'position', position: log.head - 1n }),
  ]).toEqual([true, true, false]);
});

test('a branch of the log shows what facts would do, and records nothing', () => {
  const log = season();
  const entry = log.stat('m1', 'a-p1', 3);
  log.stat('m1', 'b-p1', 2);
  using model = projected(log);
  const before = getStandings(model.reader, 't1');
  expect(before).toMatch(/"teamId":"a".*"teamId":"b"/);
  const preview = new RecordedLog();
  preview.events.push(...log.events);
  preview.reverse('m1', entry);
  const plus = preview.events.slice(log.events.length);
  const branch = foldBranch(model.reader, { tournamentId: 't1', plus });
  expect(branch?.standings.rows.map(({ teamId }) => teamId)).toEqual(['b', 'a', 'c']);
  expect(branch && renderMatch('m1', branch.documents)).not.toContain('"player_id":"a-p1"');
  expect(getStandings(model.reader, 't1')).toBe(before);
  const unchanged = foldBranch(model.reader, { tournamentId: 't1' });
  expect(JSON.stringify(unchanged?.standings)).toBe(before);
  expect(unchanged && renderMatch('m1', unchanged.documents)).toBe(getMatch(model.reader, 'm1'));
  expect(foldBranch(model.reader, { tournamentId: 'nothing' })).toBeUndefined();
});

test('CSV: titles of the page, CRLF, and no cell that a spreadsheet would run', () => {
  const log = season();
  log.stat('m1', 'b-p1', 3);
  using model = projected(log);
  expect(getStandingsCsv(model.reader, 't1')).toBe(
    [
      'Rank,Team Name,Played,Wins,Losses,Points,FOR,AGST,PD',
      '1,Bagmati,1,1,0,2,3,0,3',
      '2,Annapurna,1,0,1,1,0,3,-3',
      '3,"\'=HYPERLINK(""x"")",0,0,0,0,0,0,0',
      '',
    ].join('\r\n'),
  );
  expect(getStandingsCsv(model.reader, 'nothing')).toBeUndefined();
});
