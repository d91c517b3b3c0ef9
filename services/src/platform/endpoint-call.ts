import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Endpoint } from '@courtledger/contracts/kernel/endpoint';
import { DomainError, type FieldError } from '@courtledger/contracts/kernel/errors';
import type { EntryId, MatchId } from '@courtledger/contracts/kernel/ids';
import { AnswerCache, CachedAnswer, encodingFor, entityTag, matchesTag } from './answer-cache.ts';
import { refusedCaller, type Auth } from './auth.ts';
import { cookieHeader } from './auth-cookies.ts';
import type { Bound, Caller, CommandContext, CommandReply, ReadReply, StagedFile } from './call.ts';
import { commandContext } from './command-context.ts';
import { mediaTypeOf, readJson } from './endpoint-body.ts';
import { problemAnswer, sendAnswer, type Answer } from './endpoint-answer.ts';
import { idempotencyKeyOf, minPositionOf, parseInput, pathOf, queryOf } from './endpoint-request.ts';
import { headersWithout, type FlatHeaders } from './headers.ts';
import type { Logger } from './logger.ts';
import type { Metrics } from './metrics.ts';
import type { Clock } from './ports.ts';
import { knownState, problemOf } from './problem.ts';
import { corsHeaders, expectSameOrigin } from './same-origin.ts';
import { subjectsOf, subjectsOfError } from './refusal-subject.ts';
import type { Refusals } from './refusals.ts';
import type { Throttle, Ticket } from './throttle.ts';
import type { ReceivedForm, Uploads } from './uploads.ts';

/** The read model of this node, as the edge sees it. */
export type ReadSide = {
  /** The position whose effects every read shows. */
  readonly position: () => bigint;
  /** Whether the position is reached, at once or within `timeoutMs`. */
  readonly waitFor: (position: bigint, timeoutMs: number) => boolean | Promise<boolean>;
};

export type PipelineDeps = {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, 'countRequest'>;
  readonly reads: ReadSide;
  readonly cache: AnswerCache;
  readonly auth: Pick<Auth, 'authenticate' | 'expectCredential'>;
  readonly throttle: Pick<Throttle, 'enter'>;
  readonly uploads: Uploads;
  /** The client's address behind the proxies that are trusted. */
  readonly addressOf: (request: IncomingMessage) => string;
  /** Whether the client came over https (cookies are `Secure` then). */
  readonly isSecure: (request: IncomingMessage) => boolean;
  readonly headers: FlatHeaders;
  readonly allowedOrigins: readonly string[];
  readonly behindProxy: boolean;
  readonly today: () => string;
  readonly newId: () => string;
  /** Hears of every refusal that concerns rights (401, 403, 429), and of every command of somebody known that its fields or the state did not allow. */
  readonly refusals: Pick<Refusals, 'record'>;
  /** Whether a match has an entry of that id. */
  readonly knowsEntry: (matchId: MatchId, entryId: EntryId) => boolean;
  /** Milliseconds that a read waits for the position it asks for. */
  readonly patienceMs?: number;
};

/** A request that came over the operator's socket: may do everything, and is named in the events as what it is. */
const operators = new WeakSet<IncomingMessage['socket']>();
export const trustSocket = (socket: IncomingMessage['socket']): void => {
  operators.add(socket);
};

const operatorCaller = (endpoint: Endpoint): Caller => {
  if (endpoint.access === 'public') return { role: 'visitor' };
  return { role: endpoint.access === 'superadmin' ? 'superadmin' : 'admin', id: 'operator', name: 'Operator', jti: '', expires: Number.MAX_SAFE_INTEGER };
};

/** In which form the body comes. No body at all fits every endpoint: its schema says what is missing. @throws DomainError `unsupported-media` */
const bodyFormOf = (endpoint: Endpoint, request: IncomingMessage): 'none' | 'json' | 'multipart' => {
  if (endpoint.bodyKind === 'none') return 'none';
  if (endpoint.bodyKind === 'json') return 'json';
  if (mediaTypeOf(request) === 'multipart/form-data') return 'multipart';
  if (endpoint.bodyKind === 'json-or-multipart') return 'json';
  if (request.headers['transfer-encoding'] === undefined && Number(request.headers['content-length'] ?? 0) === 0) return 'none';
  throw new DomainError('unsupported-media', 'The request body must be a form (Content-Type: multipart/form-data)');
};

