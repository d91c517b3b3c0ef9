import { getTrace } from '@courtledger/contracts/operations/audit.api';
import { isTraced, tracedNumbers, traceKinds, type TraceKind, type TracePart } from '@courtledger/contracts/operations/audit.answers';
import { numberText } from '@courtledger/contracts/kernel/minus';
import { parseArguments } from '../arguments.ts';
import { ask } from '../ask.ts';
import { UsageError, type Verb } from '../verb.ts';

const isKind = (word: string): word is TraceKind => (traceKinds as readonly string[]).includes(word);

/** `match-team points|assists|rebounds --match <id> --team <id>`. */
const lineOf = (kind: TraceKind): string => {
  const { stats, by, ...rest } = tracedNumbers[kind];
  return [kind, stats.join('|'), ...by.map((subject) => `--${subject} <id>`), ...('within' in rest ? [`[--${rest.within} <id>]`] : [])].join(' ');
};

/** What is to be typed for the entries behind a part. */
const commandOf = ({ of, stat, ...subjects }: NonNullable<TracePart['trace']>, asOf: string | undefined): string =>
  ['trace', of, stat, ...Object.entries({ ...subjects, 'as-of': asOf }).flatMap(([name, value]) => (value === undefined ? [] : [`--${name} ${value}`]))].join(
    ' ',
  );

export const trace: Verb = {
  name: 'trace',
  usage: ['<number> <statistic> … [--as-of <time or position>] [--json], where the numbers are', ...traceKinds.map((kind) => `      ${lineOf(kind)}`)].join(
    '\n',
  ),
  summary:
    'why a number is what it is: the entries behind it, and who recorded them; exit code 1 where the log is known to be damaged, with a sentence that says so',
  async run({ reach, terminal }, args) {
    const text = { type: 'string' } as const;
    const { values, words } = parseArguments(
      args,
      { match: text, team: text, player: text, tournament: text, 'as-of': text, json: { type: 'boolean' } },
      { least: 2 },
    );
    const [kind = '', stat = ''] = words;
    if (!isKind(kind)) throw new UsageError(`A number is one of ${traceKinds.join(', ')}`);
    if (!isTraced(kind, stat)) throw new UsageError(`A statistic of ${kind} is one of ${tracedNumbers[kind].stats.join(', ')}`);
    const missing = tracedNumbers[kind].by.filter((name) => (values[name] ?? '') === '');
    if (missing.length > 0) throw new UsageError(`${kind} needs ${missing.map((name) => `--${name} <id>`).join(' and ')}`);
    const { client } = await reach();
    const { match, team, player, tournament, 'as-of': asOf } = values;
    const answer = await ask(client, getTrace, { query: { of: kind, stat, match, team, player, tournament, asOf } });
    const end = (): number => {
      if (answer.damage === undefined) return 0;
      terminal.note(`${answer.damage}.`);
      return 1;
    };
    if (values.json === true) {
      terminal.out(JSON.stringify(answer));
      return end();
    }
    terminal.out(`${answer.title} = ${numberText(answer.value)}`);
    terminal.out(answer.rule);
    for (const { label, date, value, counts, trace: further } of answer.parts) {
      terminal.out(`  ${label}${date === undefined ? '' : `, ${date.slice(0, 10)}`}  ${value}  (${numberText(counts)})`);
      if (further !== undefined) terminal.out(`    ${commandOf(further, asOf)}`);
    }
    if (answer.entries.length > 0) terminal.out('Entries, oldest first: what each adds → the total of its player in its match');
    for (const { position, at, actor, playerName, amount, runningTotal, type, reversed, restores, movedFrom, movedTo, reason } of answer.entries) {
      const notes = [
        type,
        ...(movedFrom === undefined ? [] : [`moved from ${movedFrom.playerName}`]),
        ...(movedTo === undefined ? [] : [`moved to ${movedTo.playerName}`]),
        ...(restores ? ['restores the entry'] : []),
        ...(reversed && movedTo === undefined ? ['taken back'] : []),
        ...(reason === undefined ? [] : [`“${reason}”`]),
      ].join(', ');
      terminal.out(
        `${position.padStart(8)}  ${at}  ${actor.name === '' ? actor.role : actor.name}  ${playerName}  ${amount > 0 ? '+' : ''}${numberText(amount)} → ${numberText(runningTotal)}  ${notes}`,
      );
    }
    return end();
  },
};
