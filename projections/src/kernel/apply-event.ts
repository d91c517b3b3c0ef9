import type { RecordedEvent } from '@courtledger/contracts/kernel/event';
import type { PersonDetails, PersonKind } from '@courtledger/contracts/player/person.events';
import { projectionOf } from './all-projections.ts';
import type { Documents } from './projection.ts';

/** How events become readable. */
export type EventReading = {
  /** Opens sealed details; null when the person's key is destroyed. Throws when the key is missing without having been destroyed. */
  readonly openPerson: (personId: string, sealed: string) => PersonDetails | null;
  /** Brings data of older versions up to date; without it, data is taken as it is. Throws when it cannot: the event is then treated like any that cannot be applied. */
  readonly upcast?: (event: RecordedEvent) => RecordedEvent;
};

type SealedPerson = { readonly personId: string; readonly kind: PersonKind; readonly teamId: string | null; readonly sealed: string };

/**
 * Applies one event. Answers it as it was applied (in its current version), or undefined when there was nothing to apply: it was erased, or its person's key is destroyed.
 * Throws when it cannot be applied (UnknownEventType, ImpossibleFact, whatever its data causes); documents may be half changed then.
 */
export const applyEvent = (recorded: RecordedEvent, documents: Documents, { openPerson, upcast }: EventReading): RecordedEvent | undefined => {
  const apply = projectionOf(recorded.type);
  if (recorded.data === null || recorded.data === undefined) return undefined;
  const event = upcast === undefined ? recorded : upcast(recorded);
  const { data } = event;
  if (typeof data !== 'object') throw new TypeError(`The data of ${event.type} is no object`);
  if (event.type !== 'PersonDetailsRecorded') {
    apply(event, documents);
    return event;
  }
  const { personId, kind, teamId, sealed } = data as SealedPerson;
  const details = openPerson(personId, sealed);
  if (details === null) return undefined;
  apply({ position: event.position, revision: event.revision, time: event.time, data: { personId, kind, teamId, details } }, documents);
  return event;
};
