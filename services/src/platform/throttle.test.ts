import { describe, expect, test } from 'vitest';
import type { DomainError } from '@courtledger/contracts/kernel/errors';
import { addressKey, clientAddress } from './throttle-address.ts';
import { createStorageLimits } from './throttle-storage.ts';
import { createWindows } from './throttle-window.ts';
import { createThrottle } from './throttle.ts';
import { codeOf, movableClock } from './testing/gate-fixtures.ts';

const minute = 60_000;
const megabyte = 1024 * 1024;
const plenty = (): number => 100 * 1024 * megabyte;
const retryAfterOf = (work: () => unknown): number | undefined => {
  try {
    work();
    return undefined;
  } catch (error) {
    return (error as DomainError).retryAfter;
  }
};

describe('logins (S11)', () => {
  test('of a hundred wrong attempts at one account from one address ten are evaluated in a quarter of an hour; the right password from another address still works', () => {
    const clock = movableClock();
    const throttle = createThrottle(clock);
    let evaluated = 0;
    for (let attempt = 0; attempt < 100; attempt += 1) {
      if (codeOf(() => throttle.attemptLogin('asha@example.org', '192.0.2.1')) === 'none') evaluated += 1;
      clock.advance(8900);
    }
    expect(evaluated).toBe(10);
    expect(
      codeOf(() => {
        throttle.attemptLogin('asha@example.org', '192.0.2.2').succeeded();
      }),
    ).toBe('none');
    clock.advance(minute);
    expect(codeOf(() => throttle.attemptLogin('asha@example.org', '192.0.2.1'))).toBe('none');
  });

  test('pauses grow, and say how long they are', () => {
    const clock = movableClock();
    const throttle = createThrottle(clock);
    const pauses = Array.from({ length: 10 }, () => {
      const seconds = retryAfterOf(() => throttle.attemptLogin('a', '192.0.2.1')) ?? 0;
      if (seconds > 0) {
        clock.advance(seconds * 1000);
        throttle.attemptLogin('a', '192.0.2.1');
      }
      return seconds;
    });
    expect(pauses).toEqual([0, 0, 0, 0, 1, 2, 4, 8, 16, 32]);
    expect(codeOf(() => throttle.attemptLogin('a', '192.0.2.1'))).toBe('throttled');
  });

  test('a hundred are evaluated by account, from however many addresses', () => {
    const throttle = createThrottle(movableClock());
    let evaluated = 0;
    for (let address = 0; address < 200; address += 1) if (codeOf(() => throttle.attemptLogin('a', `198.51.100.${address}`)) === 'none') evaluated += 1;
    expect(evaluated).toBe(100);
  });

  test('forty at once are counted before any of them is evaluated', () => {
    const throttle = createThrottle(movableClock());
    expect(Array.from({ length: 40 }, () => codeOf(() => throttle.attemptLogin('a', '192.0.2.1'))).filter((code) => code === 'none')).toHaveLength(4);
  });

  test('a success starts afresh, and successes are never throttled', () => {
    const clock = movableClock();
    const throttle = createThrottle(clock);
    for (let attempt = 0; attempt < 3; attempt += 1) throttle.attemptLogin('a', '192.0.2.1');
    for (let attempt = 0; attempt < 200; attempt += 1) {
      throttle.attemptLogin('b', '192.0.2.1').succeeded();
      throttle.attemptLogin('c', '192.0.2.1').withdrawn();
    }
    throttle.attemptLogin('a', '192.0.2.1');
    expect(codeOf(() => throttle.attemptLogin('a', '192.0.2.1'))).toBe('throttled');
    clock.advance(1000);
    throttle.attemptLogin('a', '192.0.2.1').succeeded();
    // Four without a pause, as if nobody had tried before.
    expect(Array.from({ length: 5 }, () => codeOf(() => throttle.attemptLogin('a', '192.0.2.1')))).toEqual(['none', 'none', 'none', 'none', 'throttled']);
  });

  test('spelling an account otherwise does not help', () => {
    const throttle = createThrottle(movableClock());
    const spellings = ['asha', 'ASHA', 'Asha', 'ａｓｈａ'];
    expect(
      Array.from({ length: 8 }, (_, index) => codeOf(() => throttle.attemptLogin(spellings[index % 4] ?? '', '192.0.2.1'))).filter((code) => code === 'none'),
    ).toHaveLength(4);
  });

  test('many accounts from one address are slowed down as well', () => {
    const throttle = createThrottle(movableClock());
    expect(
      Array.from({ length: 60 }, (_, index) => codeOf(() => throttle.attemptLogin(`account ${index}`, '192.0.2.1'))).filter((code) => code === 'none'),
    ).toHaveLength(31);
  });

  test('RATE_LIMIT=off turns off throttles and pauses alike', () => {
    const throttle = createThrottle(movableClock(), true);
    for (let attempt = 0; attempt < 300; attempt += 1) {
      throttle.attemptLogin('a', '192.0.2.1');
      throttle.enter('registration', '192.0.2.1');
    }
    expect(codeOf(() => throttle.attemptLogin('a', '192.0.2.1'))).toBe('none');
  });
});

