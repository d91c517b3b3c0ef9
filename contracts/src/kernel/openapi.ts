import { z } from 'zod';
import { adminAnswer, adminSession, tokenAnswer } from '../admin/admin.answers.ts';
import {
  correction,
  historyRow,
  leaderRow,
  matchAnswer,
  matchListItem,
  matchResult,
  matchTeam,
  matchTeamWithPlayers,
  matchWritten,
  reversalAnswer,
  rosterPlayer,
  statEntryAnswer,
  statRow,
} from '../match/match.answers.ts';
import { addedPlayer, adminPlayer, playerAnswer, playerMatch } from '../player/player.answers.ts';
import { requestAnswer, requestCreated } from '../request/request.answers.ts';
import { publicTeam, registeredTeam, teamAnswer, teamName, teamResult, teamStanding } from '../team/team.answers.ts';
import {
  adminTournament,
  leadersAnswer,
  standingRow,
  standingsAnswer,
  teamEntered,
  tournamentListItem,
  tournamentLists,
  tournamentMatches,
  tournamentPopulated,
  tournamentTeam,
} from '../tournament/tournament.answers.ts';
import { messageAnswer } from './answers.ts';
import type { Access, Endpoint } from './endpoint.ts';
import { liveChange } from './live.api.ts';
import { problem, PROBLEM_TYPE } from './problem.ts';

type Json = { [key: string]: unknown };
/** The parts of an OpenAPI 3.1 document that are made here. */
export type OpenApiDocument = {
  openapi: '3.1.0';
  info: { title: string; version: string; description: string };
  servers: { url: string }[];
  paths: Record<string, Record<string, Json>>;
  components: {
    schemas: Record<string, Json>;
    responses: Record<string, Json>;
    parameters: Record<string, Json>;
    headers: Record<string, Json>;
    securitySchemes: Record<string, Json>;
  };
};

/** Schemas that are named in the document; any other answer is named after its endpoint. */
const namedSchemas: Readonly<Record<string, z.ZodType>> = {
  Problem: problem,
  Message: messageAnswer,
  Tournament: tournamentListItem,
  TournamentLists: tournamentLists,
  AdminTournament: adminTournament,
  TournamentTeam: tournamentTeam,
  TournamentWithTeamsAndMatches: tournamentPopulated,
  TeamEntered: teamEntered,
  StandingRow: standingRow,
  Standings: standingsAnswer,
  TournamentMatches: tournamentMatches,
  LeaderRow: leaderRow,
  Leaders: leadersAnswer,
  RosterPlayer: rosterPlayer,
  StatRow: statRow,
  MatchTeam: matchTeam,
  MatchTeamWithPlayers: matchTeamWithPlayers,
  Match: matchAnswer,
  MatchListItem: matchListItem,
  MatchResult: matchResult,
  MatchWritten: matchWritten,
  StatEntry: statEntryAnswer,
  Reversal: reversalAnswer,
  HistoryRow: historyRow,
  Correction: correction,
  Player: playerAnswer,
  PlayerMatch: playerMatch,
  AdminPlayer: adminPlayer,
  AddedPlayer: addedPlayer,
  Team: teamAnswer,
  RegisteredTeam: registeredTeam,
  TeamName: teamName,
  TeamResult: teamResult,
  TeamStanding: teamStanding,
  PublicTeam: publicTeam,
  Admin: adminAnswer,
  AdminSession: adminSession,
  Token: tokenAnswer,
  TournamentRequestCreated: requestCreated,
  TournamentRequest: requestAnswer,
  LiveChange: liveChange,
};

const reference = (kind: keyof OpenApiDocument['components'], name: string): Json => ({ $ref: `#/components/${kind}/${name}` });
const capital = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);
const without = (schema: object, ...keys: string[]): Json => Object.fromEntries(Object.entries(schema).filter(([key]) => !keys.includes(key)));
const isGroup = (schema: unknown): schema is { properties: Record<string, unknown>; required?: string[] } =>
  typeof schema === 'object' && schema !== null && 'properties' in schema;

/** What may come in. A transformed field shows what it is made from. */
const inputSchema = (schema: z.ZodType): Json => without(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }), '$schema');

/** Query and path parameters of an object schema. */
const parametersOf = (schema: z.ZodType, place: 'path' | 'query'): Json[] => {
  const object = inputSchema(schema);
  if (!isGroup(object)) return [];
  return Object.entries(object.properties).map(([name, field]) => ({
    name,
    in: place,
    required: place === 'path' || (object.required ?? []).includes(name),
    schema: field,
  }));
};

