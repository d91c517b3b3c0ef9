import type { RecordedEvent } from '@courtledger/contracts/kernel/event';
import type { PersonId, TeamId } from '@courtledger/contracts/kernel/ids';
import { isOfAnotherProgram } from '@courtledger/contracts/kernel/other-programs';
import type { PersonDetails, PersonKind } from '@courtledger/contracts/player/person.events';
import { projectionOf } from './all-projections.ts';
import type { Documents } from './projection.ts';

/** Opens sealed details; null when the person's key is destroyed. Throws when the key is missing without having been destroyed. */
export type OpenPerson = (personId: PersonId, sealed: string) => PersonDetails | null;

type SealedPerson = { readonly personId: PersonId; readonly kind: PersonKind; readonly teamId: TeamId | null; readonly sealed: string };

/** Shows a person as erased, as the fact of the erasure does: also before there is one, and where there will never be one (keys that were given up). */
export const applyErasure = (
  person: { readonly personId: PersonId; readonly kind: PersonKind },
  at: Pick<RecordedEvent, 'position' | 'revision' | 'time'>,
  documents: Documents,
): void => {
  projectionOf('PersonErased')({ ...at, data: person }, documents);
};

/**
 * Applies one event, whose data is of the current version. False when nothing of it may be kept: it is of another program, it was erased, or its person's key
 * is destroyed, who is shown as erased then. Throws when it cannot be applied (UnknownEventType, ImpossibleFact, whatever its data causes); documents may be
 * half changed then.
 */
export const applyEvent = (event: RecordedEvent, documents: Documents, openPerson: OpenPerson): boolean => {
  if (isOfAnotherProgram(event)) return false;
  const apply = projectionOf(event.type);
  const { data } = event;
  if (data === null || data === undefined) return false;
  if (typeof data !== 'object') throw new TypeError(`The data of ${event.type} is no object`);
  if (event.type !== 'PersonDetailsRecorded') {
    apply(event, documents);
    return true;
  }
  const { personId, kind, teamId, sealed } = data as SealedPerson;
  const details = openPerson(personId, sealed);
  const at = { position: event.position, revision: event.revision, time: event.time };
  if (details === null) {
    applyErasure({ personId, kind }, at, documents);
    return false;
  }
  apply({ ...at, data: { personId, kind, teamId, details } }, documents);
  return true;
};
