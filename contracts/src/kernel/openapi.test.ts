import { describe, expect, it } from 'vitest';
import { allEndpoints } from './all-endpoints.ts';
import type { Endpoint } from './endpoint.ts';
import { openApiDocument } from './openapi.ts';

const endpoints: readonly Endpoint[] = Object.values(allEndpoints);
const document = openApiDocument(endpoints, '1.2.3');

/** Every `$ref` of a value, at any depth. */
const references = (value: unknown): string[] => {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => (key === '$ref' && typeof inner === 'string' ? [inner] : references(inner)));
};
const resolve = (reference: string): unknown =>
  reference
    .split('/')
    .slice(1)
    .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], document);

/** Every object schema of a value, at any depth, with the way to it. */
const objects = (value: unknown, way = ''): { way: string; properties: string[]; strict: boolean }[] => {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.entries(value).flatMap(([key, child]) => objects(child, `${way}/${key}`));
  return 'properties' in value && 'type' in value
    ? [{ way, properties: Object.keys(value.properties as object), strict: 'additionalProperties' in value && value.additionalProperties === false }, ...inner]
    : inner;
};
/** A schema with everything that it refers to. */
const expanded = (value: unknown): unknown[] => [value, ...references(value).flatMap((reference) => expanded(resolve(reference)))];
const security = (path: string, method: string): unknown => document.paths[path]?.[method]?.['security'];

describe('the OpenAPI document', () => {
  it('describes every endpoint once', () => {
    const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods).map((operation) => String(operation['operationId'])));
    expect(operations.toSorted()).toEqual(Object.keys(allEndpoints).toSorted());
  });

  it('has no reference that leads nowhere', () => {
    const all = references(document);
    expect(all.length).toBeGreaterThan(100);
    expect(all.filter((reference) => resolve(reference) === undefined)).toEqual([]);
  });

  it('is plain JSON', () => {
    expect(JSON.parse(JSON.stringify(document))).toEqual(document);
  });

  it('names the parts of a form as they are sent', () => {
    const operation = document.paths['/tournaments/create-tournament']?.['post'] as {
      requestBody: { content: Record<string, { schema: { properties: object; required: string[] } }> };
    };
    const { properties, required } = operation.requestBody.content['multipart/form-data']?.schema ?? { properties: {}, required: [] };
    expect(Object.keys(properties).toSorted()).toEqual([...allEndpoints.createTournament.fieldOrder].toSorted());
    expect(required.toSorted()).toEqual(allEndpoints.createTournament.fieldOrder.filter((name) => name !== 'eventName' && name !== 'featured').toSorted());
  });

  it('says that nothing in an edit is required', () => {
    for (const [path, methods] of Object.entries(document.paths)) {
      if (path === '/match/matches/{id}/mvp' || path === '/tournaments/requests/{id}') continue;
      expect(JSON.stringify(methods['put']?.['requestBody'] ?? {})).not.toContain('"required":[');
    }
  });

  it.each([
    ['/match/match/update', 'post', true],
    ['/match/matches/{id}/mvp', 'put', true],
    ['/tournaments/requests/{id}', 'put', true],
    ['/team/create-team-step-1', 'post', true],
    ['/tournaments/{id}', 'put', false],
    ['/operations/rebuild', 'post', false],
    ['/operations/backup', 'post', false],
  ])('says whether %s (%s) needs a body', (path, method, required) => {
    expect(document.paths[path]?.[method]?.['requestBody']).toMatchObject({ required });
  });

  it('says who may call', () => {
    expect(security('/tournaments', 'get')).toEqual([]);
    expect(security('/team/teams', 'get')).toEqual([{ adminToken: [] }, { adminCookie: [] }]);
    expect(security('/team/add-coach-details', 'post')).toEqual([{ adminToken: [] }, { adminCookie: [] }, { registrationCookie: [] }]);
    expect(security('/superadmin/get-admins', 'get')).toEqual([{ superadminToken: [] }, { superadminCookie: [] }]);
  });

  it('shows path and query parameters', () => {
    const parameters = document.paths['/tournaments/{id}/standings']?.['get']?.['parameters'] as { name?: string; in?: string; required?: boolean }[];
    expect(parameters.slice(0, 2)).toMatchObject([
      { name: 'id', in: 'path', required: true },
      { name: 'asOf', in: 'query', required: false },
    ]);
  });

  it.each([
    ['/tournaments', 'get', '200 304 400 503'],
    ['/tournaments/{id}/standings', 'get', '200 304 400 404 503'],
    ['/team/create-team-step-1', 'post', '201 400 403 409 413 415 429 503'],
    ['/team/{id}', 'put', '200 400 401 403 404 409 413 415 429 503'],
    ['/match/match/update', 'post', '200 400 401 403 404 409 413 415 503'],
    ['/match/matches/{id}/stat-entries/{entryId}/reversal/preview', 'post', '200 304 400 401 403 404 409 503'],
    ['/admin/login', 'post', '200 400 401 403 409 413 415 429 503'],
    ['/admin/check-token', 'get', '200 304 400 401 503'],
    ['/superadmin/check-token', 'get', '200 304 400 401 503'],
    ['/audit/trace', 'get', '200 304 400 401 403 404 503'],
    ['/live', 'get', '200 503'],
  ])('says how %s can answer (%s)', (path, method, statuses) => {
    expect(Object.keys(document.paths[path]?.[method]?.['responses'] as object).join(' ')).toBe(statuses);
  });

  it('says where a stream can go on, and where it begins', () => {
    const { parameters, responses } = document.paths['/live']?.['get'] ?? {};
    expect(parameters).toEqual([{ $ref: '#/components/parameters/LastEventId' }, { $ref: '#/components/parameters/LastEventIdInQuery' }]);
    expect(responses).toMatchObject({ 200: { headers: { 'X-Read-Position': { $ref: '#/components/headers/X-Read-Position' } } } });
  });

  it('has answers that are strict to the last object', () => {
    const all = objects(document.components.schemas);
    expect(all.length).toBeGreaterThan(40);
    expect(all.filter(({ strict }) => !strict).map(({ way }) => way)).toEqual(['/GetOpenApiAnswer']);
  });

  it('shows nobody a contact, e-mail or document in a public read', () => {
    const reads = endpoints.filter(({ kind, access }) => kind === 'read' && access === 'public');
    const shown = reads.flatMap(({ name, method, path }) => {
      const operation = document.paths[path.replaceAll(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];
      return expanded(operation?.['responses'])
        .flatMap((schema) => objects(schema))
        .flatMap(({ properties }) => properties.map((property) => `${name}: ${property}`));
    });
    expect(shown).toContain('getTeam: origin');
    expect(shown.filter((property) => /phone|mobile|contact|primaryNumber|email|document|password|token/i.test(property))).toEqual([]);
  });
});
