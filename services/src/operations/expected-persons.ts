import { hasSealedDetails, personIdOf } from '@courtledger/contracts/player/person.events';
import { allPersons, closedPersons, erasedAfter, parkedPersons } from '@courtledger/projections/operations/retention.queries';
import type { Reader } from '@courtledger/projections/kernel/read-model';
import { LogUnavailable, type EventLog } from '../event-log/event-log.ts';
import type { Logger } from '../platform/logger.ts';
import type { PersonVault } from '../platform/ports.ts';

type Sources = {
  readonly log: Pick<EventLog, 'readStream'>;
  readonly reader: Reader;
  readonly vault: Pick<PersonVault, 'state' | 'mustKnow' | 'refusal'>;
  readonly logger: Logger;
};

/** Of a stream that is parked it is not known why: a fact without sealed details needs no key. Where the log does not answer, it may. */
const needsKey = async (stream: string, log: Sources['log']): Promise<boolean> => {
  try {
    return (await log.readStream(stream))?.some(hasSealedDetails) === true;
  } catch (error) {
    if (error instanceof LogUnavailable) return true;
    throw error;
  }
};

/**
 * Persons whose details the read model does not show although their keys are there: it was made without them (given up, an older copy), and the right file is
 * back since. Not those whose erasure waits, here (`pending`) or in a strange log. For a start, once whoever was erased is erased again.
 */
export const reopenedPersons = ({
  reader,
  vault,
  logger,
  pending,
}: Pick<Sources, 'reader' | 'vault' | 'logger'> & { readonly pending: readonly string[] }): boolean => {
  const open = closedPersons(reader).filter((personId) => vault.state(personId) === 'active');
  const erased = new Set(open.length === 0 ? [] : [...pending, ...erasedAfter(reader, 0n).map(({ erasure }) => erasure.personId)]);
  const count = open.filter((personId) => !erased.has(personId)).length;
  if (count > 0) logger.warn('keys of persons are back: the read model is made anew', { count });
  return count > 0;
};

/**
 * Tells the keys of persons whom the log knows: those whom the read model tells of, and those whose facts it has parked. For a start, once whoever was erased
 * is erased again; says what is lacking.
 */
export const expectEverybody = async ({ log, reader, vault, logger }: Sources): Promise<void> => {
  const persons = allPersons(reader).filter((personId) => vault.state(personId) === 'absent');
  for (const stream of parkedPersons(reader)) {
    const personId = personIdOf(stream);
    if (personId !== undefined && vault.state(personId) === 'absent' && (await needsKey(stream, log))) persons.push(personId);
  }
  const known = new Set(persons);
  vault.mustKnow(known);
  const reason = vault.refusal();
  if (reason !== undefined) logger.warn('persons of the log have no key', { count: known.size, reason });
};
