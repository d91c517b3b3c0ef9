import { DomainError, conflict } from '@courtledger/contracts/kernel/errors';
import type { LogVerification } from '@courtledger/contracts/operations/operations.answers';
import type { LogAdministration } from '../event-log/log-administration.ts';
import type { ChainBreak } from '../event-log/verify-chain.ts';
import type { Logger } from '../platform/logger.ts';
import type { Clock } from '../platform/ports.ts';
import { recordedBreakOf, type StateFile } from './operations-state.ts';

export type LogVerificationsDeps = { readonly administration: Pick<LogAdministration, 'verifyChain' | 'health'> | undefined; readonly state: StateFile; readonly clock: Clock; readonly logger: Logger; /** A break that was on record is gone. */ readonly onHealed?: () => void };

/** What is refused of a damaged log. Only the place is told: the rest may be words of the library. */
export const logDamaged = ({ position }: ChainBreak, refused: string): DomainError => new DomainError('unavailable', `The log is damaged at position ${position.toString()}: ${refused}. Restore a backup.`, { retryAfter: 60 });

/** Verifications of the whole hash chain, one at a time, while appends go on. After a break the log refuses writes, and reads go on. */
export class LogVerifications {
  readonly #deps: LogVerificationsDeps;
  readonly #closing = new AbortController();
  #latest: LogVerification | undefined;
  #running: Promise<LogVerification> | undefined;
  #damage: ChainBreak | undefined;
  /** Up to here the chain was walked from its first event, in this process. */
  #verified = 0n;
  #extending: Promise<void> | undefined;

  constructor(deps: LogVerificationsDeps) {
    this.#deps = deps;
    this.#latest = deps.state.get().lastVerification;
    // Met by the opening of the log: the next one must know of it too, whatever its own look covers.
    if (this.damage !== undefined) this.#record(this.damage);
  }

  /** The one that runs, or the last one, also of an earlier process. */
  get latest(): LogVerification | undefined {
    return this.#latest;
  }

  /** The first break that is known, whoever found it. */
  get damage(): ChainBreak | undefined {
    return this.#damage ?? this.#deps.administration?.health().damage;
  }

