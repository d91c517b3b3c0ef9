import { readFileSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { UnknownOutcome } from '../event-log/event-log.ts';
import { temporaryFolder } from '../event-log/testing/log-files.ts';
import { openErasureLedger, type Erasure, type ErasureLedger } from './erasure-ledger.ts';
import { failLedgerDisk, type LedgerFault } from './testing/failing-ledger-disk.ts';

const erasureOf = (personId: string): Erasure => ({ personId, kind: 'player', reason: 'Asked for it', time: '2026-11-21T10:00:00.000Z' });
const open = () => {
  const folder = temporaryFolder();
  onTestFinished(() => folder.remove());
  const ledger = openErasureLedger(folder.path('data'));
  ledger.begin(erasureOf('before'));
  return { ledger, again: () => openErasureLedger(folder.path('data')), text: () => readFileSync(folder.path('data/erasures.jsonl'), 'utf8') };
};
const failing = (fault: LedgerFault, work: () => void): unknown => {
  const mend = failLedgerDisk(fault);
  try {
    work();
    return undefined;
  } catch (error) {
    return error;
  } finally {
    mend();
  }
};
const standing = (ledger: ErasureLedger) => ledger.all().map(({ personId, place, finished }) => [personId, place, finished]);

const works: readonly (readonly [string, (ledger: ErasureLedger) => void])[] = [
  ['an erasure', (ledger) => ledger.begin(erasureOf('another'))],
  ['who asks for one', (ledger) => ledger.ask('before', 'here')],
  ['the end of one', (ledger) => ledger.finish('before')],
];
const faults: readonly (readonly [LedgerFault, string])[] = [
  ['first flush', 'EIO'],
  ['last byte', 'ENOSPC'],
];
it.each(faults.flatMap(([fault, code]) => works.map(([what, work]) => [what, fault, code, work] as const)))(
  '%s that the disk does not take (%s) is not noted, neither now nor for the next start',
  (_, fault, code, work) => {
    const { ledger, again, text } = open();
    const before = text();
    expect(failing(fault, () => work(ledger))).toMatchObject({ code });
    expect([text(), standing(ledger), standing(again())]).toEqual([before, [['before', undefined, false]], [['before', undefined, false]]]);
    work(ledger);
    expect(standing(again())).toEqual(standing(ledger));
  },
);

it.each<[LedgerFault, string]>([
  ['every flush', 'EIO: fsync'],
  ['last byte, nor a cut', 'ENOSPC: write'],
])('of one that the disk neither takes nor gives back (%s) nobody says that it is not noted', (fault, reason) => {
  const { ledger } = open();
  expect(failing(fault, () => ledger.begin(erasureOf('another')))).toEqual(new UnknownOutcome(`It is not known whether this was noted: ${reason}`));
});
