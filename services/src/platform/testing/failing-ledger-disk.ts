import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { vi } from 'vitest';
import { erasureLedgerName } from '../erasure-ledger.ts';

const isLedger = (handle: number): boolean => fs.readlinkSync(`/proc/self/fd/${String(handle)}`).endsWith(erasureLedgerName);
const failure = (code: string, syscall: string): Error => Object.assign(new Error(`${code}: ${syscall}`), { code, syscall });

/** What the disk under the record of erasures does not do: the first flush, any flush, to take the last byte of a write, or that and to cut it off again. */
export type LedgerFault = 'first flush' | 'every flush' | 'last byte' | 'last byte, nor a cut';

/** Until what it gives is called. */
export const failLedgerDisk = (fault: LedgerFault): (() => void) => {
  const { fsyncSync, writeFileSync, ftruncateSync } = fs;
  let flushes = 0;
  const spies = [
    vi.spyOn(fs, 'fsyncSync').mockImplementation((handle) => {
      if (isLedger(handle) && fault.endsWith('flush') && (flushes++ === 0 || fault === 'every flush')) throw failure('EIO', 'fsync');
      fsyncSync(handle);
    }),
    vi.spyOn(fs, 'writeFileSync').mockImplementation((file, data, options) => {
      if (typeof file !== 'number' || typeof data !== 'string' || !isLedger(file) || !fault.startsWith('last byte')) return writeFileSync(file, data, options);
      writeFileSync(file, data.slice(0, -1));
      throw failure('ENOSPC', 'write');
    }),
    vi.spyOn(fs, 'ftruncateSync').mockImplementation((handle, length) => {
      if (isLedger(handle) && fault === 'last byte, nor a cut') throw failure('EROFS', 'ftruncate');
      ftruncateSync(handle, length);
    }),
  ];
  syncBuiltinESMExports();
  return () => {
    for (const spy of spies) spy.mockRestore();
    syncBuiltinESMExports();
  };
};
