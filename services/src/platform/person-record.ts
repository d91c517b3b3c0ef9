import { DomainError } from '@courtledger/contracts/kernel/errors';
import { personDetails, personStream, type PersonDetails, type PersonEvent, type PersonKind } from '@courtledger/contracts/player/person.events';
import { isDeepStrictEqual } from 'node:util';
import type { PersonId, TeamId } from '@courtledger/contracts/kernel/ids';
import type { EventLog } from '../event-log/event-log.ts';
import { toFact } from '../event-log/upcast.ts';
import type { CommandContext } from './call.ts';
import type { CommandHandler, HandleOptions, Outcome } from './command-handler.ts';
import { personDecider } from './person.decider.ts';
import { erased, type PersonVault } from './ports.ts';

type Deps = {
  readonly log: Pick<EventLog, 'readStream'>;
  readonly commands: Pick<CommandHandler, 'handle' | 'read' | 'repeated'>;
  readonly vault: PersonVault;
};

export type Person = { readonly personId: PersonId; readonly kind: PersonKind; readonly teamId: TeamId | null };

/** Where a stream of a command stands. */
export type Reached = Pick<Outcome<unknown>, 'events' | 'position' | 'pending' | 'replayed' | 'isRemembered'>;

/**
 * The outcome of a command over several streams: where the last of them stands, and pending when any is. When the command is repeated, what a stream in which
 * it had nothing to do has recorded since does not count: after a restart, nor what a repetition before this one found there.
 */
export const joined = <O extends Outcome<unknown>>(outcome: O, ...others: readonly (Reached | undefined)[]): O => {
  const all: readonly Reached[] = [outcome, ...others.filter((other) => other !== undefined)];
  const isRecorded = ({ replayed, isRemembered }: Reached): boolean => replayed && isRemembered !== true;
  const isRepeated = ({ replayed }: Reached): boolean => replayed;
  const counts = [isRecorded, isRepeated].find((known) => all.some(known)) ?? (() => true);
  const counted = all.filter((each) => counts(each) || each.events.length > 0);
  return {
    ...outcome,
    position: counted.reduce<bigint>((last, { position }) => (position > last ? position : last), 0n),
    pending: all.some(({ pending }) => pending),
  };
};

const fieldNames = Object.keys(personDetails.shape) as (keyof PersonDetails)[];

/**
 * The details as they are; null when the key is destroyed.
 * @throws DomainError `unavailable` while the key is missing: the operators' matter, whom the server's log tells
 */
const opened = (vault: PersonVault, personId: PersonId, sealed: string): PersonDetails | null => {
  if (vault.state(personId) === 'absent')
    throw new DomainError('unavailable', 'The details of this person cannot be read at the moment', {
      retryAfter: 60,
      cause: new Error(`The key of person ${personId} is missing`),
    });
  return vault.open(personId, sealed);
};

/**
 * Records the first details of a person: the first half of a command over two streams. A retry of a command whose second half is missing finds them, and keeps
 * no files a second time. To be called in a turn of the person's stream that lasts until the second half (`withNewPerson`). Throws `conflict` when the person
 * was erased, and `key-reused` when the first half was sent with another body.
 * @param make keeps the files and gives the details; called only when nothing is recorded yet
 */
export const recordNewPerson = async (deps: Deps, person: Person, context: CommandContext, make: () => Promise<PersonDetails>): Promise<PersonDetails> => {
  const known = await currentDetails(deps, person.personId);
  if (known !== undefined) {
    // The second half knows nothing of the key yet: what was sent now would be answered, and what was sent first would stand.
    await deps.commands.repeated(personDecider, personStream(person.personId), context);
    return known;
  }
  if (isErased(deps, person.personId)) throw erased();
  const details = await make();
  const outcome = await record(deps, person, details, undefined, context, { awaitProjection: false });
  if (!outcome.replayed) return details;
  // Another gateway was quicker with the same command: its details count.
  return (await currentDetails(deps, person.personId)) ?? details;
};

/** Both halves in one turn of the person's stream, so that nobody is freed in between. @param rest the second half */
export const withNewPerson = async <T>(
  deps: Deps & { readonly commands: Pick<CommandHandler, 'inTurn'> },
  person: Person,
  context: CommandContext,
  make: () => Promise<PersonDetails>,
  rest: (details: PersonDetails) => Promise<T>,
): Promise<T> => deps.commands.inTurn(personStream(person.personId), async () => rest(await recordNewPerson(deps, person, context, make)));

const record = async (
  { commands, vault }: Deps,
  { personId, kind, teamId }: Person,
  details: PersonDetails,
  basedOn: string | undefined,
  context: CommandContext,
  options?: HandleOptions,
) => {
  const sealed = vault.seal(personId, details);
  // The key first: a fact whose key a loss of power took could never be read.
  await vault.keysDurable();
  return commands.handle(personDecider, personStream(personId), { type: 'recordPersonDetails', personId, kind, teamId, sealed, basedOn }, context, options);
};

type Current = { readonly person: Person; readonly sealed: string; readonly details: PersonDetails };

