import { changeAdmin, createAdmin, logInAdmin } from '@courtledger/contracts/admin/admin.api';
import { kathmanduDay } from '@courtledger/contracts/kernel/days';
import {
  assignMatch,
  cancelMatch,
  getMatch,
  getMatchHistory,
  listMatchCorrections,
  moveStatEntry,
  previewMove,
  previewReversal,
  recordMatchStats,
  recordStatIncrement,
  rescheduleMatch,
  reverseStatEntry,
} from '@courtledger/contracts/match/match.api';
import type { HistoryRow } from '@courtledger/contracts/match/match.answers';
import type { AuditAnswer } from '@courtledger/contracts/operations/audit.answers';
import { erasePerson, findPersons, getAdminAuditCsv, getAuditCsv, getTrace, listAdminAudit, listAudit } from '@courtledger/contracts/operations/audit.api';
import { correctPlayer, getPlayer, getPlayerDocument } from '@courtledger/contracts/player/player.api';
import { correctTeam } from '@courtledger/contracts/team/team.api';
import { changeTournament, getStandings, withdrawTeam } from '@courtledger/contracts/tournament/tournament.api';
import { getStandingsHistory } from '@courtledger/contracts/tournament/season.api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { derivedId } from '../platform/event-ids.ts';
import { openSite, registeredTeam, season, type Season, type Site } from '../testing/site.ts';

let site: Site;
let played: Season;
let [a1, a2, b1] = ['', '', ''];
beforeAll(async () => {
  site = await openSite();
  played = await season(site);
  [a1 = '', a2 = ''] = played.teams[0].players;
  [b1 = ''] = played.teams[1].players;
  await site.call(recordMatchStats, {
    token: played.token,
    json: { matchId: played.matchId, team1Players: [{ playerId: a1, points: 20, rebounds: 3 }], team2Players: [{ playerId: b1, points: 27 }] },
  });
});
afterAll(async () => site.close());

const tap = async (entryId: string, playerId: string, points: number) =>
  site.call(recordStatIncrement, { token: played.token, params: { id: played.matchId }, json: { entryId, playerId, points } });
const auditOf = async (query: Record<string, string>) => (await site.call(listAudit, { token: played.token, query })).lines;
/** What was refused, to whom, and the player and the team that it was about. */
const refusedOf = async (query: Record<string, string>) =>
  (await auditOf({ ...query, type: 'Refused' })).map(({ what, actor, player_id, team_id }) => [what, actor.role, player_id, team_id]);
/** How a refusal tells whom it was about. */
const inMatch = (who: string): string => `${who}, Pokhara Lynx v Dharan Dukes`;
const traceOf = async (query: Record<string, string>) => site.call(getTrace, { token: played.token, query });

