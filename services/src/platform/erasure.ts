import { DomainError, notFound } from '@courtledger/contracts/kernel/errors';
import { isLegible, type RecordedEvent } from '@courtledger/contracts/kernel/event';
import type { PersonId } from '@courtledger/contracts/kernel/ids';
import { auditStream, hasSealedDetails, personKind, personStream, type PersonKind } from '@courtledger/contracts/player/person.events';
import { UnknownOutcome } from '../event-log/event-log.ts';
import { isStreamName } from '../event-log/prepare-append.ts';
import { auditDecider } from './audit.decider.ts';
import type { CommandContext } from './call.ts';
import type { Outcome } from './command-handler.ts';
import { diskFailure } from './durable-failure.ts';
import { ErasureFailures, isAway, isUnreadable } from './erasure-failures.ts';
import type { ErasureLedger } from './erasure-ledger.ts';
import { ErasureStanding, type ErasureStandingDeps, type NotedErasure } from './erasure-standing.ts';
import { ErasureSteps, type BegunErasure, type ErasureStepsDeps } from './erasure-steps.ts';
import { UnfinishedErasures } from './erasure-unfinished.ts';
import { personDecider, type PersonState } from './person.decider.ts';

export type ErasureDeps = ErasureStandingDeps & ErasureStepsDeps & { readonly ledger: ErasureLedger };

/** The kind of person that facts name which this release cannot read as a whole; undefined where none does. */
const kindNamedIn = (facts: readonly RecordedEvent[]): PersonKind | undefined =>
  facts.map(({ data }) => personKind.safeParse((data as { readonly kind?: unknown } | null | undefined)?.kind).data).findLast((kind) => kind !== undefined);

/** `filesUnknown`: the key was given up before, and the person's files are left to the sweep of those that no fact names. */
export type ErasureResult = {
  readonly kind: PersonKind;
  readonly already: boolean;
  readonly filesUnknown: boolean;
  readonly outcome: Outcome<unknown> | undefined;
};

export type Erasures = {
  /**
   * Erases a person for good; again is no error.
   * @throws DomainError `not-found`; `unavailable`, with nothing destroyed, while the log takes no writes, or when that showed only after the beginning: then
   * it is ended by itself; `outcome-unknown`, when nothing was destroyed and the disk does not tell whether it was noted
   */
  erase(personId: PersonId, reason: string, context: CommandContext): Promise<ErasureResult>;
  /**
   * The kind of a person of whom the read model knows nothing, since this release cannot read the details; undefined when the log knows nobody.
   * @throws DomainError `unavailable` when no fact names the kind, and LogUnavailable
   */
  kindInLog(personId: PersonId): Promise<PersonKind | undefined>;
  /** Whose erasure is not ended. */
  pending(): readonly string[];
  /** Who is shown as erased by this process while the log does not tell of it. */
  hidden(): readonly { readonly personId: PersonId; readonly kind: PersonKind }[];
  /** Why the last attempt did not end one, in words; undefined when none is pending or none was made by this process. */
  waitsFor(): string | undefined;
  /**
   * At the start, before the site answers: erases again whom a restored backup brought back, records again what a log that went back to an older past of itself
   * has lost, and finishes what a crash or a log that took no writes cut off. What cannot be finished is told, and stays pending; those persons are not shown.
   * Gives how many were erased.
   */
  replay(context: () => CommandContext): Promise<number>;
  /**
   * The same of those that are pending, and of those whom the read model tells of since, while the site works. Those whose fact the log has not wait as long as
   * it is known to refuse.
   */
  finishPending(context: () => CommandContext): Promise<number>;
};

/**
 * Erasure of personal details (architecture, 'Streams and facts'): noted outside the log, files removed, key destroyed, stream deleted, then the fact. Any step
 * may be repeated; until the end is noted, every minute and the next start do all of it again. One that ended and whose fact the log has not, though it knows
 * the person or still holds their facts (an older past of it), is not ended: its fact is recorded again. While the log refuses writes, or the file of keys is
 * not in its place, none is begun. An erasure that this node learns of by projecting its fact (the housekeeping's, another node's) is noted then, or as soon as
 * the log is no stranger, as one whose fact the log has: what this node's files still hold of the person goes within a minute, of all such persons at once.
 */
