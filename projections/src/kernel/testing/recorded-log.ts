import type { FactType } from '@courtledger/contracts/kernel/all-facts';
import { allFacts } from '@courtledger/contracts/kernel/all-facts';
import type { EventMetadata, RecordedEvent } from '@courtledger/contracts/kernel/event';
import type { PersonDetails, PersonKind } from '@courtledger/contracts/player/person.events';
import type { z } from 'zod';

type DataOf<T extends FactType> = z.input<(typeof allFacts)[T]['schema']>;

/** Events belong to the log: a projection that keeps a piece of one and changes it later fails here. */
const deepFreeze = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value;
  for (const part of Object.values(value)) deepFreeze(part);
  return Object.freeze(value);
};

/** A log in memory for tests of the read model: facts go in parsed, as the real log has them, and come out as events. Details are "sealed" as plain JSON. */
export class RecordedLog {
  readonly events: RecordedEvent[] = [];
  readonly destroyed = new Set<string>();
  /** When the next fact is recorded, but for a minute for each fact: a test goes on to another day by it. */
  start = Date.UTC(2026, 10, 1);
  readonly #revisions = new Map<string, number>();

  /** Positions have holes, as those of EventStoreDB do. */
  record<T extends FactType>(stream: string, type: T, data: DataOf<T>): RecordedEvent {
    return this.raw(stream, type, JSON.parse(JSON.stringify(allFacts[type].schema.parse(data))));
  }

