import type { MatchId, PersonId, TeamId } from '@courtledger/contracts/kernel/ids';
import { matchChanged, matchListsChanged, statsChanged } from '../kernel/dependents.ts';
import { displace, place } from '../kernel/placed.ts';
import { ImpossibleFact, type Documents, type Projection } from '../kernel/projection.ts';
import { players } from '../player/person.documents.ts';
import { teams } from '../team/team.documents.ts';
import { tournaments } from '../tournament/tournament.documents.ts';
import { matches, type MatchDocument, type StatLine } from './match.documents.ts';
import { changeLine } from './match-rows.rules.ts';

type OfMatch = { readonly revision: number; readonly data: { readonly matchId: MatchId } };

const assigned = (event: OfMatch, documents: Documents): MatchDocument => {
  const match = documents.change(matches, event.data.matchId);
  if (match.born === null) throw new ImpossibleFact(`Match ${event.data.matchId} was never assigned`);
  match.revision = event.revision;
  return match;
};

type Told = { readonly matchId: MatchId; readonly playerId: PersonId; readonly teamId: TeamId };

const lineOf = (match: MatchDocument, { matchId, playerId, teamId }: Told, documents: Documents): StatLine => {
  const known = match.lines.get(playerId);
  if (known !== undefined) return known;
  const line: StatLine = { ordinal: match.lines.size, teamId, points: 0, assists: 0, rebounds: 0, entries: 0, participation: null };
  match.lines.set(playerId, line);
  place(documents.change(players, playerId).matches, matchId, BigInt(match.born ?? 0));
  return line;
};

const nothing = { points: 0, assists: 0, rebounds: 0 };

export const matchProjection: Projection = {
  name: 'match',
  on: {
    MatchAssigned({ position, revision, data }, documents) {
      const match = documents.change(matches, data.matchId);
      if (match.born !== null) throw new ImpossibleFact(`Match ${data.matchId} is assigned already`);
      match.revision = revision;
      match.born = position.toString();
      match.tournamentId = data.tournamentId;
      match.teamAId = data.teamAId;
      match.teamBId = data.teamBId;
      match.date = data.date;
      match.time = data.time;
      place(documents.change(tournaments, data.tournamentId).matches, data.matchId, position);
      place(documents.change(teams, data.teamAId).matches, data.matchId, position);
      place(documents.change(teams, data.teamBId).matches, data.matchId, position);
      matchChanged(documents, data.matchId);
      matchListsChanged(documents, match);
    },
    MatchRescheduled(event, documents) {
      const match = assigned(event, documents);
      match.date = event.data.date;
      match.time = event.data.time;
      matchChanged(documents, event.data.matchId);
    },
    StatIncrementRecorded(event, documents) {
      const match = assigned(event, documents);
      const { data } = event;
      statsChanged(documents, data.matchId, match, data.playerId, changeLine(match, lineOf(match, data, documents), data, 1));
    },
    StatEntryReversed(event, documents) {
      const match = assigned(event, documents);
      const { data } = event;
      // A target that is no reversal is an increment, so this takes it away; what a reversal took away, its reversal gives back.
      const takesAway = match.reversals.get(data.targetEntryId) !== true;
      match.reversals.set(data.entryId, takesAway);
      statsChanged(documents, data.matchId, match, data.playerId, changeLine(match, lineOf(match, data, documents), data, takesAway ? -1 : 1));
    },
    PlayerParticipationRecorded(event, documents) {
      const match = assigned(event, documents);
      const { data } = event;
      statsChanged(documents, data.matchId, match, data.playerId, changeLine(match, lineOf(match, data, documents), nothing, 0, data.notplayed));
    },
    MatchMvpNamed(event, documents) {
      const match = assigned(event, documents);
      match.mvp = event.data.playerId;
      matchChanged(documents, event.data.matchId);
    },
    MatchCancelled(event, documents) {
      const match = assigned(event, documents);
      const { matchId } = event.data;
      match.cancelled = true;
      displace(documents.change(tournaments, match.tournamentId).matches, matchId);
      displace(documents.change(teams, match.teamAId).matches, matchId);
      displace(documents.change(teams, match.teamBId).matches, matchId);
      matchChanged(documents, matchId);
      matchListsChanged(documents, match);
      for (const [playerId] of match.lines) statsChanged(documents, matchId, match, playerId, { score: true, appearance: true });
    },
  },
};
