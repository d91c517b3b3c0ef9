import { conflict, notFound } from '@courtledger/contracts/kernel/errors';
import type { PersonId, TeamId } from '@courtledger/contracts/kernel/ids';
import type { AddedPlayer } from '@courtledger/contracts/player/player.answers';
import { personStream, type PersonDetails } from '@courtledger/contracts/player/person.events';
import {
  addPlayerToTeam,
  appointCoach,
  correctTeam,
  correctTeamAsSuperAdmin,
  getTeam,
  getTeamNames,
  listSuperAdminTeams,
  listTeams,
  registerTeam,
} from '@courtledger/contracts/team/team.api';
import { teamStream } from '@courtledger/contracts/team/team.events';
import * as queries from '@courtledger/projections/team/team.queries';
import { setRegistrationCookie } from '../platform/auth-cookies.ts';
import type { Bound, Caller, CommandContext, CommandHandler, CommandReply } from '../platform/call.ts';
import { createdId } from '../platform/command-context.ts';
import type { Outcome } from '../platform/command-handler.ts';
import { bindCommand, bindRead } from '../platform/endpoint.ts';
import type { FeatureDeps } from '../platform/feature-deps.ts';
import { found } from '../platform/found.ts';
import { keptDocument, keptImage } from '../platform/kept-files.ts';
import { correctDetails, detailsAt, isErased, joined, recordNewPerson, repeatedCorrection, withNewPerson, type Reached } from '../platform/person-record.ts';
import { teamDecider, type TeamCommand } from './team.decider.ts';

export type TeamRoutesDeps = Pick<FeatureDeps, 'log' | 'commands' | 'answers' | 'reader' | 'newId' | 'vault' | 'capabilities'>;

const noSuchTeam = 'There is no such team';
const isAdmin = (caller: Caller): boolean => caller.role === 'admin';

