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

const isServerThere = async (): Promise<boolean> =>
  fetch('/', { method: 'HEAD', cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  );

/** Whether only a fresh page can bring what was asked for: the scripts of an older release are gone. */
export const isOfOlderRelease = (error: Error | null): boolean => error instanceof ApiError && error.status === 410;

/** Fetches a piece of the site. Throws `ApiError`: the browser tells no reason, so the server is asked whether it is there. */
export const fetchPart = async <Part>(load: () => Promise<Part>): Promise<Part> => {
  document.addEventListener('error', noteMissing, true);
  const attempt = async (): Promise<Part> => {
    await fetchMissingSheets();
    return load();
  };
  try {
    return await attempt();
  } catch {
    if (!(await isServerThere())) throw new ApiError(0, '');
    // It may have come back just now.
    return attempt().catch(() => {
      throw new ApiError(410, 'This page is of an older release: it has to be loaded again');
    });
  }
};
