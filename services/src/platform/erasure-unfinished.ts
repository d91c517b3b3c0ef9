import { personStream } from '@courtledger/contracts/player/person.events';
import type { CommandContext } from './call.ts';
import type { CommandHandler } from './command-handler.ts';
import type { ErasureFailures } from './erasure-failures.ts';
import type { ErasureLedger } from './erasure-ledger.ts';
import type { ErasureStanding, NotedErasure } from './erasure-standing.ts';
import type { ErasureSteps, ErasureStepsDeps } from './erasure-steps.ts';
import type { PersonVault } from './ports.ts';

type UnfinishedDeps = Pick<ErasureStepsDeps, 'refusal'> & {
  readonly commands: Pick<CommandHandler, 'inTurn'>;
  readonly vault: Pick<PersonVault, 'refusal'>;
  readonly ledger: ErasureLedger;
  readonly standing: ErasureStanding;
  readonly failures: ErasureFailures;
  readonly steps: ErasureSteps;
};

/** What becomes of a person whose fact a log that refuses does not take: they are not shown all the same, or everything waits for the log. */
export type WhenRefused = 'hide' | 'wait';

const waitsForLog =
  'This folder has known the log for less than a day, and it may be a wrong one: until then no key is destroyed for an erasure that was asked for elsewhere';

/** Ends the erasures that were begun and are not ended: here, at another node, or in a past that the log has lost. */
export class UnfinishedErasures {
  readonly #deps: UnfinishedDeps;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(deps: UnfinishedDeps) {
    this.#deps = deps;
  }

  /** Notes what the read model tells of since. */
  takeUp(): void {
    const { standing, failures } = this.#deps;
    try {
      standing.takeUp();
      failures.forget('');
    } catch (error) {
      failures.note(error, '');
    }
  }

  /** Looks into the log for what no read model can tell. */
  async askLog(): Promise<void> {
    const { standing, failures } = this.#deps;
    try {
      await standing.askLog();
      failures.forget('log');
    } catch (error) {
      failures.note(error, 'log');
    }
  }

  /** Gives how many were erased again. One at a time: the minute and the hour may come together. */
  async finish(context: () => CommandContext, refused: WhenRefused): Promise<number> {
    const mine = this.#turn.then(async () => this.#finish(context, refused));
    this.#turn = mine.catch(() => undefined);
    return mine;
  }

  async #finish(context: () => CommandContext, refused: WhenRefused): Promise<number> {
    const { ledger, standing, failures, steps } = this.#deps;
    const ended: NotedErasure[] = [];
    const held: NotedErasure[] = [];
    let again = 0;
    for (const entry of ledger.all()) {
      const { personId } = entry;
      if (this.#isPassedOver(entry, refused)) continue;
      if (standing.waitsForLog(entry)) {
        failures.wait(personId, waitsForLog);
        held.push(entry);
        continue;
      }
      try {
        const done = await this.#end(entry, context);
        if (done.again) again += 1;
        if (done.toClean !== undefined) ended.push(done.toClean);
      } catch (error) {
        failures.note(error, personId);
        if (!standing.isFactLost(entry)) held.push(entry);
      }
    }
    await steps.hide(held);
    await this.#cleanAfter(ended);
    return again;
  }

  #isPassedOver(entry: NotedErasure, refused: WhenRefused): boolean {
    const { standing, vault } = this.#deps;
    const waits = refused === 'wait' && !standing.isRecorded(entry.personId) && this.#deps.refusal() !== undefined;
    return !standing.isPending(entry) || waits || vault.refusal() !== undefined;
  }

  /** In the turn of whoever changes the person. `toClean`: of whom this node may still have something. */
  async #end(entry: NotedErasure, context: () => CommandContext): Promise<{ readonly again: boolean; readonly toClean?: NotedErasure }> {
    const { commands, ledger, standing, steps } = this.#deps;
    const { personId } = entry;
    return commands.inTurn(personStream(personId), async () => {
      const now = ledger.all().find((one) => one.personId === personId) ?? entry;
      if (!standing.isPending(now)) return { again: false };
      if (standing.isFactLost(now)) {
        await steps.recordAgain(now, context());
        return { again: true };
      }
      const again = !standing.isRecorded(personId);
      if (again) await steps.destroyAndRecord(personId, now, context());
      return { again, toClean: now };
    });
  }

  async #cleanAfter(ended: readonly NotedErasure[]): Promise<void> {
    const { ledger, failures, steps } = this.#deps;
    if (ended.length === 0) return;
    const ids = ended.map(({ personId }) => personId);
    try {
      await steps.clean(ended);
      ledger.finish(...ids);
      failures.forget(...ids);
    } catch (error) {
      failures.note(error, ...ids);
    }
  }
}
