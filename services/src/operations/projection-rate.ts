import type { Clock } from '../platform/ports.ts';
import type { Store } from '../platform/store.ts';

const minute = 60_000;
const sampleEvery = 5000;

/** Where the read model was, and when (milliseconds of the monotonic clock). */
type Sample = { readonly at: number; readonly position: bigint };

/** How many events are projected a second: where the read model was is noted every few seconds, and counted from the oldest note of the last minute. */
export class ProjectionRate {
  readonly #store: Pick<Store, 'reads' | 'reader'>;
  readonly #clock: Pick<Clock, 'monotonic'>;
  #samples: Sample[];
  #sampler: NodeJS.Timeout | undefined;

  constructor(store: Pick<Store, 'reads' | 'reader'>, clock: Pick<Clock, 'monotonic'>) {
    this.#store = store;
    this.#clock = clock;
    this.#samples = [this.#sample()];
  }

  start(): void {
    this.#sampler ??= setInterval(() => {
      const latest = this.#sample();
      this.#samples = [...this.#samples.filter(({ at }) => latest.at - at <= minute), latest];
    }, sampleEvery).unref();
  }

  stop(): void {
    clearInterval(this.#sampler);
  }

  perSecond(): number {
    const [oldest] = this.#samples;
    const { at, position } = this.#sample();
    const seconds = oldest === undefined ? 0 : (at - oldest.at) / 1000;
    if (oldest === undefined || seconds < 1 || oldest.position === position) return 0;
    const events = Number(this.#store.reader().text('SELECT count(*) FROM ledger WHERE position > ?', oldest.position) ?? 0);
    return Math.round((events / seconds) * 10) / 10;
  }

  #sample(): Sample {
    return { at: this.#clock.monotonic(), position: this.#store.reads.position() };
  }
}
