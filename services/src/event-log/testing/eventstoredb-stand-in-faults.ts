import { type CallError, commitTimeout, tooSlow } from './eventstoredb-stand-in-values.ts';

/** What can befall the next append: the connection is cut when the call arrives, between its events, or after the events were stored and before the answer. */
export type AppendFault = 'cut-before' | 'cut-during' | 'stored-not-answered';

/** A subscription that has caught up. */
export type LiveSubscription = { fail(error: CallError): void; end(): void };

/** An append that was received and is kept from being stored. */
export type HeldAppend = { readonly arrived: Promise<void>; release(): void };

type Held = { readonly arrive: () => void; readonly released: Promise<void> };

/** The faults of the stand-in that its services look at; those of the connection are in the front. */
export class StandInFaults {
  /** Every call but the list of features is answered with 'Server Is Not Ready'. */
  notReady = false;
  /** Live subscriptions stay open and are given nothing. */
  withholdLive = false;
  /** After how many ms an append whose ids are still in flight is answered (2 to 3 s on the real server). */
  commitTimeoutMs = 2000;
  /** Appends that arrived, that were stored, and retries that overtook their original, since the start. */
  readonly seen = { appends: 0, stored: 0, overtaken: 0 };
  private readonly live = new Set<LiveSubscription>();
  private readonly onNoneLive: (() => void)[] = [];
  private readonly next: AppendFault[] = [];
  private held: Held | undefined;
  private readonly inFlight = new Set<string>();

  /** The next `times` appends meet this fault. */
  onNextAppends(fault: AppendFault, times = 1): void {
    for (let i = 0; i < times; i += 1) this.next.push(fault);
  }

  /** The next append is received, but neither stored nor answered until it is released; whoever repeats it meanwhile has overtaken it. */
  holdNextAppend(): HeldAppend {
    const arrived = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    this.held = { arrive: arrived.resolve, released: released.promise };
    return { arrived: arrived.promise, release: released.resolve };
  }

  /** Ends every live subscription as the server ends a consumer that is too slow. Returns how many. */
  dropLiveConsumers(): number {
    const subscriptions = [...this.live];
    for (const subscription of subscriptions) subscription.fail(tooSlow());
    return subscriptions.length;
  }

  /** Ends every live subscription without an error. Returns how many. */
  endLiveSubscriptions(): number {
    const subscriptions = [...this.live];
    for (const subscription of subscriptions) subscription.end();
    return subscriptions.length;
  }

  /** Resolves when no subscription is live. */
  async noneLive(): Promise<void> {
    if (this.live.size > 0) await new Promise<void>((resolve) => this.onNoneLive.push(resolve));
  }

  wentLive(subscription: LiveSubscription): void {
    this.live.add(subscription);
  }

  ended(subscription: LiveSubscription): void {
    this.live.delete(subscription);
    if (this.live.size === 0) for (const resolve of this.onNoneLive.splice(0)) resolve();
  }

  takeAppendFault(): AppendFault | undefined {
    this.seen.appends += 1;
    return this.next.shift();
  }

  /** Waits while an append is held; gives an error when the same ids are in flight already. */
  async pass(key: string): Promise<CallError | undefined> {
    if (this.inFlight.has(key)) {
      this.seen.overtaken += 1;
      await new Promise<void>((resolve) => {
        setTimeout(resolve, this.commitTimeoutMs);
      });
      return commitTimeout();
    }
    const held = this.held;
    if (!held) return undefined;
    this.held = undefined;
    this.inFlight.add(key);
    held.arrive();
    await held.released;
    this.inFlight.delete(key);
    return undefined;
  }
}
