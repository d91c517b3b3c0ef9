import type { ServerResponse } from 'node:http';
import helmet from 'helmet';
import type { Config } from './config.ts';

/** Header names and values, flat, as `writeHead` takes them: kept as they are for every answer of a kind. */
export type FlatHeaders = readonly string[];

const flat = (middleware: ReturnType<typeof helmet>): string[] => {
  const headers: string[] = [];
  const recorder = {
    setHeader(name: string, value: string) {
      headers.push(name, value);
    },
    removeHeader: () => {},
  };
  middleware({} as never, recorder as unknown as ServerResponse, (error) => {
    if (error !== undefined) throw new Error('The security headers cannot be made', { cause: error });
  });
  return headers;
};

const year = 31_536_000;

/**
 * What every answer carries (S24): helmet's defaults, with a policy that allows nothing inline but styles (Mantine sets style attributes).
 * `pages` is for the site and the API, `files` for what people uploaded: no script, no frame, no origin.
 */
export const securityHeaders = (config: Pick<Config, 'publicUrl'>): { readonly pages: FlatHeaders; readonly files: FlatHeaders } => {
  const shared = {
    strictTransportSecurity: { maxAge: year, includeSubDomains: true },
    referrerPolicy: { policy: 'no-referrer' },
    xFrameOptions: { action: 'deny' },
  } as const;
  const pages = flat(
    helmet({
      ...shared,
      contentSecurityPolicy: {
        useDefaults: false,
        directives: {
          defaultSrc: ["'self'"],
          scriptSrc: ["'self'"],
          scriptSrcAttr: ["'none'"],
          styleSrc: ["'self'", "'unsafe-inline'"],
          imgSrc: ["'self'", 'data:', 'blob:'],
          fontSrc: ["'self'", 'data:'],
          mediaSrc: ["'self'"],
          connectSrc: ["'self'"],
          objectSrc: ["'none'"],
          baseUri: ["'self'"],
          formAction: ["'self'"],
          frameAncestors: ["'none'"],
          manifestSrc: ["'self'"],
          workerSrc: ["'self'", 'blob:'],
          // Behind https only: on plain http it would turn the site's own addresses into ones that do not answer.
          ...(config.publicUrl?.protocol === 'https:' && { upgradeInsecureRequests: [] }),
        },
      },
    }),
  );
  const files = flat(
    helmet({ ...shared, contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], sandbox: [], frameAncestors: ["'none'"] } } }),
  );
  return { pages, files };
};

/** Headers as an object, for Express's own answers. */
export const headerObject = (headers: FlatHeaders): Record<string, string> => {
  const object: Record<string, string> = {};
  for (let index = 0; index < headers.length; index += 2) object[headers[index] as string] = headers[index + 1] as string;
  return object;
};

/** Headers but for those that an answer says itself: one that is sent twice is one that readers disagree about. */
export const headersWithout = (headers: FlatHeaders, own: Readonly<Record<string, string>>): FlatHeaders => {
  const names = new Set(Object.keys(own).map((name) => name.toLowerCase()));
  return names.size === 0 ? headers : headers.filter((_, index) => !names.has((headers[index - (index % 2)] as string).toLowerCase()));
};
