import { parseArguments } from '../arguments.ts';
import { controlClient } from '../control-client.ts';
import { countText } from '../figures.ts';
import { callersPath } from '../paths.ts';
import { restoreBackup } from '../restore.ts';
import { OperatorError } from '../operator-error.ts';
import type { Verb } from '../verb.ts';
import { join } from 'node:path';

export const restore: Verb = {
  name: 'restore',
  usage: '<backup folder>',
  summary: 'put a backup in the place of what is in DATA_DIR, verified first; refuses while a server runs',
  async run({ config, terminal, interrupted }, args) {
    const { words } = parseArguments(args, {}, { least: 1 });
    const [folder = ''] = words;
    if (config.store.kind === 'eventstoredb') throw new OperatorError('The log is in EventStoreDB: restore it there, or bring a JSON-lines log with "import"; keys, media and documents of a backup may then be copied into DATA_DIR.');
    const answers = await controlClient(join(config.dataDir, 'control.sock')).call('GET', '/healthz').then(() => true, () => false);
    if (answers) throw new OperatorError(`A server is running on ${config.dataDir}. Stop it first.`);
    const { manifest, aside } = await restoreBackup({ folder: callersPath(folder), dataDir: config.dataDir, now: Date.now(), signal: interrupted, onStep: (step) => terminal.note(step) });
    terminal.out(`Restored ${countText(manifest.log.events)} events up to position ${manifest.log.head}, as of ${manifest.createdAt}. ${aside === undefined ? 'Nothing was there before' : `What was there before is in ${aside}`}.`);
    terminal.out('The next start builds the read model and erases again whom an erasure reached since.');
    return 0;
  },
};
