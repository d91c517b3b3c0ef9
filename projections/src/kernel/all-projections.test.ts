import { allFacts } from '@courtledger/contracts/kernel/all-facts';
import { expect, test } from 'vitest';
import { allCollections, allViews, projectedTypes, projectionOf } from './all-projections.ts';

test('every fact of the contracts is projected, and nothing else', () => {
  expect(projectedTypes().toSorted()).toEqual(Object.keys(allFacts).toSorted());
  expect(() => projectionOf('NeverHeardOf')).toThrow('NeverHeardOf');
});

test('names of tables, collections and views are unique', () => {
  const names = [...allCollections.map(({ name }) => name), ...allViews.flatMap(({ tables }) => tables.map(({ name }) => name))];
  expect(new Set(names).size).toBe(names.length);
  expect(new Set(allViews.map(({ name }) => name)).size).toBe(allViews.length);
});

test('a document begins as plain data that survives JSON', () => {
  for (const collection of allCollections) {
    const begun = collection.initial('key');
    const packed: unknown = JSON.parse(JSON.stringify(collection.pack === undefined ? begun : collection.pack(begun)));
    expect(collection.unpack === undefined ? packed : collection.unpack(packed)).toStrictEqual(begun);
  }
});
