import type { ReadModelJob } from '@courtledger/contracts/operations/operations.answers';
import { expect, it } from 'vitest';
import type { ControlAnswer } from './control-client.ts';
import { followJob } from './follow-job.ts';
import { OperatorError } from './operator-error.ts';

const own: ReadModelJob = {
  id: 'own',
  kind: 'verify',
  state: 'running',
  phase: 'folding',
  startedAt: '2026-11-22T04:00:00.000Z',
  endedAt: null,
  file: 'read-model-2.sqlite',
  resumed: false,
  events: 0,
  position: '0',
  until: '9',
  ratePerSecond: 0,
  secondsLeft: null,
  error: null,
  diff: null,
};

it('another job that began before this one was seen to end is not its answer, nor is it stopped', async () => {
  const asked: string[] = [];
  const interrupted = new AbortController();
  const call = async (method: string, path: string): Promise<ControlAnswer> => {
    asked.push(`${method} ${path}`);
    interrupted.abort();
    const job = { ...own, id: 'of-another', kind: 'rebuild', state: asked.length < 3 ? 'running' : 'switched' };
    return { status: 200, headers: {}, bytes: Buffer.alloc(0), json: () => ({ job }) };
  };
  const followed = followJob({ call }, own, { terminal: { out: () => {}, note: () => {}, progress: () => {} }, interrupted: interrupted.signal });
  await expect(followed).rejects.toThrow(
    new OperatorError("Another rebuild of the read model has begun since. What came of this one stands in the server's log."),
  );
  expect(asked).toEqual(['GET /api/operations/rebuild']);
});
