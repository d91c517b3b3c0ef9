import { DomainError } from '@courtledger/contracts/kernel/errors';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { createLogger, type LogFields } from './logger.ts';

const recording = () => {
  const lines: string[] = [];
  const logger = createLogger('info', { write: (line) => lines.push(line), flush: () => {} });
  return { logger, lines, parsed: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>) };
};

it('writes what is on the list, and only that', () => {
  const { logger, parsed } = recording();
  logger.info('request', { requestId: 'r1', endpoint: 'getMatch', status: 200, milliseconds: 3, phone: '9800000001', headers: { authorization: 'Bearer x' } } as LogFields);
  expect(parsed()).toEqual([{ level: 'info', time: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T/) as string, event: 'request', requestId: 'r1', endpoint: 'getMatch', status: 200, milliseconds: 3 }]);
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
  expect(parsed()[0]).toMatchObject({ level: 'error', event: 'request failed', requestId: 'r2', error: { name: 'Error', code: 'SQLITE_IOERR', message: 'disk I/O error', stack: expect.stringContaining('logger.test.ts') as string } });
});

it('keeps quiet below its level', () => {
  const lines: string[] = [];
  const logger = createLogger('warn', { write: (line) => lines.push(line), flush: () => {} });
  logger.info('not this');
  logger.warn('this');
  expect(lines).toHaveLength(1);
});
