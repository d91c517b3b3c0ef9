import { DomainError, conflict, messageOf } from '@courtledger/contracts/kernel/errors';
import type { LogVerification } from '@courtledger/contracts/operations/operations.answers';
import type { LogAdministration } from '../event-log/log-administration.ts';
import { mendedText, type ChainBreak, type ChainReport, type KnownBreak } from '../event-log/verify-chain.ts';
import type { Logger } from '../platform/logger.ts';
import type { Clock } from '../platform/ports.ts';
import { recordedBreakOf, type StateFile } from './operations-state.ts';

type Administration = Pick<LogAdministration, 'verifyChain' | 'refuse' | 'health'>;

export type LogVerificationsDeps = {
  /** Why there is no chain to verify, where there is none. */
  readonly absence?: string | undefined;
  readonly administration: Administration | undefined;
  readonly state: StateFile;
  readonly clock: Clock;
  readonly logger: Logger;
  /** A break that was on record is gone, and the debt of a new read model is on record. */
  readonly onHealed?: () => void;
  /** Why what the read model tells may be wrong. */
  readonly doubt?: () => string | undefined;
  /** Whether a person's details could still be opened: nobody has begun to erase them. */
  readonly hasKey?: (personId: string) => boolean;
};

/** Where the log is damaged, or was, for everybody: the reason may be words of the library. */
export const damagePlace = ({ position, isMended }: KnownBreak): string =>
  isMended === true ? mendedText(position) : `The log is damaged at position ${position.toString()}`;

/** The same for operators, with the reason. */
export const damageText = (damage: KnownBreak): string => `${damagePlace(damage)}${damage.isMended === true ? '' : `: ${damage.reason}`}`;

/** What is said beside something that is shown although the log is damaged. */
export const stillShownText = 'What is shown is what the read model has of it; whether that was recorded, a backup tells';

/** What a comparison says of such a log beside what it has found: what becomes of the read model. */
export const notRemadeText = (damage: KnownBreak): string =>
  damage.isMended === true
    ? `${damagePlace(damage)}. Until then no read model is made of it`
    : `${damageText(damage)}. No read model is made of it: restore a backup`;

/** What is refused of a damaged log. Only the place is told. */
export const logDamaged = (damage: KnownBreak, refused: string): DomainError =>
  new DomainError(
    'unavailable',
    damage.isMended === true ? `${damagePlace(damage)}. Until then ${refused}.` : `${damagePlace(damage)}: ${refused}. Restore a backup.`,
    { retryAfter: 60 },
  );

/** Verifications of the whole hash chain, one at a time, while appends go on. After a break the log refuses writes, and reads go on. */
export class LogVerifications {
  readonly #deps: LogVerificationsDeps;
  readonly #closing = new AbortController();
  #latest: LogVerification | undefined;
  #running: Promise<LogVerification> | undefined;
  #damage: KnownBreak | undefined;
  /** Up to here the chain was walked from its first event, in this process. */
  #verified = 0n;
  #extending: Promise<void> | undefined;

  constructor(deps: LogVerificationsDeps) {
    this.#deps = deps;
    // What is on record where there is no chain was of another log, before this one.
    this.#latest = deps.administration === undefined ? undefined : deps.state.get().lastVerification;
    // Met by the opening of the log: the next one must know of it too, whatever its own look covers.
    if (this.damage !== undefined) this.#record(this.damage);
  }

  /** The one that runs, or the last one, also of an earlier process. */
  get latest(): LogVerification | undefined {
    return this.#latest;
  }

  /** The first break that is known, whoever found it. One that was put right since refuses no less until the next start. */
  get damage(): KnownBreak | undefined {
    return this.#damage ?? this.#deps.administration?.health().damage;
  }

