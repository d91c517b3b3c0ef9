/** A small seeded generator (mulberry32): 0 <= n < 1. Tests print the seed so that a failure can be played again. */
export const seededRandom = (seed: number): (() => number) => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
};

/** The seed of this run: from SEED, else by chance; printed. */
export const runSeed = (what: string): number => {
  const seed = Number(process.env['SEED'] ?? Math.floor(Math.random() * 2 ** 31));
  process.stderr.write(`${what}: SEED=${seed}\n`);
  return seed;
};
