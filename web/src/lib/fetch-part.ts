import { ApiError } from './api-client.ts';

/** Style sheets that did not come; no browser tells that of a link afterwards. */
const missing = new Set<HTMLLinkElement>();
const noteMissing = ({ target }: Event): void => {
  if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') missing.add(target);
};

/** Asks again for the style sheets that did not come: a script that is imported again does not bring them a second time. */
const fetchMissingSheets = async (): Promise<void> => {
  await Promise.all(
    Array.from(missing, async (link) => {
      missing.delete(link);
      const { promise, resolve, reject } = Promise.withResolvers<Event>();
      const again = link.cloneNode() as HTMLLinkElement;
      again.addEventListener('load', resolve);
      again.addEventListener('error', reject);
      link.replaceWith(again);
      return promise;
    }),
  );
};

/** A query asks three times before it fails: whoever looks at it is told after half a minute. */
const silenceMs = 10_000;

/** What does not come in time is a server that does not answer: an import has no end of its own, and none can be called off. */
const inTime = async <Piece>(coming: Promise<Piece>): Promise<Piece> => {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    reject(new ApiError(0, ''));
  }, silenceMs);
  try {
    return await Promise.race([coming, promise]);
  } finally {
    clearTimeout(timer);
  }
};

const isServerThere = async (): Promise<boolean> =>
  inTime(fetch('/', { method: 'HEAD', cache: 'no-store' })).then(
    ({ ok }) => ok,
    () => false,
  );

/** What is on its way. Begun again it would come without waiting for its style sheet. */
const underWay = new WeakMap<() => Promise<unknown>, Promise<unknown>>();
const bring = async <Part>(load: () => Promise<Part>): Promise<Part> => {
  await fetchMissingSheets();
  return load();
};
const attempt = async <Part>(load: () => Promise<Part>): Promise<Part> => {
  const coming = (underWay.get(load) as Promise<Part> | undefined) ?? bring(load);
  underWay.set(load, coming);
  const forget = (): void => void underWay.delete(load);
  void coming.then(forget, forget);
  return inTime(coming);
};

/** Whether only a fresh page can bring what was asked for: the scripts of an older release are gone. */
export const isOfOlderRelease = (error: Error | null): boolean => error instanceof ApiError && error.status === 410;

/** Fetches a piece of the site. Throws `ApiError`: the browser tells no reason, so the server is asked whether it is there. */
export const fetchPart = async <Part>(load: () => Promise<Part>): Promise<Part> => {
  document.addEventListener('error', noteMissing, true);
  try {
    return await attempt(load);
  } catch (error) {
    if (error instanceof ApiError || !(await isServerThere())) throw new ApiError(0, '');
    // It may have come back just now.
    return attempt(load).catch((again: unknown) => {
      throw again instanceof ApiError ? again : new ApiError(410, 'This page is of an older release: it has to be loaded again');
    });
  }
};
