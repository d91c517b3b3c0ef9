import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readyAnswer } from '@courtledger/contracts/kernel/health.api';
import { getMatch, recordStatIncrement } from '@courtledger/contracts/match/match.api';
import type { ReadModelJob } from '@courtledger/contracts/operations/operations.answers';
import { expect, onTestFinished } from 'vitest';
import type { AppOptions } from '../../app.ts';
import { ask } from '../../platform/testing/toy-gate.ts';
import { openSite, season, type Season, type Site } from '../../testing/site.ts';

/** A folder for data that is gone after the test. */
export const newFolder = (): string => {
  const dataDir = mkdtempSync(join(tmpdir(), 'courtledger-damaged-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  return dataDir;
};

/** A site over the data of a folder, until the test ends: without the work that nobody asked for, where nothing else is said. */
export const open = async (dataDir: string, more: Partial<AppOptions> = { background: false }): Promise<Site> => {
  const site = await openSite({ store: { kind: 'sqlite' }, dataDir }, more);
  onTestFinished(site.close);
  return site;
};

/** Records points of the first player of the first team. */
export const score = async (site: Site, { matchId, token, teams }: Season, entryId: string, points: number): Promise<void> => {
  await site.call(recordStatIncrement, { token, params: { id: matchId }, json: { entryId, playerId: teams[0].players[0] ?? '', points } });
};

/** The job of the read model that ran last, once it has ended. */
export const jobOf = async (site: Site): Promise<ReadModelJob> => {
  const job = await site.opened.operations.jobs.ended();
  if (job === undefined) throw new Error('No job has run');
  return job;
};

/** The points of each player who has some in the match. */
export const pointsOf = async (site: Site, { matchId }: Season): Promise<readonly number[]> =>
  (await site.call(getMatch, { params: { id: matchId } })).player_stats.map(({ points }) => points);

/** The status of `/readyz`, and whether writes are taken. */
export const readiness = async (site: Site): Promise<readonly unknown[]> => {
  const reply = await ask(site.port, 'GET', '/readyz');
  return [reply.status, readyAnswer.parse(reply.json()).writes];
};

/** The status and the text of a refusal. */
export const refusalOf = async (site: Site, ...call: Parameters<Site['refused']>): Promise<readonly unknown[]> => {
  const { status, message } = await site.refused(...call);
  return [status, message];
};

/** How everything is refused that may not rest on a log that is damaged there. */
export const refusedAt = (position: string): readonly unknown[] => [503, expect.stringContaining(`The log is damaged at position ${position}:`)];

/** A season with 12 points in its log. */
export const played = async (dataDir: string, more?: Partial<AppOptions>): Promise<{ readonly site: Site; readonly place: Season }> => {
  const site = await open(dataDir, more);
  const place = await season(site);
  await score(site, place, 'one', 12);
  return { site, place };
};
