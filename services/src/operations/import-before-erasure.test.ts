import { cpSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { erasePerson } from '@courtledger/contracts/operations/audit.api';
import { getPlayer } from '@courtledger/contracts/player/player.api';
import { expect, it } from 'vitest';
import { openSite, season, type Site } from '../testing/site.ts';
import { siteFolder } from '../testing/site-folder.ts';
import { verbContext } from '../testing/verb-context.ts';
import { exportVerb } from './verbs/export.verb.ts';
import { importVerb } from './verbs/import.verb.ts';
import type { Verb } from './verb.ts';

/** An export from before an erasure, imported after it, with the files of DATA_DIR beside it. */

const folder = siteFolder();
const open = async (dataDir: string): Promise<Site> => folder.keep(await openSite({ store: { kind: 'sqlite' }, dataDir }, { background: false }));
const run = async ({ config }: Pick<Site, 'config'>, dataDir: string, verb: Verb, ...words: string[]): Promise<string> => {
  const said: string[] = [];
  const say = (line: string): void => void said.push(line);
  expect(await verb.run(verbContext({ config: { ...config, dataDir }, terminal: { out: say, note: say } }), words)).toBe(0);
  return said.join('\n');
};
const told = async ({ opened: { store } }: Site): Promise<unknown> =>
  (await store.log.readAll('start', 10_000)).filter(({ type }) => type === 'PersonErased').map(({ data, metadata }) => [data, metadata.actor]);
const copy = (from: string, to: string, ...names: string[]): void => {
  for (const name of names) cpSync(join(from, name), join(to, name), { recursive: true });
};

it.each([
  ['before', false],
  ['after', true],
] as const)(
  'whom erasures.jsonl names is erased again, with keys from %s the erasure: the fact comes over, and the picture goes where a key tells which it is',
  async (keysFrom, isPictureLeft) => {
    const [data, before, next] = [folder.path('data'), folder.path('before'), folder.path('next')];
    const site = await open(data);
    const { superToken, teams } = await season(site);
    const personId = teams[0].players[0] ?? '';
    const { image } = await site.call(getPlayer, { params: { id: personId } });
    const file = folder.path('log.jsonl');
    await run(site, data, exportVerb, file);
    await site.app.close(2000);
    expect(existsSync(join(data, image.slice(1)))).toBe(true);
    copy(data, before, 'keys', 'media', 'documents', 'person-keys.made');
    const again = await open(data);
    await again.call(erasePerson, { token: superToken, json: { personId, reason: 'Asked for it' } });
    const facts = await told(again);
    await again.app.close(2000);

    expect(await run(site, next, importVerb, file)).toContain(
      'Keys, media, documents, person-keys.made and erasures.jsonl are files of DATA_DIR: they belong to the log, and go where it goes. By erasures.jsonl the next start erases again whom a file from before an erasure brings back; to one that is there already its lines are added.',
    );
    rmSync(join(next, 'keys'), { recursive: true, force: true });
    copy(keysFrom === 'before' ? before : data, next, 'keys');
    copy(before, next, 'media', 'documents', 'person-keys.made');
    copy(data, next, 'erasures.jsonl');
    const there = await open(next);
    expect([
      await told(there),
      await there.opened.store.log.readStream(`person-${personId}`).then((events) => (events ?? []).filter(({ data: fact }) => fact !== undefined)),
      (await there.call(getPlayer, { params: { id: personId } })).name,
      existsSync(join(next, image.slice(1))),
    ]).toEqual([facts, [], 'Former player', isPictureLeft]);
  },
  60_000,
);
