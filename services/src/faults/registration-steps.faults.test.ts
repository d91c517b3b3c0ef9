import type { Endpoint } from '@courtledger/contracts/kernel/endpoint';
import { addPlayerToTeam, appointCoach, registerTeam } from '@courtledger/contracts/team/team.api';
import { enterTeam } from '@courtledger/contracts/tournament/tournament.api';
import { expect, it } from 'vitest';
import { openFeatureBench, registrantOf, visitor, type FeatureBench, type Sent } from '../platform/testing/feature-bench.ts';
import { refusal } from '../platform/testing/refusal.ts';
import { anyTournament, coachBody, playerBody, teamBody } from '../platform/testing/season-steps.ts';

const length = process.env['FAULTS'] === 'full' ? 6 : 3;

/** `again` repeats the last step that was accepted, key and all. `players` adds the four that a registration needs. */
const steps = ['coach', 'players', 'enter', 'again'] as const;
type Step = (typeof steps)[number];
const paths = (of: number): readonly (readonly Step[])[] => (of === 0 ? [[]] : paths(of - 1).flatMap((path) => steps.map((step) => path.concat(step))));

type Said = { readonly endpoint: Endpoint; readonly sent: Sent; body?: unknown };

/** What each step did, and what it should have done: all that can differ is seen at once. */
const walk = async (
  bench: FeatureBench,
  path: readonly Step[],
  number: number,
): Promise<{ readonly done: readonly string[]; readonly legal: readonly string[] }> => {
  const tournamentId = await anyTournament(bench);
  let keys = 0;
  const say = (endpoint: Endpoint, sent: Sent): Said => {
    keys += 1;
    return { endpoint, sent: { ...sent, key: `path-${number}-${keys}` } };
  };
  const send = async (said: Said): Promise<void> => {
    const { body } = await bench.send(said.endpoint, said.sent);
    if (said.body === undefined) said.body = body;
    else expect(body).toStrictEqual(said.body);
  };
  const first = say(registerTeam, { caller: visitor, body: teamBody });
  await send(first);
  const { _id: teamId } = first.body as { _id: string };
  const caller = registrantOf(teamId);
  const state = { coach: false, players: 0, entered: false };
  let last: readonly Said[] = [first];
  const sayings: Readonly<Record<Exclude<Step, 'again'>, () => readonly Said[]>> = {
    coach: () => [say(appointCoach, { caller, body: coachBody(teamId) })],
    players: () => Array.from({ length: 4 }, (_, index) => say(addPlayerToTeam, { caller, body: playerBody(teamId, state.players + index) })),
    enter: () => [say(enterTeam, { caller, body: { tournamentId, teamId } })],
  };
  const done: string[] = [];
  const legal: string[] = [];
  for (const step of path) {
    const isLegal = { coach: !state.coach && !state.entered, players: state.coach && !state.entered, enter: state.players >= 4 || state.entered, again: true }[
      step
    ];
    const isNew = isLegal && step !== 'again' && !(step === 'enter' && state.entered);
    legal.push(`${step} ${isLegal ? 'accepted' : 'conflict'} ${isNew ? 'recorded' : 'nothing'}`);
    const sayingsNow = step === 'again' ? last : sayings[step]().slice(0, isLegal ? 4 : 1);
    const before = await bench.log.head();
    let outcome = 'accepted';
    for (const said of sayingsNow) outcome = (await refusal(send(said))).split(':')[0] ?? '';
    done.push(`${step} ${outcome} ${(await bench.log.head()) === before ? 'nothing' : 'recorded'}`);
    if (!isLegal) continue;
    last = sayingsNow;
    if (step === 'coach') state.coach = true;
    else if (step === 'enter') state.entered = true;
    else if (step === 'players') state.players += 4;
  }
  return { done, legal };
};

it(
  `goes one way only, in each of the ${4 ** length} orders and repetitions of ${length} steps after the first; a repeat with its key is answered as before (S2)`,
  { timeout: 600_000 },
  async () => {
    const all = paths(length);
    expect(all).toHaveLength(4 ** length);
    let entered = 0;
    for (let from = 0; from < all.length; from += 128) {
      // A season of its own for each bundle: none grows beyond what one is.
      const bench = await openFeatureBench();
      for (const [index, path] of all.slice(from, from + 128).entries()) {
        const { done, legal } = await walk(bench, path, index);
        expect([path, done]).toEqual([path, legal]);
        if (done.includes('enter accepted recorded')) entered += 1;
      }
      bench.close();
    }
    // coach, players, enter: with nothing between in three steps, with repeats and refusals between in more.
    expect(entered).toBeGreaterThan(0);
  },
);
