/* oxlint-disable no-await-in-loop -- pages come one after another */
import { setTimeout as delay } from 'node:timers/promises';
import { parseMoment } from '@courtledger/contracts/kernel/days';
import { listLogEvents } from '@courtledger/contracts/operations/operations.api';
import type { LogEvent } from '@courtledger/contracts/operations/operations.answers';
import { parseArguments } from '../arguments.ts';
import { ask } from '../ask.ts';
import type { ControlClient } from '../control-client.ts';
import { eventLine } from '../event-lines.ts';
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

type Filters = { readonly stream?: string | undefined; readonly type?: string | undefined; readonly actor?: string | undefined; readonly match?: string | undefined; readonly since?: string | undefined; readonly until?: string | undefined };

/** A time, or a whole day in Kathmandu, as an ISO instant. @throws UsageError */
const instant = (name: 'since' | 'until', text: string | undefined): string | undefined => {
  if (text === undefined) return undefined;
  const time = parseMoment(text, name === 'since' ? 'start' : 'end');
  if (time === undefined) throw new UsageError(`--${name} is no time: ${text}`);
  return new Date(time).toISOString();
};

/** The last events that fit, in the order of the log, and the position of the read model that was searched first. */
const lastEvents = async (client: ControlClient, filters: Filters, count: number): Promise<{ readonly events: readonly LogEvent[]; readonly position: string }> => {
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

/** Shows what comes after a position until the caller has had enough. */
const follow = async (client: ControlClient, filters: Filters, from: string, show: (event: LogEvent) => void, interrupted: AbortSignal): Promise<void> => {
  let after = from;
  while (!interrupted.aborted) {
    const page = await ask(client, listLogEvents, { query: { ...filters, after, limit: '999' } });
    for (const event of page.events) show(event);
    after = page.next ?? (BigInt(page.position) > BigInt(after) ? page.position : after);
    if (page.next === null) await delay(300, undefined, { signal: interrupted }).catch(() => undefined);
  }
};

/** `tail`, and `stream` with the name of one stream. */
export const showEvents = async (context: VerbContext, args: readonly string[], stream: string | undefined): Promise<number> => {
  const { values } = parseArguments(args, options);
  const count = Number(values.lines ?? (stream === undefined ? '20' : '1000000'));
  if (!Number.isSafeInteger(count) || count < 0) throw new UsageError('--lines is a whole number');
  const filters: Filters = { stream, type: values.type, actor: values.actor, match: values.match, since: instant('since', values.since), until: instant('until', values.until) };
  const { client } = await context.reach();
  const show = (event: LogEvent): void => context.terminal.out(values.json === true ? JSON.stringify(event) : eventLine(event));
  const { events, position } = await lastEvents(client, filters, count);
  for (const event of events) show(event);
  if (events.length === 0 && count > 0) context.terminal.note('No event fits.');
  if (values.follow === true) await follow(client, filters, position, show, context.interrupted);
  return 0;
};

const filterUsage = '[--type T] [--actor id|name] [--match id] [--since <time or day>] [--until <time or day>] [--json]';

export const tail: Verb = {
  name: 'tail',
  usage: `[-n lines] [-f] ${filterUsage}`,
  summary: 'the last events, one a line; -f goes on with what comes',
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
