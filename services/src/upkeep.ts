import { erasedAfter, isPersonShown, personKindOf } from '@courtledger/projections/operations/retention.queries';
import { onceForEachEvent } from './event-log/event-not-read.ts';
import { createFileUpkeep, referencesVersion, type FileUpkeep } from './file-upkeep.ts';
import { startHousekeeping } from './housekeeping.ts';
import { expectEverybody, reopenedPersons } from './operations/expected-persons.ts';
import { tellable } from './operations/expected-errors.ts';
import { installationOf } from './operations/installation.ts';
import { removeLeftovers } from './operations/leftovers.ts';
import { absentFrom, missingText } from './operations/missing-files.ts';
import type { LogPlace } from './operations/log-elsewhere.ts';
import { forgetOldReadModels } from './operations/old-read-models.ts';
import { createOperations, type Operations } from './operations/operations.ts';
import { PresentFiles } from './operations/present-files.ts';
import { forgetInSetAside } from './operations/set-aside.ts';
import type { CommandContext } from './platform/call.ts';
import { systemContext } from './platform/command-context.ts';
import type { CommandHandler } from './platform/command-handler.ts';
import type { Config } from './platform/config.ts';
import type { DocumentStore } from './platform/documents.ts';
import { createErasures, type Erasures } from './platform/erasure.ts';
import { openErasureLedger } from './platform/erasure-ledger.ts';
import { unfinishedVersion } from './platform/half-finished.ts';
import { foldPath, keepFold } from './platform/kept-fold.ts';
import { serverKey } from './platform/key-file.ts';
import type { Logger } from './platform/logger.ts';
import type { MediaStore } from './platform/media.ts';
import type { Clock, PersonVault } from './platform/ports.ts';
import type { Store } from './platform/store.ts';

export type UpkeepDeps = {
  readonly config: Pick<Config, 'dataDir' | 'store' | 'backups'>;
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly newId: () => string;
  readonly commands: CommandHandler;
  readonly vault: PersonVault;
  readonly documents: DocumentStore;
  readonly media: MediaStore;
  readonly place: LogPlace;
  /** Writes out what a backup of the files is to hold. */
  readonly beforeBackup: () => void;
};

/** What a node does by itself and for its operators: operations, erasures and housekeeping, which know of one another. Made once by product.ts. */
export type Upkeep = {
  readonly operations: Operations;
  readonly erasures: Erasures;
  /** Before the site answers: ends the erasures that are to be ended, and begins the housekeeping. */
  begin(): Promise<void>;
  close(): Promise<void>;
};

export const openUpkeep = ({
  config,
  store,
  clock,
  logger,
  newId,
  commands,
  vault,
  documents,
  media,
  place: { name: place, strangeUntil },
  beforeBackup,
}: UpkeepDeps): Upkeep => {
  const { dataDir } = config;
  const context = (): CommandContext => systemContext(newId, clock);
  const ledger = openErasureLedger(dataDir, {
    folder: config.backups.folder,
    owner: installationOf(dataDir),
    failed: (error) =>
      logger.warn(
        'erasures are not noted beside the backups: the next start or erasure tries again, and until then a restore on another machine does not know of them from there',
        { reason: tellable(error) ?? String(error) },
      ),
  });
  let isStale = false;
  let fileUpkeep: FileUpkeep | undefined;
  const presentFiles = new PresentFiles(dataDir);
  const missingFiles = async (): Promise<readonly string[]> =>
    absentFrom(await presentFiles.read(), fileUpkeep?.named() ?? [], (personId) => vault.state(personId) === 'destroyed');
  let missing = 0;
  const tellMissing = async (): Promise<void> => {
    const absent = await missingFiles();
    const text = missingText(absent, dataDir);
    // Once, not every hour, for as long as it stays the same.
    if (text !== undefined && absent.length !== missing)
      logger.warn('files that the log refers to are missing', { count: absent.length, reason: `${text} in a backup` });
    missing = absent.length;
  };
  const operations = createOperations({
    config,
    store,
    clock,
    logger,
    newId,
    beforeBackup,
    vault,
    isStale: () => isStale,
    missingFiles,
    erasures: {
      persons: () => erasures.pending(),
      hidden: () => erasures.hidden(),
      waitFor: () => erasures.waitsFor(),
      finish: async () => erasures.finishPending(context),
    },
  });
  const erasures = createErasures({
    log: store.log,
    commands,
    vault,
    documents,
    media,
    ledger,
    kindOf: (personId) => personKindOf(store.reader(), personId),
    isShown: (personId) => isPersonShown(store.reader(), personId),
    erasedAfter: (position) => erasedAfter(store.reader(), position),
    refusal: store.refusal,
    isStrange: () => clock.now() < strangeUntil,
    place,
    waiting: (count) =>
      logger.warn('persons are erased in a log that this folder does not know for a day yet: what it has of them stays until then, in case it is a wrong one', {
        count,
        reason: `until ${new Date(strangeUntil).toISOString()}`,
      }),
    async hide(persons) {
      await store.projector('erase', persons);
    },
    failed: (error) => logger.error('an erasure is not ended yet: the next turn of the housekeeping or start makes up for it', error),
    async forgetSetAside(erased) {
      removeLeftovers(dataDir);
      await forgetInSetAside(dataDir, erased);
    },
    forgetCopies: async () => forgetOldReadModels(dataDir, store, (file) => operations.jobs.job?.state === 'running' && operations.jobs.job.file === file),
  });
  let stopHousekeeping: (() => unknown) | undefined;
  return {
    operations,
    erasures,
    async begin() {
      const erasedAgain = await erasures.replay(context);
      if (erasedAgain > 0) logger.warn('persons were erased again', { count: erasedAgain });
      await expectEverybody({ log: store.log, reader: store.reader(), vault, logger });
      isStale = reopenedPersons({ reader: store.reader(), vault, logger, pending: erasures.pending() });
      const failed = onceForEachEvent((error) => logger.error('housekeeping left something undone', error));
      const shared = { log: store.log, commands, vault, clock, newId, reader: store.reader, documents, failed };
      const isWhole = (): boolean =>
        store.refusal() === undefined && store.otherLog() === undefined && operations.verifications.damage === undefined && vault.refusal() === undefined;
      const files = createFileUpkeep({ ...shared, isWhole, media, kept: keepFold(foldPath(dataDir, 'file-references'), referencesVersion, store.log) });
      fileUpkeep = files;
      stopHousekeeping = startHousekeeping({
        ...shared,
        isWhole,
        emailKey: serverKey(dataDir, 'email'),
        kept: keepFold(foldPath(dataDir, 'half-finished'), unfinishedVersion, store.log),
        async after() {
          await erasures.finishPending(context);
          await files.run();
          await tellMissing();
        },
      });
    },
    async close() {
      await stopHousekeeping?.();
      await operations.close();
    },
  };
};
