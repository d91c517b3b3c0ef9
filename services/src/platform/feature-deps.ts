import type { Reader } from '@courtledger/projections/kernel/read-model';
import type { EventLog } from '../event-log/event-log.ts';
import type { Capabilities } from './capability.ts';
import type { CommandHandler, Projection } from './command-handler.ts';
import type { DocumentStore } from './documents.ts';
import type { Passwords } from './passwords.ts';
import type { Clock, PersonVault } from './ports.ts';
import type { StreamAnswers } from './stream-answers.ts';

/** What the features' routes are made of. Made once by product.ts and given to `featureRoutes`. */
export type FeatureDeps = {
  readonly log: EventLog;
  readonly commands: CommandHandler;
  readonly answers: StreamAnswers;
  /** How far the read model of this node is. */
  readonly projection: Projection;
  /** The live read model: asked anew for every call, since a rebuild switches it. */
  readonly reader: () => Reader;
  readonly vault: PersonVault;
  readonly capabilities: Pick<Capabilities, 'capabilityFor'>;
  readonly documents: Pick<DocumentStore, 'open'>;
  readonly passwords: Pick<Passwords, 'hash'>;
  /** Key of the server under which e-mail addresses become names of streams. */
  readonly emailKey: Buffer;
  readonly clock: Clock;
  /** Time-ordered UUIDs (event-ids.ts). */
  readonly newId: () => string;
};