describe('corrections', () => {
  it('previews what a reversal or a move would change, and records nothing', async () => {
    const params = { id: played.matchId };
    const history = await site.call(getMatchHistory, { token: played.token, params });
    const entryId = history.find(({ player_id, type }) => player_id === b1 && type === 'StatIncrementRecorded')?.entryId ?? '';
    const events = await site.events();
    const preview = await site.call(previewReversal, { token: played.token, params: { ...params, entryId } });
    expect({
      before: [preview.before.score_1, preview.before.score_2, preview.before.winner],
      after: [preview.after.score_1, preview.after.score_2, preview.after.winner],
    }).toStrictEqual({ before: [20, 27, played.teams[1].teamId], after: [20, 0, played.teams[0].teamId] });
    expect(preview.consequences).toStrictEqual([
      'The score changes from 20–27 to 20–0.',
      'The winner changes from Dharan Dukes to Pokhara Lynx.',
      'The MVP changes from Player 1 (number 1 of Dharan Dukes) to Player 1 (number 1 of Pokhara Lynx).',
      'Pokhara Lynx goes from rank 2 to 1.',
      'Dharan Dukes goes from rank 1 to 2.',
    ]);
    const move = await site.call(previewMove, { token: played.token, params: { ...params, entryId }, json: { playerId: a2 } });
    expect([move.after.score_1, move.after.score_2]).toStrictEqual([47, 0]);
    expect(move.players).toMatchObject([
      { name: 'Player 1 (number 1 of Dharan Dukes)', before: { points: 27 }, after: { points: 0 } },
      { name: 'Player 2', before: { points: 0 }, after: { points: 27 } },
    ]);
    expect((await site.refused(previewMove, { token: played.token, params: { ...params, entryId }, json: { playerId: b1 } })).message).toBe(
      'This entry is of that player already',
    );
    expect((await site.send(previewReversal, { token: played.token, params: { ...params, entryId: 'nope' } })).status).toBe(404);
    expect(await site.events()).toBe(events);
    expect((await site.call(getMatch, { params })).player_stats).toHaveLength(2);
  });

  it('moves an entry in one act, told as one line, and previews agree with what happens', async () => {
    const params = { id: played.matchId };
    await tap('tap-move', a1, 4);
    const previewed = await site.call(previewMove, { token: played.token, params: { ...params, entryId: 'tap-move' }, json: { playerId: a2 } });
    const headers = { 'Idempotency-Key': 'move-1' };
    const given = { token: played.token, headers, params: { ...params, entryId: 'tap-move' }, json: { playerId: a2, reason: 'Number 5, not 4' } };
    const before = await site.events();
    const moved = await site.call(moveStatEntry, given);
    expect(moved).toMatchObject({
      reversal: { targetEntryId: 'tap-move', player_id: a1, points: -4, reason: 'Number 5, not 4' },
      entry: { player_id: a2, points: 4, notplayed: 'played' },
    });
    expect(await site.call(moveStatEntry, given)).toStrictEqual(moved);
    expect(await site.events()).toBe(before + 2);
    const match = await site.call(getMatch, { params });
    expect(match.player_stats.map(({ player_id, points }) => [player_id, points])).toStrictEqual([
      [a1, 20],
      [b1, 27],
      [a2, 4],
    ]);
    expect(await site.call(getStandings, { params: { id: played.tournamentId } })).toStrictEqual(previewed.after.standings);
    const [line] = await auditOf({ match: played.matchId });
    expect(line).toMatchObject({
      type: 'StatEntryMoved',
      what: 'Moved 4 points from Player 1 (number 1 of Pokhara Lynx) to Player 2 in Pokhara Lynx v Dharan Dukes',
      reason: 'Number 5, not 4',
      before: 'Player 1 (number 1 of Pokhara Lynx): 24 points, 0 assists, 3 rebounds; Player 2: 0 points, 0 assists, 0 rebounds',
    });
    // Told once, to whoever asks about either player, or for moves; by its half to whoever asks for reversals.
    const toldTo = async (query: Readonly<Record<string, string>>) =>
      (await auditOf({ match: played.matchId, ...query })).filter(({ commandId }) => commandId === line?.commandId).map(({ type, what }) => [type, what]);
    const one = [['StatEntryMoved', line?.what]];
    expect(
      await Promise.all([{}, { player: a1 }, { player: a2 }, { type: 'StatEntryMoved' }, { type: 'StatEntryMoved', player: a1 }].map(toldTo)),
    ).toStrictEqual([one, one, one, one, one]);
    // At one position, about both players.
    const about = await Promise.all(
      [{}, { player: a1 }, { player: a2 }].map(async (query) =>
        (await auditOf({ match: played.matchId, type: 'StatEntryMoved', ...query })).map(({ position, player_id, from_player_id }) => [
          position,
          player_id,
          from_player_id,
        ]),
      ),
    );
    expect(about).toStrictEqual(about.map(() => [[line?.position, a2, a1]]));
    expect((await auditOf({ match: played.matchId, asOf: line?.position ?? '' }))[0]).toStrictEqual(line);
    // Each half says that it is one.
    expect(await Promise.all(['StatEntryReversed', 'StatIncrementRecorded'].map(async (type) => toldTo({ type })))).toStrictEqual([
      [['StatEntryReversed', 'Reversed an entry of Player 1 (number 1 of Pokhara Lynx) in Pokhara Lynx v Dharan Dukes: −4 points, moved to Player 2']],
      [['StatIncrementRecorded', 'Recorded 4 points for Player 2 in Pokhara Lynx v Dharan Dukes, moved from Player 1 (number 1 of Pokhara Lynx)']],
    ]);
    const ofGiver = (await traceOf({ of: 'match-player', stat: 'points', match: played.matchId, player: a1 })).entries;
    expect(ofGiver.map(({ amount, reversed, movedFrom, movedTo }) => [amount, reversed, movedFrom?.player_id, movedTo?.player_id])).toStrictEqual([
      [20, false, undefined, undefined],
      [4, true, undefined, a2],
      [-4, false, undefined, a2],
    ]);
    expect(
      (await traceOf({ of: 'match-player', stat: 'points', match: played.matchId, player: a2 })).entries.map(({ movedFrom, movedTo }) => [
        movedFrom?.playerName,
        movedTo,
      ]),
    ).toStrictEqual([['Player 1 (number 1 of Pokhara Lynx)', undefined]]);
    // Found by itself, however many entries stand above it.
    const only = await site.call(listAudit, { token: played.token, query: { type: 'StatEntryMoved', limit: '1' } });
    expect([only.lines, only.next]).toStrictEqual([[line], null]);
    expect((await site.send(getAuditCsv, { token: played.token, query: { type: 'StatEntryMoved', limit: '1' } })).text).not.toContain('Cut');
    // Whoever recorded nothing has 0, and a stranger no number.
    expect(await traceOf({ of: 'match-player', stat: 'rebounds', match: played.matchId, player: played.teams[1].players[1] ?? '' })).toMatchObject({
      value: 0,
      entries: [],
    });
    expect((await site.call(listMatchCorrections, { params }))[0]).toMatchObject({
      what: '4 points moved from Player 1 (number 1 of Pokhara Lynx) to Player 2',
      reason: 'Number 5, not 4',
    });
    expect((await site.refused(moveStatEntry, { ...given, headers: {} })).message).toBe('This entry is reversed already');
    const half = { token: played.token, params: { ...params, entryId: moved.reversal.entryId } };
    const onlyOnce = 'This was moved: move the entry back instead, or take it back there first';
    expect((await site.refused(reverseStatEntry, { ...half, json: { reason: 'It was number 4' } })).message).toBe(onlyOnce);
    expect((await site.refused(previewReversal, half)).message).toBe(onlyOnce);
    // Taken back by reversing both, the second one first: nothing is deleted.
    await site.call(reverseStatEntry, { token: played.token, params: { ...params, entryId: moved.entry.entryId }, json: { reason: 'It was number 4' } });
    await site.call(reverseStatEntry, { token: played.token, params: { ...params, entryId: moved.reversal.entryId }, json: { reason: 'It was number 4' } });
    expect((await site.call(getMatch, { params })).player_stats.map(({ player_id, points }) => [player_id, points])).toStrictEqual([
      [a1, 24],
      [b1, 27],
    ]);
    expect(
      (await traceOf({ of: 'match-player', stat: 'points', match: played.matchId, player: a1 })).entries.map(
        ({ amount, type, reason, movedFrom, movedTo, reversed }) => [amount, type, reason, movedFrom?.playerName, movedTo?.playerName, reversed],
      ),
    ).toStrictEqual([
      [20, 'StatIncrementRecorded', undefined, undefined, undefined, false],
      [4, 'StatIncrementRecorded', undefined, undefined, undefined, false],
      [-4, 'StatEntryMoved', 'Number 5, not 4', undefined, 'Player 2', true],
      [4, 'StatEntryReversed', 'It was number 4', undefined, undefined, false],
    ]);
    expect((await auditOf({ match: played.matchId, type: 'StatEntryReversed' })).slice(0, 2).map((told) => [told.what, told.before, told.after])).toStrictEqual(
      [
        [
          'Restored an entry of Player 1 (number 1 of Pokhara Lynx) in Pokhara Lynx v Dharan Dukes: 4 points',
          '20 points, 0 assists, 3 rebounds',
          '24 points, 0 assists, 3 rebounds',
        ],
        [expect.stringMatching(/^Reversed an entry of Player 2 in /), '4 points, 0 assists, 0 rebounds', '0 points, 0 assists, 0 rebounds'],
      ],
    );

    // It counts again, so it can be moved again: what is reversed is what restored it.
    const entryOf = async () => (await site.call(getMatchHistory, { token: played.token, params })).find((row) => row.entryId === 'tap-move');
    const restoring = (await site.call(getMatchHistory, { token: played.token, params })).findLast(({ type }) => type === 'StatEntryReversed')?.entryId;
    expect((await entryOf())?.reversed).toBe(false);
    const again = await site.call(previewMove, { token: played.token, params: { ...params, entryId: 'tap-move' }, json: { playerId: a2 } });
    const second = await site.call(moveStatEntry, {
      token: played.token,
      params: { ...params, entryId: 'tap-move' },
      json: { playerId: a2, reason: 'It was number 5 after all' },
    });
    expect(second).toMatchObject({ reversal: { targetEntryId: restoring, player_id: a1, points: -4 }, entry: { player_id: a2, points: 4 } });
    expect((await site.call(getMatch, { params })).player_stats.map(({ player_id, points }) => [player_id, points])).toStrictEqual([
      [a1, 20],
      [b1, 27],
      [a2, 4],
    ]);
    expect(await site.call(getStandings, { params: { id: played.tournamentId } })).toStrictEqual(again.after.standings);
    expect((await entryOf())?.reversed).toBe(true);
    expect((await auditOf({ match: played.matchId }))[0]).toMatchObject({
      type: 'StatEntryMoved',
      what: 'Moved 4 points from Player 1 (number 1 of Pokhara Lynx) to Player 2 in Pokhara Lynx v Dharan Dukes',
    });
    expect((await site.call(listMatchCorrections, { params }))[0]).toMatchObject({
      what: '4 points moved from Player 1 (number 1 of Pokhara Lynx) to Player 2',
      reason: 'It was number 5 after all',
    });
    await site.call(reverseStatEntry, { token: played.token, params: { ...params, entryId: second.entry.entryId }, json: { reason: 'It was number 4' } });
    await site.call(reverseStatEntry, { token: played.token, params: { ...params, entryId: second.reversal.entryId }, json: { reason: 'It was number 4' } });
    expect((await site.call(getMatch, { params })).player_stats.map(({ player_id, points }) => [player_id, points])).toStrictEqual([
      [a1, 24],
      [b1, 27],
    ]);
    const status = async (notplayed: 'played' | 'DNP') =>
      site.call(recordStatIncrement, { token: played.token, params, json: { entryId: `status-${notplayed}`, playerId: a1, notplayed } });
    await status('DNP');
    await status('played');
    // Entries say 'played' where no status was recorded.
    expect((await auditOf({ match: played.matchId, type: 'PlayerParticipationRecorded' })).map((told) => [told.before, told.after])).toStrictEqual([
      ['DNP', 'played'],
      ['played', 'DNP'],
    ]);
  });
});

