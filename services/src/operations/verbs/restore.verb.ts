import { resolve } from 'node:path';
import { inUseText } from '../../event-log/log-lock.ts';
import { withoutPassword } from '../../event-log/eventstoredb-address.ts';
import { openEventStoreDb } from '../../event-log/open-eventstoredb.ts';
import { parseArguments } from '../arguments.ts';
import { isAnswering } from '../control-client.ts';
import { countedText } from '../figures.ts';
import { missingFilesNote } from '../missing-files.ts';
import { restoreBackup } from '../restore.ts';
import { OperatorError } from '../operator-error.ts';
import type { Verb } from '../verb.ts';

export const restore: Verb = {
  name: 'restore',
  usage: '<backup folder>',
  summary:
    'put a backup in the place of what is in DATA_DIR, verified first, with EVENTSTORE_URL its facts into an empty EventStoreDB; taken up again where it was cut off; refuses while a server or another tool has DATA_DIR',
  async run({ config, terminal, interrupted, folder: from }, args) {
    const { words } = parseArguments(args, {}, { least: 1 });
    const folder = resolve(from, words[0] ?? '');
    const { store, dataDir } = config;
    if (await isAnswering(dataDir)) throw new OperatorError(inUseText(dataDir));
    const log = store.kind === 'eventstoredb' ? await openEventStoreDb({ url: store.url }) : undefined;
    try {
      const { manifest, aside, cutOff, halves, facts } = await restoreBackup({
        folder,
        dataDir,
        log,
        ...(store.kind === 'eventstoredb' && { address: withoutPassword(store.url) }),
        backups: config.backups.folder,
        now: Date.now(),
        signal: interrupted,
        onStep(step) {
          terminal.progress(undefined);
          terminal.note(step);
        },
        onProgress: (events) => terminal.progress(countedText(events, 'event')),
      });
      const until = `${countedText(manifest.log.events, 'event')} up to position ${manifest.log.head}`;
      terminal.out(
        `Restored ${log === undefined ? until : `into EventStoreDB ${until} of the backup (without those of erased persons, if there are any; the positions are new)`}, as of ${manifest.createdAt}. ${aside === undefined ? 'Nothing was there before' : `What was there before is in ${aside}`}${cutOff === undefined ? '' : `; what a restore that was cut off had brought is in ${cutOff}`}.`,
      );
      const missing = await missingFilesNote(folder, interrupted);
      if (missing !== undefined) terminal.note(missing);
      terminal.out(
        'The next start builds the read model and erases again whom an erasure reached since, as far as erasures.jsonl here, beside the backup or in BACKUP_DIR, or a newer backup there, tells of it.',
      );
      if (facts !== undefined) terminal.note(`The facts are in EventStoreDB at ${facts}: that is what EVENTSTORE_URL has to name.`);
      for (const half of halves)
        terminal.note(
          `EventStoreDB at ${half} holds a part of this log, from before the restore was cut off: start no server on it, and empty it before it is used for anything.`,
        );
      if (log !== undefined)
        terminal.note(
          'Logins that were made before may have ended. Other gateways of this log: stop them, give them the keys, media and documents of this DATA_DIR where they do not share them, and start them with this EVENTSTORE_URL.',
        );
      return 0;
    } finally {
      terminal.progress(undefined);
      await log?.close();
    }
  },
};
