#!/usr/bin/env node
// @ts-nocheck -- plain JavaScript on purpose: it is handed to people who have nothing but Node
/* oxlint-disable typescript/no-unsafe-assignment, typescript/no-unsafe-member-access -- as above */
// Checks a season file of CourtLedger with nothing but Node (20 or newer): node check-season-file.mjs <file> [public key, base64]
// Exit code 0: genuine, signed with the key that was given. 1: not. 2: intact, but nobody said whose key it should be (anybody can make one), or no file, or no
// key, or an older Node: nothing is said about the file.
// 1. the signature over the first line, 2. every score added up again from the entries, 3. the table worked out again.
import { createPublicKey, verify } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';

const [file, expectedKey] = process.argv.slice(2);
if (file === undefined) fail('usage: node check-season-file.mjs <file> [public key, base64]', 2);
function fail(message, code = 1) {
  console.error(message);
  process.exit(code);
}
if (Number(process.versions.node.split('.')[0]) < 20) fail(`NOT CHECKED: this needs Node 20 or newer, and this is v${process.versions.node}`, 2);
process.on('uncaughtException', () => fail('NOT A SEASON FILE of this format')); // whatever it has in the place of what is looked for
if (!existsSync(file)) fail(`THERE IS NO FILE ${file}`, 2);
let bytes;
try {
  bytes = readFileSync(file);
} catch (error) {
  fail(`NOT CHECKED: ${error.message}`, 2);
}
const end = bytes.indexOf(10);
if (end < 0) fail('NOT A SEASON FILE: it has no second line');
const payload = bytes.subarray(bytes.indexOf('\uFEFF') === 0 ? 3 : 0, bytes[end - 1] === 13 ? end - 1 : end); // what an editor of texts adds, a mark before and a carriage return after, says nothing
let season, seal;
try {
  [season, seal] = [JSON.parse(payload), JSON.parse(bytes.subarray(end + 1))];
} catch {
  fail('NOT A SEASON FILE: its lines are not JSON');
}
if (season.format !== 'courtledger-season/1' || seal.algorithm !== 'Ed25519' || !/^MCowBQYDK2VwAyEA[\w+/]{43}=$/.test(seal.publicKey))
  fail('NOT A SEASON FILE of this format');
if (expectedKey !== undefined && /MCow[\w+/]*=*/.exec(expectedKey)?.[0] !== seal.publicKey)
  fail(
    ...(/MCowBQYDK2VwAyEA[\w+/]{43}=/.test(expectedKey)
      ? ['ANOTHER KEY: the file was not signed by the server whose key was given']
      : ['NOT A KEY: give the public key as <server>/api/season-key shows it, not the name of a file', 2]),
  );
const key = createPublicKey({ key: Buffer.from(seal.publicKey, 'base64'), format: 'der', type: 'spki' });
if (!verify(null, payload, key, Buffer.from(seal.signature, 'base64'))) fail('FORGED: the signature does not fit the content');

// Facts to matches: a line counts while an entry of it stands, or its last status is not 'Not Played'.
const matches = new Map();
for (const { type, data } of season.facts) {
  if (type === 'MatchAssigned') matches.set(data.matchId, { a: data.teamAId, b: data.teamBId, lines: new Map(), gives: new Map(), cancelled: false });
  const match = matches.get(data.matchId);
  if (type === 'MatchCancelled') match.cancelled = true;
  if (!['StatIncrementRecorded', 'StatEntryReversed', 'PlayerParticipationRecorded'].includes(type)) continue;
  if (!match.lines.has(data.playerId)) match.lines.set(data.playerId, { team: data.teamId, points: 0, entries: 0, status: false });
  const line = match.lines.get(data.playerId);
  if (type === 'PlayerParticipationRecorded') line.status = data.notplayed !== 'Not Played';
  else {
    const gives = type === 'StatIncrementRecorded' || !(match.gives.get(data.targetEntryId) ?? true);
    match.gives.set(data.entryId, gives);
    line.entries += gives ? 1 : -1;
    line.points += data.points;
  }
}
const results = [...matches]
  .filter(([, match]) => !match.cancelled)
  .map(([id, { a, b, lines }]) => {
    const shown = [...lines.values()].filter(({ entries, status }) => entries > 0 || status);
    const score = (team) => shown.reduce((sum, line) => (line.team === team ? sum + line.points : sum), 0);
    return { _id: id, team_1: a, team_2: b, score_1: score(a), score_2: score(b), hasStats: shown.length > 0 };
  });
