import type { TraceAnswer, TraceEntry } from '@courtledger/contracts/operations/audit.answers';
import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { answerWith, renderSite } from '../testing/render-site.tsx';
import { standingRow, tournament } from '../testing/tournament-builder.ts';
import { valueInWords } from './trace.rules.ts';

const { teamId } = standingRow();
let position = 0;
const entry = (match_id: string, amount: number, runningTotal: number): TraceEntry => {
  position += 1;
  return {
    position: String(position),
    at: '2026-11-21T06:00:00.000Z',
    actor: { role: 'admin', id: 'a1', name: 'pema' },
    type: 'StatIncrementRecorded',
    match_id,
    player_id: 'p1',
    playerName: 'Suyog Maharjan',
    team_id: teamId,
    amount,
    runningTotal,
    reversed: false,
    restores: false,
    commandId: 'c',
  };
};
const reversal = (amount: number, restores: boolean, reason: string): TraceEntry => ({
  ...entry('m1', amount, 300),
  type: 'StatEntryReversed',
  restores,
  reason,
});
const ofMatch = (match: string) => ({ of: 'match-team', stat: 'points', match, team: teamId }) as const;
// Entries come as they were recorded, across the matches.
const whole: TraceAnswer = {
  title: 'Points scored by Kathmandu Kings in Cup',
  value: 654,
  rule: 'The sum of its own scores.',
  parts: [
    { label: 'v Pokhara', value: '300–290', counts: 300, date: '2026-11-12T00:00:00.000Z', match_id: 'm1', team_id: teamId, trace: ofMatch('m1') },
    { label: 'v Pokhara', value: '354–271', counts: 354, date: '2026-11-15T00:00:00.000Z', match_id: 'm2', team_id: teamId, trace: ofMatch('m2') },
  ],
  entries: [entry('m2', 354, 354), entry('m1', 310, 310), entry('m1', -10, 300)],
};
const part: TraceAnswer = {
  title: 'Score of Kathmandu Kings in Kathmandu Kings v Pokhara',
  value: 300,
  rule: "The sum of its players' points.",
  parts: [
    {
      label: 'Suyog Maharjan',
      value: '300',
      counts: 300,
      match_id: 'm1',
      player_id: 'p1',
      trace: { of: 'match-player', stat: 'points', match: 'm1', player: 'p1' },
    },
  ],
  entries: [entry('m1', 310, 310), entry('m1', -10, 300)],
};
const answerTo = (query: string, body: object) => ({ [`/audit/trace?${query}`]: { body } });

const open = async (stat: string, label: string, answer: object) => {
  localStorage.setItem('atoken', 'a.b.c');
  answerWith({
    '/tournaments/t1/standings': { body: { tournamentId: 't1', provisional: false, rows: [standingRow()] } },
    '/tournaments': { body: { allTournaments: [tournament()], upcomingTournaments: [] } },
    ...answerTo(`of=standings&stat=${stat}&tournament=t1&team=${teamId}`, answer),
    ...answerTo(`of=match-team&stat=points&match=m1&team=${teamId}`, part),
  });
  const { user } = renderSite('/standings/t1');
  await user.click(await screen.findByRole('button', { name: label }));
  return { user, panel: within(await screen.findByRole('region', { name: 'Entries behind a number' })) };
};
const rowsOf = (table: HTMLElement): readonly string[] =>
  within(table)
    .getAllByRole('row')
    .map((row) => Array.from(row.children, (cell) => cell.textContent).join(' | '));

beforeEach(() => {
  vi.setSystemTime('2026-11-21T10:12:00.000Z');
  vi.stubGlobal('scrollTo', vi.fn<() => void>());
});
afterEach(() => {
  localStorage.clear();
});

const folded = 'All 3 entries, by match';

it('says that the log is damaged, where the number was made of it', async () => {
  const { panel } = await open('pointsFor', 'Why 654? Kathmandu Kings, points for', { ...whole, damage: 'The log is damaged at position 7. Look' });
  expect(await panel.findByRole('alert')).toHaveTextContent('The log is damaged at position 7. Look.');
});

it('adds the parts up to the number, and says of each entry in which match it was', async () => {
  const { user, panel } = await open('pointsFor', 'Why 654? Kathmandu Kings, points for', whole);
  await panel.findByRole('heading', { name: 'Why 654? Points scored by Kathmandu Kings in Cup' });
  expect(rowsOf(panel.getByRole('table', { name: /^What it is made of/ }))).toEqual([
    'Match | Score | Counts',
    'v Pokhara, 12 November 2026 | 300–290 | 300',
    'v Pokhara, 15 November 2026 | 354–271 | 354',
    'Sum | 654',
  ]);
  // Those of several matches are not laid out until they are wanted.
  expect(panel.queryByRole('table', { name: /^Entries behind/ })).not.toBeInTheDocument();
  await user.click(panel.getByText(folded));
  await panel.findByRole('table', { name: /^Entries behind/ });
  const when = '21 Nov, 11:45 | pema | Suyog Maharjan';
  expect(rowsOf(panel.getByRole('table', { name: /^Entries behind/ }))).toEqual([
    'When | Recorded by | Player | Entry | Player’s total',
    'v Pokhara, 12 November 2026 | 300',
    `${when} | +310 | 310`,
    `${when} | −10 | 300`,
    'v Pokhara, 15 November 2026 | 354',
    `${when} | +354 | 354`,
    'Sum of the entries | 654',
  ]);
});

