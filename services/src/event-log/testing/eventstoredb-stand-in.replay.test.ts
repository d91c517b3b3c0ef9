import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { EventStoreStandIn } from './eventstoredb-stand-in.ts';

const root = join(import.meta.dirname, '../../../..');
const recordings = join(root, '../shared/eventstoredb');
const player = join(recordings, 'replay.mjs');

const play = async (url: string, ...more: string[]): Promise<string> => {
  const child = spawn(process.execPath, [player, '--url', url, ...more], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return `${out}${err}`.trim();
};

const isThere = existsSync(player);

describe('the cases recorded from a real EventStoreDB', () => {
  let standIn: EventStoreStandIn;
  beforeAll(async () => {
    standIn = await EventStoreStandIn.start();
  });
  afterAll(async () => {
    await standIn.close();
  });

  test(
    `${isThere ? '' : 'NOT RUN, ../shared/eventstoredb is not beside this checkout: '}all 111 are answered alike by the stand-in, messages and codes of errors included`,
    { timeout: 120_000 },
    async () => {
      if (!isThere) console.warn('The stand-in was not compared with the 111 recorded cases: ../shared/eventstoredb/replay.mjs is not there.');
      const outcome = isThere ? await play(standIn.url, '--exact') : 'not run';
      expect(outcome).toBe(isThere ? '111 passed, 0 failed' : 'not run');
    },
  );
});
