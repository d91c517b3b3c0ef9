import { hasSealedDetails, personIdOf } from '@courtledger/contracts/player/person.events';
import { allPersons, parkedPersons } from '@courtledger/projections/operations/retention.queries';
import type { Reader } from '@courtledger/projections/kernel/read-model';
import { LogUnavailable, type EventLog } from '../event-log/event-log.ts';
import type { Logger } from '../platform/logger.ts';
import type { PersonVault } from '../platform/ports.ts';

type Sources = { readonly log: Pick<EventLog, 'readStream'>; readonly reader: Reader; readonly vault: Pick<PersonVault, 'state' | 'mustKnow' | 'refusal'>; readonly logger: Logger };

/** Of a stream that is parked it is not known why: a fact without sealed details needs no key. Where the log does not answer, it may. */
const needsKey = async (stream: string, log: Sources['log']): Promise<boolean> => {
  try {
    return (await log.readStream(stream))?.some(hasSealedDetails) === true;
  } catch (error) {
    if (error instanceof LogUnavailable) return true;
    throw error;
  }
};

/** Tells the keys of persons whom the log knows: those whom the read model tells of, and those whose facts it has parked. For a start, once whoever was erased is erased again; says what is lacking. */
export const expectEverybody = async ({ log, reader, vault, logger }: Sources): Promise<void> => {
  const persons = allPersons(reader).filter((personId) => vault.state(personId) === 'absent');
  for (const stream of parkedPersons(reader)) {
    const personId = personIdOf(stream);
    // oxlint-disable-next-line no-await-in-loop -- a handful
    if (personId !== undefined && vault.state(personId) === 'absent' && (await needsKey(stream, log))) persons.push(personId);
  }
  vault.mustKnow(new Set(persons));
  const reason = vault.refusal();
  if (reason !== undefined) logger.warn('persons of the log have no key', { count: persons.length, reason });
};
