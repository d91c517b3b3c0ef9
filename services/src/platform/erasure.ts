import { DomainError, notFound } from '@courtledger/contracts/kernel/errors';
import { isLegible, type RecordedEvent } from '@courtledger/contracts/kernel/event';
import type { PersonId } from '@courtledger/contracts/kernel/ids';
import { auditStream, hasSealedDetails, personKind, personStream, type PersonKind } from '@courtledger/contracts/player/person.events';
import type { EventLog } from '../event-log/event-log.ts';
import { isStreamName } from '../event-log/prepare-append.ts';
import { auditDecider } from './audit.decider.ts';
import type { CommandContext } from './call.ts';
import type { CommandHandler, Outcome } from './command-handler.ts';
import type { DocumentStore } from './documents.ts';
import { diskFailure } from './durable-failure.ts';
import { ErasureFailures, isAway, isUnreadable } from './erasure-failures.ts';
import type { Erasure, ErasureLedger } from './erasure-ledger.ts';
import { ErasureStanding, type ErasureStandingDeps, type NotedErasure } from './erasure-standing.ts';
import { removeFilesOf } from './files-of-person.ts';
import type { MediaStore } from './media.ts';
import { personDecider, type PersonState } from './person.decider.ts';
import type { PersonVault } from './ports.ts';

export type ErasureDeps = ErasureStandingDeps & {
  readonly log: EventLog;
  readonly commands: CommandHandler;
  readonly vault: PersonVault;
  readonly documents: Pick<DocumentStore, 'remove'>;
  readonly media: Pick<MediaStore, 'remove'>;
  readonly ledger: ErasureLedger;
  /** Whether the live read model shows details of a person. */
  readonly isShown: (personId: PersonId) => boolean;
  /** Why the log takes no writes; undefined when it does, as far as is known. */
  readonly refusal: () => string | undefined;
  /** Shows persons as erased on the site while the log has no fact of it. */
  readonly hide: (persons: readonly { readonly personId: PersonId; readonly kind: PersonKind }[]) => Promise<void>;
  /** Takes what old copies of the read model still show of erased persons, once the live one shows nothing. */
  readonly forgetCopies: () => Promise<void>;
  /** Hears of what could not be done of an erasure, and is tried again. */
  readonly failed: (error: unknown) => void;
  /** Takes what a restore set aside of erased persons. `finished`: they were erased before, and are again. */
  readonly forgetSetAside: (erased: readonly { readonly personId: PersonId; readonly finished: boolean }[]) => Promise<void>;
};

/** An erasure that is made again is still the act of whoever asked for it; entries of earlier releases do not know who. */
const asWhoAsked = (context: CommandContext, by: Erasure['by']): CommandContext => (by === undefined ? context : { ...context, actor: by });

/** The kind of person that facts name which this release cannot read as a whole; undefined where none does. */
const kindNamedIn = (facts: readonly RecordedEvent[]): PersonKind | undefined =>
  facts.map(({ data }) => personKind.safeParse((data as { readonly kind?: unknown } | null | undefined)?.kind).data).findLast((kind) => kind !== undefined);

