import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Endpoint } from '@courtledger/contracts/kernel/endpoint';
import { DomainError, type FieldError } from '@courtledger/contracts/kernel/errors';
import type { EntryId, MatchId } from '@courtledger/contracts/kernel/ids';
import type { AnswerCache } from './answer-cache.ts';
import { refusedCaller, type Auth } from './auth.ts';
import type { Bound, Caller, CommandContext, CommandReply, ReadReply, StagedFile } from './call.ts';
import { commandContext } from './command-context.ts';
import { projectionPatienceMs } from './command-handler.ts';
import { mediaTypeOf, readJson } from './endpoint-body.ts';
import { problemAnswer, sendAnswer, type Answer } from './endpoint-answer.ts';
import { createReplies } from './endpoint-replies.ts';
import { cacheKeyOf, idempotencyKeyOf, minPositionOf, parseInput, pathOf, queryOf } from './endpoint-request.ts';
import type { FlatHeaders } from './headers.ts';
import type { Logger } from './logger.ts';
import type { Metrics } from './metrics.ts';
import type { Clock } from './ports.ts';
import { isOfRights, knownState, problemOf } from './problem.ts';
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
  readonly auth: Pick<Auth, 'authenticate' | 'expectCredential' | 'restsOn'>;
  readonly throttle: Pick<Throttle, 'enter'>;
  readonly uploads: Uploads;
  /** The client's address behind the proxies that are trusted. */
  readonly addressOf: (request: IncomingMessage) => string;
  /** Whether the client came over https (cookies are `Secure` then). */
  readonly isSecure: (request: IncomingMessage) => boolean;
  readonly headers: FlatHeaders;
  readonly allowedOrigins: readonly string[];
  /** Of the site as the world sees it (`PUBLIC_URL`): a proxy may name another host to us. */
  readonly publicOrigin: string | undefined;
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

const requiredFiles = (endpoint: Endpoint): FieldError[] =>
  Object.entries(endpoint.files).flatMap(([path, rule]) => (rule.required ? [{ path, message: rule.missing }] : []));

const notReached = (): DomainError => new DomainError('unavailable', 'This is not up to date yet. Please try again soon.', { retryAfter: 1 });

/** What is known of a request when it is logged. */
type Trace = {
  readonly request: IncomingMessage;
  readonly requestId: string;
  endpoint?: Endpoint;
  params?: Readonly<Record<string, string>>;
  caller?: Caller;
  code?: string;
  body?: unknown;
};
/** A call of an endpoint, and what has to be given back when it ends: its files, and its place in the throttle when nothing came of it. */
type OpenCall = Trace & { readonly bound: Bound; readonly params: Readonly<Record<string, string>>; form?: ReceivedForm; ticket?: Ticket };
const ofFieldsOrState = new Set([400, 404, 409, 413, 415]);
/**
 * Who is known and may not is refused whatever was sent. What it named is noted all the same: the trail tells whom the refusal was about. A stranger's body is
 * not read.
 */
