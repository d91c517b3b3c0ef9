import { getPlayer } from '@courtledger/contracts/player/player.api';
import { addPlayerToTeam } from '@courtledger/contracts/team/team.api';
import { teamStream } from '@courtledger/contracts/team/team.events';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openFeatureBench, registrantOf, type FeatureBench } from './testing/feature-bench.ts';
import { refusal } from './testing/refusal.ts';
import { anyTeam, playerBody } from './testing/season-steps.ts';

let bench: FeatureBench;
beforeEach(async () => {
  bench = await openFeatureBench();
});
afterEach(() => {
  bench.close();
});

it('a person whose second half was lost is not taken for one who is sent under the same key with other details', async () => {
  const { teamId } = await anyTeam(bench, 0);
  let isAway = true;
  bench.restart({
    ...bench.log,
    async append(stream, expected, events) {
      if (isAway && stream === teamStream(teamId)) throw new Error('power cut');
      return bench.log.append(stream, expected, events);
    },
  });
  const add = async (name: string, key: string) => bench.send(addPlayerToTeam, { caller: registrantOf(teamId), body: { ...playerBody(teamId, 7), name }, key });
  await expect(add('Asha Ria', 'k')).rejects.toThrow('power cut');
  isAway = false;
  bench.restart();
  expect(await refusal(add('Asha Rai', 'k'))).toBe('key-reused: This Idempotency-Key was used with another body');
  const { body } = await add('Asha Rai', 'another');
  expect(await bench.read(getPlayer, { params: { id: (body as { _id: string })._id } })).toMatchObject({ name: 'Asha Rai' });
});
