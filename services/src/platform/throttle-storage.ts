import { statfsSync } from 'node:fs';
import { DomainError } from '@courtledger/contracts/kernel/errors';
import type { Clock } from './ports.ts';
import type { Admission, StorageLimits } from './uploads.ts';

const megabyte = 1024 * 1024;
const day = 24 * 3600 * 1000;
const mostRegistrations = 20_000;
const mostAddresses = 20_000;
/** What is refused, or sent again because its answer was lost, stores nothing, and is given back; but not without end: each has cost the decoding of a file. */
const triesPerFile = 10;
/** Files of an address in a day: it can begin so many registrations that those of each would keep every decoder busy. 500 MB of photos are far fewer. */
const triesPerAddress = 5000;

/** How much a stranger may store; `reservedBytes`: strangers may fill the disk up to here, the rest is for the log. */
export type StorageFigures = {
  readonly filesPerRegistration: number;
  readonly bytesPerRegistration: number;
  readonly bytesPerAddress: number;
  readonly reservedBytes: number;
};
export const storageFigures: StorageFigures = {
  filesPerRegistration: 64,
  bytesPerRegistration: 200 * megabyte,
  bytesPerAddress: 500 * megabyte,
  reservedBytes: 2 * 1024 * megabyte,
};

/** Free bytes on the disk of a folder. */
export const freeBytesOf = (folder: string) => (): number => {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
};

/** `tried`: all files, also those of which nothing was stored. */
type Use = { since: number; files: number; bytes: number; tried: number };
const nothingCounted: Admission = { refund() {} };

/**
 * How much strangers may store (S23): 64 files and 200 MB a registration, 500 MB an address and day, nothing when less than 2 GB are left. Admins are not
 * limited. Counted in memory, as the uploads arrive, and given back where nothing of them was stored; forgotten with a restart, which the free disk does not
 * forget.
 * @param freeBytes of the disk (`freeBytesOf`)
 */
export const createStorageLimits = (clock: Clock, freeBytes: () => number, figures: StorageFigures = storageFigures): StorageLimits => {
  const { filesPerRegistration, bytesPerRegistration, bytesPerAddress, reservedBytes } = figures;
  const registrations = new Map<string, Use>();
  const addresses = new Map<string, Use>();
  const countedFor = (uses: Map<string, Use>, key: string, most: number): Use => {
    const known = uses.get(key);
    const use = known !== undefined && clock.monotonic() - known.since < day ? known : { since: clock.monotonic(), files: 0, bytes: 0, tried: 0 };
    uses.delete(key);
    uses.set(key, use);
    if (uses.size > most)
      for (const oldest of uses.keys()) {
        uses.delete(oldest);
        break;
      }
    return use;
  };
  return {
    admit({ caller, address }, files, bytes) {
      if (caller.role === 'admin' || caller.role === 'superadmin') return nothingCounted;
      if (freeBytes() < reservedBytes)
        throw new DomainError('unavailable', 'Registration is closed for the moment, please try again later', { retryAfter: 3600 });
      const place = countedFor(addresses, address, mostAddresses);
      const retryAfter = Math.ceil((place.since + day - clock.monotonic()) / 1000);
      if (place.bytes + bytes > bytesPerAddress || place.tried + files > triesPerAddress)
        throw new DomainError('throttled', 'Too much was uploaded from your network today', { retryAfter });
      const counted = [place];
      if (caller.role === 'registrant') {
        const registration = countedFor(registrations, caller.teamId, mostRegistrations);
        const isTooMuch =
          registration.files + files > filesPerRegistration ||
          registration.bytes + bytes > bytesPerRegistration ||
          registration.tried + files > filesPerRegistration * triesPerFile;
        if (isTooMuch) throw new DomainError('throttled', 'Too many files were uploaded for this registration', { retryAfter });
        counted.push(registration);
      }
      for (const use of counted) {
        use.files += files;
        use.bytes += bytes;
        use.tried += files;
      }
      return {
        refund() {
          for (const use of counted) {
            use.files -= files;
            use.bytes -= bytes;
          }
        },
      };
    },
  };
};
