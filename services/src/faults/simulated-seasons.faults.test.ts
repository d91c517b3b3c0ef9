import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { messageOf } from '@courtledger/contracts/kernel/errors';
import { expect, it } from 'vitest';
import { checkSeason } from './testing/season-checks.ts';
import { SimulatedSeason, Violation, type Counts } from './testing/simulated-season.ts';

const full = process.env['FAULTS'] === 'full';
const seasons = full ? 1000 : 12;
const commands = 60;
/** The small run plays the same seasons for ever; the full one new ones each time. The first season of `SEED=<n>` is the one that a failure names. */
const first = Number(process.env['SEED'] ?? (full ? 1 + (Date.now() % 1_000_000_000) : 1));

/** Memory where files can be made in it: what a disk loses is not the question here. */
const place = ((memory: string): string => {
  try {
    accessSync(memory, constants.W_OK);
    return memory;
  } catch {
    return tmpdir();
  }
})('/dev/shm');

type Simulated = { readonly hash: string; readonly counts: Counts };

const simulate = async (seed: number): Promise<Simulated> => {
  const folder = mkdtempSync(join(place, 'courtledger-season-'));
  const season = new SimulatedSeason(seed, folder);
  try {
    await season.run(commands);
    await checkSeason(season, join(folder, 'rebuilt.sqlite'));
    return { hash: await season.traceHash(), counts: season.counts };
  } catch (error) {
    throw new Violation(`SEED=${String(seed)}: ${messageOf(error)}\n${season.trace.slice(-25).join('\n')}`, { cause: error });
  } finally {
    season.node.end(true);
    rmSync(folder, { recursive: true, force: true });
  }
};

it(`keeps every rule and invariant in ${String(seasons)} random seasons of ${String(commands)} commands among crashes, repetitions and failing disks (R23)`, async () => {
  process.stderr.write(`simulated seasons: SEED=${String(first)}\n`);
  const counts: Counts = { commands: 0, again: 0, acknowledged: 0, refused: 0, unknown: 0, crashes: 0, lostReadModels: 0, movedAgain: 0, late: 0, events: 0 };
  const hashes: string[] = [];
  for (let season = 0; season < seasons; season += 1) {
    const simulated = await simulate(first + season);
    hashes.push(simulated.hash);
    for (const name of Object.keys(counts) as (keyof Counts)[]) counts[name] += simulated.counts[name];
  }
  process.stderr.write(`simulated seasons: ${JSON.stringify(counts)}\n`);
  // The same seed is the same run, to the last byte of the log: a failure can be played again.
  for (let season = 0; season < seasons; season += 50) expect((await simulate(first + season)).hash).toBe(hashes[season]);
  expect(new Set(hashes).size).toBe(seasons);
  // The dice meant it: everything that may go wrong did.
  expect(counts.commands).toBe(seasons * commands);
  for (const [name, count] of Object.entries(counts)) expect([name, count > 0]).toEqual([name, true]);
});
