import { afterEach, beforeEach } from 'vitest';
import { temporaryFolder } from '../event-log/testing/log-files.ts';
import type { Config } from '../platform/config.ts';
import { openSite, type Site } from './site.ts';

/**
 * For the top of a test file: a folder of its own for each test, and the sites that are opened on data directories in it; all closed and removed after the
 * test.
 */
export const siteFolder = () => {
  let folder: ReturnType<typeof temporaryFolder>;
  const sites: Site[] = [];
  beforeEach(() => {
    folder = temporaryFolder();
  });
  afterEach(async () => {
    await Promise.all(sites.splice(0).map(async (site) => site.close()));
    folder.remove();
  });
  /** Closes a site that the test opened in its own way. */
  const keep = (site: Site): Site => {
    sites.push(site);
    return site;
  };
  return {
    path: (name: string): string => folder.path(name),
    keep,
    open: async (dataDir: string, store: Config['store'] = { kind: 'sqlite' }): Promise<Site> => keep(await openSite({ store, dataDir })),
  };
};
