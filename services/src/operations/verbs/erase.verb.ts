import { erasePerson } from '@courtledger/contracts/operations/audit.api';
import { parseArguments } from '../arguments.ts';
import { ask } from '../ask.ts';
import { UsageError, type Verb } from '../verb.ts';

export const erase: Verb = {
  name: 'erase',
  usage: 'person <id> --reason <text> --yes',
  summary: "erase a person's details, photo and documents for good; the facts about matches stay",
  async run({ reach, terminal }, args) {
    const { values, words } = parseArguments(args, { reason: { type: 'string' }, yes: { type: 'boolean' } }, { least: 2 });
    const [what, personId = ''] = words;
    if (what !== 'person') throw new UsageError('Only a person can be erased: erase person <id>');
    if (values.reason === undefined) throw new UsageError('Say why: --reason <text>');
    // There is no way back: not even from a backup.
    if (values.yes !== true) throw new UsageError('An erasure cannot be undone, not even from a backup. Add --yes when you mean it');
    const { client } = await reach();
    const { kind, already } = await ask(client, erasePerson, { body: { personId, reason: values.reason } });
    terminal.out(already ? `This ${kind} was erased before.` : `Erased: ${kind} ${personId}. Details, photo and documents are gone; the facts about matches stay.`);
    return 0;
  },
};
