import { allFacts, type Fact, type FactType } from '@courtledger/contracts/kernel/all-facts';
import { isLegible, type RecordedEvent } from '@courtledger/contracts/kernel/event';
import { factFault } from '@courtledger/contracts/kernel/fact-check';
import { isOfAnotherProgram } from '@courtledger/contracts/kernel/other-programs';

/**
 * A stored event that this release cannot read: an unknown type, a version from the future, or data that are no such fact. Whoever folds must stop rather than
 * guess.
 */
export class UnreadableFact extends Error {
  override readonly name = 'UnreadableFact';
}

/** Brings the data of one version to the next one. Pure; facts of a version never change once shipped. */
export type Upcaster = (data: unknown) => unknown;

/** The steps of each type, in the order of its versions. */
export type Upcasters = Readonly<Partial<Record<string, readonly Upcaster[]>>>;

/**
 * By type: the step from version n (index n - 1) to version n + 1. Every version ever shipped has a golden file in `golden/`,
 * and raising a version in the contracts without a step here fails the tests.
 */
const upcasters: Readonly<Partial<Record<FactType, readonly Upcaster[]>>> = {};

const isFactType = (type: string): type is FactType => Object.hasOwn(allFacts, type);

/** The data of a stored fact in its current version. Throws UnreadableFact. */
export const upcastData = (type: string, version: number, data: unknown, steps: Upcasters = upcasters): unknown => {
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

/**
 * What was written was a fact of its type, by the schema. What stands there now may come from a faulty file or program: folded, it would be a total that is no
 * number.
 * @throws UnreadableFact
 */
const expectFact = (type: string, data: unknown): void => {
  const fault = isFactType(type) ? factFault(type, data) : undefined;
  if (fault !== undefined) throw new UnreadableFact(`The data are no ${type}: ${fault}`);
};

/** A stored event as the fact that deciders fold. @throws UnreadableFact */
export const toFact = (event: Pick<RecordedEvent, 'type' | 'version' | 'data'>): Fact => {
  const data = upcastData(event.type, event.version, event.data);
  expectFact(event.type, data);
  return { type: event.type, data } as Fact;
};

/**
 * Of any type: a reader of the whole log that must not miss what a newer release recorded. What was erased says nothing, nor what another program wrote.
 * @throws UnreadableFact
 */
export const expectReadable = (event: RecordedEvent): void => {
  if (isLegible(event) && !isOfAnotherProgram(event)) toFact(event);
};

/**
 * A stored event as one of the current version (the same object when it is current): what readers of the whole log hand on to projections. What was erased has
 * no data, and stays as it is.
 * @throws UnreadableFact
 */
export const upcastEvent = (event: RecordedEvent, steps: Upcasters = upcasters): RecordedEvent => {
  const { type } = event;
  const version = isFactType(type) ? allFacts[type].version : undefined;
  if (version !== undefined && !isLegible(event)) return event;
  const data = upcastData(type, event.version, event.data, steps);
  expectFact(type, data);
  if (version === undefined || version === event.version) return event;
  const { position, stream, revision, id, time, metadata, metadataText } = event;
  return { position, stream, revision, id, type, version, time, data, metadata, metadataText };
};
