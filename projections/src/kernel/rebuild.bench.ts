import { closeSync, fsyncSync, openSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import type { Participation } from '@courtledger/contracts/match/match.events';
import type { RecordedEvent } from '@courtledger/contracts/kernel/event';
import type { PersonDetails, PersonKind } from '@courtledger/contracts/player/person.events';
import type { TournamentDetails } from '@courtledger/contracts/tournament/tournament.events';
import Database from 'better-sqlite3';
import { matches, type MatchDocument } from '../match/match.documents.ts';
import { people, players, type PersonDocument, type PlayerDocument } from '../player/person.documents.ts';
import { teams, type TeamDocument } from '../team/team.documents.ts';
import { tournaments, type TournamentDocument } from '../tournament/tournament.documents.ts';
import { allCollections, allViews, documentTable, packDocument } from './all-projections.ts';
import { dumpReadModel } from './dump.ts';
import { ledgerTable } from './ledger.ts';
import type { Collection, RowWriter } from './projection.ts';
import { rebuild } from './rebuild.ts';
import { createIndexes, createTables } from './schema.ts';
import { insertSql, type SqlValue, type Table } from './table.ts';
import { RecordedLog } from './testing/recorded-log.ts';
import { scratchFolder } from './testing/scratch.ts';

/**
 * The rate of a rebuild against the same fold written by hand for this purpose only (one switch, plain maps, rows of the log read raw, no classes, no dispatch),
 * both into the same rows. Run: `node projections/src/kernel/rebuild.bench.ts [statistics] [rounds]`.
 */
type Stored = [position: number, stream: string, revision: number, id: string, type: string, version: number, time: string, data: string, metadata: string];

const uuid = (kind: number, number: number): string => `${String(kind).padStart(8, '0')}-0000-7000-8000-${String(number).padStart(12, '0')}`;

/** Eight tournaments, 64 teams of twelve, 240 entries a match. */
const season = (statistics: number): RecordedLog => {
  const log = new RecordedLog();
  const rosters: string[][] = [];
  for (let tournament = 0; tournament < 8; tournament += 1) log.tournament(uuid(1, tournament));
  for (let team = 0; team < 64; team += 1) {
    log.team(uuid(2, team), `Team ${String(team)}`, 0, [uuid(1, team % 8)]);
    rosters.push(Array.from({ length: 12 }, (_, player) => uuid(3, team * 12 + player)));
    for (const [number, player] of (rosters.at(-1) ?? []).entries()) log.player(player, uuid(2, team), String(number));
  }
  const games = Math.ceil(statistics / 240);
  for (let game = 0; game < games; game += 1) {
    const sides = [(game % 8) + 8 * (game % 7), (game % 8) + 8 * ((game % 7) + 1)];
    const matchId = uuid(4, game);
    log.match(matchId, uuid(1, game % 8), uuid(2, sides[0] ?? 0), uuid(2, sides[1] ?? 0));
    for (let entry = game * 240; entry < Math.min(statistics, (game + 1) * 240); entry += 1) {
      const side = sides[entry % 2] ?? 0;
      log.raw(`match-${matchId}`, 'StatIncrementRecorded', { matchId, entryId: uuid(5, entry), playerId: rosters[side]?.[(entry >> 1) % 12], teamId: uuid(2, side), points: entry % 4, assists: entry % 2, rebounds: entry % 3 });
    }
  }
  return log;
};

const storeLog = (log: RecordedLog, path: string): void => {
  const database = new Database(path);
  database.exec('CREATE TABLE events (position INTEGER PRIMARY KEY, stream TEXT, revision INTEGER, id TEXT, type TEXT, version INTEGER, time TEXT, data TEXT, metadata TEXT)');
  const insert = database.prepare('INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)');
  database.transaction(() => {
    for (const event of log.events) insert.run(event.position, event.stream, event.revision, event.id, event.type, event.version, event.time, JSON.stringify(event.data), event.metadataText);
  })();
  database.close();
};

const SELECT = 'SELECT position, stream, revision, id, type, version, time, data, metadata FROM events WHERE position > ? ORDER BY position LIMIT ?';

/** As the product's log gives them: data parsed at once, metadata on first use. */
class ReadEvent implements RecordedEvent {
  readonly position: bigint;
  readonly stream: string;
  readonly revision: number;
  readonly id: string;
  readonly type: string;
  readonly version: number;
  readonly time: string;
  readonly data: unknown;
  readonly metadataText: string;
  constructor([position, stream, revision, id, type, version, time, data, metadata]: Stored) {
    this.position = BigInt(position);
    this.stream = stream;
    this.revision = revision;
    this.id = id;
    this.type = type;
    this.version = version;
    this.time = time;
    this.data = JSON.parse(data);
    this.metadataText = metadata;
  }
  get metadata(): never {
    throw new Error('A rebuild never reads metadata');
  }
}

const pagesOf = (database: Database.Database) => {
  const page = database.prepare<[number, number], Stored>(SELECT).raw();
  return (after: bigint, limit: number): RecordedEvent[] => page.all(Number(after), limit).map((row) => new ReadEvent(row));
};

/** The facts of the season above, and no others. */
type Told = TournamentDetails & {
  tournamentId: string; teamId: string; matchId: string; playerId: string; personId: string; teamAId: string; teamBId: string; date: string; time: string; origin: string; logo: string; contactId: string;
  capabilityHash: string; jerseyNumber: string; kind: PersonKind; sealed: string; points: number; assists: number; rebounds: number;
};
type Ids = { matchId?: string; teamId?: string; playerId?: string; personId?: string; entryId?: string };

const at = <D extends object>(map: Map<string, D>, collection: Collection<D>, key: string): D => {
  let document = map.get(key);
  if (document === undefined) map.set(key, (document = collection.initial(key)));
  return document;
};

const foldByHand = (log: Database.Database, path: string): void => {
  const database = new Database(path);
  for (const pragma of ['journal_mode = OFF', 'synchronous = OFF', 'locking_mode = EXCLUSIVE']) database.pragma(pragma);
  database.exec('BEGIN');
  createTables(database);
  const ledger = database.prepare<[SqlValue[]]>(insertSql(ledgerTable));
  const page = log.prepare<[number, number], Stored>(SELECT).raw();
  const maps = { tournament: new Map<string, TournamentDocument>(), team: new Map<string, TeamDocument>(), match: new Map<string, MatchDocument>(), person: new Map<string, PersonDocument>(), player: new Map<string, PlayerDocument>() };
  let last = 0;
  for (let rows = page.all(0, 1000); rows.length > 0; rows = page.all(last, 1000)) {
    for (const [position, stream, revision, , type, version, time, text, metadata] of rows) {
      const data = JSON.parse(text) as Told;
      let tournamentId: string | null = null;
      let kept: string | null = text;
      switch (type) {
        case 'StatIncrementRecorded': {
          const match = at(maps.match, matches, data.matchId);
          let line = match.lines.get(data.playerId);
          if (line === undefined) {
            match.lines.set(data.playerId, (line = { teamId: data.teamId, points: 0, assists: 0, rebounds: 0, entries: 0, participation: null as Participation | null }));
            at(maps.player, players, data.playerId).matches.push([data.matchId, match.born ?? '0']);
          }
          if (line.entries === 0) match.rows += 1;
          line.points += data.points;
          line.assists += data.assists;
          line.rebounds += data.rebounds;
          line.entries += 1;
          if (data.teamId === match.teamAId) match.score1 += data.points;
          else match.score2 += data.points;
          match.revision = revision;
          tournamentId = match.tournamentId;
          break;
        }
        case 'MatchAssigned': {
          const match = at(maps.match, matches, data.matchId);
          Object.assign(match, { revision, born: String(position), tournamentId: data.tournamentId, teamAId: data.teamAId, teamBId: data.teamBId, date: data.date, time: data.time });
          for (const list of [at(maps.tournament, tournaments, data.tournamentId).matches, at(maps.team, teams, data.teamAId).matches, at(maps.team, teams, data.teamBId).matches]) list.push([data.matchId, String(position)]);
          tournamentId = data.tournamentId;
          break;
        }
        case 'PersonDetailsRecorded': {
          Object.assign(at(maps.person, people, data.personId), { revision, kind: data.kind, details: JSON.parse(data.sealed) as PersonDetails });
          kept = null;
          break;
        }
        case 'PlayerAddedToTeam': {
          const team = at(maps.team, teams, data.teamId);
          team.revision = revision;
          team.players.push({ id: data.playerId, jersey: data.jerseyNumber });
          Object.assign(at(maps.player, players, data.playerId), { born: String(position), teamId: data.teamId, jersey: data.jerseyNumber });
          break;
        }
        case 'TeamRegistered': {
          Object.assign(at(maps.team, teams, data.teamId), { revision, born: String(position), registeredAt: time, name: data.name, origin: data.origin, logo: data.logo, contactId: data.contactId, capabilityHash: data.capabilityHash });
          at(maps.person, people, data.contactId).teamId = data.teamId;
          kept = JSON.stringify({ ...data, capabilityHash: undefined });
          break;
        }
        case 'CoachAppointed': {
          Object.assign(at(maps.team, teams, data.teamId), { revision, coachId: data.personId });
          at(maps.person, people, data.personId).teamId = data.teamId;
          break;
        }
        case 'TeamEnteredTournament': {
          const tournament = at(maps.tournament, tournaments, data.tournamentId);
          tournament.revision = revision;
          tournament.teams.push([data.teamId, String(position)]);
          at(maps.team, teams, data.teamId).tournaments.push([data.tournamentId, String(position)]);
          tournamentId = data.tournamentId;
          break;
        }
        case 'TeamRegistrationCompleted': {
          Object.assign(at(maps.team, teams, data.teamId), { revision, completed: data.tournamentId });
          tournamentId = data.tournamentId;
          break;
        }
        case 'TournamentCreated': {
          const { tournamentId: id, ...details } = data;
          Object.assign(at(maps.tournament, tournaments, id), { revision, born: String(position), details });
          tournamentId = id;
          break;
        }
        default:
          throw new Error(`The season has no ${type}`);
      }
      const { matchId, teamId, playerId, personId, entryId } = data as Ids;
      ledger.run([position, stream, revision, type, version, time, tournamentId, matchId ?? null, teamId ?? null, playerId ?? personId ?? null, null, entryId ?? null, null, kept, metadata]);
      last = position;
    }
  }
  const statements = new Map<Table, Database.Statement<[SqlValue[]]>>();
  const statementOf = (table: Table): Database.Statement<[SqlValue[]]> => {
    const known = statements.get(table) ?? database.prepare<[SqlValue[]]>(insertSql(table));
    statements.set(table, known);
    return known;
  };
  const write: RowWriter = {
    put(table, row) {
      statementOf(table).run(row as SqlValue[]);
    },
    remove() {
      // The tables are empty.
    },
  };
  const byName = new Map<string, ReadonlyMap<string, object>>(Object.entries(maps));
  const reads = { read: <D extends object>(collection: Collection<D>, key: string): D | undefined => byName.get(collection.name)?.get(key) as D | undefined };
  for (const view of allViews) for (const key of byName.get(view.over.name)?.keys() ?? []) view.rows(key, reads, write, undefined);
  for (const collection of allCollections) for (const [key, document] of byName.get(collection.name) ?? []) write.put(documentTable(collection), [key, packDocument(collection, document)]);
  database.prepare('UPDATE checkpoint SET position = ? WHERE id = 1').run(String(last));
  createIndexes(database);
  database.exec('COMMIT');
  database.close();
  const file = openSync(path, 'r');
  fsyncSync(file);
  closeSync(file);
};

export type RebuildMeasurement = {
  readonly events: number;
  /** Milliseconds, medians. */
  readonly byHand: number;
  readonly rebuilt: number;
  /** Rate of the rebuild by rate of the fold by hand: of time, and of CPU time (steadier where the machine has other work). */
  readonly ratio: number;
  readonly cpuRatio: number;
  readonly sameRows: boolean;
};

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

const of = (times: readonly { ms: number; cpu: number }[], what: 'ms' | 'cpu'): number => median(times.map((time) => time[what]));

const timed = async (work: () => void | Promise<unknown>): Promise<{ ms: number; cpu: number }> => {
  const cpu = process.cpuUsage();
  const start = performance.now();
  await work();
  const { user, system } = process.cpuUsage(cpu);
  return { ms: performance.now() - start, cpu: (user + system) / 1000 };
};

/** Both by turns, `rounds` times. */
export const measureRebuild = async (statistics: number, rounds: number): Promise<RebuildMeasurement> => {
  using folder = scratchFolder();
  const recorded = season(statistics);
  storeLog(recorded, folder.file('log.sqlite'));
  const { openPerson } = recorded;
  const log = new Database(folder.file('log.sqlite'), { readonly: true });
  const readPage = pagesOf(log);
  const hand: { ms: number; cpu: number }[] = [];
  const made: { ms: number; cpu: number }[] = [];
  let sameRows = true;
  for (let round = 0; round < rounds; round += 1) {
    const paths = { hand: folder.file(`hand-${String(round)}.sqlite`), made: folder.file(`made-${String(round)}.sqlite`) };
    /* oxlint-disable no-await-in-loop -- one after another is the measurement */
    hand.push(await timed(() => { foldByHand(log, paths.hand); }));
    made.push(await timed(async () => rebuild({ path: paths.made, readPage, openPerson })));
    /* oxlint-enable no-await-in-loop */
    sameRows &&= dumpReadModel(paths.hand).sha256 === dumpReadModel(paths.made).sha256;
  }
  log.close();
  return { events: recorded.events.length, byHand: of(hand, 'ms'), rebuilt: of(made, 'ms'), ratio: of(hand, 'ms') / of(made, 'ms'), cpuRatio: of(hand, 'cpu') / of(made, 'cpu'), sameRows };
};

if (process.argv[1] === import.meta.filename) console.log(await measureRebuild(Number(process.argv[2] ?? 100_000), Number(process.argv[3] ?? 5)));
