import type { TeamAnswer } from '@courtledger/contracts/team/team.answers';
import type { TournamentTeam } from '@courtledger/contracts/tournament/tournament.answers';
import { formerNames } from '@courtledger/contracts/player/former-names';
import { openObject } from '../kernel/json-pieces.ts';
import { idsOf } from '../kernel/placed.ts';
import { view } from '../kernel/projection.ts';
import { table } from '../kernel/table.ts';
import { people } from '../player/person.documents.ts';
import { shownPlayer } from '../player/shown-person.ts';
import { teams } from './team.documents.ts';

/**
 * `admin`: the Team of listTeams. `fragment`: the team inside getTournament. `page`: getTeam before `results`.
 * `match_ids`, `tournament_ids`: arrays of ids, for what getTeam joins.
 */
export const teamTable = table(
  'teams',
  { id: 'TEXT NOT NULL' },
  {
    ordinal: 'INTEGER NOT NULL',
    revision: 'INTEGER NOT NULL',
    name: 'TEXT NOT NULL',
    coach_name: 'TEXT NOT NULL',
    admin: 'TEXT NOT NULL',
    fragment: 'TEXT NOT NULL',
    page: 'TEXT NOT NULL',
    match_ids: 'TEXT NOT NULL',
    tournament_ids: 'TEXT NOT NULL',
  },
);

/** A registration that expired unfinished has no team: it is in no list. */
export const teamView = view('team', teams, [teamTable], (id, team, documents, write) => {
  if (team.born === null || team.expired) {
    write.remove(teamTable, [id]);
    return;
  }
  const { name, origin, logo } = team;
  const details = team.coachId === null ? undefined : documents.read(people, team.coachId)?.details;
  const coachName = team.coachId === null ? '' : (details?.name ?? formerNames.coach);
  const coach: TeamAnswer['coach'] =
    team.coachId === null ? {} : { name: coachName, phone_number: details?.phone ?? '', contact_number_2: details?.phone2 ?? '', image: details?.photo ?? '' };
  const players = team.players.map((player) => shownPlayer(player.id, documents));
  const matchIds = idsOf(team.matches);
  const admin: TeamAnswer = {
    _id: id,
    team_details: { name, origin, logo, teamPrimaryNumber: documents.read(people, team.contactId)?.details?.phone ?? '' },
    coach,
    players: team.players.map((player) => player.id),
    matches: matchIds,
  };
  const fragment: TournamentTeam = { _id: id, team_details: { name, logo, origin }, coach: { name: coachName }, players };
  const page = { _id: id, team_details: { name, origin, logo }, coach: team.coachId === null ? {} : { name: coachName, image: details?.photo ?? '' }, players };
  write.put(teamTable, [
    id,
    BigInt(team.born),
    team.revision,
    name,
    coachName,
    JSON.stringify(admin),
    JSON.stringify(fragment),
    openObject(page),
    JSON.stringify(matchIds),
    JSON.stringify(idsOf(team.tournaments)),
  ]);
});