const refusalsOf = async (query: Readonly<Record<string, string>>): Promise<readonly string[]> =>
  (await auditOf({ ...query, type: 'Refused' })).map(({ what }) => what);

describe('audit', () => {
  it('tells actor, time, what, before and after, command and cause, of a match, player, team and tournament', async () => {
    const params = { id: played.matchId };
    await site.call(rescheduleMatch, { token: played.token, params, json: { time: '17:15' } });
    await site.call(changeTournament, { token: played.token, params: { id: played.tournamentId }, json: undefined, form: { location: 'Lalitpur' } });
    await site.send(getPlayerDocument, { token: played.token, params: { id: a1 } });
    await site.call(correctPlayer, { token: played.token, params: { id: a1 }, json: { jerseyNumber: '77' } });
    const [moved] = await auditOf({ match: played.matchId });
    expect(moved).toMatchObject({
      type: 'MatchRescheduled',
      before: '2026-11-21 09:30',
      after: '2026-11-21 17:15',
      actor: { role: 'admin', name: 'Asha Rai' },
    });
    expect(moved?.commandId).toMatch(/./);
    expect(moved?.cause).toMatch(/./);
    const ofTournament = await auditOf({ tournament: played.tournamentId });
    expect(ofTournament[0]).toMatchObject({ what: 'Changed the tournament Winter League', before: 'location: Kathmandu', after: 'location: Lalitpur' });
    expect(ofTournament.map(({ type }) => type)).toContain('StatIncrementRecorded');
    const ofPlayer = await auditOf({ player: a1 });
    expect(ofPlayer.slice(0, 2)).toMatchObject([
      { type: 'PlayerJerseyNumberChanged', before: '1', after: '77' },
      { type: 'DocumentViewed', what: 'Viewed the ID document of Player 1', player_id: a1 },
    ]);
    expect(ofPlayer.some(({ type }) => type === 'StatIncrementRecorded')).toBe(true);
    // Of personal details those that the site shows are told with their values, of the rest only which ones were changed.
    await site.call(correctPlayer, { token: played.token, params: { id: a1 }, json: { name: 'Canary Renamed', age: '31' } });
    await site.call(correctPlayer, { token: played.token, params: { id: a1 }, json: { mobileNumber: '9800000077' } });
    const details = (await auditOf({ player: a1 })).filter(({ type }) => type === 'PersonDetailsRecorded');
    expect(details.map((told) => [told.before, told.after])).toStrictEqual([
      [null, 'changed: phone'],
      ['name: Player 1; age: 24', 'name: Canary Renamed; age: 31'],
      [null, 'name: Player 1; age: 24; height: 180; weight: 75; recorded: phone, photo, ID document'],
    ]);
    expect((await site.send(getAuditCsv, { token: played.token, query: { player: a1, type: 'PersonDetailsRecorded' } })).text).toContain(
      '"name: Player 1; age: 24","name: Canary Renamed; age: 31",',
    );
    expect(JSON.stringify(details)).not.toMatch(/98000000/);
    await site.call(correctPlayer, { token: played.token, params: { id: a1 }, json: { name: 'Player 1' } });
    expect((await auditOf({ team: played.teams[0].teamId })).map(({ type }) => type)).toEqual(
      expect.arrayContaining([
        'TeamRegistered',
        'CoachAppointed',
        'TeamEnteredTournament',
        'PersonDetailsRecorded',
        'MatchAssigned',
        'MatchRescheduled',
        'StatIncrementRecorded',
      ]),
    );
    // What was created says with what; personal details and keys are not among it.
    const [created, registered] = [
      await auditOf({ tournament: played.tournamentId, type: 'TournamentCreated' }),
      await auditOf({ team: played.teams[0].teamId, type: 'TeamRegistered' }),
    ];
    expect([
      created.map(({ before, after }) => [before, after?.split('; ').slice(0, 2)]),
      registered.map(({ before, after }) => [before, after?.replace(/\/media\/\S+/, '(logo)')]),
    ]).toStrictEqual([[[null, ['name: Winter League', 'organizer.name: Hoops Nepal']]], [[null, 'name: Pokhara Lynx; origin: Pokhara; logo: (logo)']]]);
    // Of a match that both played, each team is told its own entries.
    for (const { teamId } of played.teams) {
      const entries = await auditOf({ team: teamId, type: 'StatIncrementRecorded' });
      expect([entries.length > 0, entries.every(({ team_id }) => team_id === teamId)]).toEqual([true, true]);
    }
  });

  it('names the person whose details were recorded, a contact by the team, and only the erased as former, by kind', async () => {
    const { teamId, players } = await registeredTeam(site, 'Butwal Bolts', 1);
    const told = async (): Promise<readonly string[]> =>
      (await auditOf({ team: teamId, type: 'PersonDetailsRecorded' })).map(({ what }) => what.replace('Recorded the personal details of ', '')).toReversed();
    expect(await told()).toStrictEqual(['the contact of Butwal Bolts', 'Bikash Gurung', 'Player 1']);
    // Whoever the site shows is told with values, a contact without.
    await site.call(correctTeam, {
      token: played.token,
      params: { id: teamId },
      json: { coachname: 'Bikram Gurung', coachphoneNumber: '9811111111', teamPrimaryNumber: '9822222222' },
    });
    const recorded = (await auditOf({ team: teamId, type: 'PersonDetailsRecorded' })).map(({ before, after }) => `${before ?? '-'} → ${after ?? '-'}`);
    expect([recorded.slice(0, 2).toSorted((a, b) => a.localeCompare(b)), recorded.slice(2)]).toStrictEqual([
      ['- → changed: phone', 'name: Bikash Gurung → name: Bikram Gurung; changed: phone'],
      [
        '- → name: Player 1; age: 24; height: 180; weight: 75; recorded: phone, photo, ID document',
        '- → name: Bikash Gurung; recorded: phone, second phone, photo',
        '- → recorded: phone',
      ],
    ]);
    await site.call(correctTeam, { token: played.token, params: { id: teamId }, json: { coachname: 'Bikash Gurung' } });
    const { persons } = await site.call(findPersons, { token: played.superToken, query: { text: 'Butwal Bolts' } });
    for (const { personId } of persons) {
      await site.call(erasePerson, { token: played.superToken, json: { personId, reason: 'Asked for it' } });
    }
    expect(persons).toHaveLength(2 + players.length);
    expect(await told()).toStrictEqual([]);
    expect((await auditOf({ team: teamId, type: 'PlayerAddedToTeam' })).map(({ what }) => what)).toStrictEqual(['Added Former player to Butwal Bolts']);
    expect(
      (await auditOf({ type: 'PersonErased' }))
        .slice(0, 3)
        .map(({ what }) => what)
        .toSorted(),
    ).toStrictEqual(['coach', 'player', 'team contact'].map((kind) => `Erased the personal details of a ${kind}`));
  });

  it('filters by type, actor and time, as of then, in pages that miss nothing', async () => {
    expect((await auditOf({ type: 'MatchAssigned' })).map(({ what }) => what)).toStrictEqual(['Assigned the match Pokhara Lynx v Dharan Dukes']);
    expect(new Set((await auditOf({ actor: 'Asha Rai' })).map(({ actor }) => actor.name))).toStrictEqual(new Set(['Asha Rai']));
    expect(await auditOf({ to: '2020-01-01' })).toStrictEqual([]);
    // One day from its beginning to its end in Kathmandu: facts and refusals, and in the CSV as well.
    const everything = await auditOf({ limit: '999' });
    const today = kathmanduDay(Date.parse(everything[0]?.at ?? ''));
    const [first, last] = [everything.at(-1)?.at ?? '', everything[0]?.at ?? ''];
    // Unless midnight in Kathmandu fell into this run.
    const from = kathmanduDay(Date.parse(first));
    expect(await auditOf({ limit: '999', from, to: today })).toStrictEqual(everything);
    expect((await site.call(listAdminAudit, { token: played.superToken, query: { from, to: today, limit: '1' } })).lines).toHaveLength(1);
    expect((await site.send(getAuditCsv, { token: played.token, query: { from, to: today } })).text).toBe(
      (await site.send(getAuditCsv, { token: played.token })).text,
    );
    expect(await auditOf({ from: kathmanduDay(Date.parse(last) + 24 * 3600 * 1000) })).toStrictEqual([]);
    const all = await auditOf({ match: played.matchId });
    const facts = (lines: typeof all): readonly string[] => lines.flatMap(({ position }) => position ?? []);
    const middle = facts(all)[3] ?? '';
    expect(facts(await auditOf({ match: played.matchId, asOf: middle }))).toStrictEqual(facts(all).slice(3));
    const paged: unknown[] = [];
    for (let before: string | null = '9223372036854775807'; before !== null;) {
      const page: AuditAnswer = await site.call(listAudit, { token: played.token, query: { match: played.matchId, limit: '2', before } });
      paged.push(...page.lines);
      before = page.next;
    }
    expect(paged).toStrictEqual(all);
  });

  it('shows refused commands, and accounts to the super admin only', async () => {
    expect((await site.send(rescheduleMatch, { params: { id: played.matchId }, json: { time: '10:00' } })).status).toBe(401);
    const refused = await auditOf({ type: 'Refused' });
    expect(refused[0]).toMatchObject({
      what: 'Refused: move a match to another day or time (Pokhara Lynx v Dharan Dukes)',
      reason: 'Log in first',
      actor: { role: 'visitor', id: 'visitor', name: 'Visitor' },
      position: null,
    });
    await site.call(createAdmin, {
      token: played.superToken,
      json: { username: 'Bina', password: 'copper-meadow-72', email: 'bina@example.org', phoneNumber: '9800000009' },
    });
    expect((await auditOf({})).filter(({ type }) => type.startsWith('Admin'))).toStrictEqual([]);
    const { lines } = await site.call(listAdminAudit, { token: played.superToken, query: { type: 'AdminCreated' } });
    expect(lines.map(({ what, before, after }) => [what, before, after])).toStrictEqual([
      ['Created the admin Bina', null, 'username: Bina; email: bina@example.org; phoneNumber: 9800000009'],
      ['Created the admin Asha Rai', null, expect.stringMatching(/^username: Asha Rai; email: /)],
    ]);
    const asha = lines[1]?.stream.slice('admin-'.length) ?? '';
    const { lines: ofAsha } = await site.call(listAdminAudit, { token: played.superToken, query: { admin: asha } });
    expect(ofAsha.map(({ type }) => type)).toEqual(expect.arrayContaining(['AdminCreated', 'MatchAssigned', 'StatEntryMoved']));
    expect(JSON.stringify(lines)).not.toContain('argon2');
    expect((await site.send(listAdminAudit, { token: played.token })).status).toBe(403);
  });

  it('shows what was refused of a match, team, player, tournament and admin, whatever the reason, with filters, in pages and as CSV', async () => {
    const { token, superToken, matchId, tournamentId, teams } = played;
    const [one, two] = teams;
    const [a9 = '', b9 = ''] = [one.players.at(-1), two.players.at(-1)];
    const names = new Map((await Promise.all([a9, b9].map(async (id) => site.call(getPlayer, { params: { id } })))).map(({ _id, name }) => [_id, name]));
    const nameOf = (id: string): string => names.get(id) ?? '';
    // The state, the fields and the rights; the last one concerns nobody of these.
    expect((await site.send(recordStatIncrement, { token, params: { id: matchId }, json: { entryId: 'refused-1', playerId: a9, points: 5000 } })).status).toBe(
      400,
    );
    expect((await site.send(correctPlayer, { token, params: { id: b9 }, json: { jerseyNumber: '1' } })).status).toBe(409);
    expect((await site.send(withdrawTeam, { token, params: { id: tournamentId, teamId: two.teamId } })).status).toBe(409);
    expect((await site.send(rescheduleMatch, { token: superToken, params: { id: matchId }, json: { time: '10:00' } })).status).toBe(403);
    expect((await site.send(changeAdmin, { token, params: { id: '0193abcd-0000-7000-8000-000000000001' }, json: { username: 'X' } })).status).toBe(403);
    expect(
      (
        await site.send(createAdmin, {
          token: superToken,
          json: { username: 'Second', password: 'copper-meadow-71', email: 'asha@example.org', phoneNumber: '9800000001' },
        })
      ).status,
    ).toBe(409);
    const refused = async (query: Readonly<Record<string, string>>): Promise<readonly (readonly [what: string, reason: string | undefined])[]> =>
      (await auditOf({ ...query, type: 'Refused' })).map(({ what, reason }) => [what, reason] as const);
    const tooMany = [`Refused: record an entry (${inMatch(nameOf(a9))})`, 'points must be between -999 and 999'] as const;
    const [ofMatchItself, leaving] = await refused({ team: two.teamId });
    expect(leaving?.[0]).toBe('Refused: withdraw a team from a tournament (Dharan Dukes, Winter League)');
    const moving = [`Refused: move a match to another day or time (Pokhara Lynx v Dharan Dukes)`, 'Not allowed'] as const;
    // What is about a match is about its teams; what is about somebody in it, about the team of theirs.
    expect([ofMatchItself, (await refused({ team: one.teamId })).slice(0, 2)]).toStrictEqual([moving, [moving, tooMany]]);
    expect(await refused({ player: a9 })).toStrictEqual([tooMany]);
    expect((await refused({ match: matchId })).slice(0, 2)).toStrictEqual([moving, tooMany]);
    // A tournament's are those of its matches too.
    expect((await refused({ tournament: tournamentId })).slice(0, 3)).toStrictEqual([moving, leaving, tooMany]);
    expect(await refused({ player: b9 })).toStrictEqual([
      [`Refused: correct the details of a player (${nameOf(b9)}, Dharan Dukes)`, 'Jersey number 1 is already used in this team'],
    ]);
    expect(await refused({ player: b9, actor: 'superadmin' })).toStrictEqual([]);
    expect(await refused({ player: b9, to: '2020-01-01' })).toStrictEqual([]);
    // Before the first fact nothing had been refused.
    for (const query of [{ asOf: '0' }, { to: '0' }, { from: '0', to: '0' }]) {
      expect([await auditOf(query), (await site.send(getAuditCsv, { token, query })).text.trimEnd().split('\r\n').length]).toStrictEqual([[], 1]);
    }
    expect((await refused({ from: '0' })).length).toBeGreaterThan(3);
    const [line] = await auditOf({ player: b9 });
    expect(line).toMatchObject({ type: 'Refused', player_id: b9, position: null, actor: { role: 'admin', name: 'Asha Rai' } });
    // With the facts of the same time, newest first.
    const ofMatch = await auditOf({ match: matchId });
    expect(ofMatch.map(({ at }) => at)).toStrictEqual(
      ofMatch
        .map(({ at }) => at)
        .toSorted()
        .toReversed(),
    );
    expect(new Set(ofMatch.map(({ type }) => type)).size).toBeGreaterThan(3);
    const paged: string[] = [];
    for (let before: string | null = '9223372036854775807'; before !== null;) {
      const page: AuditAnswer = await site.call(listAudit, { token, query: { type: 'Refused', limit: '2', before } });
      paged.push(...page.lines.map(({ commandId }) => commandId));
      before = page.next;
    }
    expect(paged).toStrictEqual((await auditOf({ type: 'Refused' })).map(({ commandId }) => commandId));
    // A refused reversal or move names an entry: it is found at the player whose entry it is, and at the player who should have had it.
    const own =
      (await site.call(getMatchHistory, { token, params: { id: matchId } })).find(({ player_id, type }) => player_id === b1 && type === 'StatIncrementRecorded')
        ?.entryId ?? '';
    const entry = { id: matchId, entryId: own };
    expect((await site.send(reverseStatEntry, { token, params: entry, json: { reason: '' } })).status).toBe(400);
    expect((await site.send(moveStatEntry, { token, params: entry, json: { playerId: a9, reason: '' } })).status).toBe(400);
    const [movingEntry, takingBack] = [
      `Refused: move an entry to another player (${inMatch(`from Player 1 to ${nameOf(a9)}`)})`,
      `Refused: take back an entry (${inMatch('Player 1')})`,
    ];
    expect((await refused({ player: b1 })).map(([what]) => what)).toStrictEqual([movingEntry, takingBack]);
    expect((await refused({ player: a9 })).map(([what]) => what)).toStrictEqual([movingEntry, tooMany[0]]);
    expect((await refused({ team: two.teamId, match: matchId })).slice(0, 2).map(([what]) => what)).toStrictEqual([movingEntry, takingBack]);
    expect((await refused({ team: one.teamId, player: a9 })).map(([what]) => what)).toStrictEqual([movingEntry, tooMany[0]]);
    // By the ids of a move that was recorded: whose it would be, and whose it is.
    const ids = (await auditOf({ type: 'Refused', player: b1 })).map(({ match_id, player_id, team_id, from_player_id, from_team_id }) => [
      match_id,
      player_id,
      team_id,
      from_player_id,
      from_team_id,
    ]);
    expect(ids).toStrictEqual([
      [matchId, a9, one.teamId, b1, two.teamId],
      [matchId, b1, two.teamId, undefined, undefined],
    ]);
    const csv = await site.send(getAuditCsv, { token, query: { type: 'Refused', player: a9 } });
    expect(csv.text.split('\r\n')[2]).toContain(`"${tooMany[0]}",,,points must be between -999 and 999,`);
    // What concerns an account is for the super admin: what was done to it, and what its admin was refused.
    expect((await auditOf({ type: 'Refused' })).some(({ what }) => what.includes('the account of an admin'))).toBe(false);
    const { lines: ofAccount } = await site.call(listAdminAudit, {
      token: superToken,
      query: { type: 'Refused', admin: '0193abcd-0000-7000-8000-000000000001' },
    });
    expect(ofAccount.map(({ what }) => what)).toStrictEqual(['Refused: change the account of an admin']);
    const { lines: byAsha } = await site.call(listAdminAudit, { token: superToken, query: { type: 'Refused', admin: line?.actor.id ?? '' } });
    expect(byAsha.map(({ what }) => what)).toEqual(
      expect.arrayContaining([`Refused: correct the details of a player (${nameOf(b9)}, Dharan Dukes)`, 'Refused: change the account of an admin']),
    );
  });

  it('shows a refused sheet at each of its players, and an entry by whatever id its client gave it', async () => {
    const { token, matchId, teams } = played;
    const [one, two] = teams;
    const [first = '', second = ''] = one.players;
    expect(
      (
        await site.send(recordMatchStats, {
          token,
          json: {
            matchId,
            team1Players: [
              { playerId: first, points: 5000 },
              { playerId: second, points: 1 },
            ],
            team2Players: [],
          },
        })
      ).status,
    ).toBe(400);
    const sheet = 'Refused: record statistics of a match (Pokhara Lynx v Dharan Dukes)';
    for (const query of [{ player: first }, { player: second }, { team: one.teamId }, { team: two.teamId }, { match: matchId }]) {
      expect([query, (await refusalsOf(query))[0]]).toEqual([query, sheet]);
    }
    const entry = { id: matchId, entryId: 'tap-7' };
    expect((await site.send(recordStatIncrement, { token, params: { id: matchId }, json: { entryId: 'tap-7', playerId: first, points: 2 } })).status).toBe(201);
    expect((await site.send(reverseStatEntry, { token, params: entry, json: { reason: 'Wrong' } })).status).toBe(201);
    expect((await site.send(reverseStatEntry, { token, params: entry, json: { reason: 'Again' } })).status).toBe(409);
    expect((await site.send(reverseStatEntry, { token, params: { id: matchId, entryId: 'never-recorded' }, json: { reason: 'Again' } })).status).toBe(404);
    expect((await refusalsOf({ player: first })).slice(0, 2)).toEqual([`Refused: take back an entry (${inMatch('Player 1')})`, sheet]);
    expect((await refusalsOf({ match: matchId })).slice(0, 2)).toEqual([
      'Refused: take back an entry (Pokhara Lynx v Dharan Dukes)',
      `Refused: take back an entry (${inMatch('Player 1')})`,
    ]);
  });

  it('tells a refused erasure to whoever asks for the person or the team, whatever it was refused for', async () => {
    const { token, superToken } = played;
    const {
      teamId,
      players: [player = ''],
    } = await registeredTeam(site, 'Janakpur Jets', 1);
    const { persons } = await site.call(findPersons, { token: superToken, query: { text: 'Janakpur Jets' } });
    const coach = persons.find(({ kind }) => kind === 'coach')?.personId ?? '';
    for (const [asked, personId, status] of [
      [token, player, 403],
      [token, coach, 403],
      [superToken, player, 400],
      [undefined, player, 401],
    ] as const) {
      expect((await site.send(erasePerson, { ...(asked !== undefined && { token: asked }), json: { personId, reason: '' } })).status).toBe(status);
    }
    // What was wrong with the body as well is not looked at, nor kept.
    expect((await site.send(erasePerson, { token, json: { personId: 'Canary Typed', reason: 7 } })).status).toBe(403);
    const ofPlayer = (role: string) => ['Refused: erase a person (Player 1, Janakpur Jets)', role, player, teamId];
    expect(await refusedOf({ player })).toStrictEqual([ofPlayer('superadmin'), ofPlayer('admin')]);
    const ofCoach = ['Refused: erase a person (Bikash Gurung, Janakpur Jets)', 'admin', coach, teamId];
    expect([await refusedOf({ player: coach }), await refusedOf({ team: teamId })]).toStrictEqual([
      [ofCoach],
      [ofPlayer('superadmin'), ofCoach, ofPlayer('admin')],
    ]);
    expect((await refusedOf({})).slice(0, 2)).toStrictEqual([
      ['Refused: erase a person', 'admin', undefined, undefined],
      ['Refused: erase a person', 'visitor', undefined, undefined],
    ]);
  });

  it('bounds what strangers are refused, and tells on whose account a login was tried to the super admin alone', async () => {
    const { token, superToken } = played;
    for (let index = 0; index < 40; index += 1) {
      expect((await site.send(rescheduleMatch, { params: { id: derivedId('unknown', String(index)) }, json: { time: '10:00' } })).status).toBe(401);
    }
    for (const email of ['asha@example.org', 'nobody@example.org']) {
      expect((await site.send(logInAdmin, { json: { email, password: 'guess-guess-guess-1' } })).status).toBe(401);
    }
    const [{ lines: tried }, theirs] = [
      await site.call(listAdminAudit, { token: superToken, query: { type: 'Refused', actor: 'visitor' } }),
      await auditOf({ type: 'Refused', actor: 'visitor' }),
    ];
    expect(tried.slice(0, 2).map(({ what, reason }) => [what, reason])).toContainEqual(['Refused: log in as an admin (Asha Rai)', 'Wrong credentials']);
    expect(JSON.stringify(theirs)).not.toContain('Asha Rai');
    expect(JSON.stringify(tried)).not.toMatch(/nobody@|guess/);
    expect(theirs.length).toBeLessThanOrEqual(11);
    expect(theirs.map(({ what }) => what)).toContainEqual(expect.stringMatching(/^Refused: \d+ more calls of the same minute$/));
    const asha = (await site.call(listAdminAudit, { token: superToken, query: { type: 'AdminCreated' } })).lines.at(-1)?.stream.slice('admin-'.length) ?? '';
    const ofAsha = await site.call(listAdminAudit, { token: superToken, query: { admin: asha } });
    expect([ofAsha.lines[0]?.what, ofAsha.lines[0]?.admin_id]).toStrictEqual(['Refused: log in as an admin (Asha Rai)', asha]);
    expect(ofAsha.about).toStrictEqual([{ kind: 'admin', id: asha, name: 'Asha Rai' }]);
    // What was done to an account says to whose, also among everything else.
    await site.call(changeAdmin, { token: superToken, params: { id: asha }, json: { phoneNumber: '9811111112' } });
    const [changedAccount] = (await site.call(listAdminAudit, { token: superToken, query: { type: 'AdminDetailsChanged' } })).lines;
    expect([changedAccount?.what, changedAccount?.admin_id]).toStrictEqual(['Changed the details of the admin Asha Rai', asha]);
    expect((await site.send(getAdminAuditCsv, { token: superToken, query: { type: 'AdminDetailsChanged' } })).text.trimEnd()).toMatch(
      new RegExp(`,${asha},,$`),
    );
    // By the name of then: a new one tells nothing new about what was done under the old one.
    await site.call(changeAdmin, { token: superToken, params: { id: asha }, json: { username: 'Asha Rai Thapa' } });
    const renamed = (await site.call(listAdminAudit, { token: superToken, query: { admin: asha } })).lines.filter(({ type }) =>
      ['AdminCreated', 'AdminEmailClaimed', 'AdminDetailsChanged'].includes(type),
    );
    expect(renamed.map(({ what }) => what)).toStrictEqual([
      'Changed the details of the admin Asha Rai',
      'Changed the details of the admin Asha Rai',
      'Created the admin Asha Rai',
      'Took an e-mail address for the account of Asha Rai',
    ]);
    await site.call(changeAdmin, { token: superToken, params: { id: asha }, json: { username: 'Asha Rai' } });
    expect((await site.call(listAudit, { token, query: { match: played.matchId, player: 'nobody' } })).about).toStrictEqual([
      { kind: 'match', id: played.matchId, name: 'Pokhara Lynx v Dharan Dukes' },
    ]);
    // Facts and refusals are counted together.
    expect(await auditOf({ limit: '7' })).toHaveLength(7);
    // Who was refused has the name of what the same account did.
    const { lines: bySuperAdmin } = await site.call(listAdminAudit, { token: superToken, query: { actor: 'superadmin' } });
    expect(new Set(bySuperAdmin.map(({ type }) => type)).size).toBeGreaterThan(1);
    expect(new Set(bySuperAdmin.map(({ actor }) => JSON.stringify(actor))).size).toBe(1);
  });

  it('gives comma-separated values without formulas', async () => {
    const csv = await site.send(getAuditCsv, { token: played.token, query: { match: played.matchId } });
    const rows = csv.text.trimEnd().split('\r\n');
    expect(rows[0]).toBe(
      '\uFEFFTime,Role,Actor,Actor id,Type,What,Before,After,Reason,Command,Cause,Position,Match id,Team id,Player id,Tournament id,Admin id,From team id,From player id',
    );
    const newest = (await auditOf({ match: played.matchId })).find(({ type }) => type === 'StatIncrementRecorded');
    const told = rows.find((row) => row.includes(`,${newest?.position ?? ''},${played.matchId},`));
    expect(told?.split(',').slice(-7)).toStrictEqual([played.matchId, newest?.team_id, newest?.player_id, newest?.tournament_id ?? '', '', '', '']);
    expect(rows).toHaveLength((await auditOf({ match: played.matchId })).length + 1);
    expect((await site.send(getAdminAuditCsv, { token: played.superToken })).status).toBe(200);
  });
});

