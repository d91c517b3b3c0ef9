import type { Actor } from '@courtledger/contracts/kernel/event';
import type { PersonId } from '@courtledger/contracts/kernel/ids';
import { auditStream, personKind, type AuditEvent, type PersonKind } from '@courtledger/contracts/player/person.events';
import { documentTable } from '../kernel/all-projections.ts';
import type { Reader } from '../kernel/read-model.ts';
import { people, players } from '../player/person.documents.ts';
import { teams } from '../team/team.documents.ts';
import { tournaments } from '../tournament/tournament.documents.ts';

const name = (collection: object): string => documentTable(collection).name;

/**
 * Players whose ID document is on record although every tournament that their team entered ended before that day (YYYY-MM-DD). Teams that never entered one are
 * not among them, and nobody is while a fact of a tournament or a team cannot be read: it may tell of a later one.
 */
export const documentsDue = (reader: Reader, day: string): readonly string[] =>
  reader.texts(
    `SELECT p.key FROM ${name(people)} p JOIN ${name(players)} q ON q.key = p.key JOIN ${name(teams)} t ON t.key = q.document ->> '$.teamId'
     WHERE p.document ->> '$.details.document.documentId' IS NOT NULL
       AND (SELECT max(u.document ->> '$.details.endDate') FROM json_each(t.document, '$.tournaments') e JOIN ${name(tournaments)} u ON u.key = e.value ->> 0) < ?
       AND NOT EXISTS (SELECT 1 FROM parked WHERE stream LIKE 'tournament-%' OR stream LIKE 'team-%')
     ORDER BY p.key`,
    day,
  );

/** What a person is or was; undefined when no fact told of one. */
export const personKindOf = (reader: Reader, personId: PersonId): PersonKind | undefined =>
  personKind.safeParse(reader.text(`SELECT document ->> '$.kind' FROM ${name(people)} WHERE key = ?`, personId)).data;

/** Ids of everybody of whom a fact told that could be read, erased or not. */
export const allPersons = (reader: Reader): readonly string[] => reader.texts(`SELECT key FROM ${name(people)}`);

/** Ids of those of whom no details are shown: erased, or their key was destroyed. */
export const closedPersons = (reader: Reader): readonly string[] => reader.texts(`SELECT key FROM ${name(people)} WHERE document ->> '$.details' IS NULL`);

/** Streams with a fact of a person's details that could not be projected. */
export const parkedPersons = (reader: Reader): readonly string[] => reader.texts("SELECT DISTINCT stream FROM parked WHERE type = 'PersonDetailsRecorded'");

/** Whether details of a person are shown: recorded, and open to a key. */
export const isPersonShown = (reader: Reader, personId: PersonId): boolean =>
  reader.text(`SELECT 1 FROM ${name(people)} WHERE key = ? AND document ->> '$.details' IS NOT NULL`, personId) !== undefined;

/** The team of a player, coach or contact, erased or not; undefined when no fact told of one. */
export const teamOfPerson = (reader: Reader, personId: PersonId): string | undefined =>
  reader.text(
    `SELECT document ->> '$.teamId' FROM ${name(players)} WHERE key = ? AND document ->> '$.teamId' IS NOT NULL
     UNION ALL SELECT document ->> '$.teamId' FROM ${name(people)} WHERE key = ?`,
    personId,
    personId,
  );

/** An erasure as its fact tells of it. `time`: ISO, in the month of the stream that has the fact. */
export type ErasureFact = {
  readonly position: bigint;
  readonly erasure: { readonly personId: PersonId; readonly kind: PersonKind; readonly reason: string; readonly time: string; readonly by: Actor };
};

type ErasedData = Extract<AuditEvent, { type: 'PersonErased' }>['data'];

/** The erasures that were projected after a position, in order. */
export const erasedAfter = (reader: Reader, after: bigint): readonly ErasureFact[] =>
  reader
    .rows(
      "SELECT CAST(position AS TEXT), stream, time, data, metadata ->> '$.actor' FROM ledger WHERE type = 'PersonErased' AND position > ? ORDER BY position",
      after,
    )
    .map(([position, stream, at, data, actor]) => {
      const { personId, kind, reason } = JSON.parse(String(data)) as ErasedData;
      const time = auditStream(String(at)) === stream ? String(at) : `${String(stream).slice(auditStream('').length)}-01T00:00:00.000Z`;
      return { position: BigInt(String(position)), erasure: { personId, kind, reason, time, by: JSON.parse(String(actor)) as Actor } };
    });
