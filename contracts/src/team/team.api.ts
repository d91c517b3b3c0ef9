import { z } from 'zod';
import { idParams, nothing } from '../kernel/answers.ts';
import { defineEndpoint } from '../kernel/endpoint.ts';
import { anyList, id, jerseyNumber, phone10, shortNumber, text } from '../kernel/fields.ts';
import { idDocument, optional, smallImage } from '../kernel/files.ts';
import { COACH_NAME_MIN, TEAM_NAME_MIN } from '../kernel/limits.ts';
import { fieldTexts } from '../kernel/texts.ts';
import { addedPlayer } from '../player/player.answers.ts';
import { publicTeam, registeredTeam, teamAnswer, teamName } from './team.answers.ts';

const teamFields = {
  name: text({ message: fieldTexts.teamName, min: TEAM_NAME_MIN }),
  origin: text({ message: fieldTexts.origin }),
  teamPrimaryNumber: phone10(fieldTexts.teamPrimaryNumber),
};
const coachFields = {
  coachname: text({ message: fieldTexts.coachName, min: COACH_NAME_MIN }),
  coachphoneNumber: phone10(fieldTexts.coachPhone),
  contact_number_2: phone10(fieldTexts.coachSecondPhone),
};
const logo = smallImage(fieldTexts.teamLogo);
const coachImage = smallImage(fieldTexts.coachPhoto);

export const listTeams = defineEndpoint({
  name: 'listTeams',
  kind: 'read',
  method: 'GET',
  path: '/team/teams',
  summary: 'All teams with their contacts.',
  access: 'admin',
  private: true,
  params: nothing,
  query: nothing,
  bodyKind: 'none',
  body: nothing,
  files: {},
  fieldOrder: [],
  status: 200,
  response: z.array(teamAnswer),
});

export const listSuperAdminTeams = defineEndpoint({
  name: 'listSuperAdminTeams',
  kind: 'read',
  method: 'GET',
  path: '/superadmin/teams',
  summary: 'All teams with their contacts, as admins see them, and when each was registered.',
  access: 'superadmin',
  private: true,
  params: nothing,
  query: nothing,
  bodyKind: 'none',
  body: nothing,
  files: {},
  fieldOrder: [],
  status: 200,
  response: z.array(registeredTeam),
});

const teamIds = z.object({
  /** Anything in the list that is no text is an unknown id, and dropped as such. */
  teamsId: anyList().transform((ids) => ids.filter((value) => typeof value === 'string')),
});

export const getTeamNames = defineEndpoint({
  name: 'getTeamNames',
  kind: 'read',
  method: 'POST',
  path: '/team/get-team-names',
  summary: 'Names of teams and coaches, in the order asked; unknown ids are dropped.',
  access: 'public',
  params: nothing,
  query: nothing,
  bodyKind: 'json',
  body: teamIds,
  files: {},
  fieldOrder: ['teamsId'],
  status: 200,
  response: z.array(teamName),
});

export const registerTeam = defineEndpoint({
  name: 'registerTeam',
  kind: 'command',
  method: 'POST',
  path: '/team/create-team-step-1',
  summary: 'Registers a team (step 1) and gives the caller the capability to finish its registration.',
  access: 'public',
  throttle: 'registration',
  params: nothing,
  query: nothing,
  bodyKind: 'multipart',
  body: z.object(teamFields),
  files: { logo },
  fieldOrder: ['name', 'origin', 'teamPrimaryNumber', 'logo'],
  status: 201,
  response: teamAnswer,
});

export const appointCoach = defineEndpoint({
  name: 'appointCoach',
  kind: 'command',
  method: 'POST',
  path: '/team/add-coach-details',
  summary: 'Appoints the coach of a team (step 2).',
  access: 'registrant',
  teamOf: 'teamId',
  params: nothing,
  query: nothing,
  bodyKind: 'multipart',
  body: z.object({ ...coachFields, teamId: id() }),
  files: { coachImage },
  fieldOrder: ['coachname', 'coachphoneNumber', 'contact_number_2', 'coachImage', 'teamId'],
  status: 200,
  response: teamAnswer,
});

export const addPlayerToTeam = defineEndpoint({
  name: 'addPlayerToTeam',
  kind: 'command',
  method: 'POST',
  path: '/team/add-single-player-to-team',
  summary: 'Adds a player to a team (step 3).',
  access: 'registrant',
  teamOf: 'currentTeam',
  params: nothing,
  query: nothing,
  bodyKind: 'multipart',
  body: z.object({
    name: text({ message: fieldTexts.playerName }),
    jerseyNumber: jerseyNumber(),
    mobileNumber: phone10(fieldTexts.playerContact),
    age: shortNumber(fieldTexts.age),
    height: shortNumber(fieldTexts.height),
    weight: shortNumber(fieldTexts.weight),
    currentTeam: id(),
  }),
  files: { image: smallImage(fieldTexts.playerPhoto), document: idDocument() },
  fieldOrder: ['name', 'jerseyNumber', 'mobileNumber', 'age', 'height', 'weight', 'image', 'document', 'currentTeam'],
  status: 201,
  response: addedPlayer,
});

export const getTeam = defineEndpoint({
  name: 'getTeam',
  kind: 'read',
  method: 'GET',
  path: '/team/:id',
  summary: 'A team with roster, results and standings.',
  access: 'public',
  params: idParams,
  query: nothing,
  bodyKind: 'none',
  body: nothing,
  files: {},
  fieldOrder: [],
  status: 200,
  response: publicTeam,
});

/** A correction of a team, whoever may make it. */
const correction = {
  kind: 'command',
  method: 'PUT',
  params: idParams,
  query: nothing,
  bodyKind: 'json-or-multipart',
  body: z.object({ ...teamFields, ...coachFields }).partial(),
  files: { logo: optional(logo), coachImage: optional(coachImage) },
  fieldOrder: ['name', 'origin', 'teamPrimaryNumber', 'logo', 'coachname', 'coachphoneNumber', 'contact_number_2', 'coachImage'],
  status: 200,
  response: teamAnswer,
} as const;

export const correctTeam = defineEndpoint({
  name: 'correctTeam',
  path: '/team/:id',
  summary: "Corrects a team's and its coach's details; only what is sent changes.",
  access: 'admin',
  ...correction,
});

export const correctTeamAsSuperAdmin = defineEndpoint({
  name: 'correctTeamAsSuperAdmin',
  path: '/superadmin/teams/:id',
  summary: "Corrects a team's and its coach's details as an admin does; only what is sent changes.",
  access: 'superadmin',
  ...correction,
});
