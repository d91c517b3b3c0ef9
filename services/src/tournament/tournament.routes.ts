import { notFound } from '@courtledger/contracts/kernel/errors';
import type { TeamId, TournamentId } from '@courtledger/contracts/kernel/ids';
import { outcomeTexts } from '@courtledger/contracts/kernel/texts';
import { teamStream } from '@courtledger/contracts/team/team.events';
import { downloadName } from '@courtledger/contracts/tournament/download-names';
import type { TournamentListItem } from '@courtledger/contracts/tournament/tournament.answers';
import {
  changeTournament,
  changeTournamentAsSuperAdmin,
  createTournament,
  enterTeam,
  getLeaders,
  getStandings,
  getStandingsCsv,
  getTournament,
  listAdminTournaments,
  listSuperAdminTournaments,
  listTournamentMatches,
  listTournaments,
  withdrawTeam,
} from '@courtledger/contracts/tournament/tournament.api';
import { tournamentStream, type TournamentChanges } from '@courtledger/contracts/tournament/tournament.events';
import * as standingsQueries from '@courtledger/projections/tournament/standings.queries';
import * as queries from '@courtledger/projections/tournament/tournament.queries';
import { csvFile } from '../platform/csv-file.ts';
import type { Bound, CommandContext, CommandHandler, CommandReply } from '../platform/call.ts';
import { createdId } from '../platform/command-context.ts';
import type { Outcome } from '../platform/command-handler.ts';
import { bindCommand, bindRead } from '../platform/endpoint.ts';
import type { FeatureDeps } from '../platform/feature-deps.ts';
import { found } from '../platform/found.ts';
import { keptImage } from '../platform/kept-files.ts';
import { joined, type Reached } from '../platform/person-record.ts';
import { tournamentDecider, type EnteringTeam, type TournamentCommand } from './tournament.decider.ts';

export type TournamentRoutesDeps = Pick<FeatureDeps, 'commands' | 'answers' | 'reader' | 'newId'> & {
  /** A team as an entry by this command needs to know it, as fresh as the log; undefined when there is no such team. */
  readonly enteringTeam: (teamId: TeamId, context: CommandContext) => Promise<EnteringTeam | undefined>;
  /** The second half of an entry: the team's registration is complete and its capability spent. */
  readonly completeRegistration: (teamId: TeamId, tournamentId: TournamentId, context: CommandContext, causationId: string) => Promise<Reached>;
  /** Whether a team plays in a tournament, as fresh as the log. Throws `unavailable` when the read model cannot tell in time. */
  readonly hasMatches: (tournamentId: TournamentId, teamId: TeamId) => Promise<boolean>;
};

const noSuchTournament = 'There is no such tournament';

