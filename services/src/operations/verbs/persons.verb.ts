import { findPersons } from '@courtledger/contracts/operations/audit.api';
import { parseArguments } from '../arguments.ts';
import { ask } from '../ask.ts';
import { personLine } from '../person-lines.ts';
import { UsageError, type Verb } from '../verb.ts';

export const persons: Verb = {
  name: 'persons',
  usage: '<part of a name, team or request; whole phone number; id> [--json]',
  summary: 'the ids of players, coaches, contacts and requesters, for erase',
  async run({ reach, terminal }, args) {
    const { values, words } = parseArguments(args, { json: { type: 'boolean' } }, { least: 0, most: 20 });
    if (words.length === 0) throw new UsageError('Who?');
    const { client } = await reach();
    const found = await ask(client, findPersons, { query: { text: words.join(' ') } });
    if (values.json === true) {
      terminal.out(JSON.stringify(found));
      return 0;
    }
    for (const person of found.persons) terminal.out(personLine(person));
    if (found.persons.length === 0) terminal.note('Nobody is found.');
    if (found.more) terminal.note('There are more: say more of the name.');
    return 0;
  },
};
