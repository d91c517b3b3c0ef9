import { allFacts } from '@courtledger/contracts/kernel/all-facts';
import { DomainError, conflict } from '@courtledger/contracts/kernel/errors';
import type { NewEvent } from '@courtledger/contracts/kernel/event';
import type { EventLog } from '../event-log/event-log.ts';
import type { CommandContext } from './call.ts';
import { createIdempotencyMemory, keyReused } from './idempotency.ts';
import { createAppender, unavailable } from './stream-state-appender.ts';
import { StreamCache, isIdle, type StreamCacheLimits, type StreamEntry, type Submitted } from './stream-state-cache.ts';
import { createStreamReader } from './stream-state-reader.ts';
import type { Decider, DomainEvent } from './stream-state.ts';

/** The read model of this node, as far as a command cares. */
export type Projection = {
  /** Whether `position` is projected, at once or within `timeoutMs`. A plain boolean when it is known at once: the hot path then waits for nothing. */
  waitFor(position: bigint, timeoutMs: number): boolean | Promise<boolean>;
};

/**
 * What a command did. Nothing appended: `events` is empty, `revision` and `position` are the stream's last; a repeated command: those that the first one
 * reached.
 */
export type Outcome<Event> = {
  readonly events: readonly Event[];
  /** Revision of the command's last event in its stream. */
  readonly revision: number;
  /** Where that event stands in the log, or a little later when several commands went out in one append. */
  readonly position: bigint;
  readonly replayed: boolean;
  /**
   * Of a repeated command: no fact tells of it here. This process remembers that it had nothing to do in this stream, at the first call or at a repetition
   * since.
   */
  readonly isRemembered?: true;
  /** Not projected on this node within 2 s. */
  readonly pending: boolean;
};

export type HandleOptions = {
  /** The event or command that led to this one, when it is not the command itself. */
  readonly causationId?: string;
  /** False for all but the last stream of a command: only the last one waits for the read model. */
  readonly awaitProjection?: boolean;
};

export type CommandHandlerDeps = {
  readonly log: EventLog;
  readonly projection: Projection;
  /** Time-ordered event ids (event-ids.ts). */
  readonly newId: () => string;
  /** True when no other process appends to the log (SQLite, memory): what is cached is then never behind the log. */
  readonly soleWriter: boolean;
  readonly limits?: StreamCacheLimits;
  /** How many commands may wait for the log at once (`WRITE_QUEUE`); whoever comes then is refused as `unavailable`. Default 2,000. */
  readonly mostUnderWay?: number;
};

/**
 * Takes commands to streams: load, decide on committed and pending state, append at the exact revision, retry a conflict. One append a stream is under way at a
 * time; what is decided meanwhile goes out together in the next one, so that nothing is ever stored on top of an append that failed, whoever else writes.
 */
export type CommandHandler = {
  /**
   * Throws the decider's DomainError; `conflict` when others were first six times (R7); `key-reused`; `unavailable` (nothing stored);
   * `outcome-unknown` (perhaps stored: the same key may be repeated).
   */
  handle<State, Command, Event extends DomainEvent>(
    decider: Decider<State, Command, Event>,
    stream: string,
    command: Command,
    context: CommandContext,
    options?: HandleOptions,
  ): Promise<Outcome<Event>>;
  /**
   * What `handle` would say now, without doing it: throws the refusal, gives the outcome of the first call when this one repeats it, else undefined. Asked
   * before files are kept.
   */
  rehearse<State, Command, Event extends DomainEvent>(
    decider: Decider<State, Command, Event>,
    stream: string,
    command: Command,
    context: CommandContext,
  ): Promise<Outcome<Event> | undefined>;
  /** The outcome of the first call on this stream when the command repeats it, else undefined; decides nothing. Throws `key-reused`. */
  repeated<State, Command, Event extends DomainEvent>(
    decider: Decider<State, Command, Event>,
    stream: string,
    context: CommandContext,
  ): Promise<Outcome<Event> | undefined>;
  /**
   * What `look` sees in the committed state of a stream, as fresh as the log; undefined when there is no such stream. The state goes on changing, with commands
   * that may yet fail: `look` hands out values and copies, never a collection of the state itself.
   */
  read<State, Command, Event extends DomainEvent, Seen>(
    decider: Decider<State, Command, Event>,
    stream: string,
    look: (state: State) => Seen,
  ): Promise<Seen | undefined>;
  /** The state that is at hand, perhaps behind another gateway's writes and ahead of this one's; undefined when none is. For facts that are never undone. */
  peek<State, Command, Event extends DomainEvent>(decider: Decider<State, Command, Event>, stream: string): State | undefined;
  /**
   * Runs a whole command (several streams, files) once however often its key is sent at the same time. When it succeeds the key is used: with another body it
   * is refused from then on, by this process.
   */
  once<T>(context: CommandContext, run: () => Promise<T>): Promise<T>;
  /** One after another for the same name, within this process: for rules over two streams. */
  inTurn<T>(name: string, run: () => Promise<T>): Promise<T>;
};