const requiredFiles = (endpoint: Endpoint): FieldError[] => Object.entries(endpoint.files).flatMap(([path, rule]) => (rule.required ? [{ path, message: rule.missing }] : []));

const notReached = (): DomainError => new DomainError('unavailable', 'This is not up to date yet. Please try again soon.', { retryAfter: 1 });

const json = 'application/json; charset=utf-8';
const isReadReply = (reply: ReadReply | CommandReply): reply is ReadReply => 'json' in reply || 'bytes' in reply || 'missing' in reply;

/** What is known of a call when it is logged. */
type Trace = { caller?: Caller; code?: string; endpoint?: Endpoint; params?: Readonly<Record<string, string>>; body?: unknown };
const ofRights = new Set([401, 403, 429]);
const ofFieldsOrState = new Set([400, 404, 409, 413, 415]);
/** Who is known and may not is refused whatever was sent. What it named is noted all the same: the trail tells whom the refusal was about. A stranger's body is not read. */
const noteWhatWasRefused = async (error: unknown, endpoint: Endpoint, request: IncomingMessage, address: string, trace: Trace): Promise<void> => {
  if (refusedCaller(error) === undefined) return;
  try {
    if (bodyFormOf(endpoint, request) === 'json') trace.body = await readJson(request, address);
  } catch {
    // It is refused already: what is wrong with its body changes nothing.
  }
};

/** What has to be given back when a call ends: its files, and its place in the throttle when nothing came of it. */
type Held = { form?: ReceivedForm; ticket?: Ticket };

export type Pipeline = {
  /**
   * Answers one call of an endpoint from its first byte to its log line; both doors use it. Never rejects.
   * @param params the path's parameters as texts
   */
  serve(bound: Bound, request: IncomingMessage, response: ServerResponse, params: Readonly<Record<string, string>>): Promise<void>;
  /** Answers with an error, for what happens before an endpoint is known. */
  fail(error: unknown, endpoint: string, request: IncomingMessage, response: ServerResponse, more?: FlatHeaders): void;
};

