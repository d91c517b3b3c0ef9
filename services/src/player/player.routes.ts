import { notFound } from '@courtledger/contracts/kernel/errors';
import type { PersonId, TeamId } from '@courtledger/contracts/kernel/ids';
import { correctPlayer, getPlayer, getPlayerDocument, listPlayers } from '@courtledger/contracts/player/player.api';
import { auditStream, personStream } from '@courtledger/contracts/player/person.events';
import { teamStream } from '@courtledger/contracts/team/team.events';
import { getPlayerAsOf } from '@courtledger/projections/operations/past-matches';
import * as queries from '@courtledger/projections/player/player.queries';
import { auditDecider } from '../platform/audit.decider.ts';
import type { Bound, CommandContext, CommandReply } from '../platform/call.ts';
import type { Outcome } from '../platform/command-handler.ts';
import { bindCommand, bindRead } from '../platform/endpoint.ts';
import type { FeatureDeps } from '../platform/feature-deps.ts';
import { found } from '../platform/found.ts';
import { correctDetails, detailsUnlessErased, joined, repeatedCorrection } from '../platform/person-record.ts';

export type PlayerRoutesDeps = Pick<FeatureDeps, 'log' | 'commands' | 'answers' | 'reader' | 'vault' | 'documents'> & {
  /** The team that a player is in, as fresh as the log; undefined when there is no such player. */
  readonly teamOf: (playerId: PersonId) => Promise<string | undefined>;
  /**
   * Refuses a jersey number that another player of the team has; undefined: the number stays. Gives the outcome of the first call when the command is repeated.
   */
  readonly rehearseJerseyNumber: (
    teamId: TeamId,
    playerId: PersonId,
    jerseyNumber: string | undefined,
    context: CommandContext,
  ) => Promise<Outcome<unknown> | undefined>;
  readonly changeJerseyNumber: (teamId: TeamId, playerId: PersonId, jerseyNumber: string | undefined, context: CommandContext) => Promise<Outcome<unknown>>;
};

const noSuchPlayer = 'There is no such player';
const noDocument = 'There is no document of this player';
const mediaTypes = { pdf: 'application/pdf', jpg: 'image/jpeg', png: 'image/png' } as const;

/** Players (api-contract, calls under /player). */
export const playerRoutes = (deps: PlayerRoutesDeps): readonly Bound[] => {
  const { commands, answers, reader, documents } = deps;
  const reply = async (playerId: PersonId, teamId: TeamId, outcome: Outcome<unknown>, { commandId }: CommandContext): Promise<CommandReply> => ({
    body: await answers.adminPlayer(playerId, teamId, { ...outcome, commandId }),
    position: outcome.position,
    pending: outcome.pending,
  });

  return [
    bindRead(getPlayer, ({ params, query }) =>
      found(query.asOf === undefined ? queries.getPlayer(reader(), params.id) : getPlayerAsOf(reader(), params.id, query.asOf), noSuchPlayer),
    ),
    bindRead(listPlayers, () => ({ json: queries.listPlayers(reader()) })),

    bindRead(getPlayerDocument, async ({ params: { id: playerId }, context }) => {
      if ((await deps.teamOf(playerId)) === undefined) return { missing: noSuchPlayer };
      const document = (await detailsUnlessErased(deps, playerId))?.document;
      if (document === undefined) return { missing: noDocument };
      // The view is recorded before anything is shown; without a log nothing is shown.
      await commands.handle(
        auditDecider,
        auditStream(context.time),
        { type: 'recordAudit', fact: { type: 'DocumentViewed', data: { playerId, documentId: document.documentId } } },
        context,
      );
      const bytes = await documents.open(playerId, document.documentId);
      if (bytes === undefined || bytes === null) return { missing: noDocument };
      return {
        bytes,
        contentType: mediaTypes[document.kind],
        headers: {
          'Content-Disposition': `attachment; filename="id-document.${document.kind}"`,
          'X-Content-Type-Options': 'nosniff',
          'Content-Security-Policy': "default-src 'none'; sandbox",
        },
      };
    }),

    bindCommand(correctPlayer, async ({ params: { id: playerId }, body, files, context }) =>
      commands.once(context, async () => {
        const teamId = await deps.teamOf(playerId);
        if (teamId === undefined) throw notFound(noSuchPlayer);
        // The jersey numbers of a team are given one after another, or one that is refused would leave the details changed. The details are read, changed and
        // recorded whole.
        return commands.inTurn(teamStream(teamId), async () =>
          commands.inTurn(personStream(playerId), async () => {
            const { jerseyNumber, name, mobileNumber, age, height, weight } = body;
            const repeated = await deps.rehearseJerseyNumber(teamId, playerId, jerseyNumber, context);
            if (repeated !== undefined) return reply(playerId, teamId, joined(repeated, await repeatedCorrection(deps, playerId, context)), context);
            const isAboutPerson = [name, mobileNumber, age, height, weight, files.image, files.document].some((field) => field !== undefined);
            // For a number alone a key is refused under which the details were corrected.
            const person = isAboutPerson
              ? await correctDetails(
                  deps,
                  playerId,
                  async () => ({
                    name,
                    phone: mobileNumber,
                    age,
                    height,
                    weight,
                    photo: await files.image?.keepImage(),
                    document: await files.document?.keepDocument(playerId),
                  }),
                  context,
                )
              : await repeatedCorrection(deps, playerId, context);
            return reply(playerId, teamId, joined(await deps.changeJerseyNumber(teamId, playerId, jerseyNumber, context), person), context);
          }),
        );
      }),
    ),
  ];
};
