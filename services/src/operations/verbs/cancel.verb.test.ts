import { expect, it } from 'vitest';
import { openSite, season } from '../../testing/site.ts';
import { controlClient, ControlRefusal } from '../control-client.ts';
import { verbContext } from '../../testing/verb-context.ts';
import { cancel } from './cancel.verb.ts';

it('stops a rebuild that somebody else began, and says that none runs', async () => {
  const site = await openSite({ store: { kind: 'sqlite' } });
  try {
    await season(site);
    const said: string[] = [];
    const run = async (): Promise<number> =>
      cancel.run(
        verbContext({
          config: site.config,
          terminal: { out: (line) => void said.push(line) },
          reach: async () => ({ client: controlClient(site.config.dataDir), own: false, close: async () => {} }),
        }),
        [],
      );
    await expect(run()).rejects.toThrow(ControlRefusal);
    const { jobs } = site.opened.operations;
    jobs.start(false);
    expect([await run(), said, (await jobs.ended())?.state]).toEqual([0, ['Stopped. The live read model is untouched.'], 'cancelled']);
  } finally {
    await site.close();
  }
}, 60_000);
