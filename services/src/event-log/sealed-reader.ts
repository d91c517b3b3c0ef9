import type Database from 'better-sqlite3';

/** What the hash chain keeps of an event beside what every store tells of it. `salt`: of persons' events that are not erased. */
export type EventSeal = { readonly salt: string | null; readonly digest: string; readonly hash: string };

/** Reads the seals of a log file by position, and the last position that was ever given (rows are never deleted). */
export const sealReader = (connection: Database.Database) => {
  const page = connection.prepare<[number, number], EventSeal & { readonly position: number }>(
    'SELECT position, salt, digest, hash FROM events WHERE position > ? AND position <= ?',
  );
  const given = connection.prepare<[], number>("SELECT seq FROM sqlite_sequence WHERE name = 'events'").pluck();
  return {
    /** Seals after one position and up to another. */
    readSeals: (after: bigint, until: bigint): ReadonlyMap<bigint, EventSeal> =>
      new Map(page.all(Number(after), Number(until)).map(({ position, salt, digest, hash }) => [BigInt(position), { salt, digest, hash }])),
    lastGiven: (): bigint => BigInt(given.get() ?? 0),
  };
};
