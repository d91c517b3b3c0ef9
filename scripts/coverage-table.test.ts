import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

/** docs/specification-coverage.md names, for every sentence of the specification, the tests that show it: they have to exist. */
const root = join(import.meta.dirname, '..');
const lines = readFileSync(join(root, 'docs/specification-coverage.md'), 'utf8').split('\n');

type Row = { readonly section: string; readonly sentence: string; readonly tests: readonly { readonly file: string; readonly title: string }[] };

const readRows = (): readonly Row[] => {
  const rows: Row[] = [];
  let section = '';
  for (const line of lines) {
    section = /^## Section (.+)$/.exec(line)?.[1] ?? section;
    const [, sentence, shown] = /^\| (.+) \| (.+) \|$/.exec(line) ?? [];
    if (sentence === undefined || shown === undefined || sentence === 'sentence' || sentence.startsWith('---')) continue;
    const tests = shown.split('<br>').map((cell) => {
      const [, file, title] = /^`([^`]+)`: (.+)$/.exec(cell) ?? [];
      if (file === undefined || title === undefined) throw new Error(`no test is named by: ${cell}`);
      return { file, title };
    });
    rows.push({ section, sentence, tests });
  }
  return rows;
};
const rows = readRows();

/** A title as it stands behind `it(` or `test(` (of `it.each`, behind its table), in any of the three quotes. */
const isTestOf = (source: string, title: string): boolean => ["'", '"', '`'].some((quote) => source.includes(`(${quote}${title}${quote}, `));

describe('the table of the specification', () => {
  it('has a row for the sentences of sections 2 to 5, 8 and 9', () => {
    const counts = new Map<string, number>();
    for (const { section } of rows) counts.set(section[0] ?? '', (counts.get(section[0] ?? '') ?? 0) + 1);
    expect([...counts.keys()]).toEqual(['2', '3', '4', '5', '8', '9']);
    expect([...counts.values()].every((count) => count >= 10)).toBe(true);
    expect(rows.length).toBeGreaterThan(150);
    expect(new Set(rows.map(({ section, sentence }) => `${section} ${sentence}`)).size).toBe(rows.length);
  });

  it('names tests that exist', () => {
    const sources = new Map<string, string>();
    const missing = rows.flatMap(({ sentence, tests }) =>
      tests
        .filter(({ file, title }) => {
          const path = join(root, file);
          const source = sources.get(file) ?? (existsSync(path) ? readFileSync(path, 'utf8') : '');
          sources.set(file, source);
          return !isTestOf(source, title);
        })
        .map(({ file, title }) => `${file}: ${title} (${sentence})`),
    );
    expect(missing).toEqual([]);
    expect(sources.size).toBeGreaterThan(20);
  });
});

describe('the table of faults', () => {
  it('names tests that exist', () => {
    const table = readFileSync(join(root, 'docs/faults.md'), 'utf8').split('\n');
    const cells = table.filter((line) => /^\| [RS]\d+ /.test(line)).flatMap((line) => line.split(' | '));
    let named = 0;
    const missing: string[] = [];
    for (const cell of [...cells, ...table.filter((line) => line.startsWith('Other rows'))]) {
      let source: string | undefined;
      for (const [, file, title] of cell.matchAll(/`([^`]+\.(?:test|spec)\.tsx?)`|'([^']+)'/g)) {
        const path = file === undefined ? undefined : [file, join('services/src', file)].map((place) => join(root, place)).find((place) => existsSync(place));
        if (file !== undefined) {
          named += 1;
          source = path === undefined ? undefined : readFileSync(path, 'utf8');
          if (source === undefined) missing.push(file);
          // What stands in the place of `…` differs from test to test.
        } else if (source !== undefined && !(title ?? '').split('…').every((words) => source?.includes(words.trim()))) missing.push(title ?? '');
      }
    }
    expect(missing).toEqual([]);
    expect(named).toBeGreaterThan(90);
  });
});