/** How long whoever wrote, or asks for a position, waits for the read model (architecture, 'The read model'). */
export const projectionPatienceMs = 2000;
const mostConflicts = 5;
const defaultLimits: StreamCacheLimits = { streams: 10_000, events: 2_000_000 };

/** At hand, with nothing in its state that is not in the log. */
const isSettled = (entry: StreamEntry): boolean => entry.live && isIdle(entry);

const contested = (): DomainError => conflict('Others are changing this at the same time. Please try again.');

const repeatedOutcome = <Event>(first: Outcome<Event>): Outcome<Event> => ({ ...first, events: [], replayed: true });

/** A refusal is a result: it stands only once the state that it was made on is committed. */
const decideOn = <State, Command, Event extends DomainEvent>(
  decider: Decider<State, Command, Event>,
  entry: StreamEntry,
  command: Command,
): readonly Event[] | DomainError => {
  try {
    return decider.decide(entry.state as State, command);
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
};

export const createCommandHandler = ({
  log,
  projection,
  newId,
  soleWriter,
  limits = defaultLimits,
  mostUnderWay = 2000,
}: CommandHandlerDeps): CommandHandler => {
  const cache = new StreamCache(limits);
  const submit = createAppender(log, cache);
  const { readEntry, load, confirm } = createStreamReader(log, cache, soleWriter);
  const memory = createIdempotencyMemory();
  const turns = new Map<string, Promise<unknown>>();
  let underWay = 0;

  const newEvents = (events: readonly DomainEvent[], context: CommandContext, causationId: string, ids: string[]): readonly NewEvent[] =>
    events.map(({ type, data }, index) => {
      const { version, schema } = allFacts[type];
      const { commandId, fingerprint, correlationId, actor, time } = context;
      return {
        id: (ids[index] ??= newId()),
        type,
        data: schema.parse(data),
        metadata: context.keyed
          ? { commandId, fingerprint, correlationId, causationId, actor, time, schemaVersion: version }
          : { commandId, correlationId, causationId, actor, time, schemaVersion: version },
      };
    });

  const isPending = async (position: bigint, options: HandleOptions | undefined): Promise<boolean> =>
    options?.awaitProjection !== false && !(await projection.waitFor(position, projectionPatienceMs));

  /** The outcome of the first call, when this stream (or this process) has seen the command. Throws `key-reused`. */
  const replay = (entry: StreamEntry, context: CommandContext): Omit<Outcome<never>, 'pending'> | undefined => {
    if (!context.keyed) return undefined;
    const applied = entry.applied.get(context.commandId);
    if (applied !== undefined) {
      const { revision, position, fingerprint } = applied;
      if (fingerprint !== context.fingerprint) throw keyReused();
      return { events: [], revision, position, replayed: true };
    }
    // After what the stream itself tells: since a restart somebody may have used the key for another stream, and this is still the first command.
    memory.check(context);
    const done = memory.nothingDone(context, entry.stream);
    return done && { events: [], ...done, replayed: true, isRemembered: true };
  };

  const execute = async <State, Command, Event extends DomainEvent>(
    decider: Decider<State, Command, Event>,
    stream: string,
    command: Command,
    context: CommandContext,
    options: HandleOptions | undefined,
  ): Promise<Outcome<Event>> => {
    const ids: string[] = [];
    let conflicts = 0;
    let alone = false;
    const noteConflict = (): void => {
      if ((conflicts += 1) > mostConflicts) throw contested();
    };
    for (;;) {
      let entry = cache.get(stream);
      if (entry === undefined) {
        entry = await load(decider, stream);
        if (!entry.live) continue;
      }
      const first = replay(entry, context);
      if (first !== undefined) return { ...first, pending: await isPending(first.position, options) };
      const decision = decideOn(decider, entry, command);
      if (decision instanceof DomainError || decision.length === 0) {
        // The decision stands, or the next turn decides again.
        const stood = await confirm(entry);
        if (stood === undefined) {
          noteConflict();
          continue;
        }
        if (decision instanceof DomainError) throw decision;
        const { revision, position } = stood;
        if (position === undefined) throw new Error(`${stream}: nothing to do in a stream that does not exist`);
        memory.rememberNothingDone(context, stream, { revision, position });
        memory.succeeded(context);
        return { events: [], revision, position, replayed: false, pending: await isPending(position, options) };
      }
      // Before anything is changed: what is refused here leaves no trace.
      if (underWay >= mostUnderWay) throw unavailable(new Error('Too many commands wait for the log'));
      const events = newEvents(decision, context, options?.causationId ?? context.commandId, ids);
      for (const event of events) entry.state = decider.evolve(entry.state as State, event as unknown as Event);
      let result: Submitted;
      underWay += 1;
      try {
        result = await submit(entry, events, context, alone);
      } finally {
        underWay -= 1;
      }
      if (result.kind === 'stored') {
        memory.succeeded(context);
        const reached = options?.awaitProjection === false ? true : projection.waitFor(result.position, projectionPatienceMs);
        return {
          events: decision,
          revision: result.revision,
          position: result.position,
          replayed: false,
          pending: !(typeof reached === 'boolean' ? reached : await reached),
        };
      }
      if (result.kind === 'again') alone = result.alone;
      else noteConflict();
    }
  };

  const repeated = async <State, Command, Event extends DomainEvent>(
    decider: Decider<State, Command, Event>,
    stream: string,
    context: CommandContext,
  ): Promise<Outcome<Event> | undefined> => {
    if (!context.keyed) return undefined;
    const atHand = cache.get(stream);
    let first = replay(atHand ?? (await load(decider, stream)), context);
    // Another gateway may have taken it since this one has read the stream: what a command has recorded elsewhere by then would be left as a half of it.
    if (first === undefined && atHand !== undefined && (await confirm(atHand)) === undefined) first = replay(await readEntry(decider, stream), context);
    return first && { ...first, pending: await isPending(first.position, undefined) };
  };

  return {
    repeated,
    handle: (decider, stream, command, context, options) =>
      context.keyed
        ? memory.once(context, stream, async () => execute(decider, stream, command, context, options), repeatedOutcome)
        : execute(decider, stream, command, context, options),
    async rehearse(decider, stream, command, context) {
      const first = await repeated(decider, stream, context);
      if (first !== undefined) return first;
      for (let conflicts = 0; conflicts <= mostConflicts;) {
        const entry = cache.get(stream) ?? (await load(decider, stream));
        if (!entry.live) continue;
        const decision = decideOn(decider, entry, command);
        if (!(decision instanceof DomainError)) return undefined;
        if ((await confirm(entry)) !== undefined) throw decision;
        conflicts += 1;
      }
      throw contested();
    },
    async read<State, Command, Event extends DomainEvent, Seen>(decider: Decider<State, Command, Event>, stream: string, look: (state: State) => Seen) {
      const entry = cache.get(stream) ?? (await load(decider, stream));
      const stood = await confirm(entry);
      // Where another gateway has written since, or what is decided here is in the state and may still fail, the log itself says what is committed: once,
      // however fast others write.
      const { committed, state } = stood !== undefined && isSettled(entry) ? entry : await readEntry(decider, stream);
      return committed < 0 ? undefined : look(state as State);
    },
    peek: <State, Command, Event extends DomainEvent>(_decider: Decider<State, Command, Event>, stream: string) =>
      cache.get(stream)?.state as State | undefined,
    once: async (context, run) =>
      memory.once(
        context,
        'command',
        async () => {
          const done = await run();
          // Also where no stream was touched: the key was used all the same.
          memory.succeeded(context);
          return done;
        },
        (first) => first,
      ),
    async inTurn(name, run) {
      const before = turns.get(name);
      const turn = (async () => {
        // Whether the one before succeeded is no concern of the next.
        await before?.catch(() => undefined);
        return run();
      })();
      turns.set(name, turn);
      try {
        return await turn;
      } finally {
        if (turns.get(name) === turn) turns.delete(name);
      }
    },
  };
};
