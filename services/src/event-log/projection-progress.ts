import type { Projected } from './projector-port.ts';

type Waiter = { readonly position: bigint; readonly reached: () => void };

/** How far the read model is, and who waits for it. */
export class ProjectionProgress {
  readonly #listeners = new Set<(projected: Projected) => void>();
  readonly #waiters = new Set<Waiter>();
  #projected: Projected = { position: 0n, parked: 0, accountChanges: 0n };

  get projected(): Projected {
    return this.#projected;
  }

  advance(projected: Projected): void {
    const before = this.#projected;
    if (
      before.position === projected.position &&
      before.parked === projected.parked &&
      before.accountChanges === projected.accountChanges &&
      before.error === projected.error
    )
      return;
    this.#projected = projected;
    for (const listener of this.#listeners) listener(projected);
    for (const waiter of this.#waiters) if (waiter.position <= projected.position) waiter.reached();
  }

  /** Calls `listener` after each change until the returned function is called. */
  listen(listener: (projected: Projected) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** True as soon as the position is reached, false after `timeout` ms without. */
  async reached(position: bigint, timeout: number): Promise<boolean> {
    if (position <= this.#projected.position) return true;
    return new Promise<boolean>((resolve) => {
      const settle = (answer: boolean): void => {
        clearTimeout(timer);
        this.#waiters.delete(waiter);
        resolve(answer);
      };
      const waiter: Waiter = { position, reached: () => settle(true) };
      const timer = setTimeout(() => settle(false), timeout);
      this.#waiters.add(waiter);
    });
  }
}
