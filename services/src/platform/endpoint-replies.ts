import type { IncomingMessage } from 'node:http';
import type { Endpoint } from '@courtledger/contracts/kernel/endpoint';
import { DomainError } from '@courtledger/contracts/kernel/errors';
import { CachedAnswer, encodingFor, entityTag, matchesTag, type AnswerCache } from './answer-cache.ts';
import { cookieHeader } from './auth-cookies.ts';
import type { CommandReply, ReadReply } from './call.ts';
import type { Answer } from './endpoint-answer.ts';
import { cacheKeyOf } from './endpoint-request.ts';
import { headersWithout, type FlatHeaders } from './headers.ts';

const json = 'application/json; charset=utf-8';
const isReadReply = (reply: ReadReply | CommandReply): reply is ReadReply => 'json' in reply || 'bytes' in reply || 'missing' in reply;

type RepliesDeps = {
  readonly cache: AnswerCache;
  readonly headers: FlatHeaders;
  readonly corsOf: (request: IncomingMessage) => FlatHeaders;
  /** Whether the client came over https (cookies are `Secure` then). */
  readonly isSecure: (request: IncomingMessage) => boolean;
};

/** The position of the read model before it was read (the answer shows at least this), and the day. */
type ReadAt = { readonly position: bigint; readonly day: string };

export type Replies = {
  /** @throws DomainError `not-found` */
  readonly answerOf: (endpoint: Endpoint, reply: ReadReply | CommandReply, at: ReadAt, request: IncomingMessage) => Answer | Promise<Answer>;
  readonly ofCache: (cached: CachedAnswer, request: IncomingMessage) => Promise<Answer>;
};

/** How what a handler replies becomes an answer with its headers: what is public is kept for the next one who asks. */
export const createReplies = ({ cache, headers, corsOf, isSecure }: RepliesDeps): Replies => {
  const ofCache = async (cached: CachedAnswer, request: IncomingMessage): Promise<Answer> => {
    const encoding = encodingFor(request.headers['accept-encoding']);
    if (matchesTag(request.headers['if-none-match'], cached.tag))
      return { status: 304, headers: [...cached.notModified(encoding), ...corsOf(request)], body: undefined };
    const { headers: ready, body } = await cached.make(encoding);
    // `Content-Length` is written by sendAnswer from the bytes.
    const at = ready.indexOf('Content-Length');
    return {
      status: 200,
      headers: [...ready.slice(0, at), ...ready.slice(at + 2), ...corsOf(request)],
      body: typeof body === 'string' ? Buffer.from(body, 'latin1') : body,
    };
  };

  const ofRead = async (endpoint: Endpoint, reply: ReadReply, { position, day }: ReadAt, request: IncomingMessage): Promise<Answer> => {
    if ('missing' in reply) throw new DomainError('not-found', reply.missing);
    const isPrivate = endpoint.access !== 'public' || endpoint.private === true;
    const contentType = 'json' in reply ? json : reply.contentType;
    const own = 'json' in reply ? {} : (reply.headers ?? {});
    const bytes = 'json' in reply ? Buffer.from(reply.json, 'utf8') : reply.bytes;
    const shared = [
      ...headersWithout(headers, own),
      'Content-Type',
      contentType,
      'Cache-Control',
      isPrivate ? 'no-store' : 'no-cache',
      'X-Read-Position',
      position.toString(10),
      ...Object.entries(own).flat(),
    ];
    if (isPrivate) {
      const tag = entityTag(bytes);
      const all = [...shared, ...corsOf(request), 'ETag', tag];
      return matchesTag(request.headers['if-none-match'], tag) ? { status: 304, headers: all, body: undefined } : { status: 200, headers: all, body: bytes };
    }
    const cached = new CachedAnswer(endpoint.name, bytes, shared, endpoint.daily === true ? day : undefined);
    if (endpoint.method === 'GET') cache.put(cacheKeyOf(endpoint, request.url ?? ''), position, cached);
    return ofCache(cached, request);
  };

  const ofCommand = (endpoint: Endpoint, reply: CommandReply, request: IncomingMessage): Answer => {
    const more: string[] = [];
    if (reply.position !== undefined) more.push('X-Commit-Position', reply.position.toString(10));
    if (reply.pending === true) more.push('X-Projection', 'pending');
    for (const cookie of reply.cookies ?? []) more.push('Set-Cookie', cookieHeader(cookie, isSecure(request)));
    const shared = [...headers, 'Cache-Control', 'no-store', ...more, ...corsOf(request)];
    if (endpoint.status === 204) return { status: 204, headers: shared, body: undefined };
    return {
      status: endpoint.status,
      headers: [...shared, 'Content-Type', json],
      body: typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body),
    };
  };

  return {
    ofCache,
    answerOf: (endpoint, reply, at, request) => (isReadReply(reply) ? ofRead(endpoint, reply, at, request) : ofCommand(endpoint, reply, request)),
  };
};
