import { setTimeout as delay } from 'node:timers/promises';
import { parseMoment } from '@courtledger/contracts/kernel/days';
import { listLogEvents } from '@courtledger/contracts/operations/operations.api';
import type { LogEvent } from '@courtledger/contracts/operations/operations.answers';
import { parseArguments } from '../arguments.ts';
import { ask } from '../ask.ts';
import { ControlRefusal, goneCode, type ControlClient } from '../control-client.ts';
import { eventLine } from '../event-lines.ts';
import type { EventSearch } from '../event-search.ts';
import { UsageError, type Verb, type VerbContext } from '../verb.ts';

const options = {
  lines: { type: 'string', short: 'n' },
  follow: { type: 'boolean', short: 'f' },
  type: { type: 'string' },
  actor: { type: 'string' },
  match: { type: 'string' },
  since: { type: 'string' },
  until: { type: 'string' },
  json: { type: 'boolean' },
} as const;

type Filters = Pick<EventSearch, 'stream' | 'type' | 'actor' | 'match' | 'since' | 'until'>;

/** A time, or a whole day in Kathmandu, as an ISO instant. @throws UsageError */
const instant = (name: 'since' | 'until', text: string | undefined): string | undefined => {
  if (text === undefined) return undefined;
  const time = parseMoment(text, name === 'since' ? 'start' : 'end');
  if (time === undefined) throw new UsageError(`--${name} is no time: ${text}`);
  return new Date(time).toISOString();
};

/** The last events that fit, in the order of the log, and the position of the read model that was searched first. */
const lastEvents = async (
  client: ControlClient,
  filters: Filters,
  count: number,
): Promise<{ readonly events: readonly LogEvent[]; readonly position: string }> => {
  const events: LogEvent[] = [];
  let before: string | undefined;
  let position: string | undefined;
  // Of none it is asked too where the end is: what follows begins there.
  if (count === 0) ({ position } = await ask(client, listLogEvents, { query: { ...filters, limit: '1' } }));
  while (events.length < count) {
    const page = await ask(client, listLogEvents, { query: { ...filters, before, limit: String(Math.min(999, count - events.length)) } });
    position ??= page.position;
    events.unshift(...page.events);
    if (page.next === null) break;
    before = page.next;
  }
  return { events, position: position ?? '0' };
};

/** No server answers, or one that is still starting. */
const isAway = (error: unknown): boolean => (error instanceof ControlRefusal ? error.status === 503 : goneCode(error) !== undefined);

/** Asks until a server answers. Nothing is held meanwhile, since whoever follows must not keep a server from starting. Undefined: the caller has had enough. */
const whenThere = async <T>({ terminal, interrupted }: VerbContext, question: () => Promise<T>): Promise<T | undefined> => {
  for (let isWaiting = false; !interrupted.aborted;) {
    try {
      const answer = await question();
      if (isWaiting) terminal.note('The server is there.');
      return answer;
    } catch (error) {
      if (!isAway(error)) throw error;
      if (!isWaiting) terminal.note('No server answers at the moment. Waiting for one.');
      isWaiting = true;
      await delay(300, undefined, { signal: interrupted }).catch(() => undefined);
    }
  }
  return undefined;
};

/** Shows what comes after a position until the caller has had enough. A server that stops is waited for: after it this goes on where it was. */
const follow = async (context: VerbContext, client: ControlClient, filters: Filters, from: string, show: (event: LogEvent) => void): Promise<void> => {
  const { interrupted } = context;
  for (let after = from; !interrupted.aborted;) {
    const page = await whenThere(context, async () => ask(client, listLogEvents, { query: { ...filters, after, limit: '999' } }));
    if (page === undefined) return;
    if (BigInt(page.position) < BigInt(after)) {
      // A restore took it back, or it is another one: what is recorded from here on would be shown only beyond the place that this one has not come to.
      context.terminal.note(
        `The log ends at position ${page.position} now, and was followed to ${after}: it is another one than before. Going on from ${page.position}.`,
      );
      after = page.position;
      continue;
    }
    for (const event of page.events) show(event);
    after = page.next ?? (BigInt(page.position) > BigInt(after) ? page.position : after);
    if (page.next === null) await delay(300, undefined, { signal: interrupted }).catch(() => undefined);
  }
};

/** `tail`, and `stream` with the name of one stream. */
const showEvents = async (context: VerbContext, args: readonly string[], stream: string | undefined): Promise<number> => {
  const { values } = parseArguments(args, options);
  const count = Number(values.lines ?? (stream === undefined ? '20' : '1000000'));
  if (!Number.isSafeInteger(count) || count < 0) throw new UsageError('--lines is a whole number');
  const filters: Filters = {
    stream,
    type: values.type,
    actor: values.actor,
    match: values.match,
    since: instant('since', values.since),
    until: instant('until', values.until),
  };
  const reached = await context.reach();
  const { client } = reached;
  const show = (event: LogEvent): void => context.terminal.out(values.json === true ? JSON.stringify(event) : eventLine(event));
  const question = async () => lastEvents(client, filters, count);
  const last = values.follow === true ? await whenThere(context, question) : await question();
  if (last === undefined) return 0;
  const { events, position } = last;
  for (const event of events) show(event);
  if (events.length === 0 && count > 0) context.terminal.note('No event fits.');
  if (values.follow === true) {
    // With it DATA_DIR: a server can start now.
    if (reached.own) await reached.close();
    await follow(context, client, filters, position, show);
  }
  return 0;
};

const filterUsage = '[--type T] [--actor id|name] [--match id] [--since <time or day>] [--until <time or day>] [--json]';

export const tail: Verb = {
  name: 'tail',
  usage: `[-n lines] [-f] ${filterUsage}`,
  summary: 'the last events, one a line; -f goes on with what comes, also from the next server',
  run: async (context, args) => showEvents(context, args, undefined),
};

export const stream: Verb = {
  name: 'stream',
  usage: `<stream> [-n lines] [-f] ${filterUsage}`,
  summary: 'the events of one stream, for example match-…',
  async run(context, [name, ...args]) {
    if (name === undefined || name.startsWith('-')) throw new UsageError('Which stream?');
    return showEvents(context, args, name);
  },
};
