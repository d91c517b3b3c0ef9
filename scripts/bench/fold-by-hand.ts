import { closeSync, fsyncSync, openSync } from 'node:fs';
import type { Participation } from '@courtledger/contracts/match/match.events';
import type { PersonDetails, PersonKind } from '@courtledger/contracts/player/person.events';
import type { TournamentDetails } from '@courtledger/contracts/tournament/tournament.events';
import { allCollections, allViews, documentTable, packDocument } from '@courtledger/projections/kernel/all-projections';
import { ledgerTable } from '@courtledger/projections/kernel/ledger';
import type { Collection, RowWriter } from '@courtledger/projections/kernel/projection';
import { createIndexes, createTables } from '@courtledger/projections/kernel/schema';
import { insertSql, type SqlValue, type Table } from '@courtledger/projections/kernel/table';
import { matches, type MatchDocument } from '@courtledger/projections/match/match.documents';
import { people, players, type PersonDocument, type PlayerDocument } from '@courtledger/projections/player/person.documents';
import { teams, type TeamDocument } from '@courtledger/projections/team/team.documents';
import { tournaments, type TournamentDocument } from '@courtledger/projections/tournament/tournament.documents';
import Database from 'better-sqlite3';

type Stored = [position: number, stream: string, revision: number, type: string, version: number, time: string, data: string, metadata: string];
const SELECT = 'SELECT position, stream, revision, type, version, time, data, metadata FROM events WHERE position > ? ORDER BY position LIMIT ?';

/** The facts of the season (season-log.ts), and no others. */
type Told = TournamentDetails & {
  tournamentId: string;
  teamId: string;
  matchId: string;
  playerId: string;
  personId: string;
  teamAId: string;
  teamBId: string;
  date: string;
  time: string;
  origin: string;
  logo: string;
  contactId: string;
  capabilityHash: string;
  jerseyNumber: string;
  kind: PersonKind;
  sealed: string;
  points: number;
  assists: number;
  rebounds: number;
};
type Ids = { matchId?: string; teamId?: string; playerId?: string; personId?: string; entryId?: string };

const at = <D extends object>(map: Map<string, D>, collection: Collection<D>, key: string): D => {
  let document = map.get(key);
  if (document === undefined) map.set(key, (document = collection.initial(key)));
  return document;
};

/**
 * What somebody would write for this season and nothing else: one switch over the rows of the log, plain maps, one pass, then all rows into a fresh file. It
 * knows no other facts, parks nothing, cannot go on from a checkpoint. The texts of the rows come from the product's own views, since they must be the same to
 * the byte; all else is its own.
 */
export const foldByHand = (log: Database.Database, path: string, openPerson: (personId: string, sealed: string) => PersonDetails | null): void => {
  const database = new Database(path);
  for (const pragma of ['journal_mode = OFF', 'synchronous = OFF', 'locking_mode = EXCLUSIVE']) database.pragma(pragma);
  database.exec('BEGIN');
  createTables(database);
  const ledger = database.prepare<[SqlValue[]]>(insertSql(ledgerTable));
  const page = log.prepare<[number, number], Stored>(SELECT).raw();
  const maps = {
    tournament: new Map<string, TournamentDocument>(),
    team: new Map<string, TeamDocument>(),
    match: new Map<string, MatchDocument>(),
    person: new Map<string, PersonDocument>(),
    player: new Map<string, PlayerDocument>(),
  };
  let last = 0;
  for (let rows = page.all(0, 1000); rows.length > 0; rows = page.all(last, 1000)) {
    for (const [position, stream, revision, type, version, time, text, metadata] of rows) {
      const data = JSON.parse(text) as Told;
      let tournamentId: string | null = null;
      let matchNumber: number | null = null;
      let kept: string | null = text;
      switch (type) {
        case 'StatIncrementRecorded': {
          const match = at(maps.match, matches, data.matchId);
          let line = match.lines.get(data.playerId);
          if (line === undefined) {
            match.lines.set(
              data.playerId,
              (line = {
                ordinal: match.lines.size,
                teamId: data.teamId,
                points: 0,
                assists: 0,
                rebounds: 0,
                entries: 0,
                participation: null as Participation | null,
              }),
            );
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
          matchNumber = Number(match.born);
          break;
        }
        case 'MatchAssigned': {
          const match = at(maps.match, matches, data.matchId);
          Object.assign(match, {
            revision,
            born: String(position),
            tournamentId: data.tournamentId,
            teamAId: data.teamAId,
            teamBId: data.teamBId,
            date: data.date,
            time: data.time,
          });
          for (const list of [
            at(maps.tournament, tournaments, data.tournamentId).matches,
            at(maps.team, teams, data.teamAId).matches,
            at(maps.team, teams, data.teamBId).matches,
          ])
            list.push([data.matchId, String(position)]);
          tournamentId = data.tournamentId;
          matchNumber = position;
          break;
        }
        case 'PersonDetailsRecorded': {
          Object.assign(at(maps.person, people, data.personId), { revision, kind: data.kind, details: openPerson(data.personId, data.sealed) });
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
          Object.assign(at(maps.team, teams, data.teamId), {
            revision,
            born: String(position),
            registeredAt: time,
            name: data.name,
            origin: data.origin,
            logo: data.logo,
            contactId: data.contactId,
            capabilityHash: data.capabilityHash,
          });
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
          at(maps.team, teams, data.teamId).revision = revision;
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
      ledger.run([
        position,
        stream,
        revision,
        type,
        version,
        time,
        tournamentId,
        matchId ?? null,
        matchNumber,
        teamId ?? null,
        playerId ?? personId ?? null,
        null,
        entryId ?? null,
        null,
        kept,
        metadata,
      ]);
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
  for (const collection of allCollections)
    for (const [key, document] of byName.get(collection.name) ?? []) write.put(documentTable(collection), [key, packDocument(collection, document)]);
  database.prepare('UPDATE checkpoint SET position = ? WHERE id = 1').run(String(last));
  createIndexes(database);
  database.exec('COMMIT');
  database.close();
  const file = openSync(path, 'r');
  fsyncSync(file);
  closeSync(file);
};