export const createErasures = (deps: ErasureDeps): Erasures => {
  const { log, commands, vault, ledger } = deps;
  const standing = new ErasureStanding(deps);
  const failures = new ErasureFailures(deps.failed);
  const steps = new ErasureSteps(deps, standing, failures);
  const unfinished = new UnfinishedErasures({ ...deps, standing, failures, steps });

  /** Without its fact an erasure could not be ended. */
  const expectRecordable = async (time: string): Promise<void> => {
    const stream = auditStream(time);
    await commands
      .read(auditDecider, stream, () => undefined)
      .catch((error: unknown) => {
        if (isUnreadable(error))
          throw new DomainError('unavailable', `Nothing was erased: a fact in ${stream} cannot be read, and no erasure can be recorded there until it can.`, {
            retryAfter: 60,
            cause: error,
          });
        throw error;
      });
  };

  const kindInLog: Erasures['kindInLog'] = async (personId) => {
    const stream = personStream(personId);
    // A name that no stream can have (an id made up by a caller): nobody was ever recorded under it.
    if (!isStreamName(stream)) return undefined;
    const facts = ((await log.readStream(stream)) ?? []).filter(isLegible);
    const kind = kindNamedIn(facts);
    if (kind === undefined && facts.length > 0)
      throw new DomainError(
        'unavailable',
        'The facts of this person cannot be read by this release, which does not know whom they are about: nothing was erased. The release that recorded them can erase the person.',
      );
    return kind;
  };

  /** The details as they are recorded; undefined where there are none, or none that this release can read: what is to go need not be read. */
  const detailsOf = async (personId: PersonId): Promise<PersonState['recorded']> =>
    commands
      .read(personDecider, personStream(personId), (person) => person.recorded)
      .catch((error: unknown) => {
        if (isUnreadable(error)) return undefined;
        if (isAway(error)) steps.expectWrites('Nothing was erased');
        throw error;
      });

  /** The same command again. Asked before anything is noted or destroyed: a key that was used for something else is refused. */
  const repeated = async ({ time }: Pick<BegunErasure, 'time'>, context: CommandContext): Promise<Outcome<unknown> | undefined> =>
    commands.repeated(auditDecider, auditStream(time), context);

  /** Of a person whose erasure has ended. */
  const eraseAgain = async (noted: NotedErasure, context: CommandContext): Promise<ErasureResult> => {
    const { personId, kind } = noted;
    const first = await repeated(noted, context);
    if (!standing.isFactLost(noted)) return { kind, already: first === undefined, filesUnknown: false, outcome: first };
    steps.expectWrites('The erasure is not in this log, and is recorded in it by itself');
    return {
      kind,
      already: false,
      filesUnknown: false,
      outcome: await steps.recordAgain(noted, context).catch((error: unknown) => failures.refuse(personId, error)),
    };
  };

  /** Notes that the erasure was asked for here, durably. */
  const note = (personId: PersonId, begun: BegunErasure, isNoted: boolean): void => {
    try {
      if (isNoted) ledger.ask(personId, deps.place);
      else ledger.begin({ personId, ...begun, place: deps.place });
    } catch (error) {
      if (error instanceof UnknownOutcome)
        throw new DomainError(
          'outcome-unknown',
          'It is not known whether the erasure was noted: the disk fails. If it was, the next start of the server erases the person. Please ask again when the disk is in order.',
          { retryAfter: 60, cause: error },
        );
      const failure = diskFailure(error);
      throw failure instanceof DomainError
        ? new DomainError('unavailable', 'Nothing was erased: the disk takes nothing, not even that it was asked for. Please ask again when there is room.', {
            retryAfter: 60,
            cause: error,
          })
        : failure;
    }
  };

  const eraseInTurn = async (personId: PersonId, reason: string, context: CommandContext): Promise<ErasureResult> => {
    unfinished.takeUp();
    const noted = ledger.all().find((entry) => entry.personId === personId);
    if (noted !== undefined) await standing.lookInLog(noted);
    if (noted?.finished === true && vault.state(personId) === 'destroyed') return eraseAgain(noted, context);
    const details = await detailsOf(personId);
    const kind = noted?.kind ?? details?.kind ?? deps.kindOf(personId) ?? (await kindInLog(personId));
    if (kind === undefined) throw notFound('There is no such person');
    // Erased at another node, or freed by the housekeeping: whose files stand here is to be cleaned all the same.
    const already = standing.isRecorded(personId) || (noted === undefined && details === undefined && vault.state(personId) === 'destroyed');
    // Before anything is noted or destroyed: there would be no fact of it, for as long as nobody mends the log.
    if (!already) steps.expectWrites(noted === undefined ? 'Nothing was erased' : 'The erasure was begun, and is ended by itself');
    if (!already && noted === undefined) await expectRecordable(context.time);
    // Who asked first is who asked for it.
    const begun = noted ?? standing.learnedOf(personId) ?? { kind, reason, time: context.time, by: context.actor };
    const first = await repeated(begun, context);
    note(personId, begun, noted !== undefined);
    // Noted now: whatever fails from here on, it is ended by itself.
    try {
      const filesUnknown =
        !already &&
        vault.state(personId) === 'destroyed' &&
        noted === undefined &&
        ((await log.readStream(personStream(personId))) ?? []).some(hasSealedDetails);
      const outcome = already
        ? undefined
        : await steps.destroyAndRecord(personId, begun, context).catch(async (error: unknown) => {
            await steps.hide([{ personId, kind, finished: false }]);
            throw error;
          });
      await steps.clean([{ personId, kind, finished: false }]);
      ledger.finish(personId);
      failures.forget(personId);
      return { kind, already: already && first === undefined, filesUnknown, outcome: outcome ?? first };
    } catch (error) {
      return failures.refuse(personId, error);
    }
  };

  return {
    kindInLog,
    // Corrections of the person take the same turn.
    erase: async (personId, reason, context) =>
      commands.once(context, async () => commands.inTurn(personStream(personId), async () => eraseInTurn(personId, reason, context))),
    pending: () => standing.pending().map(({ personId }) => personId),
    hidden: () =>
      ledger
        .all()
        .filter(({ personId }) => steps.isHidden(personId))
        .map(({ personId, kind }) => ({ personId, kind })),
    waitsFor: () =>
      standing
        .pending()
        .map(({ personId }) => failures.reasonFor(personId))
        .find((reason) => reason !== undefined),
    async finishPending(context) {
      unfinished.takeUp();
      await unfinished.askLog();
      return standing.pending().length > 0 ? unfinished.finish(context, 'wait') : 0;
    },

    async replay(context) {
      unfinished.takeUp();
      try {
        await deps.forgetSetAside(ledger.all());
        // A backup from before the person was known: the id is never to be used again.
        for (const { personId, finished } of ledger.all()) if (finished && vault.state(personId) === 'absent') vault.destroy(personId);
      } catch (error) {
        deps.failed(error);
      }
      await unfinished.askLog();
      return unfinished.finish(context, 'hide');
    },
  };
};
