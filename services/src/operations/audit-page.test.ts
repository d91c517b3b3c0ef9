import { randomInt } from 'node:crypto';
import type { AuditLine } from '@courtledger/contracts/operations/audit.answers';
import { expect, it } from 'vitest';
import { seededRandom } from '../event-log/testing/random.ts';
import { cursorOf, mergedPage, type Sources } from './audit-page.ts';

const began = Date.parse('2026-11-21T00:00:00.000Z');
const lineAt = (second: number, position: string | null, commandId: string): AuditLine => ({
  position,
  at: new Date(began + second * 1000).toISOString(),
  actor: { role: 'admin', id: 'a1', name: 'Asha' },
  type: '',
  what: '',
  before: null,
  after: null,
  commandId,
  cause: '',
  stream: '',
});

/**
 * Facts in the order of their positions and refusals in that of their times, over a clock that is sometimes set back. `shown`: which facts the question is
 * about.
 */
const sourcesOf = (
  facts: readonly number[],
  refused: readonly number[],
  limit: number,
  shown: (position: number) => boolean,
): Sources & { readonly all: { readonly facts: readonly string[]; readonly refusals: readonly string[] } } => {
  const factLines = facts.map((second, index) => lineAt(second, String(index + 1), `f${String(index + 1)}`)).toReversed();
  const told = refused
    .map((second, index) => ({ place: { time: lineAt(second, null, '').at, id: index + 1 }, line: lineAt(second, null, `r${String(index + 1)}`) }))
    .toSorted((a, b) => (a.place.time === b.place.time ? b.place.id - a.place.id : a.place.time < b.place.time ? 1 : -1));
  return {
    // As the ledger: so many rows are looked at, of which some are no lines.
    facts: (before) => {
      const rows = factLines.filter(({ position }) => BigInt(position ?? 0) < before).slice(0, limit);
      const lines = rows.filter(({ position }) => shown(Number(position)));
      return {
        lines: lines.map((line) => (line.position === null ? line : { ...line, position: `${line.position} or before` })),
        places: lines.map(({ position }) => BigInt(position ?? 0)),
        next: rows.length === limit ? (rows.at(-1)?.position ?? null) : null,
      };
    },
    timeAt: (position) => factLines.find((line) => BigInt(line.position ?? 0) <= position)?.at,
    *refusals({ from, before }) {
      for (const one of told)
        if (
          (from === undefined || one.place.time >= from) &&
          (before === undefined || one.place.time < before.time || (one.place.time === before.time && one.place.id < before.id))
        )
          yield one;
    },
    all: {
      facts: factLines.filter(({ position }) => shown(Number(position))).map(({ commandId }) => commandId),
      refusals: told.map(({ line }) => line.commandId),
    },
  };
};

it('pages of facts and refusals together hold at most so many lines, lose nothing and repeat nothing, whatever the clock did', () => {
  const seed = randomInt(2 ** 31);
  const random = seededRandom(seed);
  const upTo = (most: number): number => Math.floor(random() * (most + 1));
  for (let round = 0; round < 300; round += 1) {
    const times = (count: number): number[] => {
      let now = 0;
      return Array.from({ length: count }, () => (now = Math.max(0, now + (random() < 0.15 ? -upTo(20) : upTo(4)))));
    };
    const limit = 1 + upTo(6);
    const hidden = upTo(3);
    const sources = sourcesOf(times(upTo(25)), times(upTo(25)), limit, (position) => hidden === 0 || position % (hidden + 1) !== 0);
    const lines: string[] = [];
    let next: string | null | undefined;
    for (let pages = 0; next !== null; pages += 1) {
      const page = mergedPage(sources, limit, cursorOf(sources.timeAt, next));
      expect(page.lines.length, `seed ${String(seed)}, round ${String(round)}`).toBeLessThanOrEqual(limit);
      expect(pages, `seed ${String(seed)}, round ${String(round)} ends`).toBeLessThan(200);
      lines.push(...page.lines.map(({ commandId }) => commandId));
      ({ next } = page);
    }
    expect(
      { facts: lines.filter((id) => id.startsWith('f')), refusals: lines.filter((id) => id.startsWith('r')) },
      `seed ${String(seed)}, round ${String(round)}`,
    ).toStrictEqual(sources.all);
  }
});

it('shows the newer one of a fact and a refusal first, and facts although there are many refusals', () => {
  const sources = sourcesOf([10, 30], [5, 20, 20, 40], 10, () => true);
  expect(mergedPage(sources, 10, cursorOf(sources.timeAt, undefined)).lines.map(({ commandId }) => commandId)).toStrictEqual([
    'r4',
    'f2',
    'r3',
    'r2',
    'f1',
    'r1',
  ]);
  // A position alone, as links of earlier releases have it: from the fact before it on.
  expect(mergedPage(sources, 10, cursorOf(sources.timeAt, '2')).lines.map(({ commandId }) => commandId)).toStrictEqual(['f1', 'r1']);
});

const timeAt = (): undefined => undefined;
it('begins at the end for a place beyond every log, with or without the place in the refusals', () => {
  expect(cursorOf(timeAt, '9999999999999999999')).toStrictEqual(cursorOf(timeAt, undefined));
  expect(cursorOf(timeAt, '9999999999999999999.1.1')).toStrictEqual({ position: 2n ** 63n - 1n, refusals: { time: '1970-01-01T00:00:00.001Z', id: 1 } });
});
