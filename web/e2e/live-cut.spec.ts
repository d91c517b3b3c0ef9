import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { expect } from '@playwright/test';
import { test } from './journey.ts';
import { seededLeague, watch } from './site.ts';
import { makeAdmin } from './staff.ts';

/** A wire between the browser and the server that can be cut. */
const layWire = async (to: number) => {
  const open = new Set<Socket>();
  let cut = false;
  const wire = createServer((near) => {
    if (cut) {
      near.destroy();
      return;
    }
    const far = connect(to, '127.0.0.1');
    for (const [end, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(end);
      end.on('error', () => other.destroy());
      end.on('close', () => {
        open.delete(end);
        other.destroy();
      });
      end.pipe(other);
    }
  });
  wire.listen(0, '127.0.0.1');
  await once(wire, 'listening');
  return {
    address: `http://127.0.0.1:${String((wire.address() as AddressInfo).port)}`,
    cut: (): void => {
      cut = true;
      for (const end of open) end.destroy();
    },
    mend: (): void => {
      cut = false;
    },
    close: (): void => {
      for (const end of open) end.destroy();
      wire.close();
    },
  };
};

test('a live connection that was cut is taken up again where it ended: no point is missed', async ({ page, baseURL, request }, info) => {
  const { played } = await seededLeague(request);
  const { token } = await makeAdmin(request);
  const match = (await (await request.get(`/api/match/matches/${played._id}`)).json()) as {
    team_1: { _id: string };
    player_stats: { player_id: string; team_id: string; notplayed: string; points: number }[];
  };
  const own = match.player_stats.filter((row) => row.team_id === match.team_1._id);
  const before = own.reduce((sum, row) => sum + row.points, 0);
  const scorer = own.find((row) => row.notplayed === 'played');
  if (!scorer) throw new Error('nobody played');
  const record = async (points: number): Promise<void> => {
    const answer = await request.post(`/api/match/matches/${played._id}/stat-entries`, {
      headers: { Authorization: `Bearer ${token}` },
      data: { entryId: crypto.randomUUID(), playerId: scorer.player_id, points },
    });
    expect(answer.status()).toBe(201);
  };
  const resumed: (string | undefined)[] = [];
  page.on('request', (sent) => {
    if (new URL(sent.url()).pathname === '/api/live') resumed.push(sent.headers()['last-event-id']);
  });

  const wire = await layWire(Number(new URL(baseURL ?? '').port));
  await page.goto(`${wire.address}/MatchDetails/${played._id}`);
  const score = page.locator('.bt__score').first();
  await expect(score).toHaveText(String(before));
  await expect.poll(() => resumed.length).toBe(1);
  await record(3);
  await expect(score).toHaveText(String(before + 3));

  // The network goes; two entries are recorded that nobody tells this page.
  wire.cut();
  await record(2);
  await record(1);
  await expect(score).toHaveText(String(before + 3));
  // The longer it is away, the longer the pauses: these are those after three attempts in vain.
  await expect.poll(() => resumed.length).toBeGreaterThan(4);
  wire.mend();
  const mended = performance.now();
  await expect(score).toHaveText(String(before + 6), { timeout: 20_000 });
  info.annotations.push({ type: 'missed points shown after', description: `${(performance.now() - mended).toFixed(0)} ms` });
  expect(resumed.length).toBeGreaterThan(1);
  // From now on nothing may be wrong: what failed while the network was away is the journey itself.
  const journey = watch(page);
  await record(-6);
  await expect(score).toHaveText(String(before));
  journey.expectNothingWrong();
  wire.close();
});