it('shows a match, a player and a table as they were', async () => {
  const history: readonly HistoryRow[] = await site.call(getMatchHistory, { token: played.token, params: { id: played.matchId } });
  const first = history.find(({ type }) => type === 'StatIncrementRecorded')?.position ?? '';
  const match = await site.call(getMatch, { params: { id: played.matchId }, query: { asOf: first } });
  // The first line of a sheet stands for the sheet: nobody ever saw a half of it.
  expect(match.player_stats.map(({ player_id, points }) => [player_id, points])).toStrictEqual([
    [a1, 20],
    [b1, 27],
  ]);
  expect((await site.send(getMatch, { params: { id: played.matchId }, query: { asOf: '1' } })).status).toBe(404);
  expect((await site.send(getMatch, { params: { id: played.matchId }, query: { asOf: 'soon' } })).status).toBe(400);
  const now = await site.call(getPlayer, { params: { id: a1 } });
  expect(await site.call(getPlayer, { params: { id: a1 }, query: { asOf: '9999999999' } })).toStrictEqual(now);
  expect(await site.call(getPlayer, { params: { id: a1 }, query: { asOf: '2099-01-01' } })).toStrictEqual(now);
  expect(await site.call(getPlayer, { params: { id: a1 }, query: { asOf: first } })).toMatchObject({ total_points: 20, matches_played: 1 });
  const [added] = await auditOf({ player: a1, type: 'PlayerAddedToTeam' });
  expect(await site.call(getPlayer, { params: { id: a1 }, query: { asOf: added?.position ?? '' } })).toMatchObject({
    total_points: 0,
    matches_played: 0,
    match_history: [],
  });
  for (const asOf of ['1', String(Number(added?.position) - 1), '2020-01-01'])
    expect([asOf, (await site.send(getPlayer, { params: { id: a1 }, query: { asOf } })).status]).toStrictEqual([asOf, 404]);
  expect(await site.call(getMatch, { params: { id: played.matchId }, query: { asOf: '2099-01-01' } })).toStrictEqual(
    await site.call(getMatch, { params: { id: played.matchId } }),
  );
  const table = await site.call(getStandingsHistory, { params: { id: played.tournamentId } });
  expect(table.days.map(({ date, matches }) => [date, matches])).toStrictEqual([['2026-11-21T00:00:00.000Z', 1]]);
  expect(table.days.at(-1)?.rows).toStrictEqual((await site.call(getStandings, { params: { id: played.tournamentId } })).rows);
});

