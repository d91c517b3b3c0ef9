import { erasePerson, findPersons } from '@courtledger/contracts/operations/audit.api';
import { erasedText } from '@courtledger/contracts/operations/erasure.rules';
import { getOperationsStatus } from '@courtledger/contracts/operations/operations.api';
import { parseArguments } from '../arguments.ts';
import { ask } from '../ask.ts';
import { OperatorError } from '../operator-error.ts';
import { erasureLines, personLine } from '../person-lines.ts';
import { UsageError, type Verb } from '../verb.ts';

export const erase: Verb = {
  name: 'erase',
  usage: 'person <id> [--reason <text> --yes]',
  summary: 'erase a person\'s details, photo and documents for good; the facts about matches stay; without --yes, say what would go. "persons" finds ids',
  async run({ reach, terminal }, args) {
    const { values, words } = parseArguments(args, { reason: { type: 'string' }, yes: { type: 'boolean' } }, { least: 2 });
    const [what, personId = ''] = words;
    if (what !== 'person') throw new UsageError('Only a person can be erased: erase person <id>');
    const { client } = await reach();
    // There is no way back, not even from a backup: without --yes it is only told what would happen.
    if (values.yes !== true || values.reason === undefined) {
      const { persons } = await ask(client, findPersons, { query: { text: personId } });
      const person = persons.find((one) => one.personId === personId);
      if (person === undefined) throw new OperatorError('There is no such person');
      terminal.out(personLine(person));
      if (!person.erased) for (const line of erasureLines(person)) terminal.out(line);
      terminal.note(
        person.erased ? 'Erased before.' : 'Nothing was erased. It cannot be undone, not even from a backup: add --reason <text> --yes when you mean it.',
      );
      return person.erased ? 0 : 2;
    }
    const { kind, already, filesUnknown } = await ask(client, erasePerson, { body: { personId, reason: values.reason } });
    terminal.out(already ? `This ${kind} was erased before.` : `Erased: ${kind} ${personId}. ${erasedText({ filesUnknown })} The facts about matches stay.`);
    const { setAside } = await ask(client, getOperationsStatus);
    if (setAside.length > 0) terminal.note(`What was set aside was reached as well: ${setAside.join(', ')}.`);
    terminal.note(
      'Backups from before hold the person until they are removed; a restore of one erases again, as long as erasures.jsonl (of DATA_DIR, or its copy in BACKUP_DIR) or a newer backup is at hand.',
    );
    return 0;
  },
};