describe('registrations and requests (S22)', () => {
  test('twenty an hour and address; another address and another kind are not touched', () => {
    const clock = movableClock();
    const throttle = createThrottle(clock);
    const codes = Array.from({ length: 21 }, () => codeOf(() => throttle.enter('registration', '192.0.2.1')));
    expect(codes).toEqual([...Array.from({ length: 20 }, () => 'none'), 'throttled']);
    expect(retryAfterOf(() => throttle.enter('registration', '192.0.2.1'))).toBe(3600);
    expect([
      codeOf(() => throttle.enter('registration', '192.0.2.2')),
      codeOf(() => throttle.enter('request', '192.0.2.1')),
      codeOf(() => throttle.enter('login', '192.0.2.1')),
    ]).toEqual(['none', 'none', 'none']);
    clock.advance(60 * minute - 1);
    expect(codeOf(() => throttle.enter('registration', '192.0.2.1'))).toBe('throttled');
    clock.advance(1);
    expect(codeOf(() => throttle.enter('registration', '192.0.2.1'))).toBe('none');
  });

  test('forms with mistakes are not registrations, but not free without end', () => {
    const throttle = createThrottle(movableClock());
    for (let attempt = 0; attempt < 200; attempt += 1) {
      const ticket = throttle.enter('registration', '192.0.2.1');
      ticket.refund();
      ticket.refund();
    }
    expect(codeOf(() => throttle.enter('registration', '192.0.2.1'))).toBe('throttled');
  });

  test('a success that is asked for again under its key is no other one, and one that came to nothing is not a success', () => {
    const clock = movableClock();
    const throttle = createThrottle(clock);
    const [address, another] = ['192.0.2.1', '192.0.2.2'];
    throttle.enter('registration', address, 'lost').succeeded();
    throttle.enter('registration', address, 'refused').refund();
    for (let attempt = 1; attempt < 20; attempt += 1) throttle.enter('registration', address, 'lost').succeeded();
    for (let attempt = 1; attempt < 20; attempt += 1) throttle.enter('registration', address, `k${String(attempt)}`).succeeded();
    const codes = (key: string): string[] => [
      codeOf(() => throttle.enter('registration', address, key)),
      codeOf(() => throttle.enter('request', another, key)),
    ];
    expect([codes('lost'), codes('refused'), codes('new')]).toEqual([
      ['none', 'none'],
      ['throttled', 'none'],
      ['throttled', 'none'],
    ]);
    // Not without end: each may cost the decoding of a file.
    for (let attempt = 41; attempt < 200; attempt += 1) throttle.enter('registration', address, 'lost');
    expect(codes('lost')).toEqual(['throttled', 'none']);
  });

  test('a clock that is set leaves nobody stuck (R14)', () => {
    for (const jump of [-86_400_000, -3_600_000, 3_600_000, 86_400_000]) {
      const clock = movableClock();
      const throttle = createThrottle(clock);
      for (let attempt = 0; attempt < 20; attempt += 1) throttle.enter('registration', '192.0.2.1');
      clock.set(clock.now() + jump);
      expect(codeOf(() => throttle.enter('registration', '192.0.2.1'))).toBe('throttled');
      clock.advance(60 * minute);
      expect(codeOf(() => throttle.enter('registration', '192.0.2.1'))).toBe('none');
    }
  });
});

