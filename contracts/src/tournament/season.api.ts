import { z } from 'zod';
import { bytesAnswer, idParams, nothing } from '../kernel/answers.ts';
import { defineEndpoint } from '../kernel/endpoint.ts';
import { standingsHistory } from './season.answers.ts';

const read = {
  kind: 'read',
  method: 'GET',
  access: 'public',
  query: nothing,
  bodyKind: 'none',
  body: nothing,
  files: {},
  fieldOrder: [],
  status: 200,
} as const;

export const getSeasonFile = defineEndpoint({
  name: 'getSeasonFile',
  ...read,
  path: '/tournaments/:id/season-file',
  summary:
    "A tournament's facts and results without personal data, signed with the server's key: a line of JSON and a line with its signature. 503 while the log is known to be damaged.",
  params: idParams,
  // Once the log is known to be damaged nothing signed is given any more, not even what was signed before.
  private: true,
  response: bytesAnswer,
  produces: 'application/octet-stream',
});

export const getSeasonKey = defineEndpoint({
  name: 'getSeasonKey',
  ...read,
  path: '/season-key',
  summary: 'The public key with which season files of this server are signed (Ed25519, SubjectPublicKeyInfo, base64).',
  params: nothing,
  response: z.strictObject({ algorithm: z.literal('Ed25519'), publicKey: z.string() }),
});

export const getStandingsHistory = defineEndpoint({
  name: 'getStandingsHistory',
  ...read,
  path: '/tournaments/:id/standings/history',
  summary: 'The rank of every team after each match day, from the numbers of now: corrections count from the day of their match on.',
  params: idParams,
  response: standingsHistory,
});
