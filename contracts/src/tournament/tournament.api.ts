import { z } from 'zod';
import { idParams, nothing } from '../kernel/answers.ts';
import { defineEndpoint } from '../kernel/endpoint.ts';
import { across, asOf, contactPhone, day, group, id, optionalGroup, optionalText, optionalTruth, text, trueOrFalse } from '../kernel/fields.ts';
import { largeImage, optional } from '../kernel/files.ts';
import { LABEL_MAX } from '../kernel/limits.ts';
import { fieldTexts } from '../kernel/texts.ts';
import { adminTournament, leadersAnswer, standingsAnswer, teamEntered, tournamentLists, tournamentMatches, tournamentPopulated } from './tournament.answers.ts';
import { registersBeforeItStarts, startsBeforeItEnds } from './tournament.rules.ts';

const label = () => text({ max: LABEL_MAX });
const organizer = { name: text(), phoneNumber: contactPhone() };
const prizePool = { firstPrize: label(), secondPrize: label(), thirdPrize: label(), entryFee: label(), mvp: label() };
const fields = { name: text(), startDate: day(), endDate: day(), location: text(), registeringStartDate: day(), registerable: label(), league: label() };
const posterImage = largeImage('posterImage is required');
const organizerImage = largeImage('organizerImage is required');
/** The order of the payload (specification section 7), then what is beyond it. */
const fieldOrder = [
  'name',
  'startDate',
  'endDate',
  'location',
  'registeringStartDate',
  'posterImage',
  'organizerImage',
  'organizer[name]',
  'organizer[phoneNumber]',
  'prizePool[firstPrize]',
  'prizePool[secondPrize]',
  'prizePool[thirdPrize]',
  'prizePool[entryFee]',
  'prizePool[mvp]',
  'registerable',
  'league',
  'eventName',
  'featured',
];

export const listTournaments = defineEndpoint({
  name: 'listTournaments',
  kind: 'read',
  method: 'GET',
  path: '/tournaments',
  summary: 'All tournaments, and those that are not over.',
  access: 'public',
  daily: true,
  params: nothing,
  query: nothing,
  bodyKind: 'none',
  body: nothing,
  files: {},
  fieldOrder: [],
  status: 200,
  response: tournamentLists,
});

export const listAdminTournaments = defineEndpoint({
  name: 'listAdminTournaments',
  kind: 'read',
  method: 'GET',
  path: '/tournaments/admin-tournaments',
  summary: "All tournaments with the organizers' phones.",
  access: 'admin',
  private: true,
  params: nothing,
  query: nothing,
  bodyKind: 'none',
  body: nothing,
  files: {},
  fieldOrder: [],
  status: 200,
  response: z.array(adminTournament),
});

export const listSuperAdminTournaments = defineEndpoint({
  name: 'listSuperAdminTournaments',
  kind: 'read',
  method: 'GET',
  path: '/superadmin/tournaments',
  summary: "All tournaments with the organizers' phones, as admins see them.",
  access: 'superadmin',
  private: true,
  params: nothing,
  query: nothing,
  bodyKind: 'none',
  body: nothing,
  files: {},
  fieldOrder: [],
  status: 200,
  response: z.array(adminTournament),
});

export const createTournament = defineEndpoint({
  name: 'createTournament',
  kind: 'command',
  method: 'POST',
  path: '/tournaments/create-tournament',
  summary: 'Creates a tournament.',
  access: 'admin',
  params: nothing,
  query: nothing,
  bodyKind: 'multipart',
  body: z
    .object({
      ...fields,
      organizer: group(organizer),
      prizePool: group(prizePool),
      /** Empty: the name. */
      eventName: optionalText(),
      featured: optionalTruth(),
    })
    .check(
      across(['startDate', 'endDate'], 'endDate', fieldTexts.endBeforeStart, startsBeforeItEnds),
      across(['startDate', 'registeringStartDate'], 'registeringStartDate', fieldTexts.registrationAfterStart, registersBeforeItStarts),
    ),
  files: { posterImage, organizerImage },
  fieldOrder,
  status: 201,
  response: adminTournament,
});

