import { DomainError, notFound } from '@courtledger/contracts/kernel/errors';
import type { RecordedEvent } from '@courtledger/contracts/kernel/event';
import { auditStream, personStream, type PersonEvent, type PersonKind } from '@courtledger/contracts/player/person.events';
import { LogUnavailable, UnknownOutcome, type EventLog } from '../event-log/event-log.ts';
import { toFact } from '../event-log/upcast.ts';
import { auditDecider } from './audit.decider.ts';
import type { CommandContext } from './call.ts';
import type { CommandHandler, Outcome } from './command-handler.ts';
import type { DocumentStore } from './documents.ts';
import { diskFailure } from './durable-failure.ts';
import type { Erasure, ErasureLedger } from './erasure-ledger.ts';
import type { MediaStore } from './media.ts';
import { personDecider } from './person.decider.ts';
import type { PersonVault } from './ports.ts';

export type ErasureDeps = {
  readonly log: EventLog;
  readonly commands: CommandHandler;
  readonly vault: PersonVault;
  readonly documents: Pick<DocumentStore, 'remove'>;
  readonly media: Pick<MediaStore, 'remove'>;
  readonly ledger: ErasureLedger;
  /** Kind of a person that is gone from the log already; undefined when nobody ever told of one. */
  readonly kindOf: (personId: string) => PersonKind | undefined;
  /** Why the log takes no writes; undefined when it does, as far as is known. */
  readonly refusal: () => string | undefined;
  /** Shows persons as erased on the site while the log has no fact of it. */
  readonly hide: (persons: readonly { readonly personId: string; readonly kind: PersonKind }[]) => Promise<void>;
  /** Takes what old copies of the read model still show of erased persons, once the live one shows nothing. */
  readonly forgetCopies: () => Promise<void>;
  /** Hears of what could not be done of an erasure, and is tried again. */
  readonly failed: (error: unknown) => void;
  /** Takes what a restore set aside of erased persons. `finished`: they were erased before, and are again. */
  readonly forgetSetAside: (erased: readonly { readonly personId: string; readonly finished: boolean }[]) => Promise<void>;
};

/** An erasure that is made again is still the act of whoever asked for it; entries of earlier releases do not know who. */
const asWhoAsked = (context: CommandContext, by: Erasure['by']): CommandContext => (by === undefined ? context : { ...context, actor: by });

/** Removes every photo and document that was ever recorded of a person, not only the last. @param facts of the person's stream; those without data say nothing */
export const removeFilesOf = async (personId: string, facts: readonly RecordedEvent[], { vault, documents, media }: Pick<ErasureDeps, 'vault' | 'documents' | 'media'>): Promise<void> => {
  for (const fact of facts) {
    if (fact.data === null || fact.data === undefined) continue;
    const details = vault.open(personId, (toFact(fact) as PersonEvent).data.sealed);
    // oxlint-disable no-await-in-loop -- a handful of files, one after another
    if (details?.document !== undefined) await documents.remove(details.document.documentId);
    if (details?.photo !== undefined) await media.remove(details.photo);
    // oxlint-enable no-await-in-loop
  }
};

/** The persons whose erasure was begun and is not ended, or who were brought back by a restore. */
const pendingErasures = (ledger: Pick<ErasureLedger, 'all'>, vault: Pick<PersonVault, 'state'>): readonly string[] =>
  ledger.all().filter(({ personId, finished }) => isPending(finished, vault.state(personId))).map(({ personId }) => personId);

const isPending = (finished: boolean, state: ReturnType<PersonVault['state']>): boolean => !finished || state === 'active';

/** What an operator reads of a failure: of a refusal of ours, what the system said. */
const reasonOf = (error: unknown): string => {
  const cause = error instanceof DomainError && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? cause.message : String(cause);
};

/** An erasure as the ledger has it. */
type Begun = Pick<Erasure, 'kind' | 'reason' | 'time' | 'by'> & { readonly finished: boolean };

/** The log or the disk takes nothing: it says nothing about the person, and may be over in a moment. */
const isAway = (error: unknown): boolean =>
  error instanceof LogUnavailable || error instanceof UnknownOutcome || (error instanceof DomainError && (error.code === 'unavailable' || error.code === 'outcome-unknown'));

export type Erasures = {
  /**
   * Erases a person for good; again is no error.
   * @throws DomainError `not-found`; `unavailable`, with nothing destroyed, while the log takes no writes, or when that showed only after the beginning: then it is ended by itself
   */
  erase(personId: string, reason: string, context: CommandContext): Promise<{ readonly kind: PersonKind; readonly already: boolean; readonly outcome: Outcome<unknown> | undefined }>;
  /** Whose erasure is not ended. */
  pending(): readonly string[];
  /** Why the last attempt did not end one, in words; undefined when none is pending or none was made by this process. */
  waitsFor(): string | undefined;
  /**
   * At the start, before the site answers: erases again whom a restored backup brought back, and finishes what a crash or a log that took no writes cut off. What cannot be finished is told,
   * and stays pending; those persons are not shown. Gives how many were erased.
   */
  replay(context: () => CommandContext): Promise<number>;
  /** The same of those that are pending, while the site works: nothing as long as the log is known to refuse. */
  finishPending(context: () => CommandContext): Promise<number>;
};

/**
 * Erasure of personal details (architecture, 'Streams and facts'): noted outside the log, files removed, key destroyed, stream deleted, then the fact. Any step may be repeated; until the end is
 * noted, every minute and the next start do all of it again. While the log refuses writes none is begun.
 */
