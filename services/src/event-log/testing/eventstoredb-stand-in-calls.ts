/** As the server's own default. */
const CALLS_PER_CONNECTION = 100;

/** What the limit has to know of a call. */
type LimitedCall = { getPeer(): string; once(event: 'cancelled' | 'finish' | 'error', listener: () => void): unknown };

/**
 * The calls of each connection: the 101st waits, without a word, until one of the others has ended. (HTTP/2's own limit is not used: Node's server
 * refuses a call that comes in the moment another ends.)
 */
export class StandInCalls {
  private readonly open = new Map<string, number>();
  private readonly waiting = new Map<string, (() => void)[]>();

  /** Starts a call when there is room. It ends when it is cancelled, when all was written, with an error, or when `done` is called. */
  start(call: LimitedCall, begin: (done: () => void) => void): void {
    const peer = call.getPeer();
    let over = false;
    let begun = false;
    const done = (): void => {
      if (over) return;
      over = true;
      if (begun) this.release(peer);
    };
    for (const event of ['cancelled', 'finish', 'error'] as const) call.once(event, done);
    const enter = (): void => {
      if (over) {
        this.next(peer);
        return;
      }
      begun = true;
      this.open.set(peer, (this.open.get(peer) ?? 0) + 1);
      begin(done);
    };
    if ((this.open.get(peer) ?? 0) < CALLS_PER_CONNECTION) enter();
    else this.waiting.set(peer, [...(this.waiting.get(peer) ?? []), enter]);
  }

  private release(peer: string): void {
    const left = (this.open.get(peer) ?? 1) - 1;
    if (left === 0) this.open.delete(peer);
    else this.open.set(peer, left);
    this.next(peer);
  }

  private next(peer: string): void {
    const [first, ...rest] = this.waiting.get(peer) ?? [];
    if (rest.length === 0) this.waiting.delete(peer);
    else this.waiting.set(peer, rest);
    first?.();
  }
}
