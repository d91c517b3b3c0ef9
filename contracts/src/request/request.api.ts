import { z } from 'zod';
import { idParams, nothing } from '../kernel/answers.ts';
import { defineEndpoint } from '../kernel/endpoint.ts';
import { contactPhone, oneOf, optionalEmail, optionalText, text } from '../kernel/fields.ts';
import { largeImage, optional } from '../kernel/files.ts';
import { FREE_TEXT_MAX } from '../kernel/limits.ts';
import { fieldTexts } from '../kernel/texts.ts';
import { requestAnswer, requestCreated } from './request.answers.ts';

/** Required, in the specification's order (section 5). */
export const mandatoryRequestFields = ['tournamentName', 'contactPhone1', 'contactPhone2', 'organizerName', 'location', 'prizePool'] as const;

const message = fieldTexts.requestMandatory;

export const requestTournament = defineEndpoint({
  name: 'requestTournament',
  kind: 'command',
  method: 'POST',
  path: '/tournaments/requests',
  summary: 'Asks for a tournament to be held on this site.',
  access: 'public',
  throttle: 'request',
  params: nothing,
  query: nothing,
  bodyKind: 'multipart',
  body: z.object({
    tournamentName: text({ message }),
    contactPhone1: contactPhone(message),
    contactPhone2: contactPhone(message),
    email: optionalEmail(),
    organizerName: text({ message }),
    location: text({ message }),
    prizePool: text({ message }),
  }),
  files: { poster: optional(largeImage(fieldTexts.largeImage)) },
  fieldOrder: [...mandatoryRequestFields, 'email', 'poster'],
  status: 201,
  response: requestCreated,
});

export const listTournamentRequests = defineEndpoint({
  name: 'listTournamentRequests',
  kind: 'read',
  method: 'GET',
  path: '/tournaments/requests',
  summary: 'All requests for tournaments.',
  access: 'admin',
  private: true,
  params: nothing,
  query: nothing,
  bodyKind: 'none',
  body: nothing,
  files: {},
  fieldOrder: [],
  status: 200,
  response: z.array(requestAnswer),
});

export const closeTournamentRequest = defineEndpoint({
  name: 'closeTournamentRequest',
  kind: 'command',
  method: 'PUT',
  path: '/tournaments/requests/:id',
  summary: 'Accepts or declines a request.',
  access: 'admin',
  params: idParams,
  query: nothing,
  bodyKind: 'json',
  body: z.object({ status: oneOf(['accepted', 'declined']), note: optionalText({ max: FREE_TEXT_MAX, lines: true }) }),
  files: {},
  fieldOrder: ['status', 'note'],
  status: 200,
  response: requestAnswer,
});
