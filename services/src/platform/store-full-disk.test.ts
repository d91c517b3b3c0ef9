import { expect, it } from 'vitest';
import { fullDisk } from './store-full-disk.ts';

it('a log takes no writes when its last one found no room and there is none yet, or when it has to grow and cannot', () => {
  const full = 'The disk is full: 0 bytes are free';
  expect(fullDisk({ walBytes: 0 }, 0)).toBe(full);
  expect(fullDisk({ walBytes: 4_000_000 }, 0)).toBeUndefined();
  expect(fullDisk({ walBytes: 4_000_000, isFull: true }, 0)).toBe(full);
  expect(fullDisk({ walBytes: 4_000_000, isFull: true }, 1_048_575)).toBe('The disk is full: 1048575 bytes are free');
  expect(fullDisk({ walBytes: 0, isFull: true }, 1_048_576)).toBeUndefined();
  expect(fullDisk({ walBytes: 0 }, 65_536)).toBeUndefined();
});
