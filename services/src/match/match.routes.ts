import type { EntryId, MatchId, PersonId, TeamId, TournamentId } from '@courtledger/contracts/kernel/ids';
import { outcomeTexts } from '@courtledger/contracts/kernel/texts';
import type { ReversalAnswer, StatEntryAnswer } from '@courtledger/contracts/match/match.answers';
import {
  assignMatch,
  cancelMatch,
  getMatch,
  getMatchHistory,
  listMatchCorrections,
  listMatches,
  moveStatEntry,
  nameMatchMvp,
  previewMove,
  previewReversal,
  recordMatchStats,
  recordStatIncrement,
  rescheduleMatch,
  reverseStatEntry,
} from '@courtledger/contracts/match/match.api';
import { matchStream } from '@courtledger/contracts/match/match.events';
import type { MoveAnswer } from '@courtledger/contracts/operations/audit.answers';
import { tournamentStream } from '@courtledger/contracts/tournament/tournament.events';
import * as queries from '@courtledger/projections/match/match.queries';
import { getMatchAsOf } from '@courtledger/projections/operations/past-matches';
import type { Bound, CommandContext, CommandReply } from '../platform/call.ts';
import { createdId } from '../platform/command-context.ts';
import type { Outcome } from '../platform/command-handler.ts';
import { bindCommand, bindRead } from '../platform/endpoint.ts';
import type { FeatureDeps } from '../platform/feature-deps.ts';
import { found } from '../platform/found.ts';
import { createCorrectionPreviews, noSuchMatch } from './correction-preview.ts';
import type { MatchState } from './match-state.ts';
import { matchDecider, type MatchCommand } from './match.decider.ts';
import type { Roster, StatLine } from './stat-recording.ts';

export type MatchRoutesDeps = Pick<FeatureDeps, 'commands' | 'answers' | 'reader' | 'newId'> & {
  /** The teams that stand in a tournament, as fresh as the log; undefined when there is no such tournament. */
  readonly enteredTeams: (tournamentId: TournamentId) => Promise<ReadonlySet<string> | undefined>;
  /** The players of a team: at once when they are at hand. Nobody ever leaves a team, so what is at hand may only lack somebody. */
  readonly rosterAtHand: (teamId: TeamId) => Roster | undefined;
  /** The players of a team, as fresh as the log. */
  readonly roster: (teamId: TeamId) => Promise<Roster>;
};

const nobody: Roster = { has: () => false };

/** Made from the entry alone. A status that changed nothing is no entry in the ledger: it is answered as it was said. */
const entryAnswer = (match: MatchState, { entryId, ...line }: { readonly entryId: EntryId } & StatLine, rosterA: Roster): StatEntryAnswer => {
  const { playerId, points, assists, rebounds, notplayed } = line;
  const entry = match.entries.get(entryId);
  const teamId = entry?.teamId ?? (rosterA.has(playerId) ? match.teamAId : match.teamBId);
  return {
    entryId,
    matchId: match.matchId,
    player_id: playerId,
    team_id: teamId,
    points,
    assists,
    rebounds,
    notplayed: entry?.status ?? (notplayed === '' ? 'played' : notplayed),
  };
};

/** A correction as it is previewed: its facts have no ids of their own yet, and the colon is in none that a client can make. */
const reversalOf = (targetEntryId: EntryId): MatchCommand => ({ type: 'reverseStatEntry', entryId: 'preview:reversal', targetEntryId, reason: 'preview' });
const moveOf = (targetEntryId: EntryId, playerId: PersonId, both: { readonly rosterA: Roster; readonly rosterB: Roster }): MatchCommand => ({
  type: 'moveStatEntry',
  reversalId: 'preview:reversal',
  entryId: 'preview:entry',
  targetEntryId,
  playerId,
  reason: 'preview',
  ...both,
});

