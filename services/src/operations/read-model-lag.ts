import type { OperationsStatus } from '@courtledger/contracts/operations/operations.answers';
import { LogUnavailable } from '../event-log/event-log.ts';
import type { Clock } from '../platform/ports.ts';
import type { Store } from '../platform/store.ts';

/** Events that are counted at most when the lag is asked for. */
const mostLag = 1000;

/** `position`: of the read model, as it was when the log was asked: a later one would stand beyond the head. */
type Lag = Pick<OperationsStatus['readModel'], 'lagEvents' | 'lagMore' | 'lagSeconds'> & { readonly head: bigint; readonly position: bigint };
type LagStore = Pick<Store, 'log' | 'reads' | 'head' | 'refusal'>;

/** How far the read model is behind the log. */
export class ReadModelLag {
  readonly #store: LagStore;
  readonly #clock: Pick<Clock, 'now'>;
  /** What the log last told. */
  #last: (Lag & { readonly asOf: string }) | undefined;

  constructor(store: LagStore, clock: Pick<Clock, 'now'>) {
    this.#store = store;
    this.#clock = clock;
  }

  /** As the log says it now; as it last did while it does not answer, with the reason. */
  async measure(): Promise<Lag & Pick<OperationsStatus['readModel'], 'lagUnknown'>> {
    try {
      this.#last = { ...(await this.#ask()), asOf: new Date(this.#clock.now()).toISOString() };
      return { ...this.#last, lagUnknown: null };
    } catch (error) {
      if (!(error instanceof LogUnavailable)) throw error;
      // An operator asks most of all when something is wrong: what is known is told.
      const head = this.#store.head();
      const position = this.#store.reads.position();
      // "Up to date" is not told of a read model that is behind what this process itself has heard of since.
      const measured = this.#last?.lagEvents === 0 && head > position ? undefined : this.#last;
      return {
        head,
        position,
        lagEvents: measured?.lagEvents ?? 0,
        lagMore: measured?.lagMore ?? false,
        lagSeconds: measured?.lagSeconds ?? 0,
        lagUnknown: { reason: this.#store.refusal() ?? error.message, asOf: measured?.asOf ?? null },
      };
    }
  }

  async #ask(): Promise<Lag> {
    const found = await this.#store.log.head();
    const head = found === 'start' ? 0n : found;
    const position = this.#store.reads.position();
    if (head <= position) return { head, position, lagEvents: 0, lagMore: false, lagSeconds: 0 };
    const waiting = await this.#store.log.readAll(position === 0n ? 'start' : position, mostLag);
    const [first] = waiting;
    return {
      head,
      position,
      lagEvents: waiting.length,
      lagMore: waiting.length === mostLag,
      lagSeconds: first === undefined ? 0 : Math.max(0, (this.#clock.now() - Date.parse(first.time)) / 1000),
    };
  }
}
