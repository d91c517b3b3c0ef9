import type { EventLog } from '../../event-log/event-log.ts';
import { withoutPassword } from '../../event-log/eventstoredb-address.ts';
import { expectNoOwner, takeDataLock } from '../../event-log/log-lock.ts';
import { openEventStoreDb } from '../../event-log/open-eventstoredb.ts';
import { openSqliteEventLog } from '../../event-log/sqlite-event-log.ts';
import { logFileOf } from '../../event-log/log-file-name.ts';
import { openDataFolder } from '../../platform/folders.ts';
import { setAllAside } from '../../platform/store-read-model-files.ts';
import { parseArguments } from '../arguments.ts';
import { expectNoBackup } from '../backup-place.ts';
import { amountText, countedText } from '../figures.ts';
import { ChainBroken } from '../line-chain.ts';
import { broughtTo, isBroughtTo } from '../log-elsewhere.ts';
import { importLog } from '../log-lines-import.ts';
import { verifyLines } from '../log-lines.ts';
import { missingKeys, missingKeysOf, missingKeysText } from '../required-keys.ts';
import { fileToRead } from '../paths.ts';
import { OperatorError } from '../operator-error.ts';
import { openOperationsState } from '../operations-state.ts';
import { expectFileOf, expectNothingUnfinished } from '../unfinished.ts';
import type { Verb } from '../verb.ts';

const notAsExported = (error: unknown): never => {
  if (error instanceof ChainBroken) throw new OperatorError(`The file is not what was exported. ${error.message}. Nothing was imported.`);
  throw error;
};

export const importVerb: Verb = {
  name: 'import',
  usage: '<file> [--partial]',
  summary:
    'append what "export" wrote to an empty log (EVENTSTORE_URL, or DATA_DIR) and compare every stream; taken up again where it was cut off; --partial takes a file without its last line',
  async run({ config, terminal, interrupted, folder }, args) {
    const { values, words } = parseArguments(args, { partial: { type: 'boolean' } }, { least: 1 });
    const partial = values.partial === true;
    const store = config.store.kind;
    if (store === 'memory') throw new OperatorError('A log in memory cannot be imported into');
    const path = fileToRead(folder, words[0] ?? '');
    // Whoever has the folder is told of before a long file is read.
    expectNoOwner(config.dataDir);
    expectNoBackup(config.dataDir);
    // Before a folder or a log is made: of a file that brings nothing no installation is to be left, least of all in a DATA_DIR that was mistyped.
    const found = await verifyLines(path, { partial, signal: interrupted }).catch(notAsExported);
    openDataFolder(config.dataDir);
    // The log in a file takes it by itself; all of it is walked before anything is added to it.
    const lock = config.store.kind === 'eventstoredb' ? takeDataLock(config.dataDir) : undefined;
    const open = async (): Promise<EventLog> => {
      // Before a file is made where none was.
      expectNothingUnfinished(config, store);
      return config.store.kind === 'eventstoredb'
        ? openEventStoreDb({ url: config.store.url })
        : openSqliteEventLog({ path: logFileOf(config.dataDir), verifyAtOpen: Number.MAX_SAFE_INTEGER });
    };
    const log = await open().catch((error: unknown) => {
      lock?.release();
      throw error;
    });
    try {
      const before = await log.head();
      const state = openOperationsState(config.dataDir);
      const cutOff = before === 'start' ? undefined : state.get().pendingImport;
      /** Begun where no fact was. */
      let isNew = before === 'start' || (cutOff !== undefined && cutOff.adds !== true);
      let hasBegun = false;
      expectFileOf(config.dataDir, cutOff, path, found.facts);
      const { events, streams, erased, repeated, chainHead, facts, whole } = await importLog(path, log, {
        found,
        onBegin(goesOn) {
          hasBegun = true;
          isNew ||= !goesOn;
          // Until it is ended nothing else may be recorded there: all that is there is a beginning of the file.
          state.change({
            pendingImport: { file: path, store, startedAt: new Date().toISOString(), facts: found.facts, ...(!isNew && { adds: true as const }) },
          });
        },
        onProgress(count) {
          interrupted.throwIfAborted();
          terminal.progress(countedText(count, 'event'));
        },
      }).catch(async (error: unknown) => {
        // Refused before anything was brought: what is left to be ended is what was.
        if (hasBegun && (await log.head().catch(() => undefined)) === before) state.change({ pendingImport: cutOff });
        else if (hasBegun)
          terminal.note('The import is not ended, and no server starts there before it is: run it again with the same file; it goes on where it stands.');
        throw error;
      });
      // Whatever was made of the log that stood here before says nothing about this one. Keys are brought as well, before the first start or after it.
      const isReplaced = isNew && events > 0;
      const aside = isReplaced ? setAllAside(config.dataDir, 'before-import') : [];
      const address = config.store.kind === 'eventstoredb' ? withoutPassword(config.store.url) : undefined;
      const place = { pendingImport: undefined, ...broughtTo(address, Date.now()) };
      // Where all was there already nothing was brought, but this is the log from now on.
      if (isReplaced || state.get().pendingImport !== undefined || !isBroughtTo(address, state.get()))
        state.change({ ...place, ...(isReplaced && { damage: undefined, lastVerification: undefined, owedRemake: undefined, keys: undefined }) });
      terminal.progress(undefined);
      terminal.out(
        `${countedText(events, 'event')} of ${countedText(streams, 'stream')} ${events === 1 ? 'is' : 'are'} in the log, every stream compared${repeated === 0 ? '' : `; ${amountText(repeated)} ${repeated === 1 ? 'was' : 'were'} there already`}${erased === 0 ? '' : `; ${countedText(erased, 'erased event')} ${erased === 1 ? 'was' : 'were'} left out`}.`,
      );
      terminal.out(
        whole
          ? `Facts: ${facts}: the log that was exported when "export" named the same.`
          : `Facts: ${facts}: of what the file holds. It has no end line: when it was cut off, "export" named another digest, and events that came after are missing.`,
      );
      if (chainHead === null)
        terminal.note('The file carries no hash chain: it was compared with what came of it, and nothing shows that nobody changed it before.');
      else
        terminal.note(
          whole
            ? `The hash chain in the file is whole and ends with ${chainHead}: it is the log that was exported when "export" named the same.`
            : `The hash chain in the file is whole as far as the file goes, and ends there with ${chainHead}.`,
        );
      terminal.note(
        'Keys, media, documents, person-keys.made and erasures.jsonl are files of DATA_DIR: they belong to the log, and go where it goes. By erasures.jsonl the next start erases again whom a file from before an erasure brings back; to one that is there already its lines are added.',
      );
      const missing = config.store.kind === 'sqlite' ? missingKeys(config.dataDir) : await missingKeysOf(config.dataDir, log);
      if (aside.length > 0) terminal.note(`Read models of the log before were set aside: ${aside.join(', ')}. The next start makes a new one.`);
      if (missing.length > 0) for (const line of missingKeysText(config, missing).split('\n')) terminal.note(line);
      return 0;
    } catch (error) {
      terminal.progress(undefined);
      throw error;
    } finally {
      await log.close();
      lock?.release();
    }
  },
};
