import { z } from 'zod';
import { bytesAnswer, idParams, nothing } from '../kernel/answers.ts';
import { defineEndpoint } from '../kernel/endpoint.ts';
import { asOf, jerseyNumber, phone10, shortNumber, text } from '../kernel/fields.ts';
import { idDocument, optional, smallImage } from '../kernel/files.ts';
import { fieldTexts } from '../kernel/texts.ts';
import { adminPlayer, playerAnswer } from './player.answers.ts';

export const getPlayer = defineEndpoint({
  name: 'getPlayer',
  kind: 'read',
  method: 'GET',
  path: '/player/getPlayerById/:id',
  summary: "A player's profile, averages and matches, now or as the numbers were at a time or position.",
  access: 'public',
  params: idParams,
  query: z.object({ asOf: asOf().optional() }),
  bodyKind: 'none',
  body: nothing,
  files: {},
  fieldOrder: ['asOf'],
  status: 200,
  response: playerAnswer,
});

export const listPlayers = defineEndpoint({
  name: 'listPlayers',
  kind: 'read',
  method: 'GET',
  path: '/player/getAllPlayers',
  summary: 'All players with their contact numbers.',
  access: 'admin',
  private: true,
  params: nothing,
  query: nothing,
  bodyKind: 'none',
  body: nothing,
  files: {},
  fieldOrder: [],
  status: 200,
  response: z.array(adminPlayer),
});

export const correctPlayer = defineEndpoint({
  name: 'correctPlayer',
  kind: 'command',
  method: 'PUT',
  path: '/player/:id',
  summary: "Corrects a player's details; only what is sent changes.",
  access: 'admin',
  params: idParams,
  query: nothing,
  bodyKind: 'json-or-multipart',
  body: z
    .object({
      name: text({ message: fieldTexts.playerName }),
      jerseyNumber: jerseyNumber(),
      mobileNumber: phone10(fieldTexts.playerContact),
      age: shortNumber(fieldTexts.age),
      height: shortNumber(fieldTexts.height),
      weight: shortNumber(fieldTexts.weight),
    })
    .partial(),
  files: { image: optional(smallImage(fieldTexts.playerPhoto)), document: optional(idDocument()) },
  fieldOrder: ['name', 'jerseyNumber', 'mobileNumber', 'age', 'height', 'weight', 'image', 'document'],
  status: 200,
  response: adminPlayer,
});

export const getPlayerDocument = defineEndpoint({
  name: 'getPlayerDocument',
  kind: 'read',
  method: 'GET',
  path: '/player/:id/document',
  summary: "A player's ID document, as an attachment; each view is recorded.",
  access: 'admin',
  private: true,
  params: idParams,
  query: nothing,
  bodyKind: 'none',
  body: nothing,
  files: {},
  fieldOrder: [],
  status: 200,
  response: bytesAnswer,
  produces: '*/*',
});
