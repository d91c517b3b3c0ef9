import { conflict } from '@courtledger/contracts/kernel/errors';
import type { LogVerification } from '@courtledger/contracts/operations/operations.answers';
import type { LogAdministration } from '../event-log/log-administration.ts';
import type { Logger } from '../platform/logger.ts';
import type { Clock } from '../platform/ports.ts';
import type { StateFile } from './operations-state.ts';

export type LogVerificationsDeps = { readonly administration: Pick<LogAdministration, 'verifyChain'> | undefined; readonly state: StateFile; readonly clock: Clock; readonly logger: Logger };

/** Verifications of the whole hash chain, one at a time, while appends go on. After a break the log refuses writes, and reads go on. */
export class LogVerifications {
  readonly #deps: LogVerificationsDeps;
  readonly #closing = new AbortController();
  #latest: LogVerification | undefined;
  #running: Promise<LogVerification> | undefined;

  constructor(deps: LogVerificationsDeps) {
    this.#deps = deps;
    this.#latest = deps.state.get().lastVerification;
  }

  /** The one that runs, or the last one, also of an earlier process. */
  get latest(): LogVerification | undefined {
    return this.#latest;
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
    await this.#running;
  }

  /** Never rejects. */
  async #run(administration: Pick<LogAdministration, 'verifyChain'>, begun: LogVerification): Promise<LogVerification> {
    const { clock, logger, state } = this.#deps;
    const started = clock.monotonic();
    let latest = begun;
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
      const { events, erased, firstBreak } = report;
      note({
        state: firstBreak === undefined ? 'whole' : 'broken', events, erased, ratePerSecond: pace(events),
        firstBreak: firstBreak === undefined ? null : { position: firstBreak.position.toString(), reason: firstBreak.reason },
      });
      if (firstBreak === undefined) logger.info('the log was verified', { count: events });
      else logger.error('the log is damaged: nothing is written any more', new Error(firstBreak.reason), { position: firstBreak.position.toString() });
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
      if (latest.state !== 'stopped') state.change({ lastVerification: latest });
    } catch (error) {
      // A full disk must not hide what was found.
      logger.error('the verification was not noted', error);
    }
    return latest;
  }
}
