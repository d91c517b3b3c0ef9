import { erasePerson } from '@courtledger/contracts/operations/audit.api';
import { getOperationsStatus } from '@courtledger/contracts/operations/operations.api';
import { getPlayer } from '@courtledger/contracts/player/player.api';
import { expect, it } from 'vitest';
import { failLedgerDisk, type LedgerFault } from '../platform/testing/failing-ledger-disk.ts';
import { season, type Site } from '../testing/site.ts';
import { siteFolder } from '../testing/site-folder.ts';

/** An erasure that the disk does not even take note of: whoever asked hears what is true, and no start carries out what was refused. */

const folder = siteFolder();
const { open } = folder;

const nameOf = async (site: Site, playerId: string): Promise<string> => (await site.call(getPlayer, { params: { id: playerId } })).name;

it.each<[LedgerFault, string, string]>([
  ['first flush', 'unavailable', 'Nothing was erased: the disk takes nothing, not even that it was asked for. Please ask again when there is room.'],
  ['last byte', 'unavailable', 'Nothing was erased: the disk takes nothing, not even that it was asked for. Please ask again when there is room.'],
  [
    'every flush',
    'outcome-unknown',
    'It is not known whether the erasure was noted: the disk fails. If it was, the next start of the server erases the person. Please ask again when the disk is in order.',
  ],
])(
  'is not carried out by the next start, and may be asked for again (%s)',
  async (fault, code, message) => {
    const data = folder.path('data');
    const site = await open(data);
    const { superToken, teams } = await season(site);
    const personId = teams[0].players[0] ?? '';
    const mend = failLedgerDisk(fault);
    const refusal = await site.refused(erasePerson, { token: superToken, json: { personId, reason: 'Asked for it' } }).finally(mend);
    expect([refusal.status, refusal.type, refusal.message]).toEqual([503, `/api/docs#problem-${code}`, message]);
    await site.app.close(2000);

    const again = await open(data);
    const { pendingErasures } = await again.call(getOperationsStatus, { token: superToken });
    expect([await nameOf(again, personId), pendingErasures]).toEqual(['Player 1', []]);
    await again.call(erasePerson, { token: superToken, json: { personId, reason: 'Asked for it' } });
    expect(await nameOf(again, personId)).toBe('Former player');
  },
  60_000,
);