  /**
   * Somebody else has met a break at a position, or what looks like one (undefined: nobody knows where). The log looks there for itself at once, which ends
   * writes when it is so, and then at the whole chain. Resolves after the first look; never rejects.
   */
  async look(position: bigint | undefined): Promise<void> {
    const { administration } = this.#deps;
    if (administration === undefined || this.#closing.signal.aborted || (this.damage !== undefined && this.damage.isMended !== true)) return;
    const found = position !== undefined && position > 0n ? await this.#breakFrom(administration, position) : undefined;
    if (found !== undefined) this.#note(found);
    this.#startIfIdle();
  }

  /** To be called every few seconds: a break that the log has met by itself, while it was written, goes on record, and the whole chain is walked. */
  watch(): void {
    const found = this.#deps.administration?.health().damage;
    if (found === undefined || found.isMended === true || this.#damage !== undefined || this.#closing.signal.aborted) return;
    this.#note(found);
    this.#startIfIdle();
  }

  /**
   * Holds what stands at one position now against its hash: gives the break there, undefined where it fits, or where there is no chain of ours. One that nobody
   * knew of ends writes, as wherever it is met.
   */
  async breakAt(position: bigint): Promise<ChainBreak | undefined> {
    const { administration } = this.#deps;
    if (administration === undefined || this.#closing.signal.aborted || position <= 0n) return undefined;
    const known = this.damage;
    const found = await this.#breakFrom(administration, position);
    if (found !== undefined && (known === undefined || known.isMended === true)) {
      this.#note(found);
      this.#startIfIdle();
    }
    return found?.position === position ? found : undefined;
  }

  /**
   * Resolves when the chain is walked up to a position, and the read model is of that chain. What this process has walked before is not walked again.
   * @throws DomainError `unavailable` naming the position where the log is damaged, wherever that is, or was when the read model may have been made
   */
  async expectWhole(until: bigint, refused: string): Promise<void> {
    const { administration } = this.#deps;
    if (administration === undefined) return;
    for (;;) {
      const { damage } = this;
      if (damage !== undefined) throw logDamaged(damage, refused);
      const doubt = this.#deps.doubt?.();
      if (doubt !== undefined) throw new DomainError('unavailable', `${doubt}. Until then ${refused}.`, { retryAfter: 60 });
      if (this.#verified >= until) return;
      const before = this.#verified;
      // A walk that others wait for may not reach as far.
      const found = await (this.#running ?? (this.#extending ??= this.#extend(administration)));
      const isStuck = found?.state === 'failed' || (found === undefined && this.#verified === before);
      if (isStuck && this.damage === undefined)
        throw new DomainError('unavailable', 'The log could not be verified. Please try again soon.', { retryAfter: 2 });
    }
  }

  get isPossible(): boolean {
    return this.#deps.administration !== undefined;
  }

  /** Settles with the one that runs, when it has ended. */
  async ended(): Promise<LogVerification | undefined> {
    await this.#running;
    return this.#latest;
  }

  /** @throws DomainError `conflict` while one runs, or where the log keeps no chain of ours */
  start(): LogVerification {
    const { administration } = this.#deps;
    if (administration === undefined) throw conflict(`${this.#deps.absence ?? 'This log keeps no hash chain'}.`);
    if (this.#running !== undefined) throw conflict('The log is being verified');
    const begun: LogVerification = {
      state: 'running',
      startedAt: new Date(this.#deps.clock.now()).toISOString(),
      endedAt: null,
      events: 0,
      erased: 0,
      position: '0',
      head: '0',
      ratePerSecond: 0,
      secondsLeft: null,
      firstBreak: null,
      error: null,
    };
    this.#latest = begun;
    this.#running = this.#run(administration, begun);
    return begun;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.allSettled([this.#running, this.#extending]);
  }

  #startIfIdle(): void {
    if (this.#running === undefined && !this.#closing.signal.aborted) this.start();
  }

  /** The break that a walk from a position meets at once; one that gets beyond its first page is given up. Never rejects. */
  async #breakFrom(administration: Pick<LogAdministration, 'verifyChain'>, position: bigint): Promise<ChainBreak | undefined> {
    const enough = new AbortController();
    const signal = AbortSignal.any([enough.signal, this.#closing.signal]);
    try {
      return (await administration.verifyChain(position, ({ events }) => void (events > 0 && enough.abort()), signal)).firstBreak;
    } catch (error) {
      if (!signal.aborted) this.#deps.logger.error('the log could not be looked at', error);
      return undefined;
    }
  }

  /** Puts a break on record at once: the walk that would do so at its end may be killed before. */
  #record({ position, reason, seen }: ChainBreak): void {
    const { state, logger } = this.#deps;
    const known = recordedBreakOf(state.get());
    if (state.get().damage !== undefined && known?.position === position && known.reason === reason) return;
    try {
      state.change({ damage: { position: position.toString(), reason, ...(seen !== undefined && { seen: seen.toString() }) } });
    } catch (error) {
      logger.error('the damage was not noted: the next start does not know of it', error);
    }
  }

  #note(firstBreak: ChainBreak): void {
    if (this.#damage === undefined || this.#damage.isMended === true) this.#damage = firstBreak;
    this.#record(firstBreak);
    this.#deps.logger.error('the log is damaged: nothing is written any more', new Error(firstBreak.reason), { position: firstBreak.position.toString() });
  }

  /**
   * The chain leaves room for an erasure, which takes details out of it. An erasure destroys the key first and records its fact last: details that are gone
   * while the key stands and no fact tells of it were taken by somebody else. Ends writes.
   */
  async #withTaken(administration: Administration, report: ChainReport): Promise<ChainReport> {
    const { hasKey = () => false } = this.#deps;
    const taken = report.untold?.find(({ personId }) => hasKey(personId));
    if (taken === undefined) return report;
    const firstBreak: ChainBreak = { position: taken.position, reason: `the details of person-${taken.personId} are gone, and nobody has erased them` };
    await administration.refuse(firstBreak);
    return { events: Number(taken.position) - 1, erased: report.erased, firstBreak };
  }

  /** Walks what was recorded since the last walk. */
  async #extend(administration: Pick<LogAdministration, 'verifyChain'>): Promise<void> {
    try {
      let reached = this.#verified;
      const { firstBreak } = await administration.verifyChain(this.#verified + 1n, ({ position }) => void (reached = position), this.#closing.signal);
      if (firstBreak === undefined) {
        if (reached > this.#verified) this.#verified = reached;
        return;
      }
      this.#note(firstBreak);
      // For the record that people see.
      this.#startIfIdle();
    } finally {
      this.#extending = undefined;
    }
  }

  /** Never rejects. */
  async #run(administration: Administration, begun: LogVerification): Promise<LogVerification> {
    const { clock, logger, state } = this.#deps;
    const started = clock.monotonic();
    let latest = begun;
    const known = this.damage;
    const note = (change: Partial<LogVerification>): void => {
      latest = { ...latest, ...change };
      this.#latest = latest;
    };
    const pace = (events: number): number => Math.round(events / Math.max(0.001, (clock.monotonic() - started) / 1000));
    try {
      const walked = await administration.verifyChain(
        1n,
        ({ events, position, head }) => {
          const ratePerSecond = pace(events);
          note({
            events,
            position: position.toString(),
            head: head.toString(),
            ratePerSecond,
            secondsLeft: ratePerSecond === 0 ? null : Math.round((Number(head - position) / ratePerSecond) * 10) / 10,
          });
        },
        this.#closing.signal,
      );
      const report = await this.#withTaken(administration, walked);
      const { events, erased } = report;
      const reached = BigInt(latest.position);
      // One that this walk has passed is gone: the file was mended, as the log itself says in its refusal now. One at the file itself (0), or beyond its end,
      // no walk can pass.
      const isHealed =
        report.firstBreak === undefined && known !== undefined && this.damage?.position === known.position && known.position > 0n && known.position <= reached;
      // What somebody else has met meanwhile, behind this walk, is no less of a break.
      const firstBreak = report.firstBreak ?? (isHealed ? undefined : this.damage);
      if (firstBreak === undefined && reached > this.#verified) this.#verified = reached;
      note({
        state: firstBreak === undefined ? 'whole' : 'broken',
        events,
        erased,
        ratePerSecond: pace(events),
        firstBreak: firstBreak === undefined ? null : { position: firstBreak.position.toString(), reason: firstBreak.reason },
        // This process has seen the file change under it: what it remembers of it may be of before.
        error: isHealed ? mendedText(known.position) : null,
      });
      if (isHealed) this.#damage = { ...known, isMended: true };
      if (firstBreak === undefined) logger.info('the log was verified', { count: events });
      else this.#note(firstBreak);
    } catch (error) {
      if (this.#closing.signal.aborted) note({ state: 'stopped' });
      else {
        logger.error('the log could not be verified', error);
        note({ state: 'failed', error: messageOf(error) });
      }
    }
    note({ endedAt: new Date(clock.now()).toISOString(), secondsLeft: null });
    this.#running = undefined;
    try {
      const isWhole = latest.state === 'whole';
      // Only a whole walk says that a break is gone. One that could not be put on record is no less of one.
      const gone = isWhole ? (recordedBreakOf(state.get()) ?? (known?.isMended === true ? undefined : known)) : undefined;
      // One write: a process that is killed after it must leave the next one the debt as well.
      if (latest.state !== 'stopped')
        state.change({
          lastVerification: latest,
          ...(isWhole && { damage: undefined }),
          ...(gone !== undefined && { owedRemake: { position: gone.position.toString() } }),
        });
      if (gone !== undefined) this.#deps.onHealed?.();
    } catch (error) {
      // A full disk must not hide what was found.
      logger.error('the verification was not noted', error);
    }
    return latest;
  }
}