const text = (list, keys) => JSON.stringify(list.map((one) => keys.map((name) => one[name])).toSorted((x, y) => (String(x) < String(y) ? -1 : 1)));
if (
  text(results, ['_id', 'team_1', 'team_2', 'score_1', 'score_2', 'hasStats']) !==
  text(season.results, ['_id', 'team_1', 'team_2', 'score_1', 'score_2', 'hasStats'])
)
  fail('WRONG RESULTS: the entries do not add up to the scores');

// The table: two points for a win, one for a loss; level teams by difference, wins, the games among them (when all met equally often), points scored.
const counted = results.filter(({ hasStats }) => hasStats);
const tabulate = (ids, games) => {
  const table = new Map(ids.map((id) => [id, { played: 0, wins: 0, losses: 0, points: 0, pointsFor: 0, pointsAgainst: 0, difference: 0 }]));
  for (const { team_1, team_2, score_1, score_2 } of games) {
    if (!table.has(team_1) || !table.has(team_2)) continue;
    for (const [id, own, other] of [
      [team_1, score_1, score_2],
      [team_2, score_2, score_1],
    ]) {
      const row = table.get(id);
      row.played += 1;
      row[own > other ? 'wins' : 'losses'] += 1;
      row.points += own > other ? 2 : 1;
      row.pointsFor += own;
      row.pointsAgainst += other;
      row.difference = row.pointsFor - row.pointsAgainst;
    }
  }
  return table;
};
const groupBy = (items, group) => items.reduce((groups, item) => groups.set(group(item), [...(groups.get(group(item)) ?? []), item]), new Map());
const split = (ids, value) => [...groupBy(ids, value)].toSorted(([x], [y]) => y - x).map(([, group]) => group);
const entered = new Set();
for (const { type, data } of season.facts)
  if (type === 'TeamEnteredTournament') entered.add(data.teamId);
  else if (type === 'TeamWithdrawnFromTournament') entered.delete(data.teamId);
const all = counted.length === 0 ? [] : [...new Set([...entered, ...counted.flatMap(({ team_1, team_2 }) => [team_1, team_2])])];
const overall = tabulate(all, counted);
const untie = (ids) => {
  const among = counted.filter(({ team_1, team_2 }) => ids.includes(team_1) && ids.includes(team_2));
  const met = groupBy(among, ({ team_1, team_2 }) => [team_1, team_2].toSorted((x, y) => (x < y ? -1 : 1)).join());
  const fair = met.size === 0 || (met.size === (ids.length * (ids.length - 1)) / 2 && new Set([...met.values()].map((games) => games.length)).size === 1);
  const mini = tabulate(ids, among);
  const keys = [
    (id) => overall.get(id).wins,
    ...(fair ? ['points', 'difference', 'pointsFor'].map((name) => (id) => mini.get(id)[name]) : []),
    (id) => overall.get(id).pointsFor,
  ];
  for (const value of keys) if (split(ids, value).length > 1) return split(ids, value).flatMap(untie);
  return [ids];
};
let place = 1;
const standings = split(all, (id) => overall.get(id).points)
  .flatMap((group) => split(group, (id) => overall.get(id).difference))
  .flatMap(untie)
  .flatMap((ids) => {
    const rank = place;
    place += ids.length;
    return ids.map((teamId) => ({ rank, teamId, ...overall.get(teamId) }));
  });
const columns = ['teamId', 'rank', 'played', 'wins', 'losses', 'points', 'pointsFor', 'pointsAgainst', 'difference'];
if (text(standings, columns) !== text(season.standings, columns)) fail('WRONG TABLE: the results do not give these standings');
// Anybody can sign a name that moves the cursor or begins a line, and so forge what stands here: such characters are written as JSON writes them.
const plain = (value) =>
  String(value).replaceAll(
    /[\p{Cc}\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/gu,
    (sign) => ({ '\n': '\\n', '\r': '\\r' })[sign] ?? `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
const content = `${plain(season.tournament.name)}, ${season.results.length} matches and ${season.facts.length} facts up to position ${plain(season.position)}`;
if (expectedKey === undefined) fail(`INTACT, SIGNER UNKNOWN: ${content}. Compare this key with the one at <server>/api/season-key: ${seal.publicKey}`, 2);
console.log(`GENUINE: ${content}, signed with ${seal.publicKey}`);
