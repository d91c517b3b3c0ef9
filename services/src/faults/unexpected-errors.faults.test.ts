import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { bindCommand, bindRead } from '../platform/endpoint.ts';
import { ask, openToyGate, toyEndpoint, type ToyGate } from '../platform/testing/toy-gate.ts';
import { telltalesIn } from './testing/telltales.ts';

const boom = (): never => {
  throw new TypeError("Cannot read properties of undefined (reading 'secret') at /srv/app/store.ts:7:1");
};

async function* broken(): AsyncGenerator<string> {
  yield 'a';
  await Promise.resolve();
  boom();
}

/** How a handler can go wrong within its own request. What goes wrong outside of one ends the process: see main.test.ts. */
const faults: Readonly<Record<string, () => unknown>> = {
  sync: boom,
  async: async () => {
    await Promise.resolve();
    boom();
  },
  timer: async () =>
    new Promise((_, reject) => {
      setTimeout(() => {
        reject(new RangeError('SELECT * FROM secrets'));
      }, 1);
    }),
  stream: async () => Readable.from(broken()).toArray(),
  'no error at all': () => {
    throw undefined as unknown as Error;
  },
  'an answer that is none': () => ({ body: 1n, position: 1n }),
};

it.each(Object.entries(faults))('an error in %s code is a bare 500 of that request alone (R25, S25)', async (_, fault) => {
  const handle = async (): Promise<never> => fault() as never;
  const gate: ToyGate = await openToyGate([
    bindCommand(toyEndpoint({ name: 'fail', kind: 'command', method: 'POST', path: '/fail', bodyKind: 'json', body: z.object({}) }), handle),
    bindRead(toyEndpoint({ name: 'getFailure', path: '/fail' }), handle),
    bindRead(toyEndpoint({ name: 'getToy', path: '/toys' }), async () => ({ json: '{"whole":true}' })),
  ]);
  try {
    for (const method of ['POST', 'GET']) {
      // The next call must find a server that lives.
      const reply = await ask(gate.port, method, '/api/fail', { 'content-type': 'application/json' }, method === 'POST' ? '{}' : undefined);
      expect([reply.status, (reply.json() as { message: string }).message, telltalesIn(reply.text)]).toEqual([500, 'Internal Server Error', []]);
      expect((await ask(gate.port, 'GET', '/api/toys')).text).toBe('{"whole":true}');
    }
  } finally {
    await gate.close();
  }
});
