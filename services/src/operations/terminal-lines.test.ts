import { expect, it } from 'vitest';
import { eventLine } from './event-lines.ts';
import { jsonLines, lineText, terminalOn } from './terminal-lines.ts';

const forged = 'wrong\n      99  2026-11-21T10:11:00.000Z  match-m1@9  MatchCancelled\r\u001B[2K\u0085\u009B1A\u007F\t\u2028\u2029\u202E\u2067';
const seen = String.raw`wrong\n      99  2026-11-21T10:11:00.000Z  match-m1@9  MatchCancelled\r\u001b[2K\u0085\u009b1A\u007f\t\u2028\u2029\u202e\u2067`;

const heard = (isErrorTerminal: boolean) => {
  const texts: (readonly [string, string])[] = [];
  return {
    texts,
    terminal: terminalOn({
      out: (text) => void texts.push(['out', text]),
      error: (text) => void texts.push(['error', text]),
      isErrorTerminal: () => isErrorTerminal,
    }),
  };
};

it('each call is one line, whatever stands in the text', () => {
  const { texts, terminal } = heard(true);
  terminal.out(forged);
  terminal.note(forged);
  terminal.progress(forged);
  terminal.progress(undefined);
  expect(texts).toEqual([
    ['out', `${seen}\n`],
    ['error', `${seen}\n`],
    ['error', `\r\u001B[2K${seen}`],
    ['error', '\r\u001B[2K'],
  ]);
  const file = heard(false);
  file.terminal.progress('1 of 2');
  expect(file.texts).toEqual([]);
});

it('names of any script stay as they are, with the joiners that they are written with', () => {
  const names = 'काठमाडौं किङ्ग्‍स – “Zoë”, 👩‍👦 −8 → 3 · C:\\new';
  expect(lineText(names)).toBe(names);
});

it('JSON says the same after it', () => {
  const { texts, terminal } = heard(false);
  const answer = { reason: forged, more: [{ name: '\u0000' }] };
  for (const line of jsonLines(answer)) terminal.out(line);
  terminal.out(JSON.stringify(answer));
  expect([
    texts.length,
    JSON.parse(
      texts
        .slice(0, -1)
        .map(([, text]) => text)
        .join(''),
    ),
    JSON.parse(texts.at(-1)?.[1] ?? ''),
  ]).toEqual([9, answer, answer]);
});

it('an event is one line with its whole reason; other data are cut, between characters', () => {
  const { texts, terminal } = heard(false);
  const reason = `${'because '.repeat(20)}\nof this`;
  terminal.out(
    eventLine({
      position: '7',
      stream: 'match-m1',
      revision: 1,
      type: 'StatEntryReversed',
      version: 1,
      time: '2026-11-21T10:11:00.000Z',
      what: 'Reversed',
      data: { matchId: 'm1', reason, name: '🏀'.repeat(41) },
      metadata: { actor: { role: 'admin', name: 'Asha\nRai' } },
    }),
  );
  expect(texts).toEqual([
    [
      'out',
      `       7  2026-11-21T10:11:00.000Z  match-m1@1  StatEntryReversed  by admin ${String.raw`Asha\nRai`}  Reversed  reason=${'because '.repeat(20)}${String.raw`\nof this`} name=${'🏀'.repeat(39)}…\n`,
    ],
  ]);
});
