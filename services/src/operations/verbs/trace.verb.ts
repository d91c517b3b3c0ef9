import { getTrace } from '@courtledger/contracts/operations/audit.api';
import { traceKinds, traceStats, type TraceKind } from '@courtledger/contracts/operations/audit.answers';
import { parseArguments } from '../arguments.ts';
import { ask } from '../ask.ts';
import { UsageError, type Verb } from '../verb.ts';

const isOneOf = <T extends string>(known: readonly T[], value: string): value is T => (known as readonly string[]).includes(value);

/** What each kind of number is found by. */
const neededBy: Readonly<Record<TraceKind, readonly ('match' | 'team' | 'player' | 'tournament')[]>> = {
  'match-player': ['match', 'player'], 'match-team': ['match', 'team'], 'player-total': ['player'], 'player-average': ['player'], standings: ['tournament', 'team'],
};

export const trace: Verb = {
  name: 'trace',
  usage: `<${traceKinds.join('|')}> <statistic> [--match <id>] [--team <id>] [--player <id>] [--tournament <id>] [--as-of <time or position>] [--json]`,
  summary: 'why a number is what it is: the entries behind it, and who recorded them',
  async run({ reach, terminal }, args) {
    const text = { type: 'string' } as const;
    const { values, words } = parseArguments(args, { match: text, team: text, player: text, tournament: text, 'as-of': text, json: { type: 'boolean' } }, { least: 2 });
    const [kind = '', stat = ''] = words;
    if (!isOneOf(traceKinds, kind)) throw new UsageError(`A number is one of ${traceKinds.join(', ')}`);
    if (!isOneOf(traceStats, stat)) throw new UsageError(`A statistic is one of ${traceStats.join(', ')}`);
    const missing = neededBy[kind].filter((name) => values[name] === undefined);
    if (missing.length > 0) throw new UsageError(`${kind} needs ${missing.map((name) => `--${name} <id>`).join(' and ')}`);
    const { client } = await reach();
    const { match, team, player, tournament, 'as-of': asOf } = values;
    const answer = await ask(client, getTrace, { query: { of: kind, stat, match, team, player, tournament, asOf } });
    if (values.json === true) {
      terminal.out(JSON.stringify(answer));
      return 0;
    }
    terminal.out(`${answer.title} = ${String(answer.value)}`);
    terminal.out(answer.rule);
    for (const { label, value, counts } of answer.parts) terminal.out(`  ${label}  ${value}  (${String(counts)})`);
    for (const { position, at, actor, playerName, amount, runningTotal, type, reversed, reason } of answer.entries) {
      const notes = [type, ...(reversed ? ['taken back'] : []), ...(reason === undefined ? [] : [`“${reason}”`])].join(', ');
      terminal.out(`${position.padStart(8)}  ${at}  ${actor.name === '' ? actor.role : actor.name}  ${playerName}  ${amount > 0 ? '+' : ''}${String(amount)} → ${String(runningTotal)}  ${notes}`);
    }
    return 0;
  },
};