export const createPipeline = (deps: PipelineDeps): Pipeline => {
  const { clock, logger, metrics, reads, cache, auth, headers } = deps;
  const patience = deps.patienceMs ?? 2000;

  const corsOf = (request: IncomingMessage): FlatHeaders => (deps.allowedOrigins.length === 0 ? [] : Object.entries(corsHeaders(request.headers.origin, deps.allowedOrigins, false)).flat());

  const authenticate = (request: IncomingMessage, endpoint: Endpoint, teamId?: unknown): Caller => (operators.has(request.socket) ? operatorCaller(endpoint) : auth.authenticate(request, endpoint, teamId));

  const contextOf = (call: { endpoint: Endpoint; caller: Caller; request: IncomingMessage; requestId: string; body: unknown; hashes: Readonly<Record<string, string>> }): CommandContext => {
    const { endpoint, caller, request, requestId, body, hashes } = call;
    const idempotencyKey = endpoint.kind === 'command' ? idempotencyKeyOf(request) : undefined;
    const context = commandContext(
      { caller, method: endpoint.method, path: pathOf(request.url ?? ''), idempotencyKey, correlationId: requestId, time: new Date(clock.now()).toISOString(), body, fileHashes: hashes },
      deps.newId,
    );
    return operators.has(request.socket) ? { ...context, actor: { role: 'operator', id: 'operator', name: 'Operator' } } : context;
  };

  /** Access, body, schemas, files: everything up to the handler. */
  const call = async (bound: Bound, request: IncomingMessage, params: Readonly<Record<string, string>>, requestId: string, trace: Trace, held: Held): Promise<ReadReply | CommandReply> => {
    const { endpoint } = bound;
    if (!operators.has(request.socket)) {
      expectSameOrigin(request.headers, endpoint, deps.allowedOrigins, deps.behindProxy);
      if (endpoint.throttle !== undefined) {
        const key = idempotencyKeyOf(request);
        // With the path, as in the id of the command: the key at another one is another command.
        held.ticket = deps.throttle.enter(endpoint.throttle, deps.addressOf(request), key === undefined ? undefined : `${pathOf(request.url ?? '')} ${key}`);
      }
    }
    const late = endpoint.access === 'registrant';
    try {
      if (!late) trace.caller = authenticate(request, endpoint);
      else if (!operators.has(request.socket)) auth.expectCredential(request, endpoint);
    } catch (error) {
      await noteWhatWasRefused(error, endpoint, request, deps.addressOf(request), trace);
      throw error;
    }
    // A key that cannot be one is refused before anything is read.
    if (endpoint.kind === 'command') idempotencyKeyOf(request);
    let body: unknown = {};
    const form = bodyFormOf(endpoint, request);
    if (form === 'multipart') {
      held.form = await deps.uploads.receive(request, endpoint, deps.addressOf(request));
      body = held.form.fields;
    } else if (form === 'json') body = await readJson(request, deps.addressOf(request));
    trace.body = body;
    const named: unknown = endpoint.teamOf !== undefined && typeof body === 'object' && body !== null && Object.hasOwn(body, endpoint.teamOf) ? (body as Record<string, unknown>)[endpoint.teamOf] : undefined;
    // As the schema reads it.
    const teamId = typeof named === 'string' ? named.trim() : named;
    if (late) trace.caller = authenticate(request, endpoint, teamId);
    const missingFiles = held.form === undefined ? requiredFiles(endpoint) : held.form.missing();
    const input = parseInput(endpoint, { params, query: queryOf(request.url ?? ''), body, missingFiles });
    let files: Readonly<Record<string, StagedFile>> = {};
    if (held.form !== undefined) files = await held.form.stage({ caller: trace.caller ?? { role: 'visitor' }, address: deps.addressOf(request) });
    // A body may take minutes to come, and its pictures wait for their turn: whoever was logged out or got another password meanwhile is nobody any more.
    const caller = form === 'none' ? (trace.caller ?? { role: 'visitor' }) : authenticate(request, endpoint, teamId);
    const context = contextOf({ endpoint, caller, request, requestId, body: input.body, hashes: held.form?.hashes ?? {} });
    return bound.handle({ endpoint, params: input.params, query: input.query, body: input.body, files, caller, context, today: deps.today(), address: deps.addressOf(request) });
  };

  const readAnswer = async (endpoint: Endpoint, reply: ReadReply, position: bigint, day: string, request: IncomingMessage): Promise<Answer> => {
    if ('missing' in reply) throw new DomainError('not-found', reply.missing);
    const isPrivate = endpoint.access !== 'public' || endpoint.private === true;
    const contentType = 'json' in reply ? json : reply.contentType;
    const own = 'json' in reply ? {} : (reply.headers ?? {});
    const bytes = 'json' in reply ? Buffer.from(reply.json, 'utf8') : reply.bytes;
    const shared = [...headersWithout(headers, own), 'Content-Type', contentType, 'Cache-Control', isPrivate ? 'no-store' : 'no-cache', 'X-Read-Position', position.toString(10), ...Object.entries(own).flat()];
    if (isPrivate) {
      const tag = entityTag(bytes);
      const all = [...shared, ...corsOf(request), 'ETag', tag];
      return matchesTag(request.headers['if-none-match'], tag) ? { status: 304, headers: all, body: undefined } : { status: 200, headers: all, body: bytes };
    }
    const cached = new CachedAnswer(endpoint.name, bytes, shared, endpoint.daily === true ? day : undefined);
    if (endpoint.method === 'GET') cache.put(request.url ?? '', position, cached);
    return cachedAnswer(cached, request);
  };

  const cachedAnswer = async (cached: CachedAnswer, request: IncomingMessage): Promise<Answer> => {
    const encoding = encodingFor(request.headers['accept-encoding']);
    if (matchesTag(request.headers['if-none-match'], cached.tag)) return { status: 304, headers: [...cached.notModified(encoding), ...corsOf(request)], body: undefined };
    const { headers: ready, body } = await cached.make(encoding);
    // `Content-Length` is written by sendAnswer from the bytes.
    const at = ready.indexOf('Content-Length');
    return { status: 200, headers: [...ready.slice(0, at), ...ready.slice(at + 2), ...corsOf(request)], body: typeof body === 'string' ? Buffer.from(body, 'latin1') : body };
  };

  const commandAnswer = (endpoint: Endpoint, reply: CommandReply, request: IncomingMessage): Answer => {
    const more: string[] = [];
    if (reply.position !== undefined) more.push('X-Commit-Position', reply.position.toString(10));
    if (reply.pending === true) more.push('X-Projection', 'pending');
    for (const cookie of reply.cookies ?? []) more.push('Set-Cookie', cookieHeader(cookie, deps.isSecure(request)));
    const shared = [...headers, 'Cache-Control', 'no-store', ...more, ...corsOf(request)];
    if (endpoint.status === 204) return { status: 204, headers: shared, body: undefined };
    return { status: endpoint.status, headers: [...shared, 'Content-Type', json], body: typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body) };
  };

  const answer = async (bound: Bound, request: IncomingMessage, params: Readonly<Record<string, string>>, requestId: string, trace: Trace, held: Held): Promise<Answer> => {
    const { endpoint } = bound;
    if (endpoint.kind === 'read') {
      const min = minPositionOf(request);
      if (min !== undefined && min > reads.position()) {
        if (!(await reads.waitFor(min, patience))) throw notReached();
      }
    }
    // Taken before the read: the answer shows at least this.
    const position = reads.position();
    const day = deps.today();
    const known = endpoint.method === 'GET' ? cache.get(request.url ?? '', position, day) : undefined;
    if (known !== undefined) {
      // What is kept is public. Made anew it would take the place of what is being compressed: while many ask, nothing would ever be ready.
      trace.caller = authenticate(request, endpoint);
      return cachedAnswer(known, request);
    }
    const reply = await call(bound, request, params, requestId, trace, held);
    return isReadReply(reply) ? readAnswer(endpoint, reply, position, day, request) : commandAnswer(endpoint, reply, request);
  };

  const failure = (error: unknown, endpoint: string, request: IncomingMessage, requestId: string, trace: Trace, more: FlatHeaders = []): Answer => {
    const problem = problemOf(error, requestId);
    trace.code = problem.code;
    const caller = trace.caller ?? refusedCaller(error);
    const state = knownState(error);
    // Every command meets it, for as long as it lasts: a line that tells where in the code would drown the others.
    if (state !== undefined) logger.warn('request refused', { requestId, endpoint, code: problem.code, reason: state });
    else if (problem.status >= 500) logger.error('request failed', error, { requestId, endpoint, code: problem.code });
    const isOfCommand = ofFieldsOrState.has(problem.status) && trace.endpoint?.kind === 'command' && caller !== undefined && caller.role !== 'visitor';
    if (isOfCommand || ofRights.has(problem.status)) {
      const subjects = [...(trace.endpoint === undefined ? [] : subjectsOf(trace.endpoint, trace.params ?? {}, trace.body, deps.knowsEntry)), ...subjectsOfError(error)];
      deps.refusals.record({ endpoint, code: problem.code, caller, requestId, address: deps.addressOf(request), subjects, message: isOfCommand ? problem.body.message : undefined });
    }
    return problemAnswer(problem, headers, [...more, ...corsOf(request)]);
  };

  const conclude = (endpoint: string, request: IncomingMessage, status: number, requestId: string, trace: Trace, started: number): void => {
    const milliseconds = Math.round((clock.monotonic() - started) * 10) / 10;
    metrics.countRequest(endpoint, status, milliseconds);
    logger.info('request', { requestId, endpoint, status, milliseconds, ...(request.method !== undefined && { method: request.method }), ...(trace.caller && { role: trace.caller.role }), ...(trace.code !== undefined && { code: trace.code }) });
  };

  return {
    async serve(bound, request, response, params) {
      const started = clock.monotonic();
      const requestId = randomUUID();
      const trace: Trace = { endpoint: bound.endpoint, params };
      const held: Held = {};
      const { name } = bound.endpoint;
      let result: Answer;
      try {
        result = await answer(bound, request, params, requestId, trace, held);
        held.ticket?.succeeded();
      } catch (error) {
        held.ticket?.refund();
        result = failure(error, name, request, requestId, trace);
      }
      try {
        sendAnswer(request, response, result);
      } catch (error) {
        logger.error('answer not sent', error, { requestId, endpoint: name });
        response.destroy();
      }
      conclude(name, request, result.status, requestId, trace, started);
      if (held.form !== undefined) await held.form.discard().catch((error: unknown) => logger.error('upload not removed', error, { requestId, endpoint: name }));
    },
    fail(error, endpoint, request, response, more) {
      const requestId = randomUUID();
      const trace: Trace = {};
      const result = failure(error, endpoint, request, requestId, trace, more);
      sendAnswer(request, response, result);
      conclude(endpoint, request, result.status, requestId, trace, clock.monotonic());
    },
  };
};
