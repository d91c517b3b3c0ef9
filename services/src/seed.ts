import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { tellable } from './operations/expected-errors.ts';
import { reach } from './operations/reach.ts';
import { parseConfig, readEnvironment } from './platform/config.ts';
import { makeFilesPrivate } from './platform/private-files.ts';
import { plantSeason } from './seed/plant-season.ts';
import { renderDrawings } from './seed/render.ts';
import { seedAdmin } from './seed/season.ts';

/** `npm run seed`: a believable season through the real commands, on a running server or on the log of DATA_DIR. */
const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};
makeFilesPrivate();
// Nobody reads any more (npm run seed | head): half a season could not be planted to its end later.
process.stdout.on('error', () => {});
const root = join(import.meta.dirname, '../..');

try {
  const config = parseConfig(readEnvironment(root), root);
  say('Drawing crests, portraits and posters');
  // Before the product is reached: in this process it would block the format that they are drawn in.
  const drawings = await renderDrawings();
  const reached = await reach({ ...config, logLevel: 'error' }, { tell: say });
  try {
    say(reached.own ? `No server is running: recording into ${config.dataDir}` : 'Recording through the running server');
    const password = `courtside-${randomBytes(6).toString('base64url')}`;
    const planted = await plantSeason({ client: reached.client, drawings, now: Date.now(), password, seed: 2083, say });
    say(
      `Planted ${String(planted.teams)} teams with ${String(planted.players)} players and ${String(planted.matches)} matches, ${String(planted.played)} of them played.`,
    );
    say(`An admin of the demo: ${seedAdmin.email}, password ${password} (shown once)`);
  } finally {
    await reached.close();
  }
} catch (error) {
  const told = tellable(error);
  if (told === undefined) throw error;
  process.stderr.write(`${told}\n`);
  process.exitCode = 1;
}
