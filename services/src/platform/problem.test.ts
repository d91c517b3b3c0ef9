import { DomainError, errorCodes, invalid } from '@courtledger/contracts/kernel/errors';
import { describe, expect, it } from 'vitest';
import { LogUnavailable, UnknownOutcome, WrongRevision } from '../event-log/event-log.ts';
import { knownState, problemOf, problems } from './problem.ts';

describe('problems', () => {
  it('gives every code exactly one status', () => {
    expect(errorCodes.length).toBeGreaterThan(10);
    expect(Object.keys(problems).toSorted()).toEqual([...errorCodes].toSorted());
    expect(Object.fromEntries(errorCodes.map((code) => [code, problemOf(new DomainError(code, 'x'), 'r').status]))).toEqual({
      invalid: 400,
      malformed: 400,
      unauthenticated: 401,
      forbidden: 403,
      'cross-site': 403,
      'not-found': 404,
      'method-not-allowed': 405,
      conflict: 409,
      'key-reused': 409,
      'too-large': 413,
      'unsupported-media': 415,
      throttled: 429,
      unavailable: 503,
      'outcome-unknown': 503,
      internal: 500,
    });
  });

  it('carries the words of a domain error and its fields', () => {
    expect(problemOf(invalid('name', 'Team name must be at least 3 characters long'), 'req-1').body).toEqual({
      type: '/api/docs#problem-invalid',
      title: 'Some fields are not valid',
      status: 400,
      instance: 'req-1',
      detail: 'Team name must be at least 3 characters long',
      message: 'Team name must be at least 3 characters long',
      errors: [{ path: 'name', message: 'Team name must be at least 3 characters long' }],
    });
  });

  it('tells nothing of an unknown error', () => {
    expect(problemOf(new Error('SQLITE_ERROR: no such table: users at /srv/app'), 'req-2').body).toEqual({
      type: '/api/docs#problem-internal',
      title: 'Internal Server Error',
      status: 500,
      instance: 'req-2',
      detail: 'Internal Server Error',
      message: 'Internal Server Error',
    });
  });

  it.each([
    [new LogUnavailable('disk full'), 'unavailable', 503, 2],
    [new UnknownOutcome('fsync failed'), 'outcome-unknown', 503, 2],
    [new WrongRevision('match-1', 3, 4), 'conflict', 409, undefined],
    [new DomainError('throttled', 'Slow down', { retryAfter: 30 }), 'throttled', 429, 30],
    [new DomainError('throttled', 'Slow down'), 'throttled', 429, 1],
    [Object.assign(new Error('EMFILE: too many open files, open /srv/disk/a.png'), { code: 'EMFILE' }), 'unavailable', 503, 2],
    [Object.assign(new Error('ENFILE: file table overflow'), { code: 'ENFILE' }), 'unavailable', 503, 2],
  ])('answers %s as %s', (error, code, status, retryAfter) => {
    const problem = problemOf(error, 'r');
    expect([problem.code, problem.status, problem.retryAfter]).toEqual([code, status, retryAfter]);
    expect(JSON.stringify(problem.body)).not.toMatch(/disk|fsync|match-1/);
  });

  it('knows a lasting state of the log from a failure that somebody has to look into', () => {
    const away = new LogUnavailable('The event log does not answer: it is starting', { cause: new Error('14 UNAVAILABLE') });
    const told = [
      away,
      new UnknownOutcome('no answer within 5000 ms'),
      new DomainError('unavailable', 'Not now'),
      new DomainError('unavailable', 'It was begun', { cause: new DomainError('unavailable', 'Not in the log yet', { cause: away }) }),
    ];
    expect(told.map(knownState)).toEqual([away.message, 'no answer within 5000 ms', 'Not now', away.message]);
    const full = Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
    expect(
      [
        full,
        new Error('x'),
        new DomainError('unavailable', 'The disk takes nothing', { cause: full }),
        new DomainError('internal', 'x'),
        new DomainError('conflict', 'x', { cause: away }),
      ].map(knownState),
    ).toEqual([undefined, undefined, undefined, undefined, undefined]);
  });
});