test('windows stay bounded under a flood of keys', () => {
  const clock = movableClock();
  const windows = createWindows(minute, 1000, () => clock.monotonic());
  for (let key = 0; key < 100_000; key += 1) windows.add(`key ${key}`);
  expect(windows.size()).toBe(1000);
  expect([windows.count('key 99999').hits, windows.count('key 1').hits]).toEqual([1, 0]);
});

describe('addresses (S22)', () => {
  test.each<[string, string | undefined]>([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['::FFFF:C000:0207', '192.0.2.7'],
    ['192.0.2.7:4711', '192.0.2.7'],
    ['2001:db8:1:1ff::1', '2001:db8:1:100::/56'],
    ['2001:db8:1:100:ffff:ffff:ffff:ffff', '2001:db8:1:100::/56'],
    ['2001:db8:1:200::1', '2001:db8:1:200::/56'],
    ['[2001:db8:1:1ff::1]:443', '2001:db8:1:100::/56'],
    ['fe80::1%eth0', 'fe80::/56'],
    ['unknown', undefined],
    ['', undefined],
    ['<script>', undefined],
  ])('%s is %s', (text, expected) => {
    expect(addressKey(text)).toBe(expected);
  });

  test.each<[string, number, string | undefined, string]>([
    ['nothing is believed without a proxy', 0, '203.0.113.9', '192.0.2.1'],
    ['one proxy: the last entry', 1, '203.0.113.9', '203.0.113.9'],
    ['one proxy: what the client wrote itself is not believed', 1, '10.0.0.1, 198.51.100.2, 203.0.113.9', '203.0.113.9'],
    ['two proxies: the entry before the last', 2, '10.0.0.1, 203.0.113.9, 198.51.100.2', '203.0.113.9'],
    ['fewer entries than proxies', 2, '203.0.113.9', '192.0.2.1'],
    ['no header behind a proxy', 1, undefined, '192.0.2.1'],
    ['nonsense', 1, 'unknown', '192.0.2.1'],
    ['mapped', 1, '::ffff:203.0.113.9', '203.0.113.9'],
  ])('%s', (_name, hops, header, expected) => {
    expect(clientAddress(header === undefined ? {} : { 'x-forwarded-for': header }, '::ffff:192.0.2.1', hops)).toBe(expected);
  });

  test('a thousand spoofed headers and rotating addresses are one bucket; two people are two', () => {
    const throttle = createThrottle(movableClock());
    const allowed = (make: (index: number) => string): number =>
      Array.from({ length: 1000 }, (_, index) => codeOf(() => throttle.enter('registration', make(index)))).filter((code) => code === 'none').length;
    expect(allowed((index) => clientAddress({ 'x-forwarded-for': `10.0.${index >> 8}.${index & 255}, 203.0.113.9` }, '192.0.2.1', 1))).toBe(20);
    expect(allowed((index) => clientAddress({}, `2001:db8:0:00${(index & 255).toString(16).padStart(2, '0')}::${index.toString(16)}`, 0))).toBe(20);
    expect(allowed((index) => clientAddress({}, index % 2 === 0 ? '198.51.100.77' : '::ffff:198.51.100.77', 0))).toBe(20);
    expect(allowed((index) => clientAddress({}, `203.0.${index >> 8}.${index & 255}`, 0))).toBe(1000);
  });
});

