import { getLogEvent } from '@courtledger/contracts/operations/operations.api';
import { parseArguments } from '../arguments.ts';
import { ask } from '../ask.ts';
import { eventLine } from '../event-lines.ts';
import { UsageError, type Verb } from '../verb.ts';

export const event: Verb = {
  name: 'event',
  usage: '<position> [--json]',
  summary: 'one event with its data and metadata',
  async run({ reach, terminal }, args) {
    const { values, words } = parseArguments(args, { json: { type: 'boolean' } }, { least: 1 });
    const [position = ''] = words;
    if (!/^\d{1,19}$/.test(position)) throw new UsageError(`${position} is no position: a whole number, as "tail" shows it first in each line`);
    const { client } = await reach();
    const found = await ask(client, getLogEvent, { params: { position } });
    if (values.json !== true) terminal.out(eventLine(found));
    terminal.out(JSON.stringify(values.json === true ? found : { data: found.data, metadata: found.metadata }, null, 1));
    return 0;
  },
};