/** Fields of a form under their wire names: nested groups become `parent[child]`, files binary parts. */
const formSchema = (endpoint: Endpoint): Json => {
  const properties: Json = {};
  const required: string[] = [];
  const object = inputSchema(endpoint.body);
  const groups = isGroup(object) ? object : { properties: {} };
  for (const [name, field] of Object.entries(groups.properties)) {
    if (isGroup(field)) {
      for (const [child, part] of Object.entries(field.properties)) properties[`${name}[${child}]`] = part;
      required.push(...(field.required ?? []).map((child) => `${name}[${child}]`));
    } else {
      properties[name] = field;
      if ((groups.required ?? []).includes(name)) required.push(name);
    }
  }
  for (const [name, rule] of Object.entries(endpoint.files)) {
    properties[name] = {
      type: 'string',
      format: 'binary',
      description: `${rule.kind === 'image' ? 'JPEG or PNG' : 'pdf, jpg, jpeg or png'}, at most ${rule.maxBytes} bytes`,
    };
    if (rule.required) required.push(name);
  }
  return { type: 'object', properties, ...(required.length > 0 ? { required } : {}) };
};

const bodyOf = (endpoint: Endpoint): Json => {
  if (endpoint.bodyKind === 'none') return {};
  const content: Record<string, { readonly schema: Json }> = {};
  if (endpoint.bodyKind !== 'multipart') content['application/json'] = { schema: inputSchema(endpoint.body) };
  if (endpoint.bodyKind !== 'json') content['multipart/form-data'] = { schema: formSchema(endpoint) };
  // No body at all is an empty one.
  return { requestBody: { required: Object.values(content).some(({ schema }) => 'required' in schema), content } };
};

const bearerOrCookie = (who: 'admin' | 'superadmin'): Json[] => [{ [`${who}Token`]: [] }, { [`${who}Cookie`]: [] }];
const security: Readonly<Record<Access, Json[]>> = {
  public: [],
  registrant: [...bearerOrCookie('admin'), { registrationCookie: [] }],
  admin: bearerOrCookie('admin'),
  superadmin: bearerOrCookie('superadmin'),
};

const isStream = ({ produces }: Endpoint): boolean => produces === 'text/event-stream';

/** Statuses of refusals that a call can answer, in order; all have the same body. */
const refusalsOf = (endpoint: Endpoint): number[] => {
  // Nothing of a stream's request is read but where it left off, which can be anything.
  if (isStream(endpoint)) return [503];
  const hasFiles = Object.keys(endpoint.files).length > 0;
  const statuses = [
    400,
    ...(endpoint.access === 'public' && endpoint.throttle !== 'login' ? [] : [401]),
    // A browser's request from another site can be refused to everybody.
    ...((endpoint.access === 'public' && endpoint.kind === 'read') || endpoint.checksLogin === true ? [] : [403]),
    ...(endpoint.path.includes(':') || endpoint.access === 'registrant' ? [404] : []),
    ...(endpoint.kind === 'command' ? [409] : []),
    ...(endpoint.bodyKind === 'none' ? [] : [413, 415]),
    // Decoding of pictures is throttled for everybody.
    ...(endpoint.throttle === undefined && !hasFiles ? [] : [429]),
    ...(endpoint.refusals ?? []),
    503,
  ];
  return [...new Set(statuses)].toSorted((a, b) => a - b);
};

const headersOf = (names: readonly string[]): Json => Object.fromEntries(names.map((name) => [name, reference('headers', name)]));

const responseOf = (endpoint: Endpoint, answer: string): Json => {
  const headers = headersOf(
    endpoint.kind === 'command' ? ['X-Commit-Position', 'X-Projection'] : isStream(endpoint) ? ['X-Read-Position'] : ['ETag', 'X-Read-Position'],
  );
  if (endpoint.status === 204) return { description: endpoint.summary, headers };
  const produces = endpoint.produces ?? 'application/json';
  const isText = produces === 'text/csv' || produces === 'text/html';
  const schema =
    produces === 'application/json' || isStream(endpoint) ? reference('schemas', answer) : { type: 'string', ...(!isText && { format: 'binary' }) };
  return { description: endpoint.summary, headers, content: { [produces]: { schema } } };
};

const responsesOf = (endpoint: Endpoint, answer: string): Json => ({
  [endpoint.status]: responseOf(endpoint, answer),
  ...(endpoint.kind === 'read' && !isStream(endpoint) && { 304: reference('responses', 'NotModified') }),
  ...Object.fromEntries(refusalsOf(endpoint).map((status) => [status, reference('responses', 'Problem')])),
});