  /** Any event, also one that no schema would let through. */
  raw(stream: string, type: string, data: unknown): RecordedEvent {
    const count = this.events.length + 1;
    const revision = (this.#revisions.get(stream) ?? -1) + 1;
    this.#revisions.set(stream, revision);
    const time = new Date(this.start + count * 60_000).toISOString();
    const metadata: EventMetadata = {
      commandId: `command-${String(count)}`,
      correlationId: `request-${String(count)}`,
      causationId: `command-${String(count)}`,
      actor: { role: 'admin', id: 'admin-1', name: 'Asha' },
      time,
      schemaVersion: 1,
    };
    const event: RecordedEvent = {
      position: BigInt(count * 2),
      stream,
      revision,
      id: `event-${String(count)}`,
      type,
      version: 1,
      time,
      data: deepFreeze(data),
      metadata,
      metadataText: JSON.stringify(metadata),
    };
    this.events.push(event);
    return event;
  }

  person(personId: string, kind: PersonKind, details: PersonDetails, teamId: string | null = null): RecordedEvent {
    return this.record(`person-${personId}`, 'PersonDetailsRecorded', { personId, kind, teamId, sealed: JSON.stringify(details) });
  }

  /** As erasure leaves the log: the key destroyed, the stream blanked, the fact of it recorded. */
  erase(personId: string, kind: PersonKind): void {
    this.destroyed.add(personId);
    for (const [index, event] of this.events.entries()) if (event.stream === `person-${personId}`) this.events[index] = { ...event, data: null };
    this.record('audit-2026-11', 'PersonErased', { personId, kind, reason: 'asked for' });
  }

  readonly openPerson = (personId: string, sealed: string): PersonDetails | null =>
    this.destroyed.has(personId) ? null : (JSON.parse(sealed) as PersonDetails);

  readonly readPage = (after: bigint, limit: number): readonly RecordedEvent[] => {
    const from = this.events.findIndex(({ position }) => position > after);
    return from < 0 ? [] : this.events.slice(from, from + limit);
  };

  get head(): bigint {
    return this.events.at(-1)?.position ?? 0n;
  }

  tournament(id: string, more: Partial<DataOf<'TournamentCreated'>> = {}): void {
    this.record(`tournament-${id}`, 'TournamentCreated', {
      tournamentId: id,
      name: `Cup ${id}`,
      eventName: `Cup ${id}`,
      organizer: { name: 'Sunil', phoneNumber: '+977 1 5550101', image: '/media/o.jpg' },
      location: 'Pokhara',
      startDate: '2026-11-10',
      endDate: '2026-11-20',
      registeringStartDate: '2026-10-01',
      posterImage: '/media/p.jpg',
      prizePool: { firstPrize: '100000', secondPrize: '50000', thirdPrize: '25000', mvp: '10000', entryFee: 'TBD' },
      registerable: 'true',
      league: 'true',
      featured: false,
      ...more,
    });
  }

  /** A team with contact, coach and players `<team>-p1` …, entered into the tournaments given. */
  team(id: string, name: string, players: number, tournaments: readonly string[] = []): void {
    this.person(`${id}-contact`, 'team-contact', { phone: '9800000001' }, id);
    this.record(`team-${id}`, 'TeamRegistered', {
      teamId: id,
      name,
      origin: 'Kathmandu',
      logo: `/media/${id}.png`,
      contactId: `${id}-contact`,
      capabilityHash: `hash-${id}`,
    });
    this.person(`${id}-coach`, 'coach', { name: `Coach of ${name}`, phone: '9800000002', phone2: '9800000003', photo: `/media/${id}-coach.jpg` }, id);
    this.record(`team-${id}`, 'CoachAppointed', { teamId: id, personId: `${id}-coach` });
    for (let number = 1; number <= players; number += 1) this.player(`${id}-p${String(number)}`, id, String(number));
    for (const tournamentId of tournaments) this.record(`tournament-${tournamentId}`, 'TeamEnteredTournament', { tournamentId, teamId: id });
    const [first] = tournaments;
    if (first !== undefined) this.record(`team-${id}`, 'TeamRegistrationCompleted', { teamId: id, tournamentId: first });
  }

  player(playerId: string, teamId: string, jerseyNumber: string): void {
    this.person(
      playerId,
      'player',
      {
        name: `Player ${playerId}`,
        phone: '9811111111',
        age: 21,
        height: 180,
        weight: 75,
        photo: `/media/${playerId}.jpg`,
        document: { documentId: `doc-${playerId}`, kind: 'pdf' },
      },
      teamId,
    );
    this.record(`team-${teamId}`, 'PlayerAddedToTeam', { teamId, playerId, jerseyNumber });
  }

  match(matchId: string, tournamentId: string, teamAId: string, teamBId: string, date = '2026-11-12', time = '15:30'): void {
    this.record(`match-${matchId}`, 'MatchAssigned', { matchId, tournamentId, teamAId, teamBId, date, time });
  }

  /** One entry; the team is the part of the player's id before the dash. */
  stat(matchId: string, playerId: string, points: number, assists = 0, rebounds = 0, entryId = `entry-${String(this.events.length)}`): string {
    this.record(`match-${matchId}`, 'StatIncrementRecorded', { matchId, entryId, playerId, teamId: teamOf(playerId), points, assists, rebounds });
    return entryId;
  }

  reverse(matchId: string, targetEntryId: string, entryId = `reversal-${String(this.events.length)}`): string {
    const target = this.events
      .map(({ data }) => data as { entryId?: string; playerId: string; teamId: string; points: number; assists: number; rebounds: number } | null)
      .find((data) => data?.entryId === targetEntryId);
    if (target === undefined || target === null) throw new Error(`There is no entry ${targetEntryId}`);
    const { playerId, teamId, points, assists, rebounds } = target;
    this.record(`match-${matchId}`, 'StatEntryReversed', {
      matchId,
      entryId,
      targetEntryId,
      playerId,
      teamId,
      points: 0 - points,
      assists: 0 - assists,
      rebounds: 0 - rebounds,
      reason: 'Wrong player',
    });
    return entryId;
  }

  participation(matchId: string, playerId: string, notplayed: 'played' | 'Not Played' | 'DNP'): void {
    this.record(`match-${matchId}`, 'PlayerParticipationRecorded', { matchId, playerId, teamId: teamOf(playerId), notplayed });
  }
}

export const teamOf = (playerId: string): string => playerId.split('-')[0] ?? '';