/** An erasure as the ledger has it. */
type Begun = Pick<Erasure, 'kind' | 'reason' | 'time' | 'by'>;
type Open = Pick<Erasure, 'personId' | 'kind'> & { readonly finished: boolean };

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
   * it is ended by itself
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

  const expectWrites = (nothing: string): void => {
    const reason = deps.refusal();
    if (reason !== undefined) throw new DomainError('unavailable', `${nothing}: the log takes no writes. ${reason}`, { retryAfter: 5 });
    const keys = vault.refusal();
    if (keys !== undefined) throw new DomainError('unavailable', `${nothing}: ${keys}`, { retryAfter: 5 });
  };

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

  /**
   * The stream follows from the ledger's entry, and in it a person is erased once: however often an erasure is tried again, and in whatever month, the log has
   * one fact of it.
   */
  const record = async (personId: PersonId, { kind, reason, time }: Begun, context: CommandContext): Promise<Outcome<unknown>> => {
    expectWrites('The erasure is not in the log yet');
    await log.deleteStream(personStream(personId));
    const outcome = await commands.handle(
      auditDecider,
      auditStream(time),
      { type: 'recordAudit', fact: { type: 'PersonErased', data: { personId, kind, reason } } },
      context,
    );
    standing.noteRecorded(personId);
    return outcome;
  };

  /** Takes what this node still has of persons: one rewriting for all of them. */
  const clean = async (persons: readonly Open[]): Promise<void> => {
    // A node may not have come to the fact yet: what is written anew must show nothing already.
    const shown = persons.filter(({ personId }) => !standing.isTold(personId));
    if (shown.length > 0) await deps.hide(shown.map(({ personId, kind }) => ({ personId, kind })));
    await deps.forgetSetAside(persons);
    await deps.forgetCopies();
  };
  const hidden = new Set<string>();
  /** What was begun is not taken back: until the log has the fact, the site and the copies of its read model show nothing of the persons all the same. */
  const hide = async (persons: readonly Open[]): Promise<void> => {
    const open = persons.filter(({ personId }) => !hidden.has(personId));
    if (open.length === 0) return;
    try {
      await clean(open);
      for (const { personId } of open) hidden.add(personId);
    } catch (error) {
      deps.failed(error);
    }
  };

  const destroyAndRecord = async (personId: PersonId, begun: Begun, context: CommandContext): Promise<Outcome<unknown>> => {
    if (vault.state(personId) === 'active') await removeFilesOf(personId, (await log.readStream(personStream(personId))) ?? [], deps);
    vault.destroy(personId);
    return record(personId, begun, asWhoAsked(context, begun.by));
  };

  /**
   * Records what the log has lost. Read models that a start has just set aside stay, as signs of what the other past had: nothing is taken, unless the live one
   * shows the person, as an old file that was put in place with the log may. That goes first: afterwards nothing would say that it is owed.
   */
  const recordAgain = async (entry: NotedErasure, context: CommandContext): Promise<Outcome<unknown>> => {
    if (deps.isShown(entry.personId)) await clean([entry]);
    const outcome = await destroyAndRecord(entry.personId, entry, context);
    failures.forget(entry.personId);
    return outcome;
  };

  /** Ends what is pending, and gives how many were erased again. @param refused what becomes of those whose fact a log that refuses does not take */
  const finish = async (context: () => CommandContext, refused: 'hide' | 'wait'): Promise<number> => {
    const ended: Open[] = [];
    const held: Open[] = [];
    let again = 0;
    for (const entry of ledger.all()) {
      const { personId } = entry;
      if (!standing.isPending(entry) || (refused === 'wait' && !standing.isRecorded(personId) && deps.refusal() !== undefined) || vault.refusal() !== undefined)
        continue;
      if (standing.waitsForLog(entry)) {
        failures.wait(
          personId,
          'This folder has known the log for less than a day, and it may be a wrong one: until then no key is destroyed for an erasure that was asked for elsewhere',
        );
        held.push(entry);
        continue;
      }
      try {
        // In the turn of whoever changes the person.
        await commands.inTurn(personStream(personId), async () => {
          const now = ledger.all().find((one) => one.personId === personId) ?? entry;
          if (!standing.isPending(now)) return;
          if (standing.isFactLost(now)) {
            await recordAgain(now, context());
            again += 1;
            return;
          }
          if (!standing.isRecorded(personId)) {
            await destroyAndRecord(personId, now, context());
            again += 1;
          }
          ended.push(now);
        });
      } catch (error) {
        failures.note(error, personId);
        if (!standing.isFactLost(entry)) held.push(entry);
      }
    }
    await hide(held);
    if (ended.length === 0) return again;
    const ids = ended.map(({ personId }) => personId);
    try {
      await clean(ended);
      ledger.finish(...ids);
      failures.forget(...ids);
    } catch (error) {
      failures.note(error, ...ids);
    }
    return again;
  };
  /** The minute and the hour may come together. */
  let turn: Promise<unknown> = Promise.resolve();
  const finishInTurn: typeof finish = async (...given) => {
    const mine = turn.then(async () => finish(...given));
    turn = mine.catch(() => undefined);
    return mine;
  };
  const takeUp = (): void => {
    try {
      standing.takeUp();
      failures.forget('');
    } catch (error) {
      failures.note(error, '');
    }
  };
  const askLog = async (): Promise<void> => {
    try {
      await standing.askLog();
      failures.forget('log');
    } catch (error) {
      failures.note(error, 'log');
    }
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
        if (isAway(error)) expectWrites('Nothing was erased');
        throw error;
      });

  /** The same command again. Asked before anything is noted or destroyed: a key that was used for something else is refused. */
  const repeated = async ({ time }: Pick<Begun, 'time'>, context: CommandContext): Promise<Outcome<unknown> | undefined> =>
    commands.repeated(auditDecider, auditStream(time), context);

  /** Of a person whose erasure has ended. */
  const eraseAgain = async (noted: NotedErasure, context: CommandContext): Promise<ErasureResult> => {
    const { personId, kind } = noted;
    const first = await repeated(noted, context);
    if (!standing.isFactLost(noted)) return { kind, already: first === undefined, filesUnknown: false, outcome: first };
    expectWrites('The erasure is not in this log, and is recorded in it by itself');
    return {
      kind,
      already: false,
      filesUnknown: false,
      outcome: await recordAgain(noted, context).catch((error: unknown) => failures.refuse(personId, error)),
    };
  };

  /** Notes that the erasure was asked for here, durably. */
  const note = (personId: PersonId, begun: Begun, isNoted: boolean): void => {
    try {
      if (isNoted) ledger.ask(personId, deps.place);
      else ledger.begin({ personId, ...begun, place: deps.place });
    } catch (error) {
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
    takeUp();
    const noted = ledger.all().find((entry) => entry.personId === personId);
    if (noted !== undefined) await standing.lookInLog(noted);
    if (noted?.finished === true && vault.state(personId) === 'destroyed') return eraseAgain(noted, context);
    const details = await detailsOf(personId);
    const kind = noted?.kind ?? details?.kind ?? deps.kindOf(personId) ?? (await kindInLog(personId));
    if (kind === undefined) throw notFound('There is no such person');
    // Erased at another node, or freed by the housekeeping: whose files stand here is to be cleaned all the same.
    const already = standing.isRecorded(personId) || (noted === undefined && details === undefined && vault.state(personId) === 'destroyed');
    // Before anything is noted or destroyed: there would be no fact of it, for as long as nobody mends the log.
    if (!already) expectWrites(noted === undefined ? 'Nothing was erased' : 'The erasure was begun, and is ended by itself');
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
        : await destroyAndRecord(personId, begun, context).catch(async (error: unknown) => {
            await hide([{ personId, kind, finished: false }]);
            throw error;
          });
      await clean([{ personId, kind, finished: false }]);
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
        .filter(({ personId }) => hidden.has(personId))
        .map(({ personId, kind }) => ({ personId, kind })),
    waitsFor: () =>
      standing
        .pending()
        .map(({ personId }) => failures.reasonFor(personId))
        .find((reason) => reason !== undefined),
    async finishPending(context) {
      takeUp();
      await askLog();
      return standing.pending().length > 0 ? finishInTurn(context, 'wait') : 0;
    },

    async replay(context) {
      takeUp();
      try {
        await deps.forgetSetAside(ledger.all());
        // A backup from before the person was known: the id is never to be used again.
        for (const { personId, finished } of ledger.all()) if (finished && vault.state(personId) === 'absent') vault.destroy(personId);
      } catch (error) {
        deps.failed(error);
      }
      await askLog();
      return finishInTurn(context, 'hide');
    },
  };
};
