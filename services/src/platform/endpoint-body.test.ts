import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { refusalOf } from './testing/gate-fixtures.ts';
import { readJson } from './endpoint-body.ts';

/** A body that has come as far as some spaces before it. `ended`: how it ended, once it has. */
const bodyFrom = (address: string, bytes: number): { readonly end: () => void; readonly breakOff: () => void; readonly ended: Promise<string> } => {
  const request = Object.assign(new PassThrough(), { headers: { 'content-type': 'application/json' } });
  const ended = refusalOf(readJson(request as unknown as IncomingMessage, address)).then((refusal) => refusal?.code ?? 'read');
  request.write(Buffer.alloc(bytes, ' '));
  return { end: () => request.end('{}'), breakOff: () => void request.destroy(), ended };
};
const whole = async (address: string, bytes: number): Promise<string> => {
  const { end, ended } = bodyFrom(address, bytes);
  end();
  return ended;
};

test('long bodies that one address sends slowly take so much memory and no more; others, and short ones, are read', async () => {
  const slow = Array.from({ length: 128 }, () => bodyFrom('192.0.2.1', 262_000));
  expect(await whole('192.0.2.1', 262_000)).toBe('unavailable');
  expect([await whole('192.0.2.2', 262_000), await whole('192.0.2.1', 16_000)]).toEqual(['read', 'read']);
  const [first] = slow;
  first?.end();
  expect([await first?.ended, await whole('192.0.2.1', 262_000), await whole('192.0.2.1', 262_000)]).toEqual(['read', 'read', 'read']);
  for (const { end } of slow) end();
  expect(new Set(await Promise.all(slow.map(async ({ ended }) => ended)))).toEqual(new Set(['read']));
});

test('the memory of bodies that are broken off, or too long, is free again', async () => {
  const broken = Array.from({ length: 128 }, () => bodyFrom('192.0.2.1', 262_000));
  for (const { breakOff } of broken) breakOff();
  expect(new Set(await Promise.all(broken.map(async ({ ended }) => ended)))).toEqual(new Set(['malformed']));
  const long = Array.from({ length: 128 }, () => bodyFrom('192.0.2.1', 262_143));
  for (const { end } of long) end();
  expect(new Set(await Promise.all(long.map(async ({ ended }) => ended)))).toEqual(new Set(['too-large']));
  expect(await whole('192.0.2.1', 262_000)).toBe('read');
});

/** What becomes of a body that comes in so many pieces of so many bytes. */
const inPieces = async (count: number, bytes: number): Promise<string> => {
  const request = Object.assign(new PassThrough({ highWaterMark: 1 }), { headers: { 'content-type': 'application/json' } });
  const ended = refusalOf(readJson(request as unknown as IncomingMessage, '192.0.2.1')).then((refusal) => refusal?.message ?? 'read');
  for (let piece = 0; piece < count; piece += 1) request.write(' '.repeat(bytes));
  request.end('{}');
  return ended;
};

test('a body in a thousand pieces of a byte each is refused; one in as many pieces that are of some use is read', async () => {
  expect([await inPieces(999, 1), await inPieces(1001, 1), await inPieces(4000, 17)]).toEqual(['read', 'The request body comes in too many pieces', 'read']);
});