it('the audit tells a move to both teams, and a cancelled match to those who should have played it', async () => {
  const [one, two] = played.teams;
  const again = await site.call(assignMatch, {
    token: played.token,
    json: { tournamentId: played.tournamentId, teamAId: one.teamId, teamBId: two.teamId, matchDate: '2026-11-25' },
  });
  const params = { id: again.match._id };
  await site.call(recordStatIncrement, { token: played.token, params, json: { entryId: 'astray', playerId: a1, points: 2 } });
  await site.call(moveStatEntry, { token: played.token, params: { ...params, entryId: 'astray' }, json: { playerId: b1, reason: 'Number 1 of the others' } });
  const ofMatch = async (teamId: string): Promise<readonly string[]> =>
    (await auditOf({ team: teamId })).filter(({ match_id }) => match_id === params.id).map(({ type }) => type);
  expect([await ofMatch(one.teamId), await ofMatch(two.teamId)]).toStrictEqual([
    ['StatEntryMoved', 'StatIncrementRecorded', 'MatchAssigned'],
    ['StatEntryMoved', 'MatchAssigned'],
  ]);
  const other = await site.call(assignMatch, {
    token: played.token,
    json: { tournamentId: played.tournamentId, teamAId: one.teamId, teamBId: two.teamId, matchDate: '2026-11-26' },
  });
  await site.call(cancelMatch, { token: played.token, params: { id: other.match._id } });
  expect((await auditOf({ team: two.teamId })).slice(0, 2).map(({ type }) => type)).toStrictEqual(['MatchCancelled', 'MatchAssigned']);
});

it('goes on from the end before a place that no log can have', async () => {
  const { token, superToken } = played;
  const at = async (before: string) => {
    const query = { before, limit: '1' };
    return Promise.all([
      site.send(listAudit, { token, query }),
      site.send(getAuditCsv, { token, query }),
      site.send(listAdminAudit, { token: superToken, query }),
      site.send(getAdminAuditCsv, { token: superToken, query }),
    ]);
  };
  const statuses = async (before: string) => (await at(before)).map(({ status }) => status);
  expect(await statuses('9999999999999999999')).toStrictEqual([200, 200, 200, 200]);
  expect(await statuses('9999999999999999999.1.1')).toStrictEqual([200, 200, 200, 200]);
  expect(await statuses('99999999999999999999')).toStrictEqual([400, 400, 400, 400]);
});
