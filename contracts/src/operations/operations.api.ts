import { z } from 'zod';
import { nothing } from '../kernel/answers.ts';
import { factTypes } from '../kernel/all-facts.ts';
import { defineEndpoint } from '../kernel/endpoint.ts';
import { oneOf, sinceMoment, untilMoment } from '../kernel/fields.ts';
import {
  backupAnswer,
  logEventAnswer,
  logEventsAnswer,
  logVerificationAnswer,
  operationsStatus,
  readModelJobAnswer,
  replayAnswer,
} from './operations.answers.ts';

/** The operators' verbs: the command line calls them over the control socket, the super admin's pages over HTTP. */

const read = {
  kind: 'read',
  method: 'GET',
  access: 'superadmin',
  private: true,
  params: nothing,
  query: nothing,
  bodyKind: 'none',
  body: nothing,
  files: {},
  fieldOrder: [],
  status: 200,
} as const;
const command = {
  kind: 'command',
  method: 'POST',
  access: 'superadmin',
  params: nothing,
  query: nothing,
  bodyKind: 'none',
  body: nothing,
  files: {},
  fieldOrder: [],
  status: 200,
} as const;

const optionalText = z.string().max(300).optional();
/** A position in the log, as decimal text. */
const position = z
  .string()
  .regex(/^\d{1,19}$/)
  .optional();

export const getOperationsStatus = defineEndpoint({
  name: 'getOperationsStatus',
  ...read,
  path: '/operations/status',
  summary: 'Head, position, lag, rate, parked streams, sizes, versions, last backup and verification.',
  response: operationsStatus,
});

export const startRebuild = defineEndpoint({
  name: 'startRebuild',
  ...command,
  path: '/operations/rebuild',
  summary:
    'Builds the next read model beside the live one, compares the two and switches; with `verifyOnly` it compares and stops. 409 while one runs, 503 naming the position while the log is known to be damaged.',
  bodyKind: 'json',
  body: z.object({ verifyOnly: z.boolean().optional() }),
  fieldOrder: ['verifyOnly'],
  response: readModelJobAnswer,
});
export const getRebuild = defineEndpoint({
  name: 'getRebuild',
  ...read,
  path: '/operations/rebuild',
  summary: 'The rebuild, verification or switch back that runs, or the last one: progress, rate, time left, differences.',
  response: readModelJobAnswer,
});
export const cancelRebuild = defineEndpoint({
  name: 'cancelRebuild',
  ...command,
  method: 'DELETE',
  path: '/operations/rebuild',
  summary:
    'Stops the rebuild that runs; the live read model stays. One that is owed since the log was damaged stays owed. 409 when none runs or it is being switched.',
  response: readModelJobAnswer,
});
export const switchBackReadModel = defineEndpoint({
  name: 'switchBackReadModel',
  ...command,
  path: '/operations/switch-back',
  summary:
    'Brings the read model before the last rebuild up to date and makes it the live one again. 409 when there is none, or while the live one is to be made anew because the log was damaged.',
  response: readModelJobAnswer,
});
export const replayParkedStreams = defineEndpoint({
  name: 'replayParkedStreams',
  ...command,
  path: '/operations/replay-parked',
  summary: 'Tries the events of parked streams again.',
  response: replayAnswer,
});

export const verifyLog = defineEndpoint({
  name: 'verifyLog',
  ...command,
  path: '/operations/verify-log',
  summary:
    'Walks the hash chain of the whole log; a break refuses writes from then on. 409 while one runs, or where the log keeps no chain (saying what stands in its place).',
  response: logVerificationAnswer,
});
export const getLogVerification = defineEndpoint({
  name: 'getLogVerification',
  ...read,
  path: '/operations/verify-log',
  summary: 'The verification of the log that runs, or the last one.',
  response: logVerificationAnswer,
});

export const backUp = defineEndpoint({
  name: 'backUp',
  ...command,
  path: '/operations/backup',
  summary: 'Copies log, keys, media and documents as they stand at one moment, with a manifest. 409 while one runs. Only the operator may say where `to`.',
  bodyKind: 'json',
  body: z.object({ to: optionalText }),
  fieldOrder: ['to'],
  response: backupAnswer,
});
export const getBackup = defineEndpoint({
  name: 'getBackup',
  ...read,
  path: '/operations/backup',
  summary: 'The backup that runs, or the last one.',
  response: backupAnswer,
});

export const listLogEvents = defineEndpoint({
  name: 'listLogEvents',
  ...read,
  path: '/operations/events',
  summary:
    'Events in the order of the log, forward `after` a position or, without it, backward `before` one (default: the end). A page may be short: go on at `next` until it is null. 404 when there is no such stream or match.',
  query: z.object({
    after: position,
    before: position,
    stream: optionalText,
    type: oneOf(factTypes).optional(),
    /** Role, id or a part of the name of who recorded it, letters of either case. */
    actor: optionalText,
    match: optionalText,
    since: sinceMoment().optional(),
    until: untilMoment().optional(),
    limit: z
      .string()
      .regex(/^[1-9]\d{0,2}$/)
      .optional(),
  }),
  fieldOrder: ['after', 'before', 'stream', 'type', 'actor', 'match', 'since', 'until', 'limit'],
  refusals: [404],
  response: logEventsAnswer,
});
export const getLogEvent = defineEndpoint({
  name: 'getLogEvent',
  ...read,
  path: '/operations/events/:position',
  summary: 'One event with its data and metadata, as the read model has it, and whether the log is damaged there.',
  params: z.object({ position: z.string() }),
  response: logEventAnswer,
});
