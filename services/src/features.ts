import { DomainError, conflict } from '@courtledger/contracts/kernel/errors';
import type { PersonId, TeamId, TournamentId } from '@courtledger/contracts/kernel/ids';
import type { AdminPlayer } from '@courtledger/contracts/player/player.answers';
import { personStream } from '@courtledger/contracts/player/person.events';
import { teamStream } from '@courtledger/contracts/team/team.events';
import type { TournamentMatches } from '@courtledger/contracts/tournament/tournament.answers';
import { tournamentStream } from '@courtledger/contracts/tournament/tournament.events';
import { adminPlayer } from '@courtledger/projections/player/player.queries';
import { listTournamentMatches } from '@courtledger/projections/tournament/tournament.queries';
import { adminRoutes } from './admin/admin.routes.ts';
import { matchRoutes } from './match/match.routes.ts';
import type { Bound } from './platform/call.ts';
import { projectionPatienceMs } from './platform/command-handler.ts';
import type { FeatureDeps } from './platform/feature-deps.ts';
import { personDecider } from './platform/person.decider.ts';
import { playerRoutes } from './player/player.routes.ts';
import { requestRoutes } from './request/request.routes.ts';
import { teamDecider, type TeamCommand, type TeamState } from './team/team.decider.ts';
import { teamRoutes } from './team/team.routes.ts';
import { tournamentDecider } from './tournament/tournament.decider.ts';
import { tournamentRoutes } from './tournament/tournament.routes.ts';

const jerseyCommand = (playerId: PersonId, jerseyNumber: string | undefined): TeamCommand => ({ type: 'changeJerseyNumber', playerId, jerseyNumber });

/**
 * Every endpoint of the features, bound. Features do not know each other: what one needs of another's streams is handed to it here
 * (sessions: platform/session-routes.ts; live, docs, operations: elsewhere).
 */
export const featureRoutes = (deps: FeatureDeps): readonly Bound[] => {
  const { commands, log, reader, projection } = deps;
  const team = async <Seen>(teamId: TeamId, look: (state: TeamState) => Seen) => commands.read(teamDecider, teamStream(teamId), look);

  const hasMatches = async (tournamentId: TournamentId, teamId: TeamId): Promise<boolean> => {
    const head = await log.head();
    if (head !== 'start' && !(await projection.waitFor(head, projectionPatienceMs)))
      throw new DomainError('unavailable', 'The matches are not up to date. Please try again shortly.', { retryAfter: 2 });
    const json = listTournamentMatches(reader(), tournamentId);
    if (json === undefined) return false;
    return (JSON.parse(json) as TournamentMatches).matches.some(({ team_1, team_2 }) => team_1._id === teamId || team_2._id === teamId);
  };

  /** Of an erased player the read model still knows the team. */
  const teamOf = async (playerId: PersonId): Promise<string | undefined> => {
    const recorded = await commands.read(personDecider, personStream(playerId), (person) => person.recorded);
    if (recorded?.kind === 'player' && recorded.teamId !== null) {
      // A person whose second half is missing is no player yet.
      return (await team(recorded.teamId, ({ players }) => players.has(playerId))) === true ? recorded.teamId : undefined;
    }
    const stored = adminPlayer(reader(), playerId);
    return stored === undefined ? undefined : (JSON.parse(stored) as AdminPlayer).currentTeam._id;
  };

  return [
    ...tournamentRoutes({
      ...deps,
      hasMatches,
      async enteringTeam(teamId, context) {
        const known = await team(teamId, ({ status, players }) => ({ status, players: players.size }));
        // Its second half would be refused, here and under a key that completed the registration with another entry.
        if (known?.status === 'expired') throw conflict('This registration was abandoned and is closed');
        await commands.repeated(teamDecider, teamStream(teamId), context);
        return known === undefined ? undefined : { teamId, players: known.players, registrationComplete: known.status === 'completed' };
      },
      completeRegistration: async (teamId, tournamentId, context, causationId) =>
        commands.handle(teamDecider, teamStream(teamId), { type: 'completeTeamRegistration', tournamentId }, context, { causationId }),
    }),
    ...teamRoutes(deps),
    ...matchRoutes({
      ...deps,
      enteredTeams: async (tournamentId) => commands.read(tournamentDecider, tournamentStream(tournamentId), ({ teams }) => new Set(teams)),
      rosterAtHand: (teamId) => commands.peek(teamDecider, teamStream(teamId))?.players,
      roster: async (teamId) => (await team(teamId, ({ players }) => new Set(players.keys()))) ?? new Set<string>(),
    }),
    ...playerRoutes({
      ...deps,
      teamOf,
      rehearseJerseyNumber: async (teamId, playerId, jerseyNumber, context) =>
        commands.rehearse(teamDecider, teamStream(teamId), jerseyCommand(playerId, jerseyNumber), context),
      changeJerseyNumber: async (teamId, playerId, jerseyNumber, context) =>
        commands.handle(teamDecider, teamStream(teamId), jerseyCommand(playerId, jerseyNumber), context),
    }),
    ...adminRoutes(deps),
    ...requestRoutes(deps),
  ];
};
