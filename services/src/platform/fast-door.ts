import type { IncomingMessage, ServerResponse } from 'node:http';
import { encodingFor, matchesTag, type AnswerCache, type CachedAnswer } from './answer-cache.ts';
import type { Bound } from './call.ts';
import type { Pipeline, ReadSide } from './endpoint-call.ts';
import type { Logger } from './logger.ts';
import type { Metrics } from './metrics.ts';

/** The commands of somebody who taps along with a game. Everything else can afford Express. */
const hotCommands = new Set(['recordStatIncrement', 'recordMatchStats']);
/** One of so many hot reads is logged; all are counted. A line for each costs a third of the throughput. */
const sampled = 1000;

export type FastDoorDeps = {
  readonly bound: readonly Bound[];
  readonly pipeline: Pipeline;
  readonly reads: ReadSide;
  readonly cache: AnswerCache;
  readonly today: () => string;
  readonly metrics: Pick<Metrics, 'countHotRead'>;
  readonly logger: Logger;
  /** With other sites allowed, answers depend on the Origin: such requests take the other door. */
  readonly allowsOrigins: boolean;
};

type HotRoute = { readonly bound: Bound; readonly expression: RegExp; readonly names: readonly string[] };

const routeOf = (bound: Bound): HotRoute => {
  const names: string[] = [];
  const pattern = bound.endpoint.path.split('/').map((segment) => {
    if (!segment.startsWith(':')) return segment.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
    names.push(segment.slice(1));
    // Whatever is encoded, and every query string, takes the other door.
    return '([^/%?]+)';
  });
  return { bound, expression: new RegExp(`^/api${pattern.join('/')}/?$`), names };
};

/**
 * What is asked before Express: ready answers of public reads, by address, and the hot commands, by a table made from the same endpoints.
 * It has no rules of its own: commands go through the same pipeline as at the other door, and an answer is ready only after the pipeline has made it.
 * @returns true when the request is being answered here
 */
export const createFastDoor = (deps: FastDoorDeps): ((request: IncomingMessage, response: ServerResponse) => boolean) => {
  const { cache, reads, today, metrics, logger } = deps;
  const hot = deps.bound.filter((one) => hotCommands.has(one.endpoint.name)).map(routeOf);
  let untilSample = sampled;

  const count = (answer: CachedAnswer, status: 200 | 304): void => {
    metrics.countHotRead(answer.endpoint, status);
    untilSample -= 1;
    if (untilSample > 0) return;
    untilSample = sampled;
    logger.info('request', { endpoint: answer.endpoint, status, count: sampled, reason: 'sample of reads from ready bytes' });
  };

  const read = (request: IncomingMessage, response: ServerResponse, url: string): boolean => {
    const { headers } = request;
    if (headers['x-min-position'] !== undefined || (deps.allowsOrigins && headers.origin !== undefined)) return false;
    const answer = cache.get(url, reads.position(), today());
    if (answer === undefined) return false;
    const encoding = encodingFor(headers['accept-encoding']);
    if (matchesTag(headers['if-none-match'], answer.tag)) {
      response.writeHead(304, answer.notModified(encoding) as string[]);
      response.end();
      count(answer, 304);
      return true;
    }
    const ready = answer.ready(encoding);
    // Not in this encoding yet: the other door makes it, once.
    if (ready === undefined) return false;
    response.writeHead(200, ready.headers as string[]);
    if (request.method === 'HEAD') response.end();
    else if (typeof ready.body === 'string') response.end(ready.body, 'latin1');
    else response.end(ready.body);
    count(answer, 200);
    return true;
  };

  return (request, response) => {
    const { method, url } = request;
    if (url === undefined) return false;
    if (method === 'GET' || method === 'HEAD') return read(request, response, url);
    if (method !== 'POST') return false;
    for (const { bound, expression, names } of hot) {
      const match = expression.exec(url);
      if (match === null) continue;
      const params: Record<string, string> = {};
      for (const [index, name] of names.entries()) params[name] = match[index + 1] ?? '';
      void deps.pipeline.serve(bound, request, response, params);
      return true;
    }
    return false;
  };
};
