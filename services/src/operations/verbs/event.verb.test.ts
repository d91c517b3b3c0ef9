import { expect, it } from 'vitest';
import { testConfig } from '../../testing/site.ts';
import { UsageError } from '../verb.ts';
import { event } from './event.verb.ts';

it.each(['abc', '1e3', '0x10', '1.5', '12345678901234567890'])('says that %s is no position, before anybody is asked', async (word) => {
  const context = { config: testConfig('nowhere'), terminal: { out: () => {}, note: () => {}, progress: () => {} }, interrupted: new AbortController().signal, reach: async () => Promise.reject(new Error('a server was asked')) };
  const refusal: unknown = await event.run(context, [word]).catch((error: unknown) => error);
  expect([refusal instanceof UsageError, String(refusal)]).toEqual([true, expect.stringContaining(`${word} is no position`)]);
});