it('opens a part, and leads back to the whole', async () => {
  const { user, panel } = await open('pointsFor', 'Why 654? Kathmandu Kings, points for', whole);
  expect(panel.queryByRole('button', { name: 'Back' })).not.toBeInTheDocument();
  await user.click(await panel.findByText(folded));
  await user.click(panel.getByRole('button', { name: 'v Pokhara, 12 November 2026' }));
  const heading = await panel.findByRole('heading', { name: 'Why 300? Score of Kathmandu Kings in Kathmandu Kings v Pokhara' });
  await waitFor(() => expect(heading).toHaveFocus());
  expect(rowsOf(panel.getByRole('table', { name: /^What it is made of/ }))).toEqual(['Player | Counts', 'Suyog Maharjan | 300', 'Sum | 300']);
  // One match has its entries below it, whatever was unfolded before.
  expect(panel.queryByText(/, by match$/)).not.toBeInTheDocument();
  expect(rowsOf(panel.getByRole('table', { name: /^Entries behind/ })).at(-1)).toBe('Sum of the entries | 300');
  await user.click(panel.getByRole('button', { name: 'Back' }));
  const second = await panel.findByRole('heading', { name: /^Why 654\?/ });
  await waitFor(() => expect(second).toHaveFocus());
  expect(panel.queryByRole('button', { name: 'Back' })).not.toBeInTheDocument();
  expect(panel.getByText(folded).closest('details')).not.toHaveAttribute('open');
});

it('tells a rank by its teams, and shows no entries', async () => {
  const teams = [1, 2].map((rank) => ({ label: `Team ${String(rank)}`, value: `${String(rank)}. 13 points`, counts: rank, team_id: String(rank) }));
  const { panel } = await open('rank', 'Why 1? Kathmandu Kings, rank', { ...whole, title: 'Rank of Kathmandu Kings in Cup', value: 1, parts: teams });
  expect(rowsOf(await panel.findByRole('table', { name: /^What it is made of/ }))).toEqual([
    'Team | Standing',
    'Team 1 | 1. 13 points',
    'Team 2 | 2. 13 points',
  ]);
  expect([panel.queryByText(folded), panel.queryByRole('table', { name: /^Entries behind/ })]).toEqual([null, null]);
});

it('says of a reversal whether it took the entry back or restored it', async () => {
  const { panel } = await open('points', 'Why 13? Kathmandu Kings, points', {
    ...part,
    entries: [reversal(-10, false, 'Counted twice'), reversal(10, true, 'It was right')],
  });
  const table = within(await panel.findByRole('table', { name: /^Entries behind/ }));
  expect(
    table
      .getAllByRole('rowheader')
      .slice(0, 2)
      .map(({ textContent }) => textContent),
  ).toEqual(['Suyog Maharjan taken back Counted twice', 'Suyog Maharjan restored It was right']);
});

it('says of an entry from whom and to whom it was moved, and what became of one that counts no more', async () => {
  const [own, given] = [
    { ...entry('m1', 7, 7), reversed: true },
    { player_id: 'p2', playerName: 'Bishal' },
  ];
  const entries = [
    own,
    { ...own, position: '901', movedTo: given },
    { ...own, position: '902', type: 'StatEntryMoved', amount: -7, reversed: false, movedTo: given },
    { ...own, position: '903', type: 'StatEntryMoved', movedFrom: { player_id: 'p3', playerName: 'Anish' }, movedTo: given },
  ];
  const { panel } = await open('points', 'Why 13? Kathmandu Kings, points', { ...part, entries });
  const rows = rowsOf(await panel.findByRole('table', { name: /^Entries/ })).slice(1);
  expect(rows.map((row) => row.split(' | ')[2])).toEqual([
    'Suyog Maharjan taken back',
    'Suyog Maharjan moved to Bishal',
    'Suyog Maharjan moved to Bishal',
    'Suyog Maharjan moved from Anish moved to Bishal',
  ]);
});

it('adds up no entries where the number is reckoned from scores: each match says its score', async () => {
  const parts = whole.parts.map((one, index) => ({ ...one, counts: [10, 83][index] }));
  const { user, panel } = await open('difference', 'Why +93? Kathmandu Kings, point difference', {
    ...whole,
    title: 'Point difference of Kathmandu Kings in Cup',
    value: 93,
    parts,
  });
  expect(rowsOf(await panel.findByRole('table', { name: /^What it is made of/ })).slice(1)).toEqual([
    'v Pokhara, 12 November 2026 | 300–290 | +10',
    'v Pokhara, 15 November 2026 | 354–271 | +83',
    'Sum | +93',
  ]);
  await user.click(panel.getByText(folded));
  const entries = rowsOf(await panel.findByRole('table', { name: /^Entries behind/ }));
  expect([entries[1], entries[4], entries.at(-1)]).toEqual([
    'v Pokhara, 12 November 2026 | 300–290',
    'v Pokhara, 15 November 2026 | 354–271',
    '21 Nov, 11:45 | pema | Suyog Maharjan | +354 | 354',
  ]);
});

it('tells a number as the pages show it: an average with a decimal', () => {
  expect([
    valueInWords({ of: 'player-average', stat: 'points' }, 10),
    valueInWords({ of: 'player-total', stat: 'points' }, 10),
    ...[-3, 0, 32].map((value) => valueInWords({ of: 'standings', stat: 'difference' }, value)),
  ]).toEqual(['10.0', '10', '−3', '0', '+32']);
});
