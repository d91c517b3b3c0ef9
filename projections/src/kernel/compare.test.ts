import { cpSync } from 'node:fs';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { compareReadModels, openSnapshot, type ReadModelDifference } from './compare.ts';
import { createProjector } from './projector.ts';
import { rebuild } from './rebuild.ts';
import { allTables, projectedTables } from './schema.ts';
import { RecordedLog } from './testing/recorded-log.ts';
import { scratchFolder } from './testing/scratch.ts';

const season = (): RecordedLog => {
  const log = new RecordedLog();
  log.tournament('t1');
  log.team('a', 'Annapurna', 4, ['t1']);
  log.team('b', 'Bagmati', 4, ['t1']);
  log.match('m1', 't1', 'a', 'b');
  log.stat('m1', 'a-p1', 3, 1);
  log.stat('m1', 'b-p1', 2);
  return log;
};

const compareFiles = (live: string, next: string): ReadModelDifference => {
  const [a, b] = [openSnapshot(live), openSnapshot(next)];
  try {
    return compareReadModels(a, b);
  } finally {
    a.close();
    b.close();
  }
};

/** The same log projected live and folded at once, and what a hand does to the live one between. */
const compared = async (tamper: (database: Database.Database) => void): Promise<ReadModelDifference> => {
  using folder = scratchFolder();
  const log = season();
  const [live, next] = [folder.file('live.sqlite'), folder.file('next.sqlite')];
  const projector = createProjector({ path: live, openPerson: log.openPerson });
  projector.apply(log.events);
  projector.close();
  await rebuild({ path: next, readPage: log.readPage, openPerson: log.openPerson });
  const database = new Database(live);
  tamper(database);
  database.close();
  return compareFiles(live, next);
};

test('two models of one log are equal, table by table, with the same checksums', async () => {
  const { equal, tables } = await compared(() => {});
  expect(equal).toBe(true);
  // All but the checkpoint and the version stand in the comparison.
  expect(tables.length).toBe(allTables.length - 2);
  expect(
    tables.every(
      ({ checksum, differing, samples, rows }) => checksum.live === checksum.next && differing === 0 && samples.length === 0 && rows.live === rows.next,
    ),
  ).toBe(true);
  expect(tables.find(({ name }) => name === 'ledger')?.rows.live).toBe(season().events.length);
});

test('a changed number is shown by table, key and place, old and new', async () => {
  const { equal, tables } = await compared((database) => {
    database.exec('UPDATE match_documents SET document = replace(document, \'"points":3\', \'"points":5\')');
    database.exec('UPDATE standings SET answer = replace(answer, \'"played":1\', \'"played":7\')');
  });
  expect(equal).toBe(false);
  const standings = tables.find(({ name }) => name === 'standings');
  expect([standings?.differing, standings?.samples[0]?.key, standings?.samples[0]?.live, standings?.samples[0]?.next]).toEqual([1, 't1', '7', '1']);
  expect(standings?.samples[0]?.at).toMatch(/^answer\.rows\[\d\]\.played$/);
});

test('rows that only one of them has are counted and named', async () => {
  const { tables } = await compared((database) => {
    database.exec("DELETE FROM stat_lines WHERE player_id = 'a-p1'");
    database.exec(
      'INSERT INTO ledger SELECT 999999, stream, revision, type, version, time, tournament_id, match_id, match_number, team_id, player_id, admin_id, entry_id, target_entry_id, data, metadata FROM ledger LIMIT 1',
    );
  });
  const lines = tables.find(({ name }) => name === 'stat_lines');
  expect([lines?.rows.live, lines?.rows.next, lines?.differing, lines?.samples[0]?.live, lines?.samples[0]?.next]).toEqual([1, 2, 1, null, '(row)']);
  const ledger = tables.find(({ name }) => name === 'ledger');
  expect([ledger?.differing, ledger?.samples[0]?.key, ledger?.samples[0]?.live, ledger?.samples[0]?.next]).toEqual([1, '999999', '(row)', null]);
});

test('what is personal or secret is never shown, only that it differs', async () => {
  const { tables } = await compared((database) => {
    database.exec("UPDATE person_documents SET document = replace(document, '9811111111', '9899999999')");
    database.exec("UPDATE player_documents SET document = replace(document, 'Player a-p1', 'Somebody Else')");
  });
  const shown = JSON.stringify(tables);
  expect(tables.find(({ name }) => name === 'person_documents')?.differing).toBe(8);
  expect([shown.includes('9899999999'), shown.includes('9811111111'), shown.includes('Somebody Else')]).toEqual([false, false, false]);
  expect(shown.includes('(differs)')).toBe(true);
});

test('no column of any table shows a text that may be a name, a photo or a phone', async () => {
  const found = new Map<string, unknown>();
  using folder = scratchFolder();
  const log = season();
  const [whole, live] = [folder.file('whole.sqlite'), folder.file('live.sqlite')];
  await rebuild({ path: whole, readPage: log.readPage, openPerson: log.openPerson });
  for (const { name, columns, key } of projectedTables) {
    for (const column of columns.filter((one) => !key.includes(one))) {
      // In the values of a JSON or a part of one, or in place of a text.
      // One column at a time, since a sample is of the first that differs.
      cpSync(whole, live);
      const database = new Database(live);
      database.pragma('journal_mode = DELETE');
      database.pragma('synchronous = OFF');
      database.exec(
        `UPDATE ${name} SET ${column} = CASE WHEN instr(${column}, '":"') > 0 THEN replace(${column}, '":"', '":"Maya Thapa 9811111111 ') ELSE 'Maya Thapa' END WHERE typeof(${column}) = 'text'`,
      );
      database.close();
      const { tables } = compareFiles(live, whole);
      const shown = JSON.stringify(tables);
      expect([name, column, ['Maya', '98111', 'Player a-p1', '/media/'].filter((text) => shown.includes(text))]).toEqual([name, column, []]);
      for (const { name: table, samples } of tables) if (samples[0] !== undefined) found.set(`${table}.${column}`, samples[0]);
    }
  }
  // Also in a part of an answer, which is no JSON by itself.
  expect(found.get('stat_lines.shown')).toMatchObject({ at: 'shown.name', live: '(differs)', next: '(differs)' });
});

test('a number of a person is not shown, one of a match is', async () => {
  const { tables } = await compared((database) => {
    database.exec(`UPDATE players SET profile = replace(profile, '"age":', '"age":9')`);
    database.exec('UPDATE stat_lines SET points = 77');
  });
  expect(tables.find(({ name }) => name === 'players')?.samples[0]).toMatchObject({ at: 'profile.age', live: '(differs)', next: '(differs)' });
  expect(tables.find(({ name }) => name === 'stat_lines')?.samples[0]).toMatchObject({ at: 'points', live: '77' });
});

test('a snapshot does not move while the model does, and models at two positions are not compared', async () => {
  using folder = scratchFolder();
  const log = season();
  const path = folder.file('live.sqlite');
  const projector = createProjector({ path, openPerson: log.openPerson });
  projector.apply(log.events);
  const before = openSnapshot(path);
  projector.apply([log.record('match-m1', 'MatchMvpNamed', { matchId: 'm1', playerId: 'a-p1' })]);
  const after = openSnapshot(path);
  expect([before.position, after.position]).toEqual([projector.position - 2n, projector.position]);
  expect(() => compareReadModels(before, after)).toThrow('cannot be compared');
  const again = openSnapshot(path);
  expect(compareReadModels(after, again).equal).toBe(true);
  for (const snapshot of [before, after, again]) snapshot.close();
  projector.close();
});
