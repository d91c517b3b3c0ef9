import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { DomainError } from '@courtledger/contracts/kernel/errors';
import type { RecordedEvent } from '@courtledger/contracts/kernel/event';
import { dumpReadModel } from '@courtledger/projections/kernel/dump';
import type { CommandContext } from '../../platform/call.ts';
import { systemContext } from '../../platform/command-context.ts';
import { seededRandom } from '../../event-log/testing/random.ts';
import { CommandMaker, type Deed } from './simulated-commands.ts';
import { SimulatedNode, type Sent } from './simulated-node.ts';
import { SimulatedDisk, hour, noFaults, someFaults, type Dice } from './simulated-ports.ts';
import { SeasonModel } from './season-model.ts';
import { SeasonRules, type Verdict } from './season-rules.ts';

/** One sending of a command: what the rules said of it at each moment while it was under way, and what came of it. */
type Flight = {
  readonly deed: Deed;
  readonly context: CommandContext;
  readonly verdicts: Verdict[];
  readonly wasStored: boolean;
  answer?: { readonly body: unknown; readonly position: bigint | undefined; readonly pending: boolean | undefined };
  refusal?: string;
  text?: string;
  done: boolean;
};

/** What a run was made of, to show that the dice meant it. */
export type Counts = {
  commands: number;
  again: number;
  acknowledged: number;
  refused: number;
  unknown: number;
  crashes: number;
  lostReadModels: number;
  /** Moves of entries that had been taken back and restored. */ movedAgain: number;
  /** Commands with numbers for a match of an earlier day that had some. */ late: number;
  events: number;
};

/** The last lines of a run, and its seed, are what a failure says. */
export class Violation extends Error {
  override readonly name = 'Violation';
}

/** Refusals by faults say nothing about the rules: nothing stored, or perhaps stored. */
const faulty: ReadonlySet<string> = new Set(['unavailable', 'outcome-unknown', 'simulated']);

/**
 * A season under a seed: commands of everybody, several at once, repeated, cut off by crashes and failing disks, through the real product over simulated ports.
 * While it runs every answer is held against a model of the rules: what is recorded must have been allowed at its place in the log, and what is refused must
 * have had a reason at some moment of its flight.
 */
export class SimulatedSeason {
  readonly disk: SimulatedDisk;
  readonly model = new SeasonModel();
  readonly maker: CommandMaker;
  readonly counts: Counts = {
    commands: 0,
    again: 0,
    acknowledged: 0,
    refused: 0,
    unknown: 0,
    crashes: 0,
    lostReadModels: 0,
    movedAgain: 0,
    late: 0,
    events: 0,
  };
  readonly #reversals = new Set<string | undefined>();
  readonly readModel: string;
  node: SimulatedNode;
  readonly #rules = new SeasonRules(this.model);
  readonly #dice: Dice;
  readonly #hash = createHash('sha256');
  readonly #trace: string[] = [];
  readonly #flights: Flight[] = [];
  /** Those under way in the present life. */
  #air: Flight[] = [];
  readonly #sent: Sent[] = [];
  readonly #byCommand = new Map<string, Flight>();
  /** Streams that a command has put something into. */
  readonly #streams = new Map<string, string[]>();
  /** Commands that are in the log with what they are about, not only with a half that nobody sees. */
  readonly #main = new Set<string>();
  /** Commands of this life that had nothing to do: repeated, they still have not. */
  readonly #idle = new Set<string>();
  #told = 0n;

