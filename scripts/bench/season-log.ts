import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { allFacts, type FactType } from '@courtledger/contracts/kernel/all-facts';
import type { EventMetadata } from '@courtledger/contracts/kernel/event';
import type { PersonKind } from '@courtledger/contracts/player/person.events';
import type { EventText } from '@courtledger/services/event-log/prepare-append';
import type { BatchedAppend } from '@courtledger/services/event-log/log-inserts';
import { SqliteLogFile } from '@courtledger/services/event-log/sqlite-log-file';
import { createEventIds } from '@courtledger/services/platform/event-ids';
import { serverKey } from '@courtledger/services/platform/key-file';
import { openPersonVault } from '@courtledger/services/platform/person-vault';
import { openSeasonKey } from '@courtledger/services/platform/season-key';
import type { z } from 'zod';

const tournaments = 8;
const teams = 64;
const players = 12;
const entriesOfMatch = 240;

type DataOf<T extends FactType> = z.input<(typeof allFacts)[T]['schema']>;

/**
 * Writes a log as the product writes it (its own file, hash chain, sealed details) with so many statistics: eight tournaments, 64 teams of twelve, 240 entries
 * a match. Batches of some thousand events share a commit; that is all that is quicker than life. The keys without which no product starts on such a log are
 * made beside it.
 */
export const writeSeason = (dataDir: string, statistics: number): { readonly path: string; readonly events: number } => {
  mkdirSync(dataDir, { recursive: true });
  const path = join(dataDir, 'event-log.sqlite');
  const file = new SqliteLogFile({ path });
  const vault = openPersonVault(dataDir);
  openSeasonKey(dataDir);
  for (const name of ['email', 'address']) serverKey(dataDir, name);
  const clock = { time: Date.UTC(2026, 8, 1) };
  const newId = createEventIds({ now: () => clock.time });
  const revisions = new Map<string, number>();
  const actor = { role: 'admin', id: newId(), name: 'Bench' } as const;
  let batch: { stream: string; expected: 'no-stream' | number; events: EventText[] }[] = [];
  let waiting = 0;
  let events = 0;

  const flush = (): void => {
    for (const outcome of file.append(batch satisfies readonly BatchedAppend[]))
      if (outcome.kind !== 'stored') throw new Error(`an append of the season was answered ${outcome.kind}`);
    batch = [];
    waiting = 0;
  };
  const record = <T extends FactType>(stream: string, type: T, data: DataOf<T>, check = true): void => {
    clock.time += 1000;
    const id = newId();
    const time = new Date(clock.time).toISOString();
    const metadata: EventMetadata = { commandId: id, correlationId: newId(), causationId: id, actor, time, schemaVersion: allFacts[type].version };
    const text: EventText = {
      id,
      type,
      version: metadata.schemaVersion,
      time,
      data: JSON.stringify(check ? allFacts[type].schema.parse(data) : data),
      metadata: JSON.stringify(metadata),
    };
    const revision = revisions.get(stream);
    revisions.set(stream, (revision ?? -1) + 1);
    const last = batch.at(-1);
    if (last?.stream === stream) last.events.push(text);
    else batch.push({ stream, expected: revision ?? 'no-stream', events: [text] });
    events += 1;
    waiting += 1;
    if (waiting >= 5000) flush();
  };
  const person = (personId: string, kind: PersonKind, teamId: string, name: string): void =>
    record(`person-${personId}`, 'PersonDetailsRecorded', {
      personId,
      kind,
      teamId,
      sealed: vault.seal(personId, { name, phone: '9800000000', age: 24, height: 180, weight: 80, photo: `/media/${personId}.jpg` }),
    });

  try {
    const tournamentIds = Array.from({ length: tournaments }, () => newId());
    for (const [index, tournamentId] of tournamentIds.entries()) {
      record(`tournament-${tournamentId}`, 'TournamentCreated', {
        tournamentId,
        name: `League ${String(index)}`,
        eventName: `League ${String(index)}`,
        organizer: { name: 'Bench', phoneNumber: '9800000000', image: '/media/organizer.jpg' },
        location: 'Kathmandu',
        startDate: '2026-11-01',
        endDate: '2026-12-30',
        registeringStartDate: '2026-10-01',
        posterImage: '/media/poster.jpg',
        prizePool: { firstPrize: '1', secondPrize: '1', thirdPrize: '1', mvp: '1', entryFee: '1' },
        registerable: 'true',
        league: 'true',
        featured: false,
      });
    }
    const rosters = Array.from({ length: teams }, (_, team) => {
      const teamId = newId();
      const contactId = newId();
      const coachId = newId();
      person(contactId, 'team-contact', teamId, 'A Contact');
      record(`team-${teamId}`, 'TeamRegistered', {
        teamId,
        name: `Team ${String(team)}`,
        origin: 'Kathmandu',
        logo: `/media/${teamId}.png`,
        contactId,
        capabilityHash: null,
      });
      person(coachId, 'coach', teamId, 'A Coach');
      record(`team-${teamId}`, 'CoachAppointed', { teamId, personId: coachId });
      const playerIds = Array.from({ length: players }, (_unused, number) => {
        const playerId = newId();
        person(playerId, 'player', teamId, `Player ${String(team)} ${String(number)}`);
        record(`team-${teamId}`, 'PlayerAddedToTeam', { teamId, playerId, jerseyNumber: String(number) });
        return playerId;
      });
      const tournamentId = tournamentIds[team % tournaments] ?? '';
      record(`tournament-${tournamentId}`, 'TeamEnteredTournament', { tournamentId, teamId });
      record(`team-${teamId}`, 'TeamRegistrationCompleted', { teamId, tournamentId });
      return { teamId, tournamentId, playerIds };
    });
    for (let match = 0, written = 0; written < statistics; match += 1) {
      const home = rosters[(match * tournaments + Math.floor(match / 7)) % teams];
      const away = rosters[(match * tournaments + Math.floor(match / 7) + tournaments) % teams];
      if (!home || !away || home.tournamentId !== away.tournamentId) throw new Error('no opponents');
      const matchId = newId();
      record(`match-${matchId}`, 'MatchAssigned', {
        matchId,
        tournamentId: home.tournamentId,
        teamAId: home.teamId,
        teamBId: away.teamId,
        date: '2026-11-10',
        time: '15:00',
      });
      for (let entry = 0; entry < entriesOfMatch && written < statistics; entry += 1, written += 1) {
        const { teamId, playerIds } = entry % 2 === 0 ? home : away;
        const playerId = playerIds[(entry >> 1) % players] ?? '';
        // The schema has seen one of these; a hundred thousand times would tell nothing more.
        record(
          `match-${matchId}`,
          'StatIncrementRecorded',
          { matchId, entryId: newId(), playerId, teamId, points: entry % 4, assists: entry % 2, rebounds: 1 + (entry % 3) },
          written === 0,
        );
      }
    }
    flush();
    file.checkpoint();
    return { path, events };
  } finally {
    file.close();
    vault.close();
  }
};
