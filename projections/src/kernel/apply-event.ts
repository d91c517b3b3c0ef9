import type { RecordedEvent } from '@courtledger/contracts/kernel/event';
import type { PersonDetails, PersonKind } from '@courtledger/contracts/player/person.events';
import { projectionOf } from './all-projections.ts';
import type { Documents } from './projection.ts';

/** Opens sealed details; null when the person's key is destroyed. Throws when the key is missing without having been destroyed. */
export type OpenPerson = (personId: string, sealed: string) => PersonDetails | null;

type SealedPerson = { readonly personId: string; readonly kind: PersonKind; readonly teamId: string | null; readonly sealed: string };

/**
 * Applies one event, whose data is of the current version. False when there was nothing to apply: it was erased, or its person's key is destroyed.
 * Throws when it cannot be applied (UnknownEventType, ImpossibleFact, whatever its data causes); documents may be half changed then.
 */
export const applyEvent = (event: RecordedEvent, documents: Documents, openPerson: OpenPerson): boolean => {
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
  if (details === null) return false;
  apply({ position: event.position, revision: event.revision, time: event.time, data: { personId, kind, teamId, details } }, documents);
  return true;
};
