import type { AuditLine } from '@courtledger/contracts/operations/audit.answers';
import { expect, it } from 'vitest';
import { auditCsv } from './audit-csv.ts';
import { linesFrom, type Page } from './audit-page.ts';

const line = (index: number, isFact: boolean): AuditLine => ({
  position: isFact ? String(index) : null,
  at: '2026-11-21T10:00:00.000Z',
  actor: { role: 'admin', id: 'a1', name: '=Asha' },
  type: isFact ? 'MatchAssigned' : 'Refused',
  what: `line ${String(index)}`,
  before: null,
  after: null,
  commandId: `c${String(index)}`,
  cause: 'c',
  stream: '',
});
/** Pages over lines, of which the newest so many are refusals; cursors are indexes. */
const pagesOf =
  (refusals: number, facts: number) =>
  async (before: string | undefined, limit: number): Promise<Page> => {
    const [from, all] = [Number(before ?? 0), refusals + facts];
    const end = Math.min(all, from + limit);
    return { lines: Array.from({ length: end - from }, (_, index) => line(from + index, from + index >= refusals)), next: end < all ? String(end) : null };
  };
const factsOf = (lines: readonly AuditLine[]): number => lines.filter(({ position }) => position !== null).length;

it('goes on through refusals until there are enough facts, and says where it was cut', async () => {
  const buried = await linesFrom(pagesOf(12_000, 3), undefined, undefined);
  expect([buried.lines.length, factsOf(buried.lines), buried.next]).toEqual([12_003, 3, null]);
  expect(auditCsv(buried.lines, buried.next)).not.toContain('Cut');
  const long = await linesFrom(pagesOf(0, 5001), undefined, undefined);
  expect([factsOf(long.lines), long.next]).toEqual([5000, '5000']);
  expect(auditCsv(long.lines, long.next).trimEnd().split('\r\n').at(-1)).toBe(
    ',,,,Cut,Cut after 5000 lines: there are older ones. Ask again with before=5000,,,,,,,,,,,,,',
  );
  const asked = await linesFrom(pagesOf(600, 600), '10', 750);
  expect([asked.lines.length, asked.lines[0]?.what, asked.next]).toEqual([750, 'line 10', '760']);
});

it('is never a formula', () => {
  expect(auditCsv([line(1, true)], null).split('\r\n')[1]).toBe("2026-11-21T10:00:00.000Z,admin,'=Asha,a1,MatchAssigned,line 1,,,,c1,c,1,,,,,,,");
});