/** Headers that every call of a kind takes, and what a stream takes instead. */
const sharedParametersOf = (endpoint: Endpoint): Json[] =>
  (endpoint.kind === 'command' ? ['IdempotencyKey'] : isStream(endpoint) ? ['LastEventId', 'LastEventIdInQuery'] : ['MinPosition', 'IfNoneMatch']).map((name) =>
    reference('parameters', name),
  );

const header = (description: string): Json => ({ description, schema: { type: 'string' } });
const requestHeader = (name: string, description: string): Json => ({ name, in: 'header', required: false, description, schema: { type: 'string' } });
const cookie = (name: string, description: string): Json => ({ type: 'apiKey', in: 'cookie', name, description });

/** The name of each endpoint's answer among the schemas, and all schemas by name. */
const answerSchemas = (endpoints: readonly Endpoint[]): { readonly nameOf: (endpoint: Endpoint) => string; readonly schemas: Record<string, Json> } => {
  const registry = z.registry<{ id: string }>();
  for (const [name, schema] of Object.entries(namedSchemas)) registry.add(schema, { id: name });
  for (const endpoint of endpoints) if (!registry.has(endpoint.response)) registry.add(endpoint.response, { id: `${capital(endpoint.name)}Answer` });
  const made = z.toJSONSchema(registry, { io: 'output', unrepresentable: 'any', uri: (id) => `#/components/schemas/${id}` }).schemas;
  const described = new Set([
    ...Object.keys(namedSchemas),
    ...endpoints
      .filter(({ produces, status }) => status !== 204 && (produces === undefined || produces === 'application/json'))
      .map(({ response }) => registry.get(response)?.id),
  ]);
  return {
    nameOf: ({ name, response }) => registry.get(response)?.id ?? name,
    schemas: Object.fromEntries(
      Object.entries(made)
        .filter(([name]) => described.has(name))
        .map(([name, schema]) => [name, without(schema, '$schema', '$id', 'id')]),
    ),
  };
};

/** The whole API as OpenAPI 3.1, from the endpoints. */
export const openApiDocument = (endpoints: readonly Endpoint[], version: string): OpenApiDocument => {
  const { nameOf, schemas } = answerSchemas(endpoints);
  const paths: OpenApiDocument['paths'] = {};
  for (const endpoint of endpoints) {
    const path = endpoint.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = {
      ...paths[path],
      [endpoint.method.toLowerCase()]: {
        operationId: endpoint.name,
        summary: endpoint.summary,
        tags: [endpoint.path.split('/')[1] ?? ''],
        security: security[endpoint.access],
        parameters: [...parametersOf(endpoint.params, 'path'), ...parametersOf(endpoint.query, 'query'), ...sharedParametersOf(endpoint)],
        ...bodyOf(endpoint),
        responses: responsesOf(endpoint, nameOf(endpoint)),
      },
    };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'CourtLedger', version, description: 'Basketball tournaments in Nepal: every number is a fold over recorded facts.' },
    servers: [{ url: '/api' }],
    paths,
    components: {
      schemas,
      responses: {
        Problem: { description: 'A refusal or a failure.', content: { [PROBLEM_TYPE]: { schema: reference('schemas', 'Problem') } } },
        NotModified: { description: 'What If-None-Match names is still the answer.', headers: headersOf(['ETag', 'X-Read-Position']) },
      },
      parameters: {
        IdempotencyKey: requestHeader(
          'Idempotency-Key',
          'The same key with the same body answers what the first call answered and writes nothing; with another body it is 409. Of no effect where nothing is written in the log, such as at a login.',
        ),
        MinPosition: requestHeader('X-Min-Position', 'Answer from a state that has reached this position.'),
        IfNoneMatch: requestHeader('If-None-Match', 'Answer 304 when nothing has changed.'),
        LastEventId: requestHeader('Last-Event-ID', 'The position of the last event that was received: what came after it is told.'),
        LastEventIdInQuery: { ...requestHeader('lastEventId', 'The same for who cannot set headers; the header counts before it.'), in: 'query' },
      },
      headers: {
        'X-Commit-Position': header('Where the write stands in the log; absent where nothing is written there, such as at a login.'),
        'X-Projection': header("'pending' when reads do not show the write yet."),
        'X-Read-Position': header('Up to where in the log the answer reaches at least: it may show what was recorded since.'),
        ETag: header('Hash of the answer.'),
      },
      securitySchemes: {
        adminToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'From logInAdmin.' },
        adminCookie: cookie('cl_admin', 'Set by logInAdmin.'),
        superadminToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'From logInSuperAdmin.' },
        superadminCookie: cookie('cl_superadmin', 'Set by logInSuperAdmin.'),
        registrationCookie: cookie('cl_reg_{teamId}', 'Set by registerTeam, for that one team.'),
      },
    },
  };
};
