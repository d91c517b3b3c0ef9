import { beforeEach, expect, it } from 'vitest';
import { NoAnswer } from './eventstoredb-event-log-errors.ts';
import { Outage } from './eventstoredb-event-log-outage.ts';

/** Questions that were asked and are not answered yet. */
let questions: PromiseWithResolvers<void>[] = [];
let asked = 0;
let silences = 0;
let tick: () => void = () => {};
let outage: Outage;
beforeEach(() => {
  questions = [];
  asked = silences = 0;
  outage = new Outage({
    ask: async () => {
      asked += 1;
      const question = Promise.withResolvers<void>();
      questions.push(question);
      return question.promise;
    },
    every: (_milliseconds, task) => {
      tick = task;
      return () => {};
    },
    onSilence: () => void (silences += 1),
  });
});
const turns = async (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });
const answer = async (): Promise<void> => {
  questions.shift()?.resolve();
  await turns();
};
const stayAway = async (): Promise<void> => {
  questions.shift()?.reject(new NoAnswer('no answer within 2500 ms'));
  await turns();
};

it('a server that answers nothing twice in a row is away, until it answers anything', async () => {
  outage.watch();
  tick();
  await stayAway();
  expect([outage.reason, asked]).toEqual([undefined, 2]);
  await stayAway();
  expect([outage.reason, silences]).toEqual(['no answer within 2500 ms', 1]);
  // Still away: asked again with the next tick, and never twice at a time.
  tick();
  tick();
  expect([asked, outage.reason]).toEqual([3, 'no answer within 2500 ms']);
  await answer();
  expect(outage.reason).toBeUndefined();
});

it('one slow answer is no outage, and neither is silence to the question while others are answered', async () => {
  outage.watch();
  tick();
  await stayAway();
  await answer();
  expect(outage.reason).toBeUndefined();
  tick();
  outage.answered();
  await stayAway();
  expect([outage.reason, questions.length]).toEqual([undefined, 0]);
});

it('asks a quiet server at each tick, and not one that has answered others since', async () => {
  outage.watch();
  tick();
  await answer();
  tick();
  await answer();
  expect(asked).toBe(2);
  outage.answered();
  tick();
  expect(asked).toBe(2);
  tick();
  expect(asked).toBe(3);
});

it('counts at once what a caller waited for in vain, as long as somebody asks for the end of it', async () => {
  outage.note('no answer within 5000 ms');
  expect(outage.reason).toBeUndefined();
  outage.watch();
  outage.note('no answer within 5000 ms');
  expect(outage.reason).toBe('no answer within 5000 ms');
  outage.answered();
  expect(outage.reason).toBeUndefined();
});
