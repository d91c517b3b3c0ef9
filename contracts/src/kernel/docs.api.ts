import { z } from 'zod';
import { nothing } from './answers.ts';
import { defineEndpoint } from './endpoint.ts';

export const getOpenApi = defineEndpoint({
  name: 'getOpenApi',
  kind: 'read',
  method: 'GET',
  path: '/openapi.json',
  summary: 'This description, generated from the contracts.',
  access: 'public',
  params: nothing,
  query: nothing,
  bodyKind: 'none',
  body: nothing,
  files: {},
  fieldOrder: [],
  status: 200,
  response: z.looseObject({ openapi: z.literal('3.1.0') }),
});

export const getDocs = defineEndpoint({
  name: 'getDocs',
  kind: 'read',
  method: 'GET',
  path: '/docs',
  summary: 'The same to read in a browser.',
  access: 'public',
  params: nothing,
  query: nothing,
  bodyKind: 'none',
  body: nothing,
  files: {},
  fieldOrder: [],
  status: 200,
  response: z.string(),
  produces: 'text/html',
});
