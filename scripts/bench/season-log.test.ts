import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listTournaments } from '@courtledger/contracts/tournament/tournament.api';
import { openSite } from '@courtledger/services/testing/site';
import { afterEach, expect, it } from 'vitest';
import { writeSeason } from './season-log.ts';

const folder = mkdtempSync(join(tmpdir(), 'courtledger-season-'));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('a season that the benchmarks write is a log that the product starts on and reads', async () => {
  const { events } = writeSeason(folder, 2000);
  const site = await openSite({ dataDir: folder, store: { kind: 'sqlite' } });
  try {
    expect(site.opened.store.head()).toBe(BigInt(events));
    expect((await site.call(listTournaments)).allTournaments).toHaveLength(8);
  } finally {
    await site.close();
  }
});