/** Teams and the three steps of their registration (api-contract, calls under /team; specification section 4). Files first, then the person, then the team. */
export const teamRoutes = (deps: TeamRoutesDeps): readonly Bound[] => {
  const { commands, answers, reader, newId, capabilities } = deps;

  const handle = async (teamId: TeamId, command: TeamCommand, context: CommandContext) => commands.handle(teamDecider, teamStream(teamId), command, context);
  const rehearse = async (teamId: TeamId, command: TeamCommand, context: CommandContext) =>
    commands.rehearse(teamDecider, teamStream(teamId), command, context);

  const teamReply = async (teamId: TeamId, outcome: Outcome<unknown>, { commandId }: CommandContext): Promise<CommandReply> => ({
    body: await answers.team(teamId, { ...outcome, commandId }),
    position: outcome.position,
    pending: outcome.pending,
  });

  /**
   * One command of a team after another: the second of two that cannot both be (a coach, a jersey number) is refused before a person is recorded for it, and
   * contact and coach are read, changed and recorded whole.
   */
  const inTurnOf = async (teamId: TeamId, context: CommandContext, run: () => Promise<CommandReply>): Promise<CommandReply> =>
    commands.once(context, async () => commands.inTurn(teamStream(teamId), run));

  /** The same of an admin and of the super admin. */
  const correct: CommandHandler<typeof correctTeam | typeof correctTeamAsSuperAdmin> = async ({ params: { id: teamId }, body, files, context }) =>
    inTurnOf(teamId, context, async () => {
      const { name, origin, teamPrimaryNumber, coachname, coachphoneNumber, contact_number_2 } = body;
      const repeated = await rehearse(teamId, { type: 'correctTeam', name, origin }, context);
      const team = await commands.read(teamDecider, teamStream(teamId), ({ contactId, coachId }) => ({ contactId, coachId }));
      if (team === undefined) throw notFound(noSuchTeam);
      const { contactId, coachId } = team;
      if (repeated !== undefined) {
        return teamReply(
          teamId,
          joined(
            repeated,
            await repeatedCorrection(deps, contactId, context),
            coachId === undefined ? undefined : await repeatedCorrection(deps, coachId, context),
          ),
          context,
        );
      }
      const aboutCoach = [coachname, coachphoneNumber, contact_number_2, files.coachImage].some((field) => field !== undefined);
      if (aboutCoach && coachId === undefined) throw conflict('This team has no coach yet');
      // A key under which one of them was corrected with another body is refused before anything is changed.
      for (const personId of [contactId, coachId]) if (personId !== undefined) await repeatedCorrection(deps, personId, context);
      // Whoever takes the place of an erased contact is named in the same turn.
      const movedId = createdId(context, 'contact', newId);
      return commands.inTurn(personStream(movedId), async () => {
        // The coach first: one who was erased refuses the correction, and then nothing of it is recorded.
        const coach =
          aboutCoach && coachId !== undefined
            ? await commands.inTurn(personStream(coachId), async () =>
                correctDetails(
                  deps,
                  coachId,
                  async () => ({ name: coachname, phone: coachphoneNumber, phone2: contact_number_2, photo: await files.coachImage?.keepImage() }),
                  context,
                ),
              )
            : undefined;
        const contact = await correctContact(contactId, movedId, teamId, teamPrimaryNumber, context);
        const outcome = await handle(teamId, { type: 'correctTeam', name, origin, logo: await files.logo?.keepImage(), contactId: contact.contactId }, context);
        return teamReply(teamId, joined(outcome, contact.reached, coach), context);
      });
    });

  return [
    bindRead(listTeams, () => ({ json: queries.listTeams(reader()) })),
    bindRead(listSuperAdminTeams, () => ({ json: queries.listRegisteredTeams(reader()) })),
    bindRead(getTeamNames, ({ body }) => ({ json: queries.getTeamNames(reader(), body.teamsId) })),
    bindRead(getTeam, ({ params }) => found(queries.getTeam(reader(), params.id), noSuchTeam)),

    bindCommand(registerTeam, async ({ body, files, caller, context }) =>
      commands.once(context, async () => {
        const teamId = createdId(context, 'team', newId);
        const contactId = createdId(context, 'contact', newId);
        // Nobody needs a capability for a team that an admin registered.
        const capability = isAdmin(caller) ? undefined : capabilities.capabilityFor(teamId);
        const command = (logo: string): TeamCommand => ({
          type: 'registerTeam',
          teamId,
          name: body.name,
          origin: body.origin,
          logo,
          contactId,
          capabilityHash: capability?.hash ?? null,
        });
        let outcome = await rehearse(teamId, command(''), context);
        if (outcome === undefined) {
          const logo = await keptImage(files.logo);
          outcome = await withNewPerson(
            deps,
            { personId: contactId, kind: 'team-contact', teamId },
            context,
            async () => ({ phone: body.teamPrimaryNumber }),
            async () => handle(teamId, command(logo), context),
          );
        }
        const reply = await teamReply(teamId, outcome, context);
        return capability === undefined ? reply : { ...reply, cookies: [setRegistrationCookie(teamId, capability.token)] };
      }),
    ),

    bindCommand(appointCoach, async ({ body, files, caller, context }) =>
      inTurnOf(body.teamId, context, async () => {
        const { teamId } = body;
        const personId = createdId(context, 'coach', newId);
        const command: TeamCommand = { type: 'appointCoach', personId, byAdmin: isAdmin(caller) };
        let outcome = await rehearse(teamId, command, context);
        if (outcome === undefined) {
          outcome = await withNewPerson(
            deps,
            { personId, kind: 'coach', teamId },
            context,
            async () => ({ name: body.coachname, phone: body.coachphoneNumber, phone2: body.contact_number_2, photo: await keptImage(files.coachImage) }),
            async () => handle(teamId, command, context),
          );
        }
        return teamReply(teamId, outcome, context);
      }),
    ),

    bindCommand(addPlayerToTeam, async ({ body, files, caller, context }) =>
      inTurnOf(body.currentTeam, context, async () => {
        const { currentTeam: teamId, jerseyNumber } = body;
        const playerId = createdId(context, 'player', newId);
        const command: TeamCommand = { type: 'addPlayerToTeam', playerId, jerseyNumber, byAdmin: isAdmin(caller) };
        let outcome = await rehearse(teamId, command, context);
        let details: PersonDetails | undefined;
        if (outcome === undefined) {
          ({ recorded: details, outcome } = await withNewPerson(
            deps,
            { personId: playerId, kind: 'player', teamId },
            context,
            async () => ({
              name: body.name,
              phone: body.mobileNumber,
              age: body.age,
              height: body.height,
              weight: body.weight,
              photo: await keptImage(files.image),
              document: await keptDocument(files.document, playerId),
            }),
            async (recorded) => ({ recorded, outcome: await handle(teamId, command, context) }),
          ));
        } else details = await detailsAt(deps, playerId, outcome.position);
        const answer: AddedPlayer = {
          _id: playerId,
          name: body.name,
          mobileNumber: body.mobileNumber,
          currentTeam: teamId,
          height: body.height,
          weight: body.weight,
          age: body.age,
          jerseyNumber,
          // Gone when the player was erased since.
          image: details?.photo ?? '',
          document: true,
        };
        return { body: answer, position: outcome.position, pending: outcome.pending };
      }),
    ),

    bindCommand(correctTeam, correct),
    bindCommand(correctTeamAsSuperAdmin, correct),
  ];

  /** The team's primary number (undefined: not sent). When its person was erased it moves to a new one, `movedId`. */
  async function correctContact(
    contactId: PersonId,
    movedId: string,
    teamId: TeamId,
    phone: string | undefined,
    context: CommandContext,
  ): Promise<{ readonly contactId: PersonId; readonly reached?: Reached | undefined }> {
    if (phone === undefined) return { contactId };
    const corrected = await commands.inTurn(personStream(contactId), async () =>
      isErased(deps, contactId) ? undefined : { reached: await correctDetails(deps, contactId, async () => ({ phone }), context) },
    );
    if (corrected !== undefined) return { contactId, reached: corrected.reached };
    await recordNewPerson(deps, { personId: movedId, kind: 'team-contact', teamId }, context, async () => ({ phone }));
    return { contactId: movedId };
  }
};
