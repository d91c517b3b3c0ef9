import type { PersonId } from '@courtledger/contracts/kernel/ids';
import type { PersonAnswer, PersonsAnswer } from '@courtledger/contracts/operations/audit.answers';
import type { PersonKind } from '@courtledger/contracts/player/person.events';
import { formerNames } from '@courtledger/contracts/player/former-names';
import { documentTable } from '../kernel/all-projections.ts';
import { storedDocument } from '../kernel/stored-document.ts';
import type { Reader } from '../kernel/read-model.ts';
import { foldName } from '../kernel/text-order.ts';
import { people, players } from '../player/person.documents.ts';
import { requests } from '../request/request.documents.ts';
import { teams } from '../team/team.documents.ts';

const table = (collection: object): string => documentTable(collection).name;
const most = 20;
const detailNames = ['name', 'phone', 'phone2', 'email', 'age', 'height', 'weight'] as const;

const personOf = (reader: Reader, personId: PersonId): PersonAnswer | undefined => {
  const person = storedDocument(reader, people, personId);
  if (person === undefined || person.kind === null) return undefined;
  const player = storedDocument(reader, players, personId);
  const { kind, details } = person;
  const teamId = person.teamId ?? player?.teamId ?? null;
  const request = person.requestId === null ? undefined : storedDocument(reader, requests, person.requestId);
  const former = formerNames[kind];
  return {
    personId,
    kind,
    name: details === null ? former : (details.name ?? ''),
    of: (teamId === null ? undefined : storedDocument(reader, teams, teamId)?.name) ?? request?.tournamentName ?? '',
    erased: details === null,
    goes: {
      details: detailNames.filter((name) => details?.[name] !== undefined && details[name] !== ''),
      photo: details?.photo !== undefined,
      document: details?.document !== undefined,
    },
    stays: { matches: player?.matches.length ?? 0, as: former },
  };
};

/** A person of whom nothing but the kind can be told: no details of theirs can be read. */
export const unreadablePerson = (reader: Reader, personId: PersonId, kind: PersonKind): PersonAnswer => ({
  personId,
  kind,
  name: '(details that this release cannot read)',
  of: '',
  erased: false,
  unreadable: true,
  goes: { details: [], photo: false, document: false },
  stays: { matches: storedDocument(reader, players, personId)?.matches.length ?? 0, as: formerNames[kind] },
});

/**
 * Persons by a part of their name or of their team's or request's (letters of either case), a whole phone number, or an id; by name, at most 20. For whoever
 * erases one. An erased person is found by id only.
 */
export const findPersons = (reader: Reader, text: string): PersonsAnswer =>
  reader.snapshot(() => {
    const wanted = foldName(text.trim());
    if (wanted === '') return { persons: [], more: false };
    const ids = reader.texts(
      `WITH asked(text) AS (SELECT ?)
       SELECT p.key FROM asked JOIN ${table(people)} p
       LEFT JOIN ${table(players)} q ON q.key = p.key
       LEFT JOIN ${table(teams)} t ON t.key = coalesce(p.document ->> '$.teamId', q.document ->> '$.teamId')
       LEFT JOIN ${table(requests)} r ON r.key = p.document ->> '$.requestId'
       WHERE p.key = asked.text OR (p.document ->> '$.details' IS NOT NULL AND (
         instr(folded(p.document ->> '$.details.name'), asked.text) > 0 OR instr(folded(t.document ->> '$.name'), asked.text) > 0
         OR instr(folded(r.document ->> '$.tournamentName'), asked.text) > 0
         OR asked.text IN (p.document ->> '$.details.phone', p.document ->> '$.details.phone2')))
       ORDER BY folded(p.document ->> '$.details.name'), p.key LIMIT ?`,
      wanted,
      most + 1,
    );
    return { persons: ids.slice(0, most).flatMap((id) => personOf(reader, id) ?? []), more: ids.length > most };
  });