/** What is recorded of a person; undefined when there is no such person (any more). Throws `conflict` when the key is destroyed. */
const current = async ({ commands, vault }: Deps, personId: PersonId): Promise<Current | undefined> => {
  const recorded = await commands.read(personDecider, personStream(personId), (person) => person.recorded);
  if (recorded === undefined) return undefined;
  const { kind, teamId, sealed } = recorded;
  const details = opened(vault, personId, sealed);
  if (details === null) throw erased();
  return { person: { personId, kind, teamId }, sealed, details };
};

/** The last recorded details of a person; undefined when there is no such person (any more). Throws `conflict` when the key is destroyed. */
const currentDetails = async (deps: Deps, personId: PersonId): Promise<PersonDetails | undefined> => (await current(deps, personId))?.details;

/** Whether a person was erased: then nothing can be recorded under that id again. */
export const isErased = ({ vault }: Pick<Deps, 'vault'>, personId: PersonId): boolean => vault.state(personId) === 'destroyed';

/** What is recorded of a person who may be erased at this moment, by another gateway as well: nothing then. */
const currentUnlessErased = async (deps: Deps, personId: PersonId): Promise<Current | undefined> => {
  if (isErased(deps, personId)) return undefined;
  try {
    return await current(deps, personId);
  } catch (error) {
    if (isErased(deps, personId)) return undefined;
    throw error;
  }
};

/** The last recorded details of somebody who may be erased at this moment; undefined then, and when there is no such person (any more). */
export const detailsUnlessErased = async (deps: Deps, personId: PersonId): Promise<PersonDetails | undefined> =>
  (await currentUnlessErased(deps, personId))?.details;

/**
 * Records the whole of a person's details anew when a change differs (undefined: not sent). Gives where that stands in the log; undefined when nothing changed.
 * Throws `conflict` when the person was erased, or corrected by another gateway at the same moment.
 * @param changes makes the changes, keeping files; called once the person is known to be there
 */
export const correctDetails = async (
  deps: Deps,
  personId: PersonId,
  changes: () => Promise<{ readonly [Name in keyof PersonDetails]?: PersonDetails[Name] | undefined }>,
  context: CommandContext,
): Promise<Reached | undefined> => {
  const first = await repeatedCorrection(deps, personId, context);
  if (first !== undefined) return first;
  const now = await current(deps, personId);
  if (now === undefined) throw erased();
  const wanted = personDetails.parse({ ...now.details, ...Object.fromEntries(Object.entries(await changes()).filter(([, value]) => value !== undefined)) });
  if (isDeepStrictEqual(wanted, now.details)) return undefined;
  return record(deps, now.person, wanted, now.sealed, context);
};

/** Where this command left the person's stream when it changed the person at its first call; undefined when it did not. */
export const repeatedCorrection = async (
  { commands }: { readonly commands: Pick<CommandHandler, 'repeated'> },
  personId: PersonId,
  context: CommandContext,
): Promise<Reached | undefined> => commands.repeated(personDecider, personStream(personId), context);

/**
 * Records the details of a person without the ID document. Gives the document's id, whose file may go then; undefined when there is none, or another gateway
 * was quicker: it takes the file as well.
 */
export const withoutDocument = async (deps: Deps, personId: PersonId, context: CommandContext): Promise<string | undefined> => {
  const now = await currentUnlessErased(deps, personId);
  if (now?.details.document === undefined) return undefined;
  const { document, ...rest } = now.details;
  try {
    await record(deps, now.person, rest, now.sealed, context);
  } catch (error) {
    const isDone = error instanceof DomainError && error.code === 'conflict' && (await detailsUnlessErased(deps, personId))?.document === undefined;
    if (!isDone) throw error;
    return undefined;
  }
  return document.documentId;
};

/**
 * What one fact changed of a person's details: which of them, and the whole before and after it. The first one changed all that it holds; `before` is undefined
 * then.
 */
export type ChangedDetails = {
  readonly kind: PersonKind;
  readonly fields: readonly (keyof PersonDetails)[];
  readonly before: PersonDetails | undefined;
  readonly after: PersonDetails;
};

/** What each fact of a person changed, by its position. Nothing at all of a person whose key is destroyed or missing. */
export const changedDetails = async ({ log, vault }: Pick<Deps, 'log' | 'vault'>, personId: PersonId): Promise<ReadonlyMap<bigint, ChangedDetails>> => {
  const changed = new Map<bigint, ChangedDetails>();
  if (vault.state(personId) !== 'active') return changed;
  let before: PersonDetails | null | undefined;
  for (const event of (await log.readStream(personStream(personId))) ?? []) {
    const { kind, sealed } = (toFact(event) as PersonEvent).data;
    const after = vault.open(personId, sealed);
    if (after !== null && before !== null) {
      const known = before;
      changed.set(event.position, { kind, fields: fieldNames.filter((name) => !isDeepStrictEqual(after[name], known?.[name])), before: known, after });
    }
    before = after;
  }
  return changed;
};

/** The details as they stood at a position of the log; undefined when there were none, or they were erased since. */
export const detailsAt = async ({ log, vault }: Pick<Deps, 'log' | 'vault'>, personId: PersonId, position: bigint): Promise<PersonDetails | undefined> => {
  const event = (await log.readStream(personStream(personId)))?.findLast((candidate) => candidate.position <= position);
  if (event === undefined) return undefined;
  const { sealed } = (toFact(event) as PersonEvent).data;
  return opened(vault, personId, sealed) ?? undefined;
};
