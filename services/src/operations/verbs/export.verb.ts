import { existsSync } from 'node:fs';
import { parseArguments } from '../arguments.ts';
import { countText } from '../figures.ts';
import { exportLog } from '../log-lines.ts';
import { openConfiguredLog } from '../configured-log.ts';
import { callersPath } from '../paths.ts';
import { OperatorError } from '../operator-error.ts';
import type { Verb } from '../verb.ts';

export const exportVerb: Verb = {
  name: 'export',
  usage: '<new file>',
  summary: 'write the log as JSON lines, one event a line, personal details sealed as they are; also while a server runs',
  async run({ config, terminal }, args) {
    const { words } = parseArguments(args, {}, { least: 1 });
    const path = callersPath(words[0] ?? '');
    if (existsSync(path)) throw new OperatorError(`${path} exists already`);
    const log = openConfiguredLog(config);
    try {
      const { events, streams, head } = await exportLog(log, path, (count) => terminal.progress(`${countText(count)} events`));
      terminal.progress(undefined);
      terminal.out(`${path}: ${countText(events)} events of ${countText(streams)} streams up to position ${head.toString()}.`);
      return 0;
    } finally {
      await log.close();
    }
  },
};