  constructor(seed: number, folder: string) {
    const random = seededRandom(seed);
    this.#dice = (below) => Math.floor(random() * below);
    this.disk = new SimulatedDisk(this.#dice);
    this.maker = new CommandMaker(this.#dice, this.model);
    this.readModel = join(folder, 'live.sqlite');
    this.node = new SimulatedNode(this.disk, this.readModel);
  }

  get trace(): readonly string[] {
    return this.#trace;
  }

  /** Plants a small season without faults, then sends `commands` random ones among faults, then lets everything come to rest. */
  async run(commands: number): Promise<void> {
    await this.#plant();
    this.disk.faults = someFaults;
    let left = commands;
    const most = 1 + this.#dice(6);
    while (left > 0 || this.#air.length > 0) {
      const choice = this.#dice(100);
      // Commands do not last for days.
      if (this.#air.length === 0 && this.#dice(60) === 0) this.#pass(25 * hour);
      if (left > 0 && this.#air.length < most && (choice < 25 || this.#air.length === 0)) {
        left -= 1;
        this.#issue();
      } else if (choice < 30 && this.#air.length < most && this.#sent.length > 0) this.#again();
      else if (choice === 31 && this.#dice(3) === 0) await this.#crash();
      else await this.#step();
    }
    await this.#rest();
  }

  /** SHA-256 over everything that was done, answered and stored. */
  async traceHash(): Promise<string> {
    for (const event of await this.disk.log.readAll('start', 100_000))
      this.#hash.update(`${event.position} ${event.stream} ${event.revision} ${event.id} ${event.type} ${event.metadataText} ${JSON.stringify(event.data)}\n`);
    return this.#hash.update(dumpReadModel(this.readModel).sha256).digest('hex');
  }

  async #plant(): Promise<void> {
    const plant = async (sent: Sent): Promise<void> => {
      const flight = this.#fly({ sent });
      while (!flight.done) await this.#step();
    };
    const sides = 3 + this.#dice(2);
    for (let cup = 0; cup < 2; cup += 1) await plant(this.maker.createTournament());
    const cups = [...this.model.cups.keys()];
    for (let made = 0; made < sides; made += 1) {
      await plant(this.maker.registerTeam());
      const side = [...this.model.sides.values()].at(-1);
      if (side === undefined) throw new Violation('a team that was registered is not there');
      await plant(this.maker.appointCoach(side));
      for (let player = 1; player <= 4; player += 1) await plant(this.maker.addPlayer(side, String(player)));
      // The last one stays half-way.
      if (made < sides - 1) for (const cup of cups) await plant(this.maker.enterTeam(side, cup));
    }
    for (let game = 0; game < 2; game += 1) {
      const cup = this.model.cups.get(cups[game] ?? '');
      if (cup !== undefined) await plant(this.maker.assignMatch(cup.id, cup.teams));
    }
  }

  #note(line: string): void {
    this.#trace.push(line.slice(0, 400));
    this.#hash.update(`${line}\n`);
  }

  #issue(): void {
    this.disk.now += this.#dice(30) * 60_000;
    this.counts.commands += 1;
    const deed = this.maker.next();
    this.#fly(deed);
    if (deed.rival !== undefined) this.#fly({ sent: deed.rival });
    // A double click.
    if (deed.sent !== undefined && this.#dice(10) === 0) {
      this.counts.again += 1;
      this.#fly(deed);
    }
  }

  /** Somebody sends again what was sent before, under way or long done. */
  #again(): void {
    const sent = this.#sent.at(-1 - this.#dice(Math.min(this.#sent.length, 12)));
    if (sent === undefined) return;
    this.counts.again += 1;
    this.#fly({ sent });
  }

  #fly(deed: Deed): Flight {
    const { node } = this;
    const context =
      deed.sent === undefined
        ? { ...systemContext(this.disk.newId, this.disk.clock), actor: { role: 'operator', id: 'operator', name: 'Operator' } as const }
        : node.contextOf(deed.sent);
    if (deed.sent !== undefined) this.#sent.push(deed.sent);
    else this.model.begun.add(deed.erases);
    // Sent again while it is under way, a command is answered as the first one is: by how things stood since that one came.
    const known = this.#air.filter((other) => other.context.commandId === context.commandId).flatMap(({ verdicts }) => verdicts);
    const flight: Flight = { deed, context, verdicts: [...known], wasStored: this.#main.has(context.commandId), done: false };
    this.#judge(flight);
    const number = this.#flights.push(flight);
    this.#byCommand.set(context.commandId, this.#byCommand.get(context.commandId) ?? flight);
    this.#air.push(flight);
    this.#note(
      `${String(number)} > ${deed.sent === undefined ? `erase ${deed.erases}` : `${deed.sent.endpoint.name} ${JSON.stringify([deed.sent.caller.role, deed.sent.params, deed.sent.body])} ${deed.sent.key ?? ''}`}`,
    );
    void this.#carryOut(flight, number, node);
    return flight;
  }

