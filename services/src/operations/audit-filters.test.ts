import { factTypes } from '@courtledger/contracts/kernel/all-facts';
import { fieldTexts } from '@courtledger/contracts/kernel/texts';
import { recordMatchStats } from '@courtledger/contracts/match/match.api';
import { auditTypes, getAuditCsv, listAdminAudit, listAudit } from '@courtledger/contracts/operations/audit.api';
import { getLogEvent, listLogEvents } from '@courtledger/contracts/operations/operations.api';
import { withdrawTeam } from '@courtledger/contracts/tournament/tournament.api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSite, season, type Season, type Site } from '../testing/site.ts';

let site: Site;
let played: Season;
beforeAll(async () => {
  site = await openSite();
  played = await season(site);
  const [one, two] = played.teams;
  await site.call(recordMatchStats, {
    token: played.token,
    json: {
      matchId: played.matchId,
      team1Players: [{ playerId: one.players[0], points: 20 }],
      team2Players: [{ playerId: two.players[0], points: 27, assists: 1 }],
    },
  });
  await site.refused(withdrawTeam, { token: played.token, params: { id: played.tournamentId, teamId: two.teamId } });
});
afterAll(async () => site.close());

/** What is answered to a type that is none. */
const unknown = async (
  endpoint: typeof listAudit | typeof listAdminAudit | typeof getAuditCsv | typeof listLogEvents,
  as: string,
): Promise<readonly [number, string]> => {
  const { status, message } = await site.refused(endpoint, { token: as, query: { type: 'Nope' } });
  return [status, message];
};
/** Lines of comma-separated values, without their titles. */
const csv = async (query: Readonly<Record<string, string>>): Promise<number> =>
  (await site.send(getAuditCsv, { token: played.token, query })).text.trimEnd().split('\r\n').length - 1;

describe('a filter', () => {
  it('that names no type is refused with the list of them', async () => {
    const { token, superToken } = played;
    const ofAudit = [400, fieldTexts.oneOf(auditTypes).replace('{field}', 'type')];
    expect([await unknown(listAudit, token), await unknown(getAuditCsv, token), await unknown(listAdminAudit, superToken)]).toStrictEqual([
      ofAudit,
      ofAudit,
      ofAudit,
    ]);
    expect(await unknown(listLogEvents, superToken)).toStrictEqual([400, fieldTexts.oneOf(factTypes).replace('{field}', 'type')]);
    for (const type of auditTypes) {
      expect([type, (await site.send(listAudit, { token, query: { type } })).status]).toStrictEqual([type, 200]);
    }
  });

  it('that names no stream or match is answered with 404, and one that only finds nothing with nothing', async () => {
    const { superToken, matchId } = played;
    const lacking = async (query: Readonly<Record<string, string>>): Promise<readonly [number, string]> => {
      const { status, message } = await site.refused(listLogEvents, { token: superToken, query });
      return [status, message];
    };
    expect(await lacking({ stream: 'nope' })).toStrictEqual([404, 'There is no such stream']);
    expect(await lacking({ stream: '$where: 1' })).toStrictEqual([404, 'There is no such stream']);
    expect(await lacking({ match: 'nope' })).toStrictEqual([404, 'There is no such match']);
    expect(
      (await site.call(listLogEvents, { token: superToken, query: { match: matchId, stream: `match-${matchId}`, type: 'MatchCancelled' } })).events,
    ).toStrictEqual([]);
  });

  it('by who it was takes letters of either case, and the role', async () => {
    const { token, superToken } = played;
    const whose = async (actor: string): Promise<readonly (readonly string[])[]> => [
      (await site.call(listAudit, { token, query: { actor } })).lines.map(({ what }) => what),
      (await site.call(listLogEvents, { token: superToken, query: { actor } })).events.map(({ what }) => what),
    ];
    const exact = await whose('Asha Rai');
    expect(exact.map((lines) => lines.length > 2)).toStrictEqual([true, true]);
    expect(exact[0]).toContain('Refused: withdraw a team from a tournament (Dharan Dukes, Winter League)');
    // A part of the name too, but the word of a role is the role.
    expect([await whose('asha rai'), await whose('ADMIN'), await whose('sha r')]).toStrictEqual([exact, exact, exact]);
    expect(await whose('shar')).toStrictEqual([[], []]);
  });
});

it('gives as many lines of comma-separated values as were asked for', async () => {
  const all = await csv({});
  expect(all).toBeGreaterThan(5);
  expect([await csv({ limit: '2' }), await csv({ limit: '1', type: 'Refused' }), await csv({ limit: '999' })]).toStrictEqual([3, 1, all]);
  // It says where it was cut, and there it goes on: together they are the whole.
  const cut = await site.send(getAuditCsv, { token: played.token, query: { limit: '2' } });
  const rows = cut.text.trimEnd().split('\r\n');
  const before = /^,,,,Cut,Cut after 2 lines: there are older ones\. Ask again with before=([\d.]+),/.exec(rows.at(-1) ?? '')?.[1] ?? '';
  const rest = (await site.send(getAuditCsv, { token: played.token, query: { before } })).text.trimEnd().split('\r\n');
  expect([...rows.slice(0, -1), ...rest.slice(1)]).toStrictEqual((await site.send(getAuditCsv, { token: played.token })).text.trimEnd().split('\r\n'));
});

it('tells each event as a sentence, as the audit does', async () => {
  const { superToken, token, matchId } = played;
  const { events } = await site.call(listLogEvents, { token: superToken, query: { match: matchId } });
  expect(events.map(({ what }) => what)).toStrictEqual([
    'Assigned the match Pokhara Lynx v Dharan Dukes',
    'Recorded 20 points for Player 1 (number 1 of Pokhara Lynx) in Pokhara Lynx v Dharan Dukes',
    'Recorded 27 points, 1 assist for Player 1 (number 1 of Dharan Dukes) in Pokhara Lynx v Dharan Dukes',
  ]);
  const last = events.at(-1);
  expect((await site.call(getLogEvent, { token: superToken, params: { position: last?.position ?? '' } })).what).toBe(last?.what);
  const told = new Map((await site.call(listAdminAudit, { token: superToken, query: { limit: '999' } })).lines.map(({ position, what }) => [position, what]));
  const { events: all } = await site.call(listLogEvents, { token: superToken, query: { limit: '999' } });
  expect(all.map(({ position, what }) => [position, what])).toStrictEqual(all.map(({ position }) => [position, told.get(position)]));
  expect((await site.call(listAudit, { token, query: { limit: '1', before: last?.position ?? '' } })).lines).toHaveLength(1);
});
