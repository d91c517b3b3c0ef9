import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { allEndpoints } from './all-endpoints.ts';
import type { Endpoint } from './endpoint.ts';

const endpoints: readonly Endpoint[] = Object.values(allEndpoints);
const segments = (path: string): string[] => path.split('/').slice(1);
/** Whether every path that `b` takes is taken by `a` as well. */
const covers = (a: Endpoint, b: Endpoint): boolean => {
  const [left, right] = [segments(a.path), segments(b.path)];
  return a.method === b.method && left.length === right.length && left.every((part, at) => part.startsWith(':') || part === right[at]);
};

/** Who may call what, written down a second time on purpose (api-contract): a change of access has to be made in both places. */
const golden = `
public GET /tournaments listTournaments 200
admin GET /tournaments/admin-tournaments listAdminTournaments 200
admin GET /tournaments/requests listTournamentRequests 200
public POST /tournaments/requests requestTournament 201
admin PUT /tournaments/requests/:id closeTournamentRequest 200
admin POST /tournaments/create-tournament createTournament 201
registrant POST /tournaments/assign-team-to-tournament enterTeam 200
admin POST /tournaments/create-match-and-save-to-tournament assignMatch 201
public GET /tournaments/:id getTournament 200
admin PUT /tournaments/:id changeTournament 200
admin DELETE /tournaments/:id/teams/:teamId withdrawTeam 200
public GET /tournaments/:id/standings getStandings 200
public GET /tournaments/:id/standings.csv getStandingsCsv 200
public GET /tournaments/:id/standings/history getStandingsHistory 200
public GET /tournaments/:id/matches listTournamentMatches 200
public GET /tournaments/:id/leaders getLeaders 200
public GET /tournaments/:id/season-file getSeasonFile 200
public GET /season-key getSeasonKey 200
admin POST /match/match/update recordMatchStats 200
public GET /match/matches listMatches 200
public GET /match/matches/:id getMatch 200
admin PUT /match/matches/:id rescheduleMatch 200
admin DELETE /match/matches/:id cancelMatch 200
admin POST /match/matches/:id/stat-entries recordStatIncrement 201
admin POST /match/matches/:id/stat-entries/:entryId/reversal reverseStatEntry 201
admin POST /match/matches/:id/stat-entries/:entryId/reversal/preview previewReversal 200
admin POST /match/matches/:id/stat-entries/:entryId/move moveStatEntry 201
admin POST /match/matches/:id/stat-entries/:entryId/move/preview previewMove 200
admin PUT /match/matches/:id/mvp nameMatchMvp 200
admin GET /match/matches/:id/history getMatchHistory 200
public GET /match/matches/:id/corrections listMatchCorrections 200
public GET /player/getPlayerById/:id getPlayer 200
admin GET /player/getAllPlayers listPlayers 200
admin PUT /player/:id correctPlayer 200
admin GET /player/:id/document getPlayerDocument 200
admin GET /team/teams listTeams 200
public POST /team/get-team-names getTeamNames 200
public POST /team/create-team-step-1 registerTeam 201
registrant POST /team/add-coach-details appointCoach 200
registrant POST /team/add-single-player-to-team addPlayerToTeam 201
public GET /team/:id getTeam 200
admin PUT /team/:id correctTeam 200
public POST /superadmin/login logInSuperAdmin 200
superadmin POST /superadmin/logout logOutSuperAdmin 204
superadmin GET /superadmin/check-token checkSuperAdminToken 200
superadmin GET /superadmin/get-admins listAdmins 200
superadmin POST /superadmin/create-admin createAdmin 201
superadmin PUT /superadmin/update-admin/:id changeAdmin 200
superadmin GET /superadmin/tournaments listSuperAdminTournaments 200
superadmin PUT /superadmin/tournaments/:id changeTournamentAsSuperAdmin 200
superadmin GET /superadmin/teams listSuperAdminTeams 200
superadmin PUT /superadmin/teams/:id correctTeamAsSuperAdmin 200
public POST /admin/login logInAdmin 200
admin POST /admin/logout logOutAdmin 204
admin GET /admin/check-token checkAdminToken 200
superadmin GET /operations/status getOperationsStatus 200
superadmin GET /operations/rebuild getRebuild 200
superadmin POST /operations/rebuild startRebuild 200
superadmin DELETE /operations/rebuild cancelRebuild 200
superadmin POST /operations/switch-back switchBackReadModel 200
superadmin POST /operations/replay-parked replayParkedStreams 200
superadmin GET /operations/verify-log getLogVerification 200
superadmin POST /operations/verify-log verifyLog 200
superadmin GET /operations/backup getBackup 200
superadmin POST /operations/backup backUp 200
superadmin GET /operations/events listLogEvents 200
superadmin GET /operations/events/:position getLogEvent 200
admin GET /audit listAudit 200
admin GET /audit.csv getAuditCsv 200
admin GET /audit/trace getTrace 200
superadmin GET /superadmin/audit listAdminAudit 200
superadmin GET /superadmin/audit.csv getAdminAuditCsv 200
superadmin GET /superadmin/audit/trace getSuperAdminTrace 200
superadmin GET /operations/persons findPersons 200
superadmin POST /operations/erase-person erasePerson 200
public GET /live followChanges 200
public GET /openapi.json getOpenApi 200
public GET /docs getDocs 200
`;

