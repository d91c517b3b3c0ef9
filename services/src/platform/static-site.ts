import { existsSync, readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import type { PageHead } from '@courtledger/contracts/kernel/page-head';
import express, { type NextFunction, type Request, type Response, type Router } from 'express';
import { encodingFor, entityTag, matchesTag } from './answer-cache.ts';
import { isCode } from './durable-file.ts';
import type { FirstAnswer } from './first-answer.ts';
import { headerObject, type FlatHeaders } from './headers.ts';
import type { MediaStore } from './media.ts';
import type { Metrics } from './metrics.ts';
import { withHead } from './page-head.ts';

export type StaticSiteDeps = {
  /** The built pages; they may be missing. */
  readonly webDir: string;
  /** Undefined while the site is starting. */
  readonly media: () => MediaStore | undefined;
  readonly headers: { readonly pages: FlatHeaders; readonly files: FlatHeaders };
  readonly metrics: Pick<Metrics, 'countRequest'>;
  /** The answer that the landing page shows first; absent while nothing can be read. */
  readonly firstAnswer?: () => FirstAnswer | undefined;
  /** What a page says of itself to link previews; undefined where the built page's words do, and while nothing can be read. */
  readonly headOf?: (path: string, query: URLSearchParams) => PageHead | undefined;
  /** Where the site is seen, by who asks (`https://example.org`). */
  readonly originOf: (request: IncomingMessage) => string;
};

/** A longer answer would hold up the page more than asking for it does. */
const longestFirstAnswer = 16_384;

/** The page with an answer in it, as data that no browser executes; `<` cannot end the element. */
const withAnswer = (page: Buffer, answer: FirstAnswer): Buffer => {
  const json = JSON.stringify({ address: answer.address, position: answer.position }).slice(0, -1);
  const data = `${json},"answer":${answer.json}}`.replaceAll('<', String.raw`\u003c`);
  return Buffer.from(page.toString('utf8').replace('</head>', () => `<script type="application/json" id="first-answer">${data}</script></head>`));
};

const encodings = [
  { name: 'br', extension: '.br' },
  { name: 'gzip', extension: '.gz' },
] as const;
const types: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  jpg: 'image/jpeg',
  webp: 'image/webp',
  ico: 'image/x-icon',
  woff2: 'font/woff2',
  woff: 'font/woff',
  json: 'application/json; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
  webmanifest: 'application/manifest+json',
  html: 'text/html; charset=utf-8',
  mp4: 'video/mp4',
};