const noteWhatWasRefused = async (error: unknown, open: OpenCall, address: string): Promise<void> => {
  if (refusedCaller(error) === undefined) return;
  try {
    if (bodyFormOf(open.bound.endpoint, open.request) === 'json') open.body = await readJson(open.request, address);
  } catch {
    // It is refused already: what is wrong with its body changes nothing.
  }
};

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
  /** Origins whose pages may write. */
  const writers = deps.publicOrigin === undefined ? deps.allowedOrigins : [...deps.allowedOrigins, deps.publicOrigin];
  const patience = deps.patienceMs ?? projectionPatienceMs;

  const corsOf = (request: IncomingMessage): FlatHeaders =>
    deps.allowedOrigins.length === 0 ? [] : Object.entries(corsHeaders(request.headers.origin, deps.allowedOrigins, false)).flat();

  const replies = createReplies({ cache, headers, corsOf, isSecure: deps.isSecure });

  const authenticate = (request: IncomingMessage, endpoint: Endpoint, teamId?: unknown): Caller =>
    operators.has(request.socket) ? operatorCaller(endpoint) : auth.authenticate(request, endpoint, teamId);

  const contextOf = (call: {
    endpoint: Endpoint;
    caller: Caller;
    request: IncomingMessage;
    requestId: string;
    body: unknown;
    hashes: Readonly<Record<string, string>>;
  }): CommandContext => {
    const { endpoint, caller, request, requestId, body, hashes } = call;
    const idempotencyKey = endpoint.kind === 'command' ? idempotencyKeyOf(request) : undefined;
    const context = commandContext(
      {
        caller,
        method: endpoint.method,
        path: pathOf(request.url ?? ''),
        idempotencyKey,
        correlationId: requestId,
        time: new Date(clock.now()).toISOString(),
        body,
        fileHashes: hashes,
      },
      deps.newId,
    );
    return operators.has(request.socket) ? { ...context, actor: { role: 'operator', id: 'operator', name: 'Operator' } } : context;
  };

  /** Access, body, schemas, files: everything up to the handler. */
  const call = async (open: OpenCall): Promise<ReadReply | CommandReply> => {
    const { bound, request, params, requestId } = open;
    const { endpoint } = bound;
    const address = deps.addressOf(request);
    if (!operators.has(request.socket)) {
      expectSameOrigin(request.headers, endpoint, writers, deps.behindProxy);
      if (endpoint.throttle !== undefined) {
        const key = idempotencyKeyOf(request);
        // With the path, as in the id of the command: the key at another one is another command.
        open.ticket = deps.throttle.enter(endpoint.throttle, address, key === undefined ? undefined : `${pathOf(request.url ?? '')} ${key}`);
      }
    }
    if (endpoint.access !== 'public') {
      const since = auth.restsOn(request);
      // Whoever has just got an account or a password at another gateway is no stranger here. Where it is not reached in time the credential says what it can.
      if (since !== undefined && since > reads.position()) await reads.waitFor(since, patience);
    }
    const late = endpoint.access === 'registrant';
    try {
      if (!late) open.caller = authenticate(request, endpoint);
      else if (!operators.has(request.socket)) auth.expectCredential(request, endpoint);
    } catch (error) {
      await noteWhatWasRefused(error, open, address);
      throw error;
    }
    // A key that cannot be one is refused before anything is read.
    if (endpoint.kind === 'command') idempotencyKeyOf(request);
    let body: unknown = {};
    const form = bodyFormOf(endpoint, request);
    if (form === 'multipart') {
      open.form = await deps.uploads.receive(request, endpoint, address);
      body = open.form.fields;
    } else if (form === 'json') body = await readJson(request, address);
    open.body = body;
    const named: unknown =
      endpoint.teamOf !== undefined && typeof body === 'object' && body !== null && Object.hasOwn(body, endpoint.teamOf)
        ? (body as Record<string, unknown>)[endpoint.teamOf]
        : undefined;
    // As the schema reads it.
    const teamId = typeof named === 'string' ? named.trim() : named;
    if (late) open.caller = authenticate(request, endpoint, teamId);
    const missingFiles = open.form === undefined ? requiredFiles(endpoint) : open.form.missing();
    const input = parseInput(endpoint, { params, query: queryOf(request.url ?? ''), body, missingFiles });
    let files: Readonly<Record<string, StagedFile>> = {};
    if (open.form !== undefined) files = await open.form.stage({ caller: open.caller ?? { role: 'visitor' }, address });
    // A body may take minutes to come, and its pictures wait for their turn: whoever was logged out or got another password meanwhile is nobody any more.
    const caller = form === 'none' ? (open.caller ?? { role: 'visitor' }) : authenticate(request, endpoint, teamId);
    const context = contextOf({ endpoint, caller, request, requestId, body: input.body, hashes: open.form?.hashes ?? {} });
    return bound.handle({ endpoint, params: input.params, query: input.query, body: input.body, files, caller, context, today: deps.today(), address });
  };

  const answer = async (open: OpenCall): Promise<Answer> => {
    const {
      request,
      bound: { endpoint },
    } = open;
    if (endpoint.kind === 'read') {
      const min = minPositionOf(request);
      if (min !== undefined && min > reads.position()) {
        if (!(await reads.waitFor(min, patience))) throw notReached();
      }
    }
    // Taken before the read: the answer shows at least this.
    const position = reads.position();
    const day = deps.today();
    const known = endpoint.method === 'GET' ? cache.get(cacheKeyOf(endpoint, request.url ?? ''), position, day) : undefined;
    if (known !== undefined) {
      // What is kept is public. Made anew it would take the place of what is being compressed: while many ask, nothing would ever be ready.
      open.caller = authenticate(request, endpoint);
      return replies.ofCache(known, request);
    }
    return replies.answerOf(endpoint, await call(open), { position, day }, request);
  };

  const failure = (error: unknown, endpoint: string, trace: Trace, more: FlatHeaders = []): Answer => {
    const { request, requestId } = trace;
    const problem = problemOf(error, requestId);
    trace.code = problem.code;
    const caller = trace.caller ?? refusedCaller(error);
    const state = knownState(error);
    // Every command meets it, for as long as it lasts: a line that tells where in the code would drown the others.
    if (state !== undefined) logger.warn('request refused', { requestId, endpoint, code: problem.code, reason: state });
    else if (problem.status >= 500) logger.error('request failed', error, { requestId, endpoint, code: problem.code });
    const isOfCommand = ofFieldsOrState.has(problem.status) && trace.endpoint?.kind === 'command' && caller !== undefined && caller.role !== 'visitor';
    if (isOfCommand || isOfRights(problem.code)) {
      const subjects = [
        ...(trace.endpoint === undefined ? [] : subjectsOf(trace.endpoint, trace.params ?? {}, trace.body, deps.knowsEntry)),
        ...subjectsOfError(error),
      ];
      deps.refusals.record({
        endpoint,
        code: problem.code,
        caller,
        requestId,
        address: deps.addressOf(request),
        subjects,
        message: isOfCommand ? problem.body.message : undefined,
      });
    }
    return problemAnswer(problem, headers, [...more, ...corsOf(request)]);
  };

  const conclude = (endpoint: string, status: number, trace: Trace, started: number): void => {
    const { request, requestId } = trace;
    const milliseconds = Math.round((clock.monotonic() - started) * 10) / 10;
    metrics.countRequest(endpoint, status, milliseconds);
    logger.info('request', {
      requestId,
      endpoint,
      status,
      milliseconds,
      ...(request.method !== undefined && { method: request.method }),
      ...(trace.caller && { role: trace.caller.role }),
      ...(trace.code !== undefined && { code: trace.code }),
    });
  };

  return {
    async serve(bound, request, response, params) {
      const started = clock.monotonic();
      const requestId = randomUUID();
      const { endpoint } = bound;
      const open: OpenCall = { bound, endpoint, request, requestId, params };
      const { name } = endpoint;
      let result: Answer;
      try {
        result = await answer(open);
        open.ticket?.succeeded();
      } catch (error) {
        open.ticket?.refund();
        result = failure(error, name, open);
      }
      try {
        sendAnswer(request, response, result);
      } catch (error) {
        logger.error('answer not sent', error, { requestId, endpoint: name });
        response.destroy();
      }
      conclude(name, result.status, open, started);
      if (open.form !== undefined)
        await open.form.discard().catch((error: unknown) => logger.error('upload not removed', error, { requestId, endpoint: name }));
    },
    fail(error, endpoint, request, response, more) {
      const trace: Trace = { request, requestId: randomUUID() };
      const result = failure(error, endpoint, trace, more);
      sendAnswer(request, response, result);
      conclude(endpoint, result.status, trace, clock.monotonic());
    },
  };
};
