import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { compareReadModels, openSnapshot } from '@courtledger/projections/kernel/compare';
import { dumpReadModel } from '@courtledger/projections/kernel/dump';
import { rebuild } from '@courtledger/projections/kernel/rebuild';
import { openLogConnection } from '@courtledger/services/event-log/sqlite-connection';
import { logReader } from '@courtledger/services/event-log/sqlite-log-reader';
import { verifyLast } from '@courtledger/services/event-log/verify-chain';
import { openPersonVault } from '@courtledger/services/platform/person-vault';
import { current } from '@courtledger/services/platform/store-projector';
import { figure, type Figure } from './figure.ts';
import { foldByHand } from './fold-by-hand.ts';
import { scratchFolder } from './scratch.ts';
import { writeSeason } from './season-log.ts';

const statistics = 100_000;
const rounds = 7;

type Time = { readonly wall: number; readonly cpu: number };
const timed = async (work: () => void | Promise<unknown>): Promise<Time> => {
  const cpu = process.cpuUsage();
  const started = performance.now();
  await work();
  const { user, system } = process.cpuUsage(cpu);
  return { wall: performance.now() - started, cpu: (user + system) / 1000 };
};

/** The comparison that a rebuild makes before it switches: every row of both, with checksums. In seconds. */
const compareSeconds = (live: string, next: string): number => {
  const started = performance.now();
  const snapshots = [openSnapshot(live), openSnapshot(next)] as const;
  const { equal } = compareReadModels(...snapshots);
  for (const snapshot of snapshots) snapshot.close();
  if (!equal) throw new Error('the two read models are not told to be equal');
  return (performance.now() - started) / 1000;
};

/** The walk of the whole hash chain, as `verify-log` makes it (R3). In seconds. */
const walkSeconds = (log: ReturnType<typeof openLogConnection>, events: number): number => {
  const started = performance.now();
  const report = verifyLast(log, events);
  if (report.events !== events || report.firstBreak !== undefined) throw new Error('the chain is not told to be whole');
  return (performance.now() - started) / 1000;
};

/**
 * (b) The log of a season into all read models: the product's rebuild and a program written by hand for it alone, by turns, each into a file that is compared.
 */
export async function rebuildFigures(): Promise<readonly Figure[]> {
  const folder = scratchFolder();
  const { path, events } = writeSeason(folder, statistics);
  const vault = openPersonVault(folder, { readonly: true });
  const log = openLogConnection(path, { readonly: true });
  const reader = logReader(log);
  const openPerson = (personId: string, sealed: string) => vault.open(personId, sealed);
  const product = join(folder, 'product.sqlite');
  const hand = join(folder, 'hand.sqlite');
  try {
    const walls: number[] = [];
    const cpus: number[] = [];
    const comparisons: number[] = [];
    const walks: number[] = [];
    let note = '';
    for (let round = -1; round < rounds; round += 1) {
      rmSync(hand, { force: true });
      const byHand = await timed(() => foldByHand(log, hand, openPerson));
      const ours = await timed(async () =>
        rebuild({ path: product, readPage: (after, limit) => reader.readAll(after === 0n ? 'start' : after, limit).map(current), openPerson }),
      );
      const [made, expected] = [dumpReadModel(product), dumpReadModel(hand)];
      if (made.sha256 !== expected.sha256)
        throw new Error(
          `the two read models differ: ${Object.keys(made.tables)
            .filter((table) => made.tables[table]?.sha256 !== expected.tables[table]?.sha256)
            .join(', ')}`,
        );
      // The first round compiles both.
      if (round < 0) continue;
      walls.push(byHand.wall / ours.wall);
      cpus.push(byHand.cpu / ours.cpu);
      comparisons.push(compareSeconds(product, hand));
      walks.push(walkSeconds(log, events));
      note = `${String(events)} events in ${(ours.wall / 1000).toFixed(2)} s, by hand ${(byHand.wall / 1000).toFixed(2)} s; the same ${String(Object.values(made.tables).reduce((sum, { rows }) => sum + rows, 0))} rows (${made.sha256.slice(0, 12)})`;
    }
    return [
      figure('b', 'rebuild of 100,000 statistics into all read models, to a program written by hand', walls, { atLeast: 0.7 }, note),
      figure('b', 'the same by CPU time (rate of a core)', cpus, { atLeast: 0.8 }),
      figure('b', 'comparison of two read models of these events, row by row', comparisons, { atMost: 5 }, '', 's'),
      figure('b', 'walk of the hash chain of these events', walks, { atMost: 5 }, '', 's'),
    ];
  } finally {
    log.close();
    vault.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
