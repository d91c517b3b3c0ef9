import { isLegible } from '@courtledger/contracts/kernel/event';
import type { PersonId } from '@courtledger/contracts/kernel/ids';
import { personStream, type PersonKind } from '@courtledger/contracts/player/person.events';
import type { ErasureFact } from '@courtledger/projections/operations/retention.queries';
import type { EventLog } from '../event-log/event-log.ts';
import type { Erasure, ErasureLedger } from './erasure-ledger.ts';
import type { PersonVault } from './ports.ts';

export type ErasureStandingDeps = {
  readonly log: Pick<EventLog, 'readStream'>;
  readonly vault: Pick<PersonVault, 'state'>;
  readonly ledger: Pick<ErasureLedger, 'all' | 'begin'>;
  /** Kind of a person that is gone from the log already; undefined when nobody ever told of one. */
  readonly kindOf: (personId: PersonId) => PersonKind | undefined;
  /** The erasures that this node's read model tells of after a position, in order: whoever asked for them, here or at another node, or the housekeeping. */
  readonly erasedAfter: (position: bigint) => readonly ErasureFact[];
  /** Whether the log may be another one than belongs to this folder: a wrong address, a copy that somebody uses on. */
  readonly isStrange: () => boolean;
  /** The log that this folder has opened, as it knows it (`LogPlace`). */
  readonly place: string;
  /** Hears of how many persons are erased in a strange log, and not here. */
  readonly waiting: (persons: number) => void;
};

/** An erasure as the ledger has it. `finished`: its end was noted there. */
export type NotedErasure = Erasure & { readonly finished: boolean };

/**
 * Where each erasure stands: what the ledger, the keys and the log say of it together, as far as this process knows the log. It takes up what the log tells of,
 * and destroys nothing.
 */
export class ErasureStanding {
  readonly #deps: ErasureStandingDeps;
  /** The erasures that the read model tells of are known up to here. */
  #toldUntil = 0n;
  /** Whose erasure the read model tells of. */
  readonly #told = new Set<PersonId>();
  /** Whose fact this process recorded: the read model may not tell of it yet. */
  readonly #recorded = new Set<PersonId>();
  /** Of whom the log itself was seen to hold what their erasure should have taken: what this release cannot read stands in no read model. */
  readonly #seenInLog = new Set<PersonId>();
  /** What a strange log tells of persons whose keys are here. */
  readonly #learned = new Map<PersonId, Erasure>();
  /** Before the first look nobody knows which facts the log has. */
  #hasLooked = false;
  #isLogAsked = false;

  constructor(deps: ErasureStandingDeps) {
    this.#deps = deps;
  }

  /** Whether the read model of this node has come to the fact. */
  isTold(personId: PersonId): boolean {
    return this.#told.has(personId);
  }

  /** Nothing is left to be done but of the files of this node: what that takes needs no log. */
  isRecorded(personId: PersonId): boolean {
    return this.#told.has(personId) && this.#deps.vault.state(personId) === 'destroyed';
  }

  /** All is done but the fact, which the log has lost: it is an older past of the one that had it. Strangers to this log get no facts in it. */
  isFactLost(entry: NotedErasure): boolean {
    return (
      this.#isDoubtful(entry) &&
      this.#deps.vault.state(entry.personId) === 'destroyed' &&
      (this.#seenInLog.has(entry.personId) || this.#deps.kindOf(entry.personId) !== undefined)
    );
  }

  /** Begun and not ended, or brought back by a restore, or without its fact. */
  isPending(entry: NotedErasure): boolean {
    return !entry.finished || this.#deps.vault.state(entry.personId) === 'active' || this.isFactLost(entry);
  }

  pending(): readonly NotedErasure[] {
    return this.#deps.ledger.all().filter((entry) => this.isPending(entry));
  }

  /**
   * A strange log may be a wrong one: what it says of a person, or does not say, is no reason to destroy a key, whose files would be found by nobody, nor to
   * record anything in it. Whoever asks for an erasure there has seen whose it is: the ledger notes in which log that was.
   */
  waitsForLog(entry: NotedErasure): boolean {
    return this.#deps.isStrange() && entry.place !== this.#deps.place && !this.isRecorded(entry.personId) && !this.isFactLost(entry);
  }

  /** The erasure of which a strange log tells, and which is not taken up. */
  learnedOf(personId: PersonId): Erasure | undefined {
    return this.#learned.get(personId);
  }

  /** This process has recorded the fact. */
  noteRecorded(personId: PersonId): void {
    this.#recorded.add(personId);
  }

  /**
   * Whoever has projected an erasure owes his files what an erasure does to them: the ledger notes it, from wherever the fact came. What a strange log tells
   * waits until the log is known, where there is a key to lose.
   * @throws what the read model and the ledger throw
   */
  takeUp(): void {
    const facts = this.#deps.erasedAfter(this.#toldUntil);
    for (const { erasure } of facts) this.#told.add(erasure.personId);
    this.#hasLooked = true;
    const told = facts.map(({ erasure }) => erasure);
    const waits = this.#deps.isStrange() ? this.#strangeTo(told) : [];
    const before = this.#learned.size;
    for (const erasure of waits) this.#learned.set(erasure.personId, erasure);
    if (this.#learned.size > before) this.#deps.waiting(this.#learned.size);
    this.#deps.ledger.begin(...told.filter((erasure) => !waits.includes(erasure)));
    if (waits.length === 0) this.#toldUntil = facts.at(-1)?.position ?? this.#toldUntil;
  }

  /** Asks the log for what it still holds of a person, where there is doubt. @throws what the log throws */
  async lookInLog(entry: NotedErasure): Promise<void> {
    if (this.#isDoubtful(entry) && (await this.#deps.log.readStream(personStream(entry.personId)))?.some(isLegible) === true)
      this.#seenInLog.add(entry.personId);
  }

  /** The same of all, once: at the start, or later when the log did not answer then. @throws what the log throws */
  async askLog(): Promise<void> {
    if (this.#isLogAsked || !this.#hasLooked) return;
    for (const entry of this.#deps.ledger.all()) await this.lookInLog(entry);
    this.#isLogAsked = true;
  }

  /** Nothing here tells that the log has the fact. */
  #isDoubtful({ personId, finished }: NotedErasure): boolean {
    return finished && this.#deps.vault.state(personId) !== 'active' && this.#hasLooked && !this.#told.has(personId) && !this.#recorded.has(personId);
  }

  /** The erasures among these of which only the strange log tells, and which have a key to lose. */
  #strangeTo(told: readonly Erasure[]): readonly Erasure[] {
    const known = new Set(this.#deps.ledger.all().map(({ personId }) => personId));
    return told.filter(({ personId }) => !known.has(personId) && this.#deps.vault.state(personId) === 'active');
  }
}