export const enterTeam = defineEndpoint({
  name: 'enterTeam',
  kind: 'command',
  method: 'POST',
  path: '/tournaments/assign-team-to-tournament',
  summary: 'Enters a team into a tournament and completes its registration.',
  access: 'registrant',
  teamOf: 'teamId',
  params: nothing,
  query: nothing,
  bodyKind: 'json',
  body: z.object({ tournamentId: id(), teamId: id() }),
  files: {},
  fieldOrder: ['tournamentId', 'teamId'],
  status: 200,
  response: teamEntered,
});

export const getTournament = defineEndpoint({
  name: 'getTournament',
  kind: 'read',
  method: 'GET',
  path: '/tournaments/:id',
  summary: 'One tournament with its teams and matches.',
  access: 'public',
  params: idParams,
  query: nothing,
  bodyKind: 'none',
  body: nothing,
  files: {},
  fieldOrder: [],
  status: 200,
  response: tournamentPopulated,
});

/** A change of a tournament, whoever may make it. */
const change = {
  kind: 'command',
  method: 'PUT',
  params: idParams,
  query: nothing,
  bodyKind: 'json-or-multipart',
  body: z
    .object({ ...fields, eventName: text(), featured: trueOrFalse() })
    .partial()
    .extend({
      organizer: optionalGroup({ name: organizer.name.optional(), phoneNumber: organizer.phoneNumber.optional() }),
      prizePool: optionalGroup(z.object(prizePool).partial().shape),
    }),
  files: { posterImage: optional(posterImage), organizerImage: optional(organizerImage) },
  fieldOrder,
  status: 200,
  response: adminTournament,
} as const;

export const changeTournament = defineEndpoint({
  name: 'changeTournament',
  path: '/tournaments/:id',
  summary: 'Changes a tournament; only what is sent changes.',
  access: 'admin',
  ...change,
});

export const changeTournamentAsSuperAdmin = defineEndpoint({
  name: 'changeTournamentAsSuperAdmin',
  path: '/superadmin/tournaments/:id',
  summary: 'Changes a tournament as an admin does; only what is sent changes.',
  access: 'superadmin',
  ...change,
});

export const withdrawTeam = defineEndpoint({
  name: 'withdrawTeam',
  kind: 'command',
  method: 'DELETE',
  path: '/tournaments/:id/teams/:teamId',
  summary: 'Withdraws a team that has no matches from a tournament.',
  access: 'admin',
  params: z.object({ id: z.string(), teamId: z.string() }),
  query: nothing,
  bodyKind: 'none',
  body: nothing,
  files: {},
  fieldOrder: [],
  status: 200,
  response: adminTournament,
});

const standingsQuery = z.object({ asOf: asOf().optional() });

export const getStandings = defineEndpoint({
  name: 'getStandings',
  kind: 'read',
  method: 'GET',
  path: '/tournaments/:id/standings',
  summary: 'Standings, now or as they were at a time or position.',
  access: 'public',
  params: idParams,
  query: standingsQuery,
  bodyKind: 'none',
  body: nothing,
  files: {},
  fieldOrder: ['asOf'],
  status: 200,
  response: standingsAnswer,
});

export const getStandingsCsv = defineEndpoint({
  name: 'getStandingsCsv',
  kind: 'read',
  method: 'GET',
  path: '/tournaments/:id/standings.csv',
  summary: 'The same as comma-separated values.',
  access: 'public',
  params: idParams,
  query: standingsQuery,
  bodyKind: 'none',
  body: nothing,
  files: {},
  fieldOrder: ['asOf'],
  status: 200,
  response: z.string(),
  produces: 'text/csv',
});

export const listTournamentMatches = defineEndpoint({
  name: 'listTournamentMatches',
  kind: 'read',
  method: 'GET',
  path: '/tournaments/:id/matches',
  summary: 'Matches of a tournament with their scores, all or of one day.',
  access: 'public',
  params: idParams,
  query: z.object({ date: z.preprocess((value) => (value === '' ? undefined : value), day().optional()) }),
  bodyKind: 'none',
  body: nothing,
  files: {},
  fieldOrder: ['date'],
  status: 200,
  response: tournamentMatches,
});

export const getLeaders = defineEndpoint({
  name: 'getLeaders',
  kind: 'read',
  method: 'GET',
  path: '/tournaments/:id/leaders',
  summary: 'Players with the most points, assists and rebounds.',
  access: 'public',
  params: idParams,
  query: nothing,
  bodyKind: 'none',
  body: nothing,
  files: {},
  fieldOrder: [],
  status: 200,
  response: leadersAnswer,
});
