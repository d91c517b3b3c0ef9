import { DomainError } from '@courtledger/contracts/kernel/errors';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { createLogger, standardOutput, type LogFields } from './logger.ts';

const recording = () => {
  const lines: string[] = [];
  const logger = createLogger('info', { write: (line) => lines.push(line), flush: () => {} });
  return { logger, lines, parsed: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>) };
};

it('writes what is on the list, and only that', () => {
  const { logger, parsed } = recording();
  logger.info('request', {
    requestId: 'r1',
    endpoint: 'getMatch',
    status: 200,
    milliseconds: 3,
    phone: '9800000001',
    headers: { authorization: 'Bearer x' },
  } as LogFields);
  expect(parsed()).toEqual([
    {
      level: 'info',
      time: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T/) as string,
      event: 'request',
      requestId: 'r1',
      endpoint: 'getMatch',
      status: 200,
      milliseconds: 3,
    },
  ]);
});

it('never quotes what a parser quotes', () => {
  const { logger, lines } = recording();
  const attempts: (() => unknown)[] = [
    () => JSON.parse('{"password":"canary-1" oops}') as unknown,
    () => z.object({ phone: z.literal('1') }).parse({ phone: 'canary-2' }),
    () => decodeURIComponent('%canary-3'),
  ];
  for (const attempt of attempts) {
    try {
      attempt();
    } catch (error) {
      logger.error('failed', error);
      logger.error('failed behind another', new Error('Reading failed', { cause: error }));
    }
  }
  expect(lines).toHaveLength(6);
  expect(lines.join('')).not.toContain('canary');
});

it('describes an error by class, code, message and places, and shows what is behind a domain error', () => {
  const { logger, parsed } = recording();
  const cause = Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR' });
  logger.error('request failed', new DomainError('internal', 'Internal Server Error', { cause }), { requestId: 'r2' });
  expect(parsed()[0]).toMatchObject({
    level: 'error',
    event: 'request failed',
    requestId: 'r2',
    error: { name: 'Error', code: 'SQLITE_IOERR', message: 'disk I/O error', stack: expect.stringContaining('logger.test.ts') as string },
  });
});

it('keeps quiet below its level', () => {
  const lines: string[] = [];
  const logger = createLogger('warn', { write: (line) => lines.push(line), flush: () => {} });
  logger.info('not this');
  logger.warn('this');
  expect(lines).toHaveLength(1);
});

it('writes in pieces, waits for no reader, loses nothing to one who is slow for a while, and tells what it lost', () => {
  let [read, busy] = ['', false];
  const sink = standardOutput((bytes) => {
    if (busy) throw Object.assign(new Error('EAGAIN: resource temporarily unavailable, write'), { code: 'EAGAIN' });
    // A pipe takes what it has room for.
    const taken = bytes.subarray(0, 3000);
    read += taken.toString();
    return taken.length;
  });
  const line = `${'x'.repeat(99)}\n`;
  sink.write(line);
  expect(read).toBe('');
  sink.push?.();
  expect(read).toBe(line);
  for (let count = 0; count < 90; count += 1) sink.write(line);
  expect(read.length).toBeGreaterThan(8000);
  busy = true;
  for (let count = 0; count < 50_000; count += 1) sink.write(line);
  busy = false;
  sink.flush();
  const kept = read.split('\n').length - 1;
  sink.write(line);
  sink.flush();
  sink.stop();
  const [told = '', last] = read.split('\n').slice(-3);
  expect([JSON.parse(told), last]).toEqual([{ level: 'warn', event: 'log lines were lost', count: 50_091 - kept }, line.trim()]);
  expect(kept).toBeGreaterThan(41_000);
});

it('has no reader to wait for when standard output is closed', () => {
  const sink = standardOutput(() => {
    throw Object.assign(new Error('EPIPE: broken pipe, write'), { code: 'EPIPE' });
  });
  sink.write('line\n');
  sink.flush();
  sink.stop();
  expect(() => {
    sink.write('line\n');
  }).not.toThrow();
});
