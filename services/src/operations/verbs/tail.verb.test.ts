import { join } from 'node:path';
import { createTournament } from '@courtledger/contracts/tournament/tournament.api';
import { expect, it } from 'vitest';
import { loggedInAdmin, openSite, tournamentForm } from '../../testing/site.ts';
import { controlClient } from '../control-client.ts';
import { tail } from './tail.verb.ts';

it('-n 0 shows nothing of what was, and -f what comes from then on', async () => {
  const site = await openSite({ store: { kind: 'sqlite' } });
  try {
    const { token } = await loggedInAdmin(site);
    const client = controlClient(join(site.config.dataDir, 'control.sock'));
    const said: string[] = [];
    const interrupted = new AbortController();
    let asked = 0;
    const following = Promise.withResolvers<undefined>();
    const shown = Promise.withResolvers<undefined>();
    const run = async (...args: readonly string[]): Promise<number> =>
      tail.run({
        config: site.config, interrupted: interrupted.signal,
        terminal: { out: (line) => { said.push(line); shown.resolve(undefined); }, note: (line) => void said.push(line), progress: () => {} },
        reach: async () => ({
          own: false, close: async () => {},
          client: {
            async call(...call) {
              const answer = await client.call(...call);
              // Where the end is was asked first; then it follows.
              if ((asked += 1) === 3) following.resolve(undefined);
              return answer;
            },
          },
        }),
      }, args);
    expect([await run('-n', '0'), said]).toEqual([0, []]);
    const running = run('-f', '-n', '0');
    await following.promise;
    await site.call(createTournament, { token, form: await tournamentForm('Winter League') });
    await shown.promise;
    interrupted.abort();
    expect([await running, said]).toEqual([0, [expect.stringContaining('TournamentCreated')]]);
  } finally {
    await site.close();
  }
}, 60_000);