describe('storage of strangers (S23)', () => {
  const registrant = { role: 'registrant', teamId: 't1' } as const;
  const visitor = { role: 'visitor' } as const;
  const admin = { role: 'admin', id: 'a', name: 'A', jti: 'j', expires: 0 } as const;

  test('64 files a registration', () => {
    const limits = createStorageLimits(movableClock(), plenty);
    const codes = Array.from({ length: 33 }, () =>
      codeOf(() => {
        limits.admit({ caller: registrant, address: '192.0.2.1' }, 2, 1000);
      }),
    );
    expect(codes).toEqual([...Array.from({ length: 32 }, () => 'none'), 'throttled']);
    expect(
      codeOf(() => {
        limits.admit({ caller: { role: 'registrant', teamId: 't2' }, address: '192.0.2.1' }, 2, 1000);
      }),
    ).toBe('none');
  });

  test('what was not stored does not count, but is not tried without end either', () => {
    const limits = createStorageLimits(movableClock(), plenty);
    const tryOnce = (bytes: number): string =>
      codeOf(() => {
        limits.admit({ caller: registrant, address: '192.0.2.1' }, 2, bytes).refund();
      });
    expect(Array.from({ length: 321 }, () => tryOnce(7 * megabyte))).toEqual([...Array.from({ length: 320 }, () => 'none'), 'throttled']);
    // Neither the address has used up anything.
    expect(
      Array.from({ length: 20 }, () =>
        codeOf(() => {
          limits.admit({ caller: visitor, address: '192.0.2.1' }, 1, 25 * megabyte);
        }),
      ),
    ).toEqual(Array.from({ length: 20 }, () => 'none'));
  });

  test('nor by an address that begins one registration after another', () => {
    const clock = movableClock();
    const limits = createStorageLimits(clock, plenty);
    const tryAll = (teamId: string, address: string): number =>
      Array.from({ length: 320 }, () =>
        codeOf(() => {
          limits.admit({ caller: { role: 'registrant', teamId }, address }, 2, 1000).refund();
        }),
      ).filter((code) => code === 'none').length;
    expect(Array.from({ length: 9 }, (_, index) => tryAll(`t${String(index)}`, '192.0.2.1'))).toEqual([320, 320, 320, 320, 320, 320, 320, 260, 0]);
    expect(tryAll('other', '192.0.2.2')).toBe(320);
    clock.advance(24 * 60 * minute);
    expect(tryAll('next', '192.0.2.1')).toBe(320);
  });

  test('200 MB a registration', () => {
    const limits = createStorageLimits(movableClock(), plenty);
    const codes = Array.from({ length: 29 }, () =>
      codeOf(() => {
        limits.admit({ caller: registrant, address: '192.0.2.1' }, 2, 7 * megabyte);
      }),
    );
    expect(codes.filter((code) => code === 'none')).toHaveLength(28);
  });

  test('500 MB an address and day', () => {
    const clock = movableClock();
    const limits = createStorageLimits(clock, plenty);
    const once = (address = '192.0.2.1'): string =>
      codeOf(() => {
        limits.admit({ caller: visitor, address }, 1, 25 * megabyte);
      });
    expect(Array.from({ length: 21 }, () => once())).toEqual([...Array.from({ length: 20 }, () => 'none'), 'throttled']);
    expect(once('192.0.2.2')).toBe('none');
    clock.advance(24 * 60 * minute);
    expect(once()).toBe('none');
  });

  test('nothing when less than 2 GB are left, but for admins', () => {
    let free = 2048 * megabyte;
    const limits = createStorageLimits(movableClock(), () => free);
    const by = (caller: typeof visitor | typeof admin): string =>
      codeOf(() => {
        limits.admit({ caller, address: '192.0.2.1' }, 1, 1);
      });
    expect([by(visitor), by(admin)]).toEqual(['none', 'none']);
    free -= 1;
    expect([by(visitor), by(admin)]).toEqual(['unavailable', 'none']);
  });
});