  /**
   * Somebody else has met a break at a position, or what looks like one (undefined: nobody knows where). The log looks there for itself at once, which ends writes when it is so, and then at the whole chain.
   * Resolves after the first look; never rejects.
   */
  async look(position: bigint | undefined): Promise<void> {
    const { administration } = this.#deps;
    if (administration === undefined || this.#closing.signal.aborted || this.damage !== undefined) return;
    if (position !== undefined && position > 0n) await this.#lookAt(administration, position);
    this.#startIfIdle();
  }

  /**
   * Resolves when the chain is walked up to a position. What this process has walked before is not walked again.
   * @throws DomainError `unavailable` naming the position where the log is damaged, wherever that is
   */
  async expectWhole(until: bigint, refused: string): Promise<void> {
    const { administration } = this.#deps;
    if (administration === undefined) return;
    for (;;) {
      const { damage } = this;
      if (damage !== undefined) throw logDamaged(damage, refused);
      if (this.#verified >= until) return;
      const before = this.#verified;
      // oxlint-disable-next-line no-await-in-loop -- a walk that others wait for may not reach as far
      const found = await (this.#running ?? (this.#extending ??= this.#extend(administration)));
      const isStuck = found?.state === 'failed' || (found === undefined && this.#verified === before);
      if (isStuck && this.damage === undefined) throw new DomainError('unavailable', 'The log could not be verified. Please try again soon.', { retryAfter: 2 });
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
    if (administration === undefined) throw conflict('This log is kept by EventStoreDB or in memory: it has no hash chain to verify');
    if (this.#running !== undefined) throw conflict('The log is being verified');
    const begun: LogVerification = {
      state: 'running', startedAt: new Date(this.#deps.clock.now()).toISOString(), endedAt: null, events: 0, erased: 0, position: '0', head: '0', ratePerSecond: 0, secondsLeft: null, firstBreak: null, error: null,
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

  /** Whether the break is at that very position; a walk that gets beyond it is given up. Never rejects. */
  async #lookAt(administration: Pick<LogAdministration, 'verifyChain'>, position: bigint): Promise<void> {
    const enough = new AbortController();
    const signal = AbortSignal.any([enough.signal, this.#closing.signal]);
    try {
      const { firstBreak } = await administration.verifyChain(position, ({ events }) => void (events > 0 && enough.abort()), signal);
      if (firstBreak !== undefined) this.#note(firstBreak);
    } catch (error) {
      if (!signal.aborted) this.#deps.logger.error('the log could not be looked at', error);
    }
  }

  /** Puts a break on record at once: the walk that would do so at its end may be killed before. */
  #record({ position, reason }: ChainBreak): void {
    const { state, logger } = this.#deps;
    const known = recordedBreakOf(state.get());
    if (state.get().damage !== undefined && known?.position === position && known.reason === reason) return;
    try {
      state.change({ damage: { position: position.toString(), reason } });
    } catch (error) {
      logger.error('the damage was not noted: the next start does not know of it', error);
    }
  }

  #note(firstBreak: ChainBreak): void {
    this.#damage ??= firstBreak;
    this.#record(firstBreak);
    this.#deps.logger.error('the log is damaged: nothing is written any more', new Error(firstBreak.reason), { position: firstBreak.position.toString() });
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
  async #run(administration: Pick<LogAdministration, 'verifyChain'>, begun: LogVerification): Promise<LogVerification> {
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
      const report = await administration.verifyChain(
        1n,
        ({ events, position, head }) => {
          const ratePerSecond = pace(events);
          note({ events, position: position.toString(), head: head.toString(), ratePerSecond, secondsLeft: ratePerSecond === 0 ? null : Math.round((Number(head - position) / ratePerSecond) * 10) / 10 });
        },
        this.#closing.signal,
      );
      const { events, erased } = report;
      const reached = BigInt(latest.position);
      // One that this walk has passed is gone: the file was mended. One at the file itself (0), or beyond its end, no walk can pass.
      const isHealed = report.firstBreak === undefined && known !== undefined && this.damage?.position === known.position && known.position > 0n && known.position <= reached;
      // What somebody else has met meanwhile, behind this walk, is no less of a break.
      const firstBreak = report.firstBreak ?? (isHealed ? undefined : this.damage);
      if (firstBreak === undefined && reached > this.#verified) this.#verified = reached;
      note({
        state: firstBreak === undefined ? 'whole' : 'broken', events, erased, ratePerSecond: pace(events),
        firstBreak: firstBreak === undefined ? null : { position: firstBreak.position.toString(), reason: firstBreak.reason },
        // This process has seen the file change under it: what it remembers of it may be of before.
        error: isHealed ? `Position ${known.position.toString()} was damaged and fits now. Writes are taken again from the next start of the server on` : null,
      });
      if (firstBreak === undefined) logger.info('the log was verified', { count: events });
      else this.#note(firstBreak);
    } catch (error) {
      if (this.#closing.signal.aborted) note({ state: 'stopped' });
      else {
        logger.error('the log could not be verified', error);
        note({ state: 'failed', error: error instanceof Error ? error.message : String(error) });
      }
    }
    note({ endedAt: new Date(clock.now()).toISOString(), secondsLeft: null });
    this.#running = undefined;
    try {
      // Only a whole walk says that a break is gone.
      const isGone = latest.state === 'whole' && recordedBreakOf(state.get()) !== undefined;
      if (latest.state !== 'stopped') state.change({ lastVerification: latest, ...(latest.state === 'whole' && { damage: undefined }) });
      if (isGone) this.#deps.onHealed?.();
    } catch (error) {
      // A full disk must not hide what was found.
      logger.error('the verification was not noted', error);
    }
    return latest;
  }
}