  async #carryOut(flight: Flight, number: number, node: SimulatedNode): Promise<void> {
    const { deed, context } = flight;
    try {
      const answer = await (deed.sent === undefined ? this.#erase(deed.erases, context) : node.send(deed.sent, context));
      flight.answer = answer;
      // Read your writes: what is answered is shown on this node, or says that it is not.
      if (answer.pending === false && answer.position !== undefined && node.projector.position < answer.position)
        node.broken.push(new Violation(`${String(number)} was answered before it was projected`));
    } catch (error) {
      flight.text = String(error);
      if (error instanceof DomainError) flight.refusal = error.code;
      else if (error instanceof Error && error.message.startsWith('simulated')) flight.refusal = 'simulated';
      else node.broken.push(error);
    }
    // What a life that is over still says reaches nobody.
    if (this.node !== node) return;
    flight.done = true;
    this.#note(
      `${String(number)} < ${flight.text ?? `${JSON.stringify(flight.answer?.body)} ${String(flight.answer?.position)} ${String(flight.answer?.pending)}`}`,
    );
  }

  async #erase(personId: string, context: CommandContext): Promise<NonNullable<Flight['answer']>> {
    const { outcome } = await this.node.erasures.erase(personId, 'Asked for it', context);
    return { body: {}, position: outcome?.position, pending: outcome?.pending };
  }

  async #step(): Promise<void> {
    // Nobody waits for the world: then all are answered.
    const isLast = this.node.scheduler.isIdle;
    await this.node.scheduler.step();
    await this.#learn();
    if (isLast && this.node.scheduler.isIdle && this.#air.length > 0) throw new Violation(`${String(this.#air.length)} commands wait for ever`);
    if (this.node.isDead) await this.#crash();
  }

  /** Tells the model what the log has more, and checks what was answered. */
  async #learn(): Promise<void> {
    if (this.node.broken.length > 0) throw new Violation('something that nobody expected', { cause: this.node.broken[0] });
    const events = await this.disk.log.readAll(this.#told === 0n ? 'start' : this.#told, 1000);
    for (let from = 0; from < events.length;) {
      const first = events[from];
      if (first === undefined) break;
      const group = events
        .slice(from)
        .filter(
          (event, index) =>
            event.stream === first.stream && event.metadata.commandId === first.metadata.commandId && event.position === first.position + BigInt(index),
        );
      from += group.length;
      this.#told = group.at(-1)?.position ?? first.position;
      this.#record(first, group);
      for (const flight of this.#air) this.#judge(flight);
    }
    const landed = this.#air.filter(({ done }) => done);
    this.#air = this.#air.filter(({ done }) => !done);
    for (const flight of landed) this.#land(flight);
  }

  #judge(flight: Flight): void {
    const { deed } = flight;
    flight.verdicts.push(deed.sent === undefined ? this.#rules.judgeErasure(deed.erases) : this.#rules.judge(deed.sent));
  }

  /** What one command put into one stream, at its place in the log. */
  #record(first: RecordedEvent, group: readonly RecordedEvent[]): void {
    this.counts.events += group.length;
    for (const { type, data } of group) {
      if (type !== 'StatEntryReversed') continue;
      const { entryId, targetEntryId, movedToEntryId } = data as { readonly entryId: string; readonly targetEntryId: string; readonly movedToEntryId?: string };
      this.#reversals.add(entryId);
      if (movedToEntryId !== undefined && this.#reversals.has(targetEntryId)) this.counts.movedAgain += 1;
    }
    const { commandId } = first.metadata;
    const about = `${String(first.position)}: ${group.map(({ type }) => type).join(', ')} in ${first.stream}`;
    const streams = this.#streams.get(commandId) ?? [];
    if (streams.includes(first.stream)) throw new Violation(`${about} was recorded a second time`);
    this.#streams.set(commandId, [...streams, first.stream]);
    const flight = this.#byCommand.get(commandId);
    if (flight?.deed.sent === undefined) {
      for (const event of group) this.model.applyOwn(event, this.disk.now);
      return;
    }
    const { sent } = flight.deed;
    if (this.#isMain(sent, first.stream)) {
      this.#main.add(commandId);
      const { refusals } = this.#rules.judge(sent);
      // A retry that finds the person corrected does the rest, also when that person was erased meanwhile.
      const isRest = sent.endpoint.name.startsWith('correct') && streams.length > 0;
      if (refusals.length > 0 && !isRest) throw new Violation(`${about} was recorded although it is ${refusals.join(' and ')}`);
    }
    this.model.apply(sent, first.stream, group, Date.parse(first.time));
  }

  /** The stream whose rules a command is under; a person recorded before is a half that nobody sees yet. */
  #isMain({ endpoint }: Sent, stream: string): boolean {
    if (stream.startsWith('person-')) return false;
    return endpoint.name !== 'enterTeam' || stream.startsWith('tournament-');
  }

  #land(flight: Flight): void {
    const { deed, context, verdicts, refusal, answer, wasStored } = flight;
    const what = `${deed.sent?.endpoint.name ?? 'erase'} ${context.commandId}`;
    if (refusal !== undefined) {
      if (faulty.has(refusal)) {
        this.counts.unknown += 1;
        return;
      }
      this.counts.refused += 1;
      // A command about somebody who was erased since, or is half-way there, cannot be repeated; nor one about a player of a registration that expired.
      const about = [
        ...(this.#streams.get(context.commandId) ?? []).map((stream) => stream.slice('person-'.length)),
        deed.erases,
        deed.sent?.endpoint.name === 'correctPlayer' ? deed.sent.params['id'] : undefined,
      ];
      const isForgotten = about.some((personId) => personId !== undefined && this.disk.vault.state(personId) === 'destroyed');
      if (isForgotten && (refusal === 'conflict' || refusal === 'not-found')) return;
      // An entry that lost its second half, and whose team was then withdrawn and abandoned, cannot be completed any more.
      if (deed.sent?.endpoint.name === 'enterTeam' && refusal === 'conflict' && this.model.sides.get(String(deed.sent.body['teamId']))?.state === 'expired')
        return;
      if (wasStored) throw new Violation(`${what} was stored, and its repetition is refused: ${refusal}`);
      if (!verdicts.some(({ refusals, perhaps = [] }) => refusals.includes(refusal) || perhaps.includes(refusal)))
        throw new Violation(`${what} was refused without reason: ${flight.text ?? refusal}`);
      return;
    }
    if (answer === undefined) throw new Violation(`${what} has neither answer nor refusal`);
    this.counts.acknowledged += 1;
    if (answer.position !== undefined && answer.position > this.#told) throw new Violation(`${what} was answered with a position that nobody reached`);
    if (this.#streams.has(context.commandId)) return;
    // The housekeeping is half-way through the same erasure: it records the fact itself, at its next run.
    if (deed.erases !== undefined && this.disk.vault.state(deed.erases) === 'destroyed') return;
    if (!this.#idle.has(context.commandId) && !verdicts.some(({ refusals, records }) => refusals.length === 0 && !records))
      throw new Violation(`${what} was acknowledged and is not in the log`);
    this.#idle.add(context.commandId);
  }

  /** The process dies: what is under way is never answered. The next one starts on what the disk has. */
  async #crash(): Promise<void> {
    await this.#learn();
    const keepsReadModel = this.#dice(6) !== 0;
    this.#note(`crash${keepsReadModel ? '' : ' with the read model'}`);
    this.counts.crashes += 1;
    if (!keepsReadModel) this.counts.lostReadModels += 1;
    this.counts.unknown += this.#air.length;
    this.#air = [];
    this.#idle.clear();
    this.node.end(keepsReadModel);
    this.node = new SimulatedNode(this.disk, this.readModel);
    await this.node.start();
    await this.#learn();
    this.#keepHouse();
  }

  #pass(milliseconds: number): void {
    this.#note('a day passes');
    this.disk.now += milliseconds;
    this.#keepHouse();
  }

  /** In the background, as the server does at its start and every hour. */
  #keepHouse(): void {
    const { node } = this;
    void node.housekeeping().catch((error: unknown) => {
      if (!(error instanceof Error && error.message.startsWith('simulated'))) node.broken.push(error);
    });
  }

  /** No more faults: half of those that never had an answer try once more, a last start, and two days of housekeeping. */
  async #rest(): Promise<void> {
    this.disk.faults = noFaults;
    const unanswered = new Map(
      this.#flights
        .filter(({ deed, answer, refusal, done }) => deed.sent?.key !== undefined && (!done || (answer === undefined && faulty.has(refusal ?? ''))))
        .map(({ deed }) => [deed.sent?.key, deed]),
    );
    for (const deed of unanswered.values()) {
      if (this.#dice(2) === 0) continue;
      this.#fly(deed);
      while (this.#air.length > 0) await this.#step();
    }
    await this.#crash();
    for (let days = 0; days < 2; days += 1) {
      this.disk.now += 25 * hour;
      await this.node.until(this.node.housekeeping());
      await this.node.settle();
      await this.#learn();
      await this.node.until(this.node.upkeep());
    }
    await this.node.settle();
    await this.#learn();
    for (const game of this.model.games.values()) this.counts.late += this.model.correctionsOf(game).length - game.reversals;
  }
}