export const createErasures = (deps: ErasureDeps): Erasures => {
  const { log, commands, vault, ledger } = deps;

  const expectWrites = (nothing: string): void => {
    const reason = deps.refusal();
    if (reason !== undefined) throw new DomainError('unavailable', `${nothing}: the log takes no writes. ${reason}`, { retryAfter: 5 });
  };

  /** The stream follows from the ledger's entry, and in it a person is erased once: however often an erasure is tried again, and in whatever month, the log has one fact of it. */
  const record = async (personId: string, { kind, reason, time }: Begun, context: CommandContext): Promise<Outcome<unknown>> => {
    expectWrites('The erasure is not in the log yet');
    await log.deleteStream(personStream(personId));
    return commands.handle(auditDecider, auditStream(time), { type: 'recordAudit', fact: { type: 'PersonErased', data: { personId, kind, reason } } }, context);
  };

  const failures = new Map<string, string>();
  /** Tried every minute: the same reason is told once. */
  const noteFailure = (personId: string, error: unknown): void => {
    const reason = reasonOf(error);
    if (failures.get(personId) !== reason) deps.failed(error);
    failures.set(personId, reason);
  };
  const hidden = new Set<string>();
  /** What was begun is not taken back: until the log has the fact, the site and the copies of its read model show nothing of the person all the same. */
  const hide = async (personId: string, { kind, finished }: { readonly kind: PersonKind; readonly finished: boolean }): Promise<void> => {
    if (hidden.has(personId)) return;
    try {
      await deps.hide([{ personId, kind }]);
      await deps.forgetSetAside([{ personId, finished }]);
      await deps.forgetCopies();
      hidden.add(personId);
    } catch (error) {
      deps.failed(error);
    }
  };

  const carryOut = async (personId: string, begun: Begun, context: CommandContext): Promise<Outcome<unknown>> => {
    const { kind, finished } = begun;
    let outcome: Outcome<unknown>;
    try {
      if (vault.state(personId) === 'active') await removeFilesOf(personId, (await log.readStream(personStream(personId))) ?? [], deps);
      vault.destroy(personId);
      outcome = await record(personId, begun, asWhoAsked(context, begun.by));
    } catch (error) {
      await hide(personId, { kind, finished });
      throw error;
    }
    await deps.forgetSetAside([{ personId, finished }]);
    await deps.forgetCopies();
    ledger.finish(personId);
    failures.delete(personId);
    return outcome;
  };

  const finish = async (context: () => CommandContext): Promise<number> => {
    let again = 0;
    for (const { personId } of ledger.all()) {
      try {
        // oxlint-disable-next-line no-await-in-loop -- one after another, and in the turn of whoever changes the person
        await commands.inTurn(personStream(personId), async () => {
          const entry = ledger.all().find((one) => one.personId === personId);
          if (entry === undefined || !isPending(entry.finished, vault.state(personId))) return;
          await carryOut(personId, entry, context());
          again += 1;
        });
      } catch (error) {
        noteFailure(personId, error);
      }
    }
    return again;
  };

  return {
    async erase(personId, reason, context) {
      // Corrections of the person take the same turn.
      return commands.inTurn(personStream(personId), async () => {
        const known = ledger.all().find((entry) => entry.personId === personId);
        if (known?.finished === true && vault.state(personId) === 'destroyed') return { kind: known.kind, already: true, outcome: undefined };
        const recorded = await commands.read(personDecider, personStream(personId), (person) => person.recorded);
        const kind = known?.kind ?? recorded?.kind ?? deps.kindOf(personId);
        if (kind === undefined) throw notFound('There is no such person');
        if (known === undefined && recorded === undefined && vault.state(personId) === 'destroyed') {
          // Freed by the housekeeping before: the fact is there, the ledger learns of it now.
          ledger.begin({ personId, kind, reason, time: context.time, by: context.actor });
          ledger.finish(personId);
          return { kind, already: true, outcome: undefined };
        }
        // Before anything is noted or destroyed: there would be no fact of it, for as long as nobody mends the log.
        expectWrites(known === undefined ? 'Nothing was erased' : 'The erasure was begun, and is ended by itself');
        try {
          ledger.begin({ personId, kind, reason: known?.reason ?? reason, time: context.time, by: context.actor });
        } catch (error) {
          const failure = diskFailure(error);
          throw failure instanceof DomainError ? new DomainError('unavailable', 'Nothing was erased: the disk takes nothing, not even that it was asked for. Please ask again when there is room.', { retryAfter: 60, cause: error }) : failure;
        }
        // Noted now: whatever fails from here on, it is ended by itself. Who asked first is who asked for it.
        const begun = known ?? { kind, reason, time: context.time, by: context.actor };
        try {
          return { kind, already: false, outcome: await carryOut(personId, { ...begun, finished: false }, context) };
        } catch (error) {
          failures.set(personId, reasonOf(error));
          throw new DomainError('unavailable', `The erasure was begun and could not be ended${isAway(diskFailure(error)) ? ': the log or the disk takes no writes. It is ended by itself when they do.' : ' yet. It is tried again by itself every minute.'}`, { retryAfter: 60, cause: error });
        }
      });
    },

    pending: () => pendingErasures(ledger, vault),
    waitsFor: () => pendingErasures(ledger, vault).map((personId) => failures.get(personId)).find((reason) => reason !== undefined),
    finishPending: async (context) => (deps.refusal() === undefined && pendingErasures(ledger, vault).length > 0 ? finish(context) : 0),

    async replay(context) {
      try {
        await deps.forgetSetAside(ledger.all());
        // A backup from before the person was known: the id is never to be used again.
        for (const { personId, finished } of ledger.all()) if (finished && vault.state(personId) === 'absent') vault.destroy(personId);
      } catch (error) {
        deps.failed(error);
      }
      return finish(context);
    },
  };
};
