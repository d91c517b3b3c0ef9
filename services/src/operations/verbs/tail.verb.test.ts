import { createTournament } from '@courtledger/contracts/tournament/tournament.api';
import { expect, it } from 'vitest';
import { loggedInAdmin, openSite, tournamentForm } from '../../testing/site.ts';
import type { Config } from '../../platform/config.ts';
import { controlClient } from '../control-client.ts';
import { verbContext } from '../../testing/verb-context.ts';
import { tail } from './tail.verb.ts';

it('-n 0 shows nothing of what was, and -f what comes from then on', async () => {
  const site = await openSite({ store: { kind: 'sqlite' } });
  try {
    const { token } = await loggedInAdmin(site);
    const client = controlClient(site.config.dataDir);
    const said: string[] = [];
    const interrupted = new AbortController();
    let asked = 0;
    const following = Promise.withResolvers<undefined>();
    const shown = Promise.withResolvers<undefined>();
    const run = async (...args: readonly string[]): Promise<number> =>
      tail.run(
        verbContext({
          config: site.config,
          interrupted: interrupted.signal,
          terminal: {
            out: (line) => {
              said.push(line);
              shown.resolve(undefined);
            },
            note: (line) => void said.push(line),
          },
          reach: async () => ({
            own: false,
            close: async () => {},
            client: {
              async call(...call) {
                const answer = await client.call(...call);
                // Where the end is was asked first; then it follows.
                if ((asked += 1) === 3) following.resolve(undefined);
                return answer;
              },
            },
          }),
        }),
        args,
      );
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

const recorded = (position: string) => ({
  position,
  stream: 'tournament-1',
  revision: '0',
  type: 'TournamentCreated',
  version: 1,
  time: '2026-11-21T06:00:00.000Z',
  actor: { role: 'admin', id: 'a1', name: 'Asha Rai' },
  commandId: 'c1',
  what: `Created ${position}`,
});
const page = (...positions: readonly string[]) => ({ status: 200, body: { events: positions.map(recorded), position: positions.at(-1) ?? '7', next: null } });
const cut = (code: string) => Object.assign(new Error(code), { code });

/** What `tail` says to a client that is answered so, one answer a call, until it has said the last; and the places after which it asked. */
const told = async (
  answers: readonly (Error | { readonly status: number; readonly body: object })[],
  last: string,
  ...args: readonly string[]
): Promise<{ readonly code: number; readonly closed: number; readonly asked: readonly string[]; readonly said: readonly string[] }> => {
  const interrupted = new AbortController();
  const [said, asked]: [string[], string[]] = [[], []];
  let closed = 0;
  const say = (line: string): void => {
    said.push(/Created \d/.exec(line)?.[0] ?? line);
    if (line.includes(last)) interrupted.abort();
  };
  const code = await tail.run(
    verbContext({
      config: { dataDir: '/nowhere' } as Config,
      interrupted: interrupted.signal,
      terminal: { out: say, note: say },
      reach: async () => ({
        own: true,
        close: async () => {
          closed += 1;
        },
        client: {
          async call(_, path) {
            asked.push(`${String(closed)} ${new URLSearchParams(path.split('?')[1]).get('after') ?? ''}`);
            const answer = answers[asked.length - 1];
            if (answer === undefined || answer instanceof Error) throw answer ?? new Error('asked once too often');
            const bytes = Buffer.from(JSON.stringify(answer.body));
            return { status: answer.status, headers: {}, bytes, json: () => answer.body };
          },
        },
      }),
    }),
    args,
  );
  return { code, closed, asked, said };
};

it('-f goes on from the end of a log that a restore took back, and says so', async () => {
  const { asked, said } = await told(
    [page('7'), cut('ENOENT'), { status: 200, body: { events: [], position: '5', next: null } }, page('6')],
    'Created 6',
    '-f',
    '-n',
    '1',
  );
  expect([asked, said.slice(-2)]).toEqual([
    ['0 ', '1 7', '1 7', '1 5'],
    ['The log ends at position 5 now, and was followed to 7: it is another one than before. Going on from 5.', 'Created 6'],
  ]);
});

it('-f lets go of DATA_DIR before it waits for a server, and goes on where it was when one is there', async () => {
  const answers = [
    { status: 503, body: { message: 'It is starting' } },
    page('7'),
    cut('ENOENT'),
    cut('ECONNREFUSED'),
    { status: 503, body: { message: 'The site is starting' } },
    page('8'),
    cut('ECONNRESET'),
    page('9'),
  ];
  const { code, closed, asked, said } = await told(answers, 'Created 9', '-f', '-n', '1');
  expect([code, closed, asked]).toEqual([0, 1, ['0 ', '0 ', '1 7', '1 7', '1 7', '1 7', '1 8', '1 8']]);
  const [waiting, there] = ['No server answers at the moment. Waiting for one.', 'The server is there.'];
  expect(said).toEqual([waiting, there, 'Created 7', waiting, there, 'Created 8', waiting, there, 'Created 9']);
});
