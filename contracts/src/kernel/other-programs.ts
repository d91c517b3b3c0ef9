import { allFacts } from './all-facts.ts';
import type { RecordedEvent } from './event.ts';
import { isStreamOfOurs } from './streams.ts';

/** What every store of ours demands of the metadata of an event, and what all of ours have: a time that is one. */
const isMetadataOfOurs = (metadata: unknown): boolean => {
  const { schemaVersion, time } = (metadata ?? {}) as { readonly schemaVersion?: unknown; readonly time?: unknown };
  return Number.isSafeInteger(schemaVersion) && typeof time === 'string' && !Number.isNaN(Date.parse(time));
};

/**
 * Whether an event is of another program that writes into the same EventStoreDB, and is passed over: its type, its stream and its metadata are none of ours.
 * One of these that is ours makes it a fact, perhaps of a newer release, which nobody may pass over. Costs one look-up for every type that is known: the
 * metadata is parsed for the others only.
 */
export const isOfAnotherProgram = (event: Pick<RecordedEvent, 'type' | 'stream' | 'metadata'>): boolean =>
  !Object.hasOwn(allFacts, event.type) && !isStreamOfOurs(event.stream) && !isMetadataOfOurs(event.metadata);
