import { getSeasonFile } from '@courtledger/contracts/tournament/season.api';
import { parseArguments } from '../arguments.ts';
import { succeed } from '../control-client.ts';
import { countedText } from '../figures.ts';
import { writeNewFile } from '../new-file.ts';
import { fileToMake } from '../paths.ts';
import type { Verb } from '../verb.ts';

export const seasonFile: Verb = {
  name: 'season-file',
  usage: '<tournament id> <new file>',
  summary: "write a tournament's facts and results, signed with the server's key; scripts/check-season-file.mjs verifies them",
  async run({ reach, terminal, folder }, args) {
    const [id = '', file = ''] = parseArguments(args, {}, { least: 2 }).words;
    const path = fileToMake(folder, file);
    const { client } = await reach();
    const { bytes } = await succeed(client.call('GET', `/api${getSeasonFile.path.replace(':id', encodeURIComponent(id))}`));
    // It is published: anybody may read it.
    await writeNewFile(path, [bytes], 0o644);
    terminal.out(
      `${path}: ${countedText(bytes.length, 'byte')}, signed. Anybody verifies it with scripts/check-season-file.mjs and the key at /api/season-key, or at /verify.`,
    );
    return 0;
  },
};
