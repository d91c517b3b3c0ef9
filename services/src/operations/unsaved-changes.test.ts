import { describe, expect, it } from 'vitest';
import { UnsavedChanges, type OwnBackup } from './unsaved-changes.ts';

const minute = 60_000;
/** A log as the times of its facts, one a position, and a process that looks at it since `started`. The event of a position has its time as its hash. */
const lookingAt = (times: readonly (number | undefined)[], started: number) => {
  const log = [...times];
  const time = { wall: started, monotonic: 5 * minute };
  const asked: bigint[] = [];
  const unsaved = new UnsavedChanges({
    clock: { now: () => time.wall, monotonic: () => time.monotonic },
    head: () => BigInt(log.length),
    hashAt: (position) => log[Number(position) - 1]?.toString(),
    timeAfter(position) {
      asked.push(position);
      const at = log[Number(position)];
      return at === undefined ? undefined : new Date(at).toISOString();
    },
  });
  /** Minutes for which something has waited. */
  const waited = (own: readonly OwnBackup[] = []): number | undefined => {
    const since = unsaved.since(own);
    return since === undefined ? undefined : (time.monotonic - since) / minute;
  };
  const pass = (minutes: number): void => {
    time.wall += minutes * minute;
    time.monotonic += minutes * minute;
  };
  return { log, time, asked, unsaved, waited, pass };
};
const noon = Date.parse('2026-11-21T06:15:00Z');
const at = (minutes: number): number => noon + minutes * minute;
const backup = (head: number, madeAt: number, chainHead: string | null): OwnBackup => ({
  name: `of-${String(head)}`,
  written: madeAt,
  madeAt,
  head: String(head),
  chainHead,
});

describe('something has waited for a backup since the first fact that is in none', () => {
  it('also where facts were recorded or restored before any backup stood in the folder, and before anybody looked', () => {
    // Sown while no server ran, 14 minutes before the first look.
    const { waited, pass, asked } = lookingAt([at(0), at(1)], at(14));
    expect(waited()).toBe(14);
    pass(2);
    expect([waited(), asked]).toEqual([16, [0n]]);
  });

  it('in a process that runs as well: since the change, however late the look', () => {
    const { log, waited, pass } = lookingAt([at(0)], at(10));
    const own = [backup(1, at(5), String(at(0)))];
    expect(waited(own)).toBeUndefined();
    pass(3);
    log.push(at(12.5));
    expect(waited(own)).toBe(0.5);
    pass(1);
    log.push(at(14));
    expect(waited(own)).toBe(1.5);
  });

  it('and never since before all was seen to be saved, or the backup was begun, whatever the clock did', () => {
    const { log, waited, pass } = lookingAt([at(0)], at(10));
    const own = [backup(1, at(5), String(at(0)))];
    expect(waited(own)).toBeUndefined();
    pass(3);
    // Recorded while the clock stood at two hours before.
    log.push(at(-120));
    expect(waited(own)).toBe(3);
    expect(lookingAt([at(0), at(-120)], at(10)).waited(own)).toBe(5);
  });

  it('of the log as it is: a backup of facts that a restore took away, or that is of another log, holds nothing of it', () => {
    const { waited, unsaved } = lookingAt([at(0), at(1), at(2)], at(10));
    const [older, another, longer] = [backup(1, at(0.5), String(at(0))), backup(2, at(3), 'another'), backup(9, at(4), 'gone')];
    expect(waited([older, another, longer])).toBe(9);
    // The one before is gone.
    expect(waited([another, longer])).toBe(10);
    unsaved.note(longer.name, longer.head, 3n);
    expect(waited([another, longer])).toBeUndefined();
  });

  it('where nothing knows when it was: since the backup before it, without one since the first look, and exactly as soon as it is known', () => {
    const elsewhere = [backup(1, at(4), null)];
    const { log, waited, pass } = lookingAt([at(0), undefined], at(10));
    expect(waited(elsewhere)).toBe(6);
    pass(1);
    expect(waited(elsewhere)).toBe(7);
    log[1] = at(9);
    expect(waited(elsewhere)).toBe(2);
    const unknown = lookingAt([undefined], at(10));
    expect(unknown.waited()).toBe(0);
    unknown.pass(2);
    expect(unknown.waited()).toBe(2);
  });

  it('what was erased at the end of a log that is elsewhere is awaited in no copy of it', () => {
    const { unsaved, waited } = lookingAt([at(0), undefined], at(10));
    unsaved.note('of-1', '1', 2n);
    expect(waited([backup(1, at(9), null)])).toBeUndefined();
  });
});
