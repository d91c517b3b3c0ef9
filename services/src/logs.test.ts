import { allEndpoints } from '@courtledger/contracts/kernel/all-endpoints';
import { expect, it } from 'vitest';
import { createLogger } from './platform/logger.ts';
import { ask } from './platform/testing/toy-gate.ts';
import { openSite, pathOf, season } from './testing/site.ts';

/** Everything that stands in a season of a site and is nobody's business in a log (S26): people, secrets, ids in addresses, bodies and queries. */
const canaries = [
  '98000000',
  '9811111111',
  '9822222222',
  '9833333333',
  '9801234567',
  'Asha',
  'asha@',
  'Bikash',
  'Player 1',
  'copper-meadow',
  'swift-harbour',
  'Bearer',
  'eyJ',
  'cl_reg_',
  'cl_admin',
  'Pokhara',
  'canary-query',
  'canary-path',
  'canary-body',
  'canary-header',
  '127.0.0.1',
];

it('writes one line for each request, with an actor and a request id, and nothing of what was sent', async () => {
  const lines: string[] = [];
  const site = await openSite({}, { logger: createLogger('debug', { write: (line) => lines.push(line), flush: () => {} }) });
  try {
    const { token, superToken, tournamentId, teams, matchId } = await season(site);
    const before = lines.length;
    expect(before).toBeGreaterThan(15);
    const attempts: (readonly [string, string, Record<string, string>, string?])[] = [
      ['GET', `/api/tournaments/${tournamentId}?canary-query=1`, { 'x-canary': 'canary-header' }],
      ['GET', '/api/player/getPlayerById/canary-path', {}],
      ['GET', '/api/canary-path', {}],
      ['GET', pathOf(allEndpoints.listPlayers), { authorization: `Bearer ${token}` }],
      ['GET', pathOf(allEndpoints.getPlayerDocument, { params: { id: teams[0].players[0] ?? '' } }), { authorization: `Bearer ${token}` }],
      ['POST', pathOf(allEndpoints.logInAdmin), { 'content-type': 'application/json' }, '{"email":"asha@example.org","password":"canary-body"}'],
      ['POST', pathOf(allEndpoints.logInAdmin), { 'content-type': 'application/json' }, '{"email":"canary-body'],
      [
        'POST',
        pathOf(allEndpoints.recordMatchStats),
        { 'content-type': 'application/json', authorization: `Bearer ${superToken}` },
        JSON.stringify({ matchId, note: 'canary-body' }),
      ],
      [
        'POST',
        pathOf(allEndpoints.recordStatIncrement, { params: { id: matchId } }),
        { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        JSON.stringify({ entryId: 'canary body!', playerId: 'canary-body', points: 1 }),
      ],
    ];
    for (const [method, path, headers, body] of attempts) {
      await ask(site.port, method, path, headers, body);
    }
    const requests = lines
      .slice(before)
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter(({ event }) => event === 'request');
    expect(requests.map(({ endpoint, method, status, role, code }) => [endpoint, method, status, role, code])).toEqual([
      ['getTournament', 'GET', 200, 'visitor', undefined],
      ['getPlayer', 'GET', 404, 'visitor', 'not-found'],
      ['unknown', 'GET', 404, undefined, 'not-found'],
      ['listPlayers', 'GET', 200, 'admin', undefined],
      ['getPlayerDocument', 'GET', 200, 'admin', undefined],
      ['logInAdmin', 'POST', 401, 'visitor', 'unauthenticated'],
      ['logInAdmin', 'POST', 400, 'visitor', 'malformed'],
      ['recordMatchStats', 'POST', 403, undefined, 'forbidden'],
      ['recordStatIncrement', 'POST', 400, 'admin', 'invalid'],
    ]);
    for (const { requestId } of requests) expect(requestId).toMatch(/^[0-9a-f-]{36}$/);
    const log = lines.join('');
    const secrets = [...canaries, token, superToken, tournamentId, matchId, teams[0].teamId, teams[0].cookie, ...teams[0].players];
    expect(secrets.filter((secret) => log.includes(secret))).toEqual([]);
  } finally {
    await site.close();
  }
});
