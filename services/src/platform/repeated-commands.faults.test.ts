import type { Endpoint } from '@courtledger/contracts/kernel/endpoint';
import type { MatchAnswer } from '@courtledger/contracts/match/match.answers';
import { getMatch, recordMatchStats, recordStatIncrement, rescheduleMatch, reverseStatEntry } from '@courtledger/contracts/match/match.api';
import { requestTournament } from '@courtledger/contracts/request/request.api';
import { createTournament } from '@courtledger/contracts/tournament/tournament.api';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { runSeed, seededRandom } from '../event-log/testing/random.ts';
import { openFeatureBench, visitor, type FeatureBench, type Sent } from './testing/feature-bench.ts';
import { refusal } from './testing/refusal.ts';
import { anyMatch, line, tournamentBody } from './testing/season-steps.ts';

const commands = process.env['FAULTS'] === 'full' ? 1000 : 120;
const seed = runSeed('repeated commands');

let bench: FeatureBench;
beforeEach(async () => {
  bench = await openFeatureBench();
});
afterEach(() => {
  bench.close();
});

type Planned = { readonly endpoint: Endpoint; readonly sent: Sent & { readonly key: string }; readonly copies: number; readonly bodies: unknown[] };

/** R6: each command 2 to 5 times, at once and across restarts. One effect each, the same body, and the totals of a model that knows each command once. */
it(`gives each of ${String(commands)} repeated commands one effect and one answer (SEED=${String(seed)})`, async () => {
  const fraction = seededRandom(seed);
  const random = (below: number): number => Math.floor(fraction() * below);
  const { matchId, a, b } = await anyMatch(bench);
  const params = { id: matchId };
  const points = new Map<string, number>();
  const add = (playerId: string, amount: number): void => {
    points.set(playerId, (points.get(playerId) ?? 0) + amount);
  };
  const pick = (players: readonly string[]): string => players[random(players.length)] ?? '';
  const taps: { entryId: string; playerId: string; amount: number }[] = [];
  let made = 0;

  const plan = (index: number): Planned => {
    const key = `key-${String(index)}`;
    const copies = 2 + random(4);
    const kind = random(10);
    const amount = 1 + random(9);
    const [playerA, playerB] = [pick(a.playerIds), pick(b.playerIds)];
    const planned = (endpoint: Endpoint, sent: Sent): Planned => ({ endpoint, sent: { ...sent, key }, copies, bodies: [] });
    if (kind < 4) {
      add(playerA, amount);
      add(playerB, -amount);
      return planned(recordMatchStats, { body: { matchId, team1Players: [line(playerA, amount)], team2Players: [line(playerB, -amount)] } });
    }
    if (kind < 7) {
      const entryId = `tap-${String(index)}`;
      taps.push({ entryId, playerId: playerA, amount });
      add(playerA, amount);
      return planned(recordStatIncrement, { params, body: { entryId, playerId: playerA, points: amount } });
    }
    const tap = kind === 7 ? taps.shift() : undefined;
    if (tap !== undefined) {
      add(tap.playerId, -tap.amount);
      return planned(reverseStatEntry, { params: { ...params, entryId: tap.entryId }, body: { reason: 'Again' } });
    }
    // A time of its own for each: one that the match already has records nothing, and such a command's key is not remembered across a restart
    // (docs/decisions/answers-of-commands.md).
    if (kind === 8)
      return planned(rescheduleMatch, {
        params,
        body: { time: `${String(index % 24).padStart(2, '0')}:${String(1 + Math.floor(index / 24)).padStart(2, '0')}` },
      });
    made += 1;
    if (made % 2 === 0) return planned(createTournament, { body: { ...tournamentBody, name: `Cup ${String(index)}` } });
    return planned(requestTournament, {
      caller: visitor,
      body: {
        tournamentName: `Cup ${String(index)}`,
        contactPhone1: '9811111111',
        contactPhone2: '9822222222',
        organizerName: 'Ram',
        location: 'Butwal',
        prizePool: 'TBD',
      },
    });
  };

  const all: Planned[] = [];
  let earlier: Planned[] = [];
  const sendCopy = async (planned: Planned): Promise<void> => {
    planned.bodies.push((await bench.send(planned.endpoint, planned.sent)).body);
  };
  for (let from = 0; from < commands; from += 12) {
    const batch = Array.from({ length: Math.min(12, commands - from) }, (_, offset) => plan(from + offset));
    // A reversal needs its entry: first copies in order, all others in any order, with stragglers of the batch before, on both sides of a restart.
    const now = batch.flatMap((planned) => [planned, ...(random(2) === 0 ? [planned] : [])]);
    await Promise.all(now.map(sendCopy));
    const left = batch.flatMap((planned) => Array.from({ length: Math.max(0, planned.copies - now.filter((sent) => sent === planned).length) }, () => planned));
    if (random(2) === 0) bench.restart();
    await Promise.all([...earlier, ...left.filter((_, index) => index % 2 === 0)].toSorted(() => random(3) - 1).map(sendCopy));
    earlier = left.filter((_, index) => index % 2 === 1);
    all.push(...batch);
  }
  bench.restart();
  await Promise.all(earlier.map(sendCopy));

  for (const { endpoint, sent, copies, bodies } of all) {
    expect(bodies).toHaveLength(copies);
    for (const body of bodies)
      expect({ key: sent.key, endpoint: endpoint.name, body }).toStrictEqual({ key: sent.key, endpoint: endpoint.name, body: bodies[0] });
  }
  const another = all.find(({ endpoint }) => endpoint === recordMatchStats);
  expect(await refusal(bench.send(recordMatchStats, { ...another?.sent, body: { matchId, team1Players: [line(a.playerIds[0] ?? '', 999)] } }))).toBe(
    'key-reused: This Idempotency-Key was used with another body',
  );
  const shown = (await bench.read(getMatch, { params })) as MatchAnswer;
  const totals = new Map(shown.player_stats.map((row) => [row.player_id, row.points]));
  for (const [playerId, total] of points) expect({ playerId, total: totals.get(playerId) ?? 0 }).toStrictEqual({ playerId, total });
  const planned = (endpoint: Endpoint): number => all.filter((one) => one.endpoint === endpoint).length;
  const facts = await bench.facts();
  const recorded = (type: string): number => facts.filter((fact) => fact.type === type).length;
  expect({
    increments: recorded('StatIncrementRecorded'),
    reversals: recorded('StatEntryReversed'),
    tournaments: recorded('TournamentCreated'),
    requests: recorded('TournamentRequested'),
    rescheduled: recorded('MatchRescheduled'),
    requesters: facts.filter(({ type, data }) => type === 'PersonDetailsRecorded' && (data as { kind: string }).kind === 'requester').length,
  }).toStrictEqual({
    increments: 2 * planned(recordMatchStats) + planned(recordStatIncrement),
    reversals: planned(reverseStatEntry),
    // The season's own tournament was there before.
    tournaments: planned(createTournament) + 1,
    requests: planned(requestTournament),
    rescheduled: planned(rescheduleMatch),
    requesters: planned(requestTournament),
  });
});
