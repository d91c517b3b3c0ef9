import { DomainError } from '@courtledger/contracts/kernel/errors';
import type { PersonId } from '@courtledger/contracts/kernel/ids';
import { auditStream, personStream, type PersonKind } from '@courtledger/contracts/player/person.events';
import type { EventLog } from '../event-log/event-log.ts';
import { auditDecider } from './audit.decider.ts';
import type { CommandContext } from './call.ts';
import type { CommandHandler, Outcome } from './command-handler.ts';
import type { DocumentStore } from './documents.ts';
import type { ErasureFailures } from './erasure-failures.ts';
import type { Erasure } from './erasure-ledger.ts';
import type { ErasureStanding, NotedErasure } from './erasure-standing.ts';
import { removeFilesOf } from './files-of-person.ts';
import type { MediaStore } from './media.ts';
import type { PersonVault } from './ports.ts';

export type ErasureStepsDeps = {
  readonly log: EventLog;
  readonly commands: CommandHandler;
  readonly vault: PersonVault;
  readonly documents: Pick<DocumentStore, 'remove'>;
  readonly media: Pick<MediaStore, 'remove'>;
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

/** An erasure as the ledger has it. */
export type BegunErasure = Pick<Erasure, 'kind' | 'reason' | 'time' | 'by'>;
type Open = Pick<Erasure, 'personId' | 'kind'> & { readonly finished: boolean };

/** An erasure that is made again is still the act of whoever asked for it; entries of earlier releases do not know who. */
const asWhoAsked = (context: CommandContext, by: Erasure['by']): CommandContext => (by === undefined ? context : { ...context, actor: by });

/** What an erasure is made of. Every step may be repeated. */
export class ErasureSteps {
  readonly #deps: ErasureStepsDeps;
  readonly #standing: ErasureStanding;
  readonly #failures: ErasureFailures;
  /** Who is shown as erased by this process while the log does not tell of it. */
  readonly #hidden = new Set<PersonId>();

  constructor(deps: ErasureStepsDeps, standing: ErasureStanding, failures: ErasureFailures) {
    this.#deps = deps;
    this.#standing = standing;
    this.#failures = failures;
  }

  /** @throws DomainError `unavailable`, beginning with what is not done, while the log takes no writes or the keys are not in their place */
  expectWrites(nothing: string): void {
    const reason = this.#deps.refusal();
    if (reason !== undefined) throw new DomainError('unavailable', `${nothing}: the log takes no writes. ${reason}`, { retryAfter: 5 });
    const keys = this.#deps.vault.refusal();
    if (keys !== undefined) throw new DomainError('unavailable', `${nothing}: ${keys}`, { retryAfter: 5 });
  }

  /** Takes the person's files, key and stream, and records the fact. */
  async destroyAndRecord(personId: PersonId, begun: BegunErasure, context: CommandContext): Promise<Outcome<unknown>> {
    const { log, vault } = this.#deps;
    if (vault.state(personId) === 'active') await removeFilesOf(personId, (await log.readStream(personStream(personId))) ?? [], this.#deps);
    vault.destroy(personId);
    return this.#record(personId, begun, asWhoAsked(context, begun.by));
  }

  /**
   * Records what the log has lost. Read models that a start has just set aside stay, as signs of what the other past had: nothing is taken, unless the live one
   * shows the person, as an old file that was put in place with the log may. That goes first: afterwards nothing would say that it is owed.
   */
  async recordAgain(entry: NotedErasure, context: CommandContext): Promise<Outcome<unknown>> {
    if (this.#deps.isShown(entry.personId)) await this.clean([entry]);
    const outcome = await this.destroyAndRecord(entry.personId, entry, context);
    this.#failures.forget(entry.personId);
    return outcome;
  }

  /** Takes what this node still has of persons: one rewriting for all of them. */
  async clean(persons: readonly Open[]): Promise<void> {
    // A node may not have come to the fact yet: what is written anew must show nothing already.
    const shown = persons.filter(({ personId }) => !this.#standing.isTold(personId));
    if (shown.length > 0) await this.#deps.hide(shown.map(({ personId, kind }) => ({ personId, kind })));
    await this.#deps.forgetSetAside(persons);
    await this.#deps.forgetCopies();
  }

  /** What was begun is not taken back: until the log has the fact, the site and the copies of its read model show nothing of the persons all the same. */
  async hide(persons: readonly Open[]): Promise<void> {
    const open = persons.filter(({ personId }) => !this.#hidden.has(personId));
    if (open.length === 0) return;
    try {
      await this.clean(open);
      for (const { personId } of open) this.#hidden.add(personId);
    } catch (error) {
      this.#deps.failed(error);
    }
  }

  isHidden(personId: PersonId): boolean {
    return this.#hidden.has(personId);
  }

  /**
   * The stream follows from the ledger's entry, and in it a person is erased once: however often an erasure is tried again, and in whatever month, the log has
   * one fact of it.
   */
  async #record(personId: PersonId, { kind, reason, time }: BegunErasure, context: CommandContext): Promise<Outcome<unknown>> {
    this.expectWrites('The erasure is not in the log yet');
    await this.#deps.log.deleteStream(personStream(personId));
    const outcome = await this.#deps.commands.handle(
      auditDecider,
      auditStream(time),
      { type: 'recordAudit', fact: { type: 'PersonErased', data: { personId, kind, reason } } },
      context,
    );
    this.#standing.noteRecorded(personId);
    return outcome;
  }
}
