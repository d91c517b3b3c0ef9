import { personKind, type PersonKind } from '@courtledger/contracts/player/person.events';
import { documentTable } from '../kernel/all-projections.ts';
import type { Reader } from '../kernel/read-model.ts';
import { people, players } from '../player/person.documents.ts';
import { teams } from '../team/team.documents.ts';
import { tournaments } from '../tournament/tournament.documents.ts';

const name = (collection: object): string => documentTable(collection).name;

/** Players whose ID document is on record although every tournament that their team entered ended before that day (YYYY-MM-DD). Teams that never entered one are not among them. */
export const documentsDue = (reader: Reader, day: string): readonly string[] =>
  reader.texts(
    `SELECT p.key FROM ${name(people)} p JOIN ${name(players)} q ON q.key = p.key JOIN ${name(teams)} t ON t.key = q.document ->> '$.teamId'
     WHERE p.document ->> '$.details.document.documentId' IS NOT NULL
       AND (SELECT max(u.document ->> '$.details.endDate') FROM json_each(t.document, '$.tournaments') e JOIN ${name(tournaments)} u ON u.key = e.value ->> 0) < ?
     ORDER BY p.key`,
    day,
  );

/** What a person is or was; undefined when no fact told of one. */
export const personKindOf = (reader: Reader, personId: string): PersonKind | undefined => personKind.safeParse(reader.text(`SELECT document ->> '$.kind' FROM ${name(people)} WHERE key = ?`, personId)).data;
