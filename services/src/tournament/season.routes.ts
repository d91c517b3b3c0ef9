import { getSeasonFile, getSeasonKey, getStandingsHistory } from '@courtledger/contracts/tournament/season.api';
import { DomainError } from '@courtledger/contracts/kernel/errors';
import type { SeasonSignature } from '@courtledger/contracts/tournament/season.answers';
import { getStandingsHistory as standingsHistory, parkedOfSeason, seasonPayloadOf } from '@courtledger/projections/tournament/season.queries';
import type { Bound } from '../platform/call.ts';
import { bindRead } from '../platform/endpoint.ts';
import type { FeatureDeps } from '../platform/feature-deps.ts';
import { found } from '../platform/found.ts';
import type { SeasonKey } from '../platform/season-key.ts';

const noSuchTournament = 'There is no such tournament';

export type SeasonDeps = Pick<FeatureDeps, 'reader'> & {
  readonly seasonKey: SeasonKey;
  /** Rejects unless the log is what was written, up to a position. */
  readonly expectWhole: (until: bigint) => Promise<void>;
};

/** What anybody may check: results as a signed file, and the table after each match day. */
export const seasonRoutes = ({ reader, seasonKey, expectWhole }: SeasonDeps): readonly Bound[] => [
  bindRead(getSeasonFile, async ({ params }) => {
    const model = reader();
    // Both of one moment: a stream that can be read again meanwhile is not in what was read before.
    const { payload, parked } = model.snapshot(() => ({ payload: seasonPayloadOf(model, params.id), parked: parkedOfSeason(model, params.id) }));
    if (payload === undefined) return { missing: noSuchTournament };
    if (parked !== undefined) throw new DomainError('unavailable', `A fact in ${parked} cannot be read: results that may rest on it are not signed.`, { retryAfter: 60 });
    await expectWhole(BigInt(payload.position));
    const first = Buffer.from(JSON.stringify(payload));
    const signature: SeasonSignature = { algorithm: 'Ed25519', publicKey: seasonKey.publicKey, signature: seasonKey.sign(first) };
    return {
      bytes: Buffer.concat([first, Buffer.from(`\n${JSON.stringify(signature)}\n`)]),
      contentType: 'application/octet-stream',
      headers: { 'Content-Disposition': `attachment; filename="season-${params.id.replaceAll(/[^A-Za-z0-9-]/g, '')}.jsonl"`, 'X-Content-Type-Options': 'nosniff' },
    };
  }),
  bindRead(getSeasonKey, () => ({ json: JSON.stringify({ algorithm: 'Ed25519', publicKey: seasonKey.publicKey }) })),
  bindRead(getStandingsHistory, ({ params }) => {
    const history = standingsHistory(reader(), params.id);
    return found(history === undefined ? undefined : JSON.stringify(history), noSuchTournament);
  }),
];
