import type { TeamId } from '@courtledger/contracts/kernel/ids';
import { playerShown, rosterChanged, teamShown } from '../kernel/dependents.ts';
import { ImpossibleFact, type Documents, type Projection } from '../kernel/projection.ts';
import { people, players } from '../player/person.documents.ts';
import { teams, type TeamDocument } from './team.documents.ts';
import { teamView } from './team.views.ts';

type OfTeam = { readonly revision: number; readonly data: { readonly teamId: TeamId } };

const registered = (event: OfTeam, documents: Documents): TeamDocument => {
  const team = documents.change(teams, event.data.teamId);
  if (team.born === null) throw new ImpossibleFact(`Team ${event.data.teamId} was never registered`);
  team.revision = event.revision;
  return team;
};

export const teamProjection: Projection = {
  name: 'team',
  on: {
    TeamRegistered({ position, revision, time, data }, documents) {
      const team = documents.change(teams, data.teamId);
      if (team.born !== null) throw new ImpossibleFact(`Team ${data.teamId} is registered already`);
      team.revision = revision;
      team.born = position.toString();
      team.registeredAt = time;
      team.name = data.name;
      team.origin = data.origin;
      team.logo = data.logo;
      team.contactId = data.contactId;
      team.capabilityHash = data.capabilityHash;
      documents.change(people, data.contactId).teamId = data.teamId;
      teamShown(documents, data.teamId);
    },
    CoachAppointed(event, documents) {
      registered(event, documents).coachId = event.data.personId;
      documents.change(people, event.data.personId).teamId = event.data.teamId;
      documents.touch(teamView, event.data.teamId);
    },
    PlayerAddedToTeam(event, documents) {
      const { teamId, playerId, jerseyNumber } = event.data;
      registered(event, documents).players.push({ id: playerId, jersey: jerseyNumber });
      const player = documents.change(players, playerId);
      player.born = event.position.toString();
      player.teamId = teamId;
      player.jersey = jerseyNumber;
      rosterChanged(documents, teamId);
      playerShown(documents, playerId);
    },
    TeamRegistrationCompleted(event, documents) {
      registered(event, documents);
      // Nothing that is shown, but the stored answer says which revision it is of.
      documents.touch(teamView, event.data.teamId);
    },
    TeamDetailsCorrected(event, documents) {
      const team = registered(event, documents);
      const { name, origin, logo, contactId } = event.data.changes;
      if (name !== undefined) team.name = name;
      if (origin !== undefined) team.origin = origin;
      if (logo !== undefined) team.logo = logo;
      if (contactId !== undefined) {
        team.contactId = contactId;
        documents.change(people, contactId).teamId = event.data.teamId;
      }
      if (name === undefined && logo === undefined) documents.touch(teamView, event.data.teamId);
      else teamShown(documents, event.data.teamId);
    },
    PlayerJerseyNumberChanged(event, documents) {
      const { playerId, jerseyNumber } = event.data;
      const entry = registered(event, documents).players.find(({ id }) => id === playerId);
      if (entry === undefined) throw new ImpossibleFact(`Player ${playerId} is not in team ${event.data.teamId}`);
      entry.jersey = jerseyNumber;
      documents.change(players, playerId).jersey = jerseyNumber;
      playerShown(documents, playerId);
    },
    TeamRegistrationExpired(event, documents) {
      registered(event, documents).expired = true;
      teamShown(documents, event.data.teamId);
    },
  },
};
