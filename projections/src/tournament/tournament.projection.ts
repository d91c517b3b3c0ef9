import type { TournamentDetails } from '@courtledger/contracts/tournament/tournament.events';
import { entriesChanged, tournamentShown } from '../kernel/dependents.ts';
import { displace, place } from '../kernel/placed.ts';
import { ImpossibleFact, type Projection } from '../kernel/projection.ts';
import { teams } from '../team/team.documents.ts';
import { tournaments } from './tournament.documents.ts';
import { tournamentView } from './tournament.views.ts';

/** What matches show of their tournament. */
const shownByMatches = ({ name, location, startDate, league }: TournamentDetails): string => JSON.stringify([name, location, startDate, league]);

export const tournamentProjection: Projection = {
  name: 'tournament',
  on: {
    TournamentCreated({ position, revision, data }, documents) {
      const tournament = documents.change(tournaments, data.tournamentId);
      if (tournament.born !== null) throw new ImpossibleFact(`Tournament ${data.tournamentId} is created already`);
      const { tournamentId, ...details } = data;
      tournament.revision = revision;
      tournament.born = position.toString();
      // Copies, because later facts change them and the event is not ours.
      tournament.details = { ...details, organizer: { ...details.organizer }, prizePool: { ...details.prizePool } };
      tournamentShown(documents, tournamentId);
    },
    TournamentDetailsChanged({ revision, data }, documents) {
      const tournament = documents.change(tournaments, data.tournamentId);
      if (tournament.details === null) throw new ImpossibleFact(`Tournament ${data.tournamentId} was never created`);
      const before = shownByMatches(tournament.details);
      const { organizer, prizePool, ...changes } = data.changes;
      // The contract's optional fields are absent, never undefined, in facts that came through JSON.
      Object.assign(tournament.details, changes);
      Object.assign(tournament.details.organizer, organizer);
      Object.assign(tournament.details.prizePool, prizePool);
      tournament.revision = revision;
      if (shownByMatches(tournament.details) === before) documents.touch(tournamentView, data.tournamentId);
      else tournamentShown(documents, data.tournamentId);
    },
    TeamEnteredTournament({ position, revision, data }, documents) {
      const tournament = documents.change(tournaments, data.tournamentId);
      tournament.revision = revision;
      place(tournament.teams, data.teamId, position);
      place(documents.change(teams, data.teamId).tournaments, data.tournamentId, position);
      entriesChanged(documents, data.tournamentId, data.teamId);
    },
    TeamWithdrawnFromTournament({ revision, data }, documents) {
      const tournament = documents.change(tournaments, data.tournamentId);
      tournament.revision = revision;
      displace(tournament.teams, data.teamId);
      displace(documents.change(teams, data.teamId).tournaments, data.tournamentId);
      entriesChanged(documents, data.tournamentId, data.teamId);
    },
  },
};
