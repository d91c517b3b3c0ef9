import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { figure, type Figure } from './figure.ts';
import { scratchFolder } from './scratch.ts';
import { writeSeason } from './season-log.ts';
import { startProduct } from './stage.ts';

const statistics = 1_000_000;
const rounds = 5;
/** What the server does by itself after it is ready is over by then. */
const settleMilliseconds = 4000;

/** The most memory a process has had so far, in MB (Linux only). */
const peakMegabytes = (pid: number): number => Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${String(pid)}/status`, 'utf8'))?.[1] ?? Number.NaN) / 1024;

type Start = { readonly seconds: number; readonly megabytes: number };
const startOnce = async (dataDir: string): Promise<Start> => {
  const product = await startProduct(dataDir);
  await delay(settleMilliseconds);
  const megabytes = peakMegabytes(product.pid);
  await product.stop();
  return { seconds: product.startedInMs / 1000, megabytes };
};

/** (d) From the start of the process to `/readyz` with a million statistics in the log, and the peak of its memory against the same with an empty log. */
export async function startFigures(): Promise<readonly Figure[]> {
  const folder = scratchFolder();
  try {
    const [empty, full] = [join(folder, 'empty'), join(folder, 'full')];
    const { events } = writeSeason(full, statistics);
    // The first start of each makes what is missing: keys, and the read model of a log that somebody brought.
    const first = await startProduct(full);
    await delay(settleMilliseconds);
    await first.stop();
    await startOnce(empty);
    const withEmpty: Start[] = [];
    const withFull: Start[] = [];
    for (let round = 0; round < rounds; round += 1) {
      withEmpty.push(await startOnce(empty));
      withFull.push(await startOnce(full));
    }
    const note = `${String(events)} events; an empty log ${figure(
      'd',
      '',
      withEmpty.map(({ seconds }) => seconds),
      { atMost: 2 },
    ).value.toFixed(2)} s; the first start, which rebuilt the read model, ${(first.startedInMs / 1000).toFixed(1)} s`;
    return [
      figure(
        'd',
        'start with a million statistics, to ready',
        withFull.map(({ seconds }) => seconds),
        { atMost: 2 },
        note,
        's',
      ),
      figure(
        'd',
        'peak of memory with a million statistics, above a start with an empty log',
        withFull.map(({ megabytes }, index) => megabytes - (withEmpty[index]?.megabytes ?? Number.NaN)),
        { atMost: 80 },
        `${figure(
          'd',
          '',
          withFull.map(({ megabytes }) => megabytes),
          { atMost: 0 },
        ).value.toFixed(0)} MB in all`,
        'MB',
      ),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