/** Matches and their ledger (api-contract, calls under /match). */
export const matchRoutes = (deps: MatchRoutesDeps): readonly Bound[] => {
  const { commands, answers, reader, newId } = deps;

  const handle = async (matchId: MatchId, command: MatchCommand, context: CommandContext) =>
    commands.handle(matchDecider, matchStream(matchId), command, context);

  /** The match is the answer, as the command left it. */
  const matchReply = async (matchId: MatchId, outcome: Outcome<unknown>, message?: string): Promise<CommandReply> => {
    const match = await answers.match(matchId, outcome);
    return {
      body: message === undefined ? match : `{"message":${JSON.stringify(message)},"match":${match}}`,
      position: outcome.position,
      pending: outcome.pending,
    };
  };

  /** What there is to see in a match that is at hand, or else in the log; for what was just recorded and for what never changes. */
  const seenIn = async <Seen>(matchId: MatchId, look: (match: MatchState) => Seen): Promise<Seen | undefined> => {
    const atHand = commands.peek(matchDecider, matchStream(matchId));
    return atHand === undefined ? commands.read(matchDecider, matchStream(matchId), look) : look(atHand);
  };

  const rosterWith = async (teamId: TeamId, players: readonly string[]): Promise<Roster> => {
    const atHand = deps.rosterAtHand(teamId);
    return atHand !== undefined && players.every((player) => atHand.has(player)) ? atHand : deps.roster(teamId);
  };

  /** The rosters of both teams; what is at hand counts when it has all these players. Of an unknown match: nobody, and the decider says so. */
  const rosters = async (matchId: MatchId, playersA: readonly string[], playersB: readonly string[]): Promise<{ rosterA: Roster; rosterB: Roster }> => {
    const match = await seenIn(matchId, ({ teamAId, teamBId }) => ({ teamAId, teamBId }));
    if (match === undefined) return { rosterA: nobody, rosterB: nobody };
    return { rosterA: await rosterWith(match.teamAId, playersA), rosterB: await rosterWith(match.teamBId, playersB) };
  };

  /** For one player of either team: without waiting when the player is at hand, as at nearly every tap. */
  const rostersOfPlayer = (matchId: MatchId, playerId: PersonId): { rosterA: Roster; rosterB: Roster } | Promise<{ rosterA: Roster; rosterB: Roster }> => {
    const match = commands.peek(matchDecider, matchStream(matchId));
    if (match !== undefined) {
      const rosterA = deps.rosterAtHand(match.teamAId) ?? nobody;
      const rosterB = deps.rosterAtHand(match.teamBId) ?? nobody;
      if (rosterA.has(playerId) || rosterB.has(playerId)) return { rosterA, rosterB };
    }
    return rosters(matchId, [playerId], [playerId]);
  };

  const reversalAnswer = async (matchId: MatchId, entryId: EntryId, reason: string): Promise<ReversalAnswer> => {
    const entry = await seenIn(matchId, ({ entries }) => entries.get(entryId));
    if (entry?.targetEntryId === undefined) throw new Error(`The reversal ${entryId} is not in its match`);
    const { targetEntryId, playerId, teamId, points, assists, rebounds } = entry;
    return { entryId, targetEntryId, matchId, player_id: playerId, team_id: teamId, points, assists, rebounds, reason };
  };

  const previews = createCorrectionPreviews(deps);

  return [
    bindRead(listMatches, () => ({ json: queries.listMatches(reader()) })),
    bindRead(getMatch, ({ params, query }) =>
      found(query.asOf === undefined ? queries.getMatch(reader(), params.id) : getMatchAsOf(reader(), params.id, query.asOf), noSuchMatch),
    ),
    bindRead(getMatchHistory, ({ params }) => found(queries.getMatchHistory(reader(), params.id), noSuchMatch)),
    bindRead(listMatchCorrections, ({ params }) => found(queries.listMatchCorrections(reader(), params.id), noSuchMatch)),

    bindCommand(assignMatch, async ({ body, context }) =>
      commands.once(context, async () => {
        const matchId = createdId(context, 'match', newId);
        const { tournamentId, teamAId, teamBId, matchDate, matchTime } = body;
        // A withdrawal of one of the teams waits until the match is there (withdrawTeam takes the same turn).
        const outcome = await commands.inTurn(tournamentStream(tournamentId), async () =>
          handle(
            matchId,
            { type: 'assignMatch', matchId, tournamentId, teamAId, teamBId, date: matchDate, time: matchTime, entered: await deps.enteredTeams(tournamentId) },
            context,
          ),
        );
        return matchReply(matchId, outcome, outcomeTexts.matchAssigned);
      }),
    ),

    bindCommand(recordMatchStats, async ({ body: { matchId, team1Players, team2Players }, context }) => {
      const both = await rosters(
        matchId,
        team1Players.map((line) => line.playerId),
        team2Players.map((line) => line.playerId),
      );
      const entryIds = [...team1Players, ...team2Players].map((_, index) => createdId(context, `entry-${String(index)}`, newId));
      const outcome = await handle(matchId, { type: 'recordMatchStats', team1Players, team2Players, ...both, entryIds }, context);
      return matchReply(matchId, outcome, outcomeTexts.matchUpdated);
    }),

    bindCommand(recordStatIncrement, async ({ params, body, context }) => {
      const matchId = params.id;
      const { entryId, playerId } = body;
      const known = rostersOfPlayer(matchId, playerId);
      const both = known instanceof Promise ? await known : known;
      const outcome = await handle(matchId, { type: 'recordStatIncrement', entryId, line: body, ...both }, context);
      const answer = await seenIn(matchId, (match) => entryAnswer(match, body, both.rosterA));
      if (answer === undefined) throw new Error(`The match ${matchId} is gone after an entry`);
      return { body: answer, position: outcome.position, pending: outcome.pending };
    }),

    bindCommand(reverseStatEntry, async ({ params, body, context }) => {
      const { id: matchId, entryId: targetEntryId } = params;
      const entryId = createdId(context, 'reversal', newId);
      const outcome = await previews.decideOn(matchId, reversalOf(targetEntryId), body.previewed, async (previewed) =>
        handle(matchId, { type: 'reverseStatEntry', entryId, targetEntryId, reason: body.reason, previewed }, context),
      );
      return { body: await reversalAnswer(matchId, entryId, body.reason), position: outcome.position, pending: outcome.pending };
    }),
    bindCommand(moveStatEntry, async ({ params, body, context }) => {
      const { id: matchId, entryId: targetEntryId } = params;
      const { playerId, reason } = body;
      const [reversalId, entryId] = [createdId(context, 'reversal', newId), createdId(context, 'entry', newId)];
      const both = await rosters(matchId, [playerId], [playerId]);
      const outcome = await previews.decideOn(matchId, moveOf(targetEntryId, playerId, both), body.previewed, async (previewed) =>
        handle(matchId, { type: 'moveStatEntry', reversalId, entryId, targetEntryId, playerId, reason, previewed, ...both }, context),
      );
      const entry = await seenIn(matchId, ({ entries }) => entries.get(entryId));
      if (entry === undefined) throw new Error(`The moved entry ${entryId} is not in its match`);
      const { points, assists, rebounds, teamId, status } = entry;
      const answer: MoveAnswer = {
        reversal: await reversalAnswer(matchId, reversalId, reason),
        entry: { entryId, matchId, player_id: playerId, team_id: teamId, points, assists, rebounds, notplayed: status },
      };
      return { body: answer, position: outcome.position, pending: outcome.pending };
    }),
    bindRead(previewReversal, async ({ params }) => ({ json: JSON.stringify(await previews.preview(params.id, reversalOf(params.entryId))) })),
    bindRead(previewMove, async ({ params, body }) => {
      const both = await rosters(params.id, [body.playerId], [body.playerId]);
      return { json: JSON.stringify(await previews.preview(params.id, moveOf(params.entryId, body.playerId, both))) };
    }),

    bindCommand(nameMatchMvp, async ({ params, body, context }) =>
      matchReply(params.id, await handle(params.id, { type: 'nameMatchMvp', playerId: body.playerId }, context)),
    ),
    bindCommand(rescheduleMatch, async ({ params, body, context }) =>
      matchReply(params.id, await handle(params.id, { type: 'rescheduleMatch', date: body.date, time: body.time }, context)),
    ),
    bindCommand(cancelMatch, async ({ params, context }) => {
      const { position, pending } = await handle(params.id, { type: 'cancelMatch' }, context);
      return { body: { message: outcomeTexts.matchCancelled }, position, pending };
    }),
  ];
};
