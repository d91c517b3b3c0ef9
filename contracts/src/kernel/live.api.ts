import { z } from 'zod';
import { nothing, positionOut } from './answers.ts';
import { defineEndpoint } from './endpoint.ts';

/** `data` of an `event: change`; `id:` is the position. An `event: reset` has no data: read everything again. */
export const liveChange = z.strictObject({
  position: positionOut,
  type: z.string(),
  tournamentId: z.string().optional(),
  matchId: z.string().optional(),
  teamId: z.string().optional(),
  playerId: z.string().optional(),
});
export type LiveChange = z.output<typeof liveChange>;

export const followChanges = defineEndpoint({
  name: 'followChanges',
  kind: 'read',
  method: 'GET',
  path: '/live',
  summary: 'Server-sent events: what changed, resumable by Last-Event-ID.',
  access: 'public',
  params: nothing,
  query: nothing,
  bodyKind: 'none',
  body: nothing,
  files: {},
  fieldOrder: [],
  status: 200,
  response: liveChange,
  produces: 'text/event-stream',
});
