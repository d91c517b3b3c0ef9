import type { MatchId, PersonId, TeamId, TournamentId } from '@courtledger/contracts/kernel/ids';
import { matches, type MatchDocument } from '../match/match.documents.ts';
import type { LineChange } from '../match/match-rows.rules.ts';
import { matchStatsView, matchView, statLineView } from '../match/match.views.ts';
import { players, type PersonDocument } from '../player/person.documents.ts';
import { playerView } from '../player/player.views.ts';
import { tournamentPlayerView } from '../player/tournament-player.views.ts';
import { requestView } from '../request/request.views.ts';
import { teams } from '../team/team.documents.ts';
import { teamView } from '../team/team.views.ts';
import { standingsView } from '../tournament/standings.views.ts';
import { tournaments } from '../tournament/tournament.documents.ts';
import { tournamentView } from '../tournament/tournament.views.ts';
import type { Documents } from './projection.ts';

/** Who shows what of whom: what else is rendered again when something that others show has changed. */

/** The match's own frame, result and MVP; nothing that others show of it. */
export const matchChanged = (documents: Documents, matchId: MatchId): void => {
  documents.touch(matchView, matchId);
  documents.touch(matchStatsView, matchId);
};

/** The match came to, or left, the lists of its tournament and teams. */
export const matchListsChanged = (documents: Documents, { tournamentId, teamAId, teamBId }: MatchDocument): void => {
  documents.touch(tournamentView, tournamentId);
  documents.touch(standingsView, tournamentId);
  documents.touch(teamView, teamAId);
  documents.touch(teamView, teamBId);
};

/** One player's line of a match. Assists and rebounds move no table, and only a line that appears or disappears changes the lists of players. */
export const statsChanged = (
  documents: Documents,
  matchId: MatchId,
  { tournamentId }: MatchDocument,
  playerId: PersonId,
  { score, appearance }: LineChange,
): void => {
  documents.touch(matchStatsView, matchId);
  documents.touch(statLineView, matchId, playerId);
  documents.touch(tournamentPlayerView, playerId, tournamentId);
  if (score || appearance) documents.touch(standingsView, tournamentId);
  if (appearance) documents.touch(matchView, matchId);
};

/** What others show of a tournament: its name, place or dates. */
export const tournamentShown = (documents: Documents, tournamentId: TournamentId): void => {
  documents.touch(tournamentView, tournamentId);
  documents.touch(standingsView, tournamentId);
  for (const [matchId] of documents.read(tournaments, tournamentId)?.matches ?? []) documents.touch(matchView, matchId);
};

/** A team entered a tournament or left it. */
export const entriesChanged = (documents: Documents, tournamentId: TournamentId, teamId: TeamId): void => {
  documents.touch(tournamentView, tournamentId);
  documents.touch(standingsView, tournamentId);
  documents.touch(teamView, teamId);
};

/** Who stands among the players of a team, or how. */
export const rosterChanged = (documents: Documents, teamId: TeamId): void => {
  documents.touch(teamView, teamId);
  for (const [matchId] of documents.read(teams, teamId)?.matches ?? []) documents.touch(matchView, matchId);
};

/** Name or logo of a team, or whether it is there at all. */
export const teamShown = (documents: Documents, teamId: TeamId): void => {
  rosterChanged(documents, teamId);
  const team = documents.read(teams, teamId);
  const tournamentIds = new Set((team?.tournaments ?? []).map(([id]) => id));
  for (const [matchId] of team?.matches ?? []) {
    const match = documents.read(matches, matchId);
    if (match !== undefined) tournamentIds.add(match.tournamentId);
  }
  for (const tournamentId of tournamentIds) {
    documents.touch(standingsView, tournamentId);
  }
  for (const { id } of team?.players ?? []) documents.touch(playerView, id);
};

/** Name, number or image of a player. */
export const playerShown = (documents: Documents, playerId: PersonId): void => {
  const player = documents.read(players, playerId);
  documents.touch(playerView, playerId);
  if (player === undefined) return;
  if (player.teamId !== null) rosterChanged(documents, player.teamId);
  for (const [matchId] of player.matches) {
    matchChanged(documents, matchId);
    documents.touch(statLineView, matchId, playerId);
  }
};

/** Personal details of whatever kind. */
export const personShown = (documents: Documents, personId: PersonId, person: PersonDocument): void => {
  if (person.kind === 'player') playerShown(documents, personId);
  if (person.teamId !== null) documents.touch(teamView, person.teamId);
  if (person.requestId !== null) documents.touch(requestView, person.requestId);
};
