import { notFound } from '@courtledger/contracts/kernel/errors';
import type { RecordedEvent } from '@courtledger/contracts/kernel/event';
import { auditStream, personStream, type PersonEvent, type PersonKind } from '@courtledger/contracts/player/person.events';
import type { EventLog } from '../event-log/event-log.ts';
import { toFact } from '../event-log/upcast.ts';
import { auditDecider } from './audit.decider.ts';
import type { CommandContext } from './call.ts';
import type { CommandHandler, Outcome } from './command-handler.ts';
import type { DocumentStore } from './documents.ts';
import type { Erasure, ErasureLedger } from './erasure-ledger.ts';
import type { MediaStore } from './media.ts';
import { personDecider } from './person.decider.ts';
import type { PersonVault } from './ports.ts';

export type ErasureDeps = {
  readonly log: EventLog;
  readonly commands: CommandHandler;
  readonly vault: PersonVault;
  readonly documents: Pick<DocumentStore, 'remove'>;
  readonly media: Pick<MediaStore, 'remove'>;
  readonly ledger: ErasureLedger;
  /** Kind of a person that is gone from the log already; undefined when nobody ever told of one. */
  readonly kindOf: (personId: string) => PersonKind | undefined;
  /** Takes what old copies of the read model still show of erased persons, once the live one shows nothing. */
  readonly forgetCopies: () => Promise<void>;
  /** Takes what a restore set aside of erased persons. `finished`: they were erased before, and are again. */
  readonly forgetSetAside: (erased: readonly { readonly personId: string; readonly finished: boolean }[]) => Promise<void>;
};

/** An erasure that is made again is still the act of whoever asked for it; entries of earlier releases do not know who. */
const asWhoAsked = (context: CommandContext, by: Erasure['by']): CommandContext => (by === undefined ? context : { ...context, actor: by });

/** Removes every photo and document that was ever recorded of a person, not only the last. @param facts of the person's stream; those without data say nothing */
export const removeFilesOf = async (personId: string, facts: readonly RecordedEvent[], { vault, documents, media }: Pick<ErasureDeps, 'vault' | 'documents' | 'media'>): Promise<void> => {
  for (const fact of facts) {
    if (fact.data === null || fact.data === undefined) continue;
    const details = vault.open(personId, (toFact(fact) as PersonEvent).data.sealed);
    // oxlint-disable no-await-in-loop -- a handful of files, one after another
    if (details?.document !== undefined) await documents.remove(details.document.documentId);
    if (details?.photo !== undefined) await media.remove(details.photo);
    // oxlint-enable no-await-in-loop
  }
};

export type Erasures = {
  /** Erases a person for good; again is no error. @throws DomainError `not-found` */
  erase(personId: string, reason: string, context: CommandContext): Promise<{ readonly kind: PersonKind; readonly already: boolean; readonly outcome: Outcome<unknown> | undefined }>;
  /** Erases again whom a restored backup brought back, and finishes what a crash cut off. Gives how many. */
  replay(context: () => CommandContext): Promise<number>;
};

/**
 * Erasure of personal details (architecture, 'Streams and facts'): noted outside the log, files removed, key destroyed, stream deleted, then the fact. Any step may be repeated; until the end is
 * noted, the next start does all of it again.
 */
export const createErasures = (deps: ErasureDeps): Erasures => {
  const { log, commands, vault, ledger } = deps;

  const carryOut = async (personId: string, { kind, reason, finished }: { readonly kind: PersonKind; readonly reason: string; readonly finished: boolean }, context: CommandContext): Promise<Outcome<unknown>> => {
    if (vault.state(personId) === 'active') await removeFilesOf(personId, (await log.readStream(personStream(personId))) ?? [], deps);
    vault.destroy(personId);
    await log.deleteStream(personStream(personId));
    const outcome = await commands.handle(auditDecider, auditStream(context.time), { type: 'recordAudit', fact: { type: 'PersonErased', data: { personId, kind, reason } } }, context);
    await deps.forgetSetAside([{ personId, finished }]);
    await deps.forgetCopies();
    ledger.finish(personId);
    return outcome;
  };

  return {
    async erase(personId, reason, context) {
      // Corrections of the person take the same turn.
      return commands.inTurn(personStream(personId), async () => {
        const known = ledger.all().find((entry) => entry.personId === personId);
        if (known?.finished === true && vault.state(personId) === 'destroyed') return { kind: known.kind, already: true, outcome: undefined };
        const recorded = await commands.read(personDecider, personStream(personId), (person) => person.recorded);
        const kind = known?.kind ?? recorded?.kind ?? deps.kindOf(personId);
        if (kind === undefined) throw notFound('There is no such person');
        if (known === undefined && recorded === undefined && vault.state(personId) === 'destroyed') {
          // Freed by the housekeeping before: the fact is there, the ledger learns of it now.
          ledger.begin({ personId, kind, reason, time: context.time, by: context.actor });
          ledger.finish(personId);
          return { kind, already: true, outcome: undefined };
        }
        ledger.begin({ personId, kind, reason: known?.reason ?? reason, time: context.time, by: context.actor });
        return { kind, already: false, outcome: await carryOut(personId, { kind, reason: known?.reason ?? reason, finished: false }, context) };
      });
    },

    async replay(context) {
      let again = 0;
      await deps.forgetSetAside(ledger.all());
      for (const { personId, kind, reason, finished, by } of ledger.all()) {
        const state = vault.state(personId);
        // A backup from before the person was known: the id is never to be used again.
        if (finished && state === 'absent') vault.destroy(personId);
        if (finished && state !== 'active') continue;
        // oxlint-disable-next-line no-await-in-loop -- before the site answers, one after another
        await carryOut(personId, { kind, reason, finished }, asWhoAsked(context(), by));
        again += 1;
      }
      return again;
    },
  };
};
