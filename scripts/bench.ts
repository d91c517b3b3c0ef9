import { parseArgs } from 'node:util';
import { cpus, loadavg } from 'node:os';
import { fsyncRate } from './bench/append-bench.ts';
import { head, row, type Figure } from './bench/figure.ts';

const usage =
  'npm run bench [-- --only a|b|c|d] [--with-emmett [--emmett-statistics 100000]]   a: commands and appends, b: rebuild, c: hot reads, d: start, memory, match sheets. The method: docs/benchmarks.md';
const refuse = (): never => {
  console.error(usage);
  process.exit(1);
};
const read = () => {
  try {
    return parseArgs({
      options: {
        only: { type: 'string' },
        'with-emmett': { type: 'boolean' },
        'emmett-statistics': { type: 'string', default: '100000' },
        help: { type: 'boolean' },
      },
    }).values;
  } catch {
    return refuse();
  }
};
const values = read();
const withEmmett = async (): Promise<readonly Figure[]> =>
  values['with-emmett'] === true ? (await import('./bench/emmett-bench.ts')).emmettFigures(Number(values['emmett-statistics'])) : [];

/**
 * `npm run bench`: ratios measured in one run on this machine, each with the spread of its rounds and the target it is held against. docs/benchmarks.md says
 * how. `npm run bench -- --only a` (or b, c, d) runs one part; `--with-emmett` adds a reference to (b) that is installed into a temporary folder first.
 */
const parts: Readonly<Record<string, readonly (() => Promise<readonly Figure[]>)[]>> = {
  a: [async () => (await import('./bench/http-bench.ts')).commandFigures(), async () => (await import('./bench/append-bench.ts')).appendFigures()],
  b: [async () => (await import('./bench/rebuild-bench.ts')).rebuildFigures(), withEmmett],
  c: [async () => (await import('./bench/http-bench.ts')).readFigures()],
  d: [async () => (await import('./bench/start-bench.ts')).startFigures(), async () => (await import('./bench/sheet-bench.ts')).sheetFigures()],
};

if (values.help === true) {
  console.log(usage);
  process.exit(0);
}
if ((values.only !== undefined && !Object.hasOwn(parts, values.only)) || !/^[1-9]\d*$/.test(values['emmett-statistics'])) refuse();

const started = performance.now();
const load = loadavg()[0] ?? 0;
console.log(
  `Node ${process.version}, ${String(cpus().length)} cores, load ${load.toFixed(1)} before the run${load > 0.5 ? ': other work takes part in every figure' : ''}; this disk takes ${fsyncRate().toFixed(0)} writes with fsync a second\n`,
);
console.log(head);
let missed = 0;
for (const [part, runs] of Object.entries(parts)) {
  if (values.only !== undefined && values.only !== part) continue;
  for (const run of runs) {
    for (const figure of await run()) {
      console.log(row(figure));
      if (!figure.met) missed += 1;
    }
  }
}
console.log(
  `\n${missed === 0 ? 'Every target met' : `${String(missed)} missed`}; ${((performance.now() - started) / 1000).toFixed(0)} s, load ${(loadavg()[0] ?? 0).toFixed(1)} after it.`,
);
