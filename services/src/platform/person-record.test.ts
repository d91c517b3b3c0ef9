import { personStream } from '@courtledger/contracts/player/person.events';
import { getPlayer } from '@courtledger/contracts/player/player.api';
import { addPlayerToTeam } from '@courtledger/contracts/team/team.api';
import { teamStream } from '@courtledger/contracts/team/team.events';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { systemContext } from './command-context.ts';
import { correctDetails, detailsUnlessErased, withoutDocument } from './person-record.ts';
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

it('a person who is erased by another gateway while a correction keeps its files is said to be erased', async () => {
  const [personId = ''] = (await anyTeam(bench, 1)).playerIds;
  const { deps, vault, log } = bench;
  const changed = async () => {
    vault.destroy(personId);
    await log.deleteStream(personStream(personId));
    return { name: 'Asmita' };
  };
  expect(await refusal(correctDetails(deps, personId, changed, systemContext(deps.newId, deps.clock)))).toBe(
    'conflict: The details of this person were erased',
  );
  expect(await bench.facts(personStream(personId))).toEqual([]);
});

it('a document that is due goes with a person who is erased by another gateway in the same moment', async () => {
  const [personId = ''] = (await anyTeam(bench, 1)).playerIds;
  const { deps, vault } = bench;
  // Both have the same keys.
  const open: typeof vault.open = (id, sealed) => {
    const details = vault.open(id, sealed);
    vault.destroy(id);
    return details;
  };
  const before = await bench.facts();
  expect(await withoutDocument({ ...deps, vault: { ...vault, open } }, personId, systemContext(deps.newId, deps.clock))).toBeUndefined();
  expect(await bench.facts()).toEqual(before);
});

it('a document that is due stays with a person whom another gateway corrects in the same moment, and the next try takes it', async () => {
  const [personId = ''] = (await anyTeam(bench, 1)).playerIds;
  const { deps, vault } = bench;
  const context = () => systemContext(deps.newId, deps.clock);
  const keysDurable: typeof vault.keysDurable = async () => {
    await vault.keysDurable();
    await correctDetails(deps, personId, async () => ({ name: 'Asmita' }), context());
  };
  expect(await refusal(withoutDocument({ ...deps, vault: { ...vault, keysDurable } }, personId, context()))).toBe(
    'conflict: These details were changed at the same time. Please try again.',
  );
  expect(await withoutDocument(deps, personId, context())).toBeDefined();
  expect(await detailsUnlessErased(deps, personId)).toEqual({
    name: 'Asmita',
    phone: '9800000011',
    age: 20,
    height: 185,
    weight: 80,
    photo: expect.any(String) as string,
  });
});
