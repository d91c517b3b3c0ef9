import { allFacts } from '@courtledger/contracts/kernel/all-facts';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { toFact, UnreadableFact, upcastData, upcastEvent, type Upcaster } from './upcast.ts';

/**
 * A fact as a release stored it, and the data that today's code reads from it. Files of versions that have shipped are never edited; `current` follows the
 * newest version.
 */
const goldenFile = z.strictObject({ type: z.string(), version: z.int().min(1), data: z.unknown(), current: z.unknown() });
const folder = join(import.meta.dirname, 'golden');
const files = new Map(readdirSync(folder).map((name) => [name, goldenFile.parse(JSON.parse(readFileSync(join(folder, name), 'utf8')))]));

const shipped = Object.entries(allFacts).flatMap(([type, { version }]) =>
  Array.from({ length: version }, (_, before) => ({ type, version: before + 1, name: `${type}.v${String(before + 1)}.json` })),
);

describe('every version of every fact that ever shipped', () => {
  it('has a golden file, and there is no file of anything else', () => {
    expect([...files.keys()].toSorted()).toStrictEqual(shipped.map(({ name }) => name).toSorted());
  });

  it.each(shipped)("$type version $version is read as today's data", ({ type, version, name }) => {
    const file = files.get(name);
    expect({ type: file?.type, version: file?.version }).toStrictEqual({ type, version });
    const current = upcastData(type, version, file?.data);
    expect(current).toStrictEqual(file?.current);
    expect(allFacts[type as keyof typeof allFacts].schema.parse(current)).toStrictEqual(current);
  });
});

const renamed: Upcaster = (data) => ({ id: (data as { key: string }).key });
const named: Upcaster = (data) => ({ matchId: (data as { key: string }).key });
const doubled: Upcaster = (data) => ({ id: `${(data as { id: string }).id}!` });

const metadata = {
  commandId: 'c',
  correlationId: 'r',
  causationId: 'c',
  actor: { role: 'system', id: 's', name: 's' },
  time: '2026-11-21T00:00:00.000Z',
  schemaVersion: 1,
} as const;
const event = {
  position: 1n,
  stream: 'match-m',
  revision: 0,
  id: 'x',
  type: 'MatchCancelled',
  version: 1,
  time: metadata.time,
  data: { matchId: 'm' },
  metadata,
  metadataText: JSON.stringify(metadata),
};

/** As under a release that has raised the version of a fact. */
const raised = (to: number, check: () => void): void => {
  const { version } = allFacts.MatchCancelled;
  Object.assign(allFacts.MatchCancelled, { version: to });
  try {
    check();
  } finally {
    Object.assign(allFacts.MatchCancelled, { version });
  }
};

describe('upcasting', () => {
  it('stops at what this release does not know', () => {
    expect(() => upcastData('Invented', 1, {})).toThrow(new UnreadableFact('This release does not know the fact Invented'));
    expect(() => upcastData('toString', 1, {})).toThrow(UnreadableFact);
    expect(() => upcastData('MatchCancelled', 2, {})).toThrow(new UnreadableFact('This release reads MatchCancelled up to version 1, not 2'));
    expect(() => upcastData('MatchCancelled', 0, {}, { MatchCancelled: [renamed] })).toThrow(UnreadableFact);
  });

  it('goes step by step', () => {
    raised(3, () => {
      expect(upcastData('MatchCancelled', 1, { key: 'm' }, { MatchCancelled: [renamed, doubled] })).toStrictEqual({ id: 'm!' });
      expect(upcastData('MatchCancelled', 2, { id: 'm' }, { MatchCancelled: [renamed, doubled] })).toStrictEqual({ id: 'm!' });
      expect(() => upcastData('MatchCancelled', 2, {}, { MatchCancelled: [renamed] })).toThrow(new UnreadableFact('MatchCancelled has no step from version 2'));
    });
  });

  it('makes an event of an older version one of the current version, once', () => {
    raised(2, () => {
      const steps = { MatchCancelled: [named] };
      const today = upcastEvent({ ...event, data: { key: 'm' } }, steps);
      expect(today).toStrictEqual({ ...event, version: 2, data: { matchId: 'm' } });
      expect(upcastEvent(today, steps)).toBe(today);
    });
  });

  it('passes over what was erased, of whichever version it was', () => {
    for (const version of [1, 2, 3]) {
      const erased = { ...event, version, data: undefined };
      raised(2, () => expect(upcastEvent(erased, { MatchCancelled: [named] })).toBe(erased));
    }
  });

  it('gives a current event back as it is', () => {
    expect(upcastEvent(event)).toBe(event);
    expect(() => upcastEvent({ ...event, type: 'Invented' })).toThrow(UnreadableFact);
    for (const data of [null, undefined]) expect(upcastEvent({ ...event, data })).toEqual({ ...event, data });
  });

  it('stops at data that are no such fact, current or brought up to date', () => {
    const fault = new UnreadableFact('The data are no MatchCancelled: matchId: Invalid input: expected string, received number');
    expect(() => toFact({ type: 'MatchCancelled', version: 1, data: { matchId: 7 } })).toThrow(fault);
    expect(() => upcastEvent({ ...event, data: { matchId: 7 } })).toThrow(fault);
    expect(() => toFact({ type: 'MatchCancelled', version: 1, data: null })).toThrow(UnreadableFact);
  });
});
