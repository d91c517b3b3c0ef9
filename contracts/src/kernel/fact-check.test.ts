import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { allFacts, factTypes, type FactType } from './all-facts.ts';
import { factFault } from './fact-check.ts';

const golden = join(import.meta.dirname, '../../../services/src/event-log/golden');
const facts = readdirSync(golden).map(
  (name) => JSON.parse(readFileSync(join(golden, name), 'utf8')) as { readonly type: FactType; readonly current: Readonly<Record<string, unknown>> },
);
/** Instead of a field that is as it should be. */
const others: readonly unknown[] = [
  undefined,
  null,
  '',
  'x',
  'x'.repeat(65),
  '2026-11-24',
  '12:30',
  7,
  -7,
  1.5,
  Number.MAX_VALUE,
  true,
  [],
  {},
  { name: 'x' },
  ['x'],
];

describe('the look at the data of a fact', () => {
  it('has a fact of every type to look at', () => {
    expect(new Set(facts.map(({ type }) => type))).toEqual(new Set(factTypes));
  });

  it.each(facts)('says of a $type what its schema says, whatever stands in a field', ({ type, current }) => {
    const { schema } = allFacts[type];
    const fields = Object.keys(current);
    const variants = [
      current,
      null,
      undefined,
      'text',
      7,
      [],
      [current],
      {},
      { ...current, other: 1 },
      ...fields.flatMap((field) => others.map((value) => Object.assign({}, current, { [field]: value }))),
    ];
    const found = variants.map((data) => factFault(type, data) === undefined);
    expect(found).toEqual(variants.map((data) => schema.safeParse(data).success));
    expect([found[0], found.includes(false)]).toEqual([true, true]);
  });

  it('names the field that is wrong, or says that it is no object', () => {
    const entry = { matchId: 'm', entryId: 'e', playerId: 'p', teamId: 't', points: 'many', assists: 0, rebounds: 0 };
    expect([factFault('StatIncrementRecorded', entry), factFault('MatchCancelled', [])]).toEqual([
      'points: Invalid input: expected number, received string',
      'Invalid input: expected object, received array',
    ]);
  });
});
