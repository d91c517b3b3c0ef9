import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { siteFolder } from '../testing/site-folder.ts';
import { doubtOf, forgetDoubtfulFolds, type DoubtSources } from './read-model-doubt.ts';

/** What is said of a read model that may be of a damaged log, and when. */

const found = { position: 7n, reason: 'the data does not match its digest' };
const damage = { position: '7', reason: found.reason };
const sources: DoubtSources = { state: {}, live: 'read-model-1.sqlite', damage: undefined, making: undefined, hasChain: true };
const may = 'The read model may show what the log said while it was damaged at position 7: ';

it.each<readonly [string, Partial<DoubtSources>, string | undefined]>([
  ['nothing is on record', {}, undefined],
  [
    'the record of a break fits now, and the walk has not ended',
    { state: { damage } },
    `${may}what stands there now fits, and it is made anew as soon as the whole log was verified`,
  ],
  ['the log is damaged still: the refusal of writes tells', { state: { damage }, damage: found }, undefined],
  ['the record is of a log that is not the one in use', { state: { damage }, hasChain: false }, undefined],
  ['a remake is owed and nothing runs', { state: { owedRemake: { position: '7' } } }, `${may}a rebuild or a restart of the server makes it anew`],
  [
    'it is owed, and another job runs',
    { state: { owedRemake: { position: '7' } }, making: 'read-model-2.sqlite' },
    `${may}a rebuild or a restart of the server makes it anew`,
  ],
  ['it is under way', { state: { owedRemake: { position: '7', file: 'read-model-2.sqlite' } }, making: 'read-model-2.sqlite' }, `${may}it is being made anew`],
  [
    'it is owed, and this process takes no writes any more',
    { state: { owedRemake: { position: '7' } }, damage: { ...found, isMended: true } },
    `${may}it is made anew when a start of the server finds the log whole`,
  ],
  [
    'what it made is live, and the process was killed before it could note that',
    { state: { owedRemake: { position: '7', file: 'read-model-1.sqlite' } } },
    undefined,
  ],
])('%s', (_, more, said) => {
  expect(doubtOf({ ...sources, ...more })).toBe(said);
});

const folder = siteFolder();
it.each<readonly [string, DoubtSources['state'], boolean]>([
  ['nothing is on record', {}, true],
  ['a break is on record', { damage }, false],
  [
    'a break was the last that a walk found',
    {
      lastVerification: {
        state: 'broken',
        startedAt: '2026-11-22T06:00:00.000Z',
        endedAt: '2026-11-22T06:00:01.000Z',
        events: 6,
        erased: 0,
        position: '6',
        head: '8',
        ratePerSecond: 6,
        secondsLeft: null,
        firstBreak: damage,
        error: null,
      },
    },
    false,
  ],
  ['a remake is owed', { owedRemake: { position: '7' } }, false],
])('what is kept of folds, when %s', (_, state, stays) => {
  const dataDir = folder.path('data');
  mkdirSync(join(dataDir, 'folds'), { recursive: true });
  writeFileSync(join(dataDir, 'folds', 'file-references'), 'kept');
  forgetDoubtfulFolds(dataDir, state);
  expect(existsSync(join(dataDir, 'folds', 'file-references'))).toBe(stays);
});