/** The same for files: bytes at most, inclusive, and whether one has to come. */
const goldenFiles = `
requestTournament poster image 26214400 optional
createTournament posterImage image 26214400 required
createTournament organizerImage image 26214400 required
changeTournament posterImage image 26214400 optional
changeTournament organizerImage image 26214400 optional
correctPlayer image image 2097152 optional
correctPlayer document document 5242880 optional
registerTeam logo image 2097152 required
appointCoach coachImage image 2097152 required
addPlayerToTeam image image 2097152 required
addPlayerToTeam document document 5242880 required
correctTeam logo image 2097152 optional
correctTeam coachImage image 2097152 optional
changeTournamentAsSuperAdmin posterImage image 26214400 optional
changeTournamentAsSuperAdmin organizerImage image 26214400 optional
correctTeamAsSuperAdmin logo image 2097152 optional
correctTeamAsSuperAdmin coachImage image 2097152 optional
`;

describe('all endpoints', () => {
  it('are the calls of the contract, each with its caller and status', () => {
    const lines = endpoints.map(({ access, method, path, name, status }) => `${access} ${method} ${path} ${name} ${status}`);
    expect(lines).toEqual(golden.trim().split('\n'));
  });

  it('take files of the sizes of the contract', () => {
    const lines = endpoints.flatMap(({ name, files }) =>
      Object.entries(files).map(([field, { kind, maxBytes, required }]) => `${name} ${field} ${kind} ${maxBytes} ${required ? 'required' : 'optional'}`),
    );
    expect(lines).toEqual(goldenFiles.trim().split('\n'));
  });

  it('stand under their own name, which is unique', () => {
    expect(endpoints.length).toBeGreaterThan(0);
    expect(Object.keys(allEndpoints)).toEqual(endpoints.map(({ name }) => name));
    expect(new Set(endpoints.map(({ name }) => name)).size).toBe(endpoints.length);
    expect(new Set(endpoints.map(({ method, path }) => `${method} ${path}`)).size).toBe(endpoints.length);
  });

  it('hold every endpoint that an api file of this package defines', () => {
    const source = join(import.meta.dirname, '..');
    const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.api.ts'));
    const defined = files.flatMap((file) =>
      [...readFileSync(join(source, file), 'utf8').matchAll(/defineEndpoint\(\{\s*name: '(\w+)'/g)].map((match) => String(match[1])),
    );
    expect(defined.toSorted()).toEqual(Object.keys(allEndpoints).toSorted());
  });

  it('are declared so that a fixed path comes before one with a parameter in its place', () => {
    const shadowed = endpoints.flatMap((later, at) =>
      endpoints
        .slice(0, at)
        .filter((earlier) => covers(earlier, later))
        .map((earlier) => `${later.name} is never reached: ${earlier.name}`),
    );
    expect(shadowed).toEqual([]);
  });

  it.each(endpoints.map((endpoint) => [endpoint.name, endpoint] as const))('%s is consistent in itself', (_name, endpoint) => {
    const parameters = [...endpoint.path.matchAll(/:(\w+)/g)].map((match) => match[1]);
    expect(Object.keys((endpoint.params as unknown as { shape: object }).shape)).toEqual(parameters);
    expect(endpoint.kind === 'read' || endpoint.method !== 'GET').toBe(true);
    // Everything that is not public is kept out of the shared cache, and what is signed: each call asks whether it may be.
    expect(endpoint.kind === 'read' && (endpoint.access !== 'public' || endpoint.name === 'getSeasonFile')).toBe(endpoint.private ?? false);
    expect(endpoint.access === 'registrant').toBe(endpoint.teamOf !== undefined);
    const body = Object.keys((endpoint.body as unknown as { shape: object }).shape);
    const files = Object.keys(endpoint.files);
    expect(endpoint.bodyKind === 'none').toBe(body.length === 0);
    expect(files.length > 0 && !endpoint.bodyKind.includes('multipart')).toBe(false);
    expect([...body, undefined]).toContain(endpoint.teamOf);
    // Every field and file has its place in the order of errors, and nothing else does.
    const ordered = endpoint.fieldOrder.map((name) => name.split('[')[0] ?? name);
    const query = Object.keys((endpoint.query as unknown as { shape: object }).shape);
    expect([...new Set(ordered)].toSorted()).toEqual([...body, ...query, ...files].toSorted());
    for (const rule of Object.values(endpoint.files)) {
      expect(rule.refused).not.toBe('');
      expect(rule.missing).not.toBe('');
    }
  });
});
