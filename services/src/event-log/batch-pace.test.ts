import { expect, it } from 'vitest';
import { createBatchPace } from './batch-pace.ts';

const paced = () => {
  const at = { time: 1000, reads: 500 };
  const pace = createBatchPace(
    () => at.reads,
    () => at.time,
  );
  return { at, pace };
};

it('the first batch goes at once, whoever reads', () => {
  expect(paced().pace.pause()).toBe(0);
});

it('batches go one after another while few read', () => {
  const { at, pace } = paced();
  pace.sent();
  at.reads += 15;
  expect(pace.pause()).toBe(0);
});

it.each([
  [0, 16],
  [0.5, 16],
  [3, 13],
  [15.9, 1],
  [16, 0],
  [1000, 0],
])('while many read, a batch waits until 16 ms after the one before: after %d ms for %d', (passed, pause) => {
  const { at, pace } = paced();
  pace.sent();
  at.reads += 16;
  at.time += passed;
  expect(pace.pause()).toBe(pause);
});

it('counts from each batch on', () => {
  const { at, pace } = paced();
  pace.sent();
  at.reads += 16;
  pace.sent();
  expect(pace.pause()).toBe(0);
});