const notBuilt = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>CourtLedger</title></head><body><h1>The pages are not built yet</h1><p>The API answers under <a href="/api/docs">/api</a>. To build the pages: <code>npm run build</code>, or start with <code>npm start</code>, which does it first.</p></body></html>\n`;

const plain = (response: Response, status: number, message: string): void => {
  response.status(status).set({ 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' });
  response.end(`${message}\n`);
};

/** Whether something is asked for; whoever would change it is told here that nobody can. */
const expectRead = (request: Request, response: Response): boolean => {
  if (request.method === 'GET' || request.method === 'HEAD') return true;
  response.set('Allow', 'GET, HEAD');
  plain(response, 405, 'Method not allowed');
  return false;
};

/** A name without any way up or out, and nothing hidden (`/.vite/manifest.json` is for the build). */
const isPlainName = (path: string): boolean => path.split('/').every((segment) => segment !== '' && !segment.startsWith('.') && /^[\w.@-]+$/.test(segment));

/** Everything that is not the API: pictures, the built pages with their pre-compressed assets, and the single page for every other address. */
export const staticSite = ({ webDir, media, headers, metrics, firstAnswer, headOf, originOf }: StaticSiteDeps): Router => {
  const router = express.Router({ caseSensitive: true });
  const pages = headerObject(headers.pages);
  const files = headerObject(headers.files);
  const counted =
    (name: string) =>
    (_request: Request, response: Response, next: NextFunction): void => {
      const started = performance.now();
      response.once('finish', () => metrics.countRequest(name, response.statusCode, performance.now() - started));
      next();
    };

  router.use('/media', counted('media'), async (request, response) => {
    response.set(files);
    const store = media();
    if (!expectRead(request, response)) return;
    if (store === undefined) {
      // Whether there is such a picture is not known before the site is open.
      response.set('Retry-After', '2');
      plain(response, 503, 'The site is starting. Please try again soon.');
    } else if (!(await store.serve(request.path.slice(1), request, response))) plain(response, 404, 'Not found');
  });

  /** Sends a file of the build, in the smallest form that is there and understood; false when there is none. */
  const sendBuilt = (request: Request, response: Response, next: NextFunction, name: string, cacheControl: string): boolean => {
    const path = join(webDir, name);
    if (!isPlainName(name) || !existsSync(path)) return false;
    const wanted = encodingFor(request.headers['accept-encoding']);
    // Whoever takes brotli takes gzip.
    const usable = wanted === 'identity' ? [] : encodings.slice(wanted === 'br' ? 0 : 1);
    const packed = usable.find(({ extension }) => existsSync(path + extension));
    response.set({
      'Content-Type': types[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream',
      'Cache-Control': cacheControl,
      Vary: 'Accept-Encoding',
    });
    if (packed !== undefined) response.set('Content-Encoding', packed.name);
    response.sendFile(
      path + (packed?.extension ?? ''),
      { cacheControl: false, lastModified: false, etag: true, acceptRanges: false, dotfiles: 'allow' },
      (error) => {
        if (!(error instanceof Error) || isCode(error, 'ECONNABORTED')) return;
        if (!response.headersSent) {
          // What was said of the file (length, encoding, that it never changes) is not true of what is answered instead.
          for (const header of response.getHeaderNames()) response.removeHeader(header);
          response.set(pages);
        }
        if (isCode(error, 'ENOENT')) plain(response, 404, 'Not found');
        else next(error);
      },
    );
    return true;
  };

  router.use('/assets', counted('asset'), (request, response, next) => {
    response.set(pages);
    // Their names hold their hash: they never change.
    if (expectRead(request, response) && !sendBuilt(request, response, next, `assets${request.path}`, 'public, max-age=31536000, immutable'))
      plain(response, 404, 'Not found');
  });

  /** The page, read once: a build while the server runs needs a restart, as its assets would. */
  let page: { readonly bytes: Buffer; readonly tag: string } | undefined;
  const readPage = (): { readonly bytes: Buffer; readonly tag: string } | undefined => {
    if (page !== undefined) return page;
    const path = join(webDir, 'index.html');
    if (!existsSync(path)) return undefined;
    const bytes = readFileSync(path);
    page = { bytes, tag: entityTag(bytes) };
    return page;
  };

  /** Every page says what it is about; the landing page brings its data along and can be painted as soon as its script runs. */
  const indexPage = (request: Request): { readonly bytes: Buffer; readonly tag: string } | undefined => {
    const index = readPage();
    if (index === undefined) return undefined;
    const { path, url } = request;
    const head = headOf?.(path, new URLSearchParams(url.slice(path.length)));
    const answer = path === '/' ? firstAnswer?.() : undefined;
    const told = head === undefined ? index.bytes : withHead(index.bytes, head, originOf(request), path);
    const bytes = answer === undefined || answer.json.length > longestFirstAnswer ? told : withAnswer(told, answer);
    return bytes === index.bytes ? index : { bytes, tag: entityTag(bytes) };
  };

  router.use(counted('page'), (request, response, next) => {
    response.set(pages);
    if (!expectRead(request, response)) return;
    const name = request.path.slice(1);
    // A file beside the page, such as an icon. What looks like one and is none is an address of the site like every other.
    if (/\.[a-z0-9]{2,11}$/.test(name) && name !== 'index.html' && sendBuilt(request, response, next, name, 'no-cache')) return;
    const index = indexPage(request);
    response.set({ 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-cache' });
    if (index === undefined) {
      response
        .status(503)
        .set({ 'Retry-After': '10', 'Cache-Control': 'no-store' })
        .end(request.method === 'HEAD' ? undefined : notBuilt);
      return;
    }
    response.set('ETag', index.tag);
    if (matchesTag(request.headers['if-none-match'], index.tag)) response.status(304).end();
    else response.set('Content-Length', String(index.bytes.length)).end(request.method === 'HEAD' ? undefined : index.bytes);
  });
  return router;
};
