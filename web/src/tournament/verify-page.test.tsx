import { generateKeyPairSync, sign } from 'node:crypto';
import { fireEvent, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { answerWith, renderSite } from '../testing/render-site.tsx';

const keys = generateKeyPairSync('ed25519');
const publicKey = keys.publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
const season = {
  format: 'courtledger-season/1',
  tournament: { name: 'Himalayan Hoops' },
  teams: [
    { _id: 'a', name: 'Kings' },
    { _id: 'b', name: 'Dukes' },
  ],
  facts: [
    { type: 'MatchAssigned', data: { matchId: 'm', teamAId: 'a', teamBId: 'b', date: '2026-11-02' } },
    { type: 'MatchRescheduled', data: { matchId: 'm', date: '2026-11-03' } },
    { type: 'StatIncrementRecorded', data: { matchId: 'm', entryId: 'e', playerId: 'p', teamId: 'a', points: 2 } },
  ],
  results: [{ _id: 'm', team_1: 'a', team_2: 'b', score_1: 2, score_2: 0, hasStats: true }],
  standings: [
    { rank: 1, teamId: 'a', teamName: 'Kings', played: 1, wins: 1, losses: 0, points: 2, pointsFor: 2, pointsAgainst: 0, difference: 2 },
    { rank: 2, teamId: 'b', teamName: 'Dukes', played: 1, wins: 0, losses: 1, points: 1, pointsFor: 0, pointsAgainst: 2, difference: -2 },
  ],
};
const sealOf = (content: object): string => {
  const line = JSON.stringify(content);
  return `${line}\n${JSON.stringify({ algorithm: 'Ed25519', publicKey, signature: sign(null, Buffer.from(line), keys.privateKey).toString('base64') })}`;
};
const sealed = sealOf(season);

/** jsdom's file cannot give its bytes. */
const hold = (file: File, text: string): File =>
  Object.defineProperty(file, 'arrayBuffer', { configurable: true, value: async () => new TextEncoder().encode(text).buffer });
const drop = (text: string): void => {
  const file = hold(new File([text], 'season.jsonl'), text);
  fireEvent.change(screen.getByLabelText(/Drop a season file here/), { target: { files: [file] } });
};

it('calls a file of this server genuine, also when it is dropped before the server has told its key', async () => {
  answerWith({ '/season-key': { body: { publicKey } } });
  renderSite('/verify');
  await screen.findByRole('heading', { name: 'Verify a season file' });
  drop(sealed);
  expect(await screen.findByText('Genuine: signed by this server, and every score adds up from its entries.')).toBeInTheDocument();
  expect(screen.getByText('3 facts, 1 result')).toBeInTheDocument();
  // The day that it was moved to last.
  expect(screen.getByText('Kings v Dukes').closest('th')).toHaveTextContent('Kings v DukesTuesday, 3 November 2026');
});

it.each([
  [
    'the key of another server',
    { '/season-key': { body: { publicKey: 'another' } } },
    sealed,
    'Whole and adding up, but signed with the key of another server.',
  ],
  [
    'a server that tells no key',
    { '/season-key': { status: 404, body: { message: 'no' } } },
    sealed,
    'Whole and adding up, but this server could not be asked whether the key is its own.',
  ],
  [
    'a changed number',
    { '/season-key': { body: { publicKey } } },
    sealed.replace('"points":2', '"points":3'),
    'Forged: the signature does not fit the content.',
  ],
  [
    'a wrong rank',
    { '/season-key': { body: { publicKey } } },
    sealOf({ ...season, standings: season.standings.map((row) => ({ ...row, rank: 9 })) }),
    'Signed, but wrong: The results do not give the standings of Kings.',
  ],
  ['something else', { '/season-key': { body: { publicKey } } }, 'a text', 'This is not a season file.'],
])('says what is wrong: %s', async (_, answers, text, told) => {
  answerWith(answers);
  renderSite('/verify');
  await screen.findByRole('heading', { name: 'Verify a season file' });
  drop(text);
  expect(await screen.findByText(told)).toBeInTheDocument();
});

const until = (at: unknown, position: unknown): string => sealOf({ ...season, position, facts: season.facts.map((fact) => ({ ...fact, time: at })) });

it('says how far a file goes, for what was corrected since is not in it; nothing of a file that does not say it', async () => {
  answerWith({ '/season-key': { body: { publicKey } } });
  renderSite('/verify');
  await screen.findByRole('heading', { name: 'Verify a season file' });
  drop(until('2026-11-03T12:31:05.250Z', '1229'));
  expect(
    await screen.findByText(
      'Up to position 1229 of the server’s log: the last of its facts was recorded on 3 Nov 2026, 18:16:05. What was recorded or corrected since is not in this file.',
    ),
  ).toBeInTheDocument();
  for (const [at, position] of [
    ['2026-13-03T12:31:05.250Z', '1229'],
    ['2026-11-03T12:31:05.250Z', 'all'],
    [undefined, '1229'],
    ['2026-11-03T12:31:05.250Z', undefined],
  ]) {
    drop(until(at, position));
    expect(await screen.findByText('3 facts, 1 result')).toBeInTheDocument();
    expect(screen.queryByText(/^Up to position/)).not.toBeInTheDocument();
  }
});

it('shows a file of somebody else in which a date is none, without it', async () => {
  answerWith({ '/season-key': { body: { publicKey: 'another' } } });
  renderSite('/verify');
  await screen.findByRole('heading', { name: 'Verify a season file' });
  drop(sealOf({ ...season, facts: [...season.facts, { type: 'MatchRescheduled', data: { matchId: 'm', date: '1823-05-005(' } }] }));
  expect(await screen.findByText('Whole and adding up, but signed with the key of another server.')).toBeInTheDocument();
  expect(screen.getByText('Kings v Dukes').closest('th')).toHaveTextContent('Kings v DukesTuesday, 3 November 2026');
});

it('lists results as they were played, not as they were assigned', async () => {
  answerWith({ '/season-key': { body: { publicKey: 'another' } } });
  renderSite('/verify');
  await screen.findByRole('heading', { name: 'Verify a season file' });
  const before = [
    { type: 'MatchAssigned', data: { matchId: 'n', teamAId: 'b', teamBId: 'a', date: '2026-11-01', time: '10:00' } },
    { type: 'PlayerParticipationRecorded', data: { matchId: 'n', playerId: 'p', teamId: 'a', notplayed: 'played' } },
  ];
  const standings = season.standings.map((row) => ({ ...row, played: 2, losses: row.losses + 1, points: row.points + 1 }));
  drop(
    sealOf({
      ...season,
      facts: [...season.facts, ...before],
      results: [...season.results, { _id: 'n', team_1: 'b', team_2: 'a', score_1: 0, score_2: 0, hasStats: true }],
      standings,
    }),
  );
  await screen.findByText('5 facts, 2 results');
  expect(screen.getAllByRole('rowheader', { name: / v / }).map(({ textContent }) => textContent)).toEqual([
    'Dukes v KingsSunday, 1 November 2026',
    'Kings v DukesTuesday, 3 November 2026',
  ]);
});

it('checks a file again that is chosen again: it may have been changed under its name', async () => {
  answerWith({ '/season-key': { body: { publicKey } } });
  const { user } = renderSite('/verify');
  const field = await screen.findByLabelText(/Drop a season file here/);
  const file = hold(new File([], 'season.jsonl'), sealed);
  await user.upload(field, file);
  await screen.findByText(/^Genuine/);
  // Like a browser this tells of no change where the same file is chosen that the field holds.
  await user.upload(field, hold(file, sealed.replace('"points":2', '"points":3')));
  expect(await screen.findByText('Forged: the signature does not fit the content.')).toBeInTheDocument();
});

it.each([
  ['a fact that is none', { facts: [...season.facts, null] }],
  ['no facts', { facts: undefined }],
  ['a result that is none', { results: [null] }],
  ['no standings', { standings: undefined }],
  ['no tournament', { tournament: undefined }],
  ['a tournament that is none', { tournament: null }],
])('calls a file that is signed but has another form no season file, and says nothing more of the file before it: %s', async (_, part) => {
  answerWith({ '/season-key': { body: { publicKey } } });
  renderSite('/verify');
  await screen.findByRole('heading', { name: 'Verify a season file' });
  drop(sealed);
  await screen.findByText(/^Genuine/);
  drop(sealOf({ ...season, ...part }));
  expect(screen.queryByText(/^Genuine/)).not.toBeInTheDocument();
  expect(await screen.findByText('This is not a season file.')).toBeInTheDocument();
  expect(screen.queryByText('Himalayan Hoops')).not.toBeInTheDocument();
});

it('cuts short what a file of somebody else calls things, however long: the page would be held', async () => {
  answerWith({ '/season-key': { body: { publicKey } } });
  renderSite('/verify');
  await screen.findByRole('heading', { name: 'Verify a season file' });
  const long = 'W'.repeat(5000);
  drop(sealOf(JSON.parse(JSON.stringify(season).replaceAll(/Himalayan Hoops|Kings|Dukes/g, long)) as object));
  await screen.findByText(/^Genuine/);
  const shown = `${'W'.repeat(119)}…`;
  expect([
    screen.getAllByRole('heading', { level: 2 })[0]?.textContent,
    screen.getByRole('rowheader', { name: new RegExp(`^${shown} v ${shown}`) }).textContent,
  ]).toEqual([shown, `${shown} v ${shown}Tuesday, 3 November 2026`]);
  expect(document.body.textContent).not.toContain('W'.repeat(122));
});
