import { expect, test } from 'vitest';
import type { ControlClient } from '../operations/control-client.ts';
import { OperatorError } from '../operations/operator-error.ts';
import { plantSeason } from './plant-season.ts';

const png = Buffer.alloc(1);
const drawings = { teams: [], posters: { league: png, cup: png }, organizer: png, document: png };

test.each([
  ['its league', [{ name: 'Himalayan Hoops League 2083' }], ['GET /api/tournaments/'], 'Himalayan Hoops League 2083'],
  [
    'its admin, under a league that was renamed',
    [{ name: 'Our league' }],
    ['GET /api/tournaments/', 'POST /api/superadmin/create-admin'],
    'An account courtside@courtledger.example',
  ],
])('a site that has %s gets no second season', async (_, allTournaments, asked, what) => {
  const calls: string[] = [];
  const client: ControlClient = {
    async call(method, path) {
      calls.push(`${method} ${path}`);
      return {
        status: method === 'GET' ? 200 : 409,
        headers: {},
        bytes: Buffer.alloc(0),
        json: () => ({ allTournaments, message: 'This e-mail address is already in use' }),
      };
    },
  };
  await expect(plantSeason({ client, drawings, now: 0, password: 'courtside-7391', seed: 1, say: (line) => calls.push(line) })).rejects.toThrow(
    new OperatorError(`${what} is here already: the demo season is planted once. For a new one, or where planting was interrupted, take a new DATA_DIR`),
  );
  expect(calls).toEqual(asked);
});
