import { allFacts, type Fact, type FactType } from '@courtledger/contracts/kernel/all-facts';
import { isLegible, type RecordedEvent } from '@courtledger/contracts/kernel/event';
import { isOfAnotherProgram } from '@courtledger/contracts/kernel/other-programs';

/** A stored event that this release cannot read: an unknown type, or a version from the future. Whoever folds must stop rather than guess. */
export class UnreadableFact extends Error {
  override readonly name = 'UnreadableFact';
}

/** Brings the data of one version to the next one. Pure; facts of a version never change once shipped. */
export type Upcaster = (data: unknown) => unknown;

/**
 * By type: the step from version n (index n - 1) to version n + 1. Every version ever shipped has a golden file in `golden/`,
 * and raising a version in the contracts without a step here fails the tests.
 */
export const upcasters: Readonly<Partial<Record<FactType, readonly Upcaster[]>>> = {};

const isFactType = (type: string): type is FactType => Object.hasOwn(allFacts, type);

/** The data of a stored fact in its current version. Costs nothing but two look-ups when it is current already. Throws UnreadableFact. */
export const upcastData = (type: string, version: number, data: unknown, steps: Readonly<Partial<Record<string, readonly Upcaster[]>>> = upcasters): unknown => {
  if (!isFactType(type)) throw new UnreadableFact(`This release does not know the fact ${type}`);
  const current = allFacts[type].version;
  if (version === current) return data;
  if (version > current || version < 1) throw new UnreadableFact(`This release reads ${type} up to version ${String(current)}, not ${String(version)}`);
  let upcast = data;
  for (let from = version; from < current; from += 1) {
    const step = steps[type]?.[from - 1];
    if (step === undefined) throw new UnreadableFact(`${type} has no step from version ${String(from)}`);
    upcast = step(upcast);
  }
  return upcast;
};

/** A stored event as the fact that deciders fold. Its data was parsed when it was written, so it is not parsed again. */
export const toFact = (event: Pick<RecordedEvent, 'type' | 'version' | 'data'>): Fact => ({ type: event.type, data: upcastData(event.type, event.version, event.data) }) as Fact;

/** Of any type: a reader of the whole log that must not miss what a newer release recorded. What was erased says nothing, nor what another program wrote. @throws UnreadableFact */
export const expectReadable = (event: RecordedEvent): void => {
  if (isLegible(event) && !isOfAnotherProgram(event)) toFact(event);
};

/** A stored event with its data in the current version (the same object when it is current): what readers of the whole log hand on to projections. */
export const upcastEvent = (event: RecordedEvent): RecordedEvent => {
  if (isFactType(event.type) && allFacts[event.type].version === event.version) return event;
  const { position, stream, revision, id, type, version, time, metadataText } = event;
  return { position, stream, revision, id, type, version, time, data: upcastData(type, version, event.data), metadata: event.metadata, metadataText };
};