/** Tournaments, entries and standings (api-contract, calls under /tournaments). */
export const tournamentRoutes = (deps: TournamentRoutesDeps): readonly Bound[] => {
  const { commands, answers, reader, newId } = deps;

  const handle = async (tournamentId: TournamentId, command: TournamentCommand, context: CommandContext) =>
    commands.handle(tournamentDecider, tournamentStream(tournamentId), command, context);

  const adminReply = async (tournamentId: TournamentId, outcome: Outcome<unknown>, { commandId }: CommandContext): Promise<CommandReply> => ({
    body: await answers.adminTournament(tournamentId, { ...outcome, commandId }),
    position: outcome.position,
    pending: outcome.pending,
  });

  /** The same of an admin and of the super admin. */
  const change: CommandHandler<typeof changeTournament | typeof changeTournamentAsSuperAdmin> = async ({ params, body, files, context }) =>
    commands.once(context, async () => {
      const changes: TournamentChanges = { ...body };
      const repeated = await commands.rehearse(tournamentDecider, tournamentStream(params.id), { type: 'changeTournament', changes }, context);
      if (repeated !== undefined) return adminReply(params.id, repeated, context);
      if (files.posterImage !== undefined) changes.posterImage = await files.posterImage.keepImage();
      if (files.organizerImage !== undefined) changes.organizer = { ...changes.organizer, image: await files.organizerImage.keepImage() };
      return adminReply(params.id, await handle(params.id, { type: 'changeTournament', changes }, context), context);
    });

  return [
    bindRead(listTournaments, ({ today }) => ({ json: queries.listTournaments(reader(), today) })),
    bindRead(listAdminTournaments, () => ({ json: queries.listAdminTournaments(reader()) })),
    bindRead(listSuperAdminTournaments, () => ({ json: queries.listAdminTournaments(reader()) })),
    bindRead(getTournament, ({ params }) => found(queries.getTournament(reader(), params.id), noSuchTournament)),
    bindRead(getStandings, ({ params, query }) => found(standingsQueries.getStandings(reader(), params.id, query.asOf), noSuchTournament)),
    bindRead(getStandingsCsv, ({ params, query }) => {
      const model = reader();
      const [csv, listed] = model.snapshot(() => [standingsQueries.getStandingsCsv(model, params.id, query.asOf), queries.listedTournament(model, params.id)]);
      if (csv === undefined || listed === undefined) return { missing: noSuchTournament };
      const { name } = JSON.parse(listed) as TournamentListItem;
      return csvFile(downloadName(name, 'standings.csv'), csv);
    }),
    bindRead(listTournamentMatches, ({ params, query }) => found(queries.listTournamentMatches(reader(), params.id, query.date), noSuchTournament)),
    bindRead(getLeaders, ({ params }) => found(queries.getLeaders(reader(), params.id), noSuchTournament)),

    bindCommand(createTournament, async ({ body, files, context }) =>
      commands.once(context, async () => {
        const tournamentId = createdId(context, 'tournament', newId);
        const { organizer, ...plain } = body;
        const command = (posterImage: string, organizerImage: string): TournamentCommand => ({
          type: 'createTournament',
          tournamentId,
          details: { ...plain, posterImage, organizer: { ...organizer, image: organizerImage } },
        });
        const repeated = await commands.rehearse(tournamentDecider, tournamentStream(tournamentId), command('', ''), context);
        return adminReply(
          tournamentId,
          repeated ?? (await handle(tournamentId, command(await keptImage(files.posterImage), await keptImage(files.organizerImage)), context)),
          context,
        );
      }),
    ),

    bindCommand(changeTournament, change),
    bindCommand(changeTournamentAsSuperAdmin, change),

    bindCommand(enterTeam, async ({ body: { tournamentId, teamId }, caller, context }) =>
      commands.once(context, async () =>
        // One entry of a team after another: the second of a registrant finds the capability spent.
        commands.inTurn(teamStream(teamId), async () => {
          const team = await deps.enteringTeam(teamId, context);
          if (team === undefined) throw notFound('There is no such team');
          const entered = await commands.handle(
            tournamentDecider,
            tournamentStream(tournamentId),
            { type: 'enterTeam', team, byAdmin: caller.role === 'admin' },
            context,
          );
          // Also when nothing was to be entered: the second half of an earlier attempt may be missing.
          const completed = await deps.completeRegistration(teamId, tournamentId, context, context.commandId);
          const tournament = await answers.listedTournament(tournamentId, { ...entered, commandId: context.commandId });
          const { position, pending } = joined(entered, completed);
          return { body: `{"message":${JSON.stringify(outcomeTexts.teamEntered)},"tournament":${tournament}}`, position, pending };
        }),
      ),
    ),

    bindCommand(withdrawTeam, async ({ params: { id: tournamentId, teamId }, context }) =>
      commands.once(context, async () =>
        // Matches are assigned in the same turn, so that none appears between the look and the withdrawal.
        commands.inTurn(tournamentStream(tournamentId), async () =>
          adminReply(
            tournamentId,
            await handle(tournamentId, { type: 'withdrawTeam', teamId, hasMatches: await deps.hasMatches(tournamentId, teamId) }, context),
            context,
          ),
        ),
      ),
    ),
  ];
};
