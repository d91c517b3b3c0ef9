import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { DomainError, type ErrorCode } from '@courtledger/contracts/kernel/errors';
import type { AdminAccount } from '@courtledger/projections/admin/admin.queries';
import type { TeamCapability } from '@courtledger/projections/team/team.queries';
import type { AuthReads } from '../auth-reads.ts';
import type { Clock } from '../ports.ts';

/** A clock that stands still until it is moved. `set` moves the wall clock alone, as an administrator would. */
export type MovableClock = Clock & { advance(milliseconds: number): void; set(milliseconds: number): void };
export const movableClock = (start = Date.UTC(2026, 10, 1, 6)): MovableClock => {
  let wall = start;
  let monotonic = 1_000_000;
  return {
    now: () => wall,
    monotonic: () => monotonic,
    advance(milliseconds) {
      wall += milliseconds;
      monotonic += milliseconds;
    },
    set(milliseconds) {
      wall = milliseconds;
    },
  };
};

/** A folder that goes with the test. */
export const temporaryFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'courtledger-gate-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
};

/** What the read model would say, to be filled by the test. */
export type FakeReads = AuthReads & { readonly admins: Map<string, AdminAccount>; readonly revoked: Set<string>; readonly teams: Map<string, TeamCapability> };
export const fakeReads = (): FakeReads => {
  const admins = new Map<string, AdminAccount>();
  const revoked = new Set<string>();
  const teams = new Map<string, TeamCapability>();
  return {
    admins,
    revoked,
    teams,
    adminById: (id) => admins.get(id),
    adminByEmail: (email) => [...admins.values()].find((admin) => admin.email === email),
    isRevoked: (jti) => revoked.has(jti),
    teamCapability: (teamId) => teams.get(teamId),
  };
};

/** The code of the DomainError that the work fails with; 'none' when it does not fail. Other errors go on. */
export const codeOf = (work: () => unknown): ErrorCode | 'none' => {
  try {
    work();
    return 'none';
  } catch (error) {
    if (error instanceof DomainError) return error.code;
    throw error;
  }
};

/** The same for work that is awaited; gives the error itself. */
export const refusalOf = async (work: Promise<unknown>): Promise<DomainError | undefined> => {
  try {
    await work;
    return undefined;
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
};
