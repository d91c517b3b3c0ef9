import { getLogEvent } from '@courtledger/contracts/operations/operations.api';
import { parseArguments } from '../arguments.ts';
import { ask } from '../ask.ts';
import { eventLine } from '../event-lines.ts';
import { jsonLines } from '../terminal-lines.ts';
import { UsageError, type Verb } from '../verb.ts';

export const event: Verb = {
  name: 'event',
  usage: '<position> [--json]',
  summary: 'one event with its data and metadata, as the read model has it; exit code 1 where the log is damaged there, with a sentence that says so',
  async run({ reach, terminal }, args) {
    const { values, words } = parseArguments(args, { json: { type: 'boolean' } }, { least: 1 });
    const [position = ''] = words;
    if (!/^\d{1,19}$/.test(position)) throw new UsageError(`${position} is no position: a whole number, as "tail" shows it first in each line`);
    const { client } = await reach();
    const found = await ask(client, getLogEvent, { params: { position } });
    if (values.json !== true) terminal.out(eventLine(found));
    for (const line of jsonLines(values.json === true ? found : { data: found.data, metadata: found.metadata })) terminal.out(line);
    if (found.damage === null) return 0;
    terminal.note(`${found.damage}.`);
    return 1;
  },
};
