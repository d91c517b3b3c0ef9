import { getSeasonFile, getSeasonKey, getStandingsHistory } from '@courtledger/contracts/tournament/season.api';
import { DomainError } from '@courtledger/contracts/kernel/errors';
import type { TournamentId } from '@courtledger/contracts/kernel/ids';
import { downloadName } from '@courtledger/contracts/tournament/download-names';
import type { SeasonSignature } from '@courtledger/contracts/tournament/season.answers';
import { getStandingsHistory as standingsHistory, parkedOfSeason, seasonPayloadOf } from '@courtledger/projections/tournament/season.queries';
import { attachment } from '../platform/attachment.ts';
import type { Bound } from '../platform/call.ts';
import { bindRead } from '../platform/endpoint.ts';
import type { FeatureDeps } from '../platform/feature-deps.ts';
import { found } from '../platform/found.ts';
import type { SeasonKey } from '../platform/season-key.ts';

const noSuchTournament = 'There is no such tournament';

export type SeasonDeps = Pick<FeatureDeps, 'reader'> & {
  /** Hears when the same position may mean another answer from then on (`Store`). */
  readonly onSwitched: (listener: () => void) => unknown;
  readonly seasonKey: SeasonKey;
  /** Rejects unless the log is what was written, up to a position. */
  readonly expectWhole: (until: bigint) => Promise<void>;
};

/** What is signed of a season, and the file once it is: made from all facts of the season, and as large as they are. */
type Made = { readonly position: bigint; readonly name: string; readonly payload: Buffer; file?: Buffer };
/** Seasons of which the file is kept until something is recorded. */
const mostKept = 8;

/** What anybody may check: results as a signed file, and the table after each match day. */
export const seasonRoutes = ({ reader, onSwitched, seasonKey, expectWhole }: SeasonDeps): readonly Bound[] => {
  /** Anybody may ask, and as often as they like: hundreds who ask at once have one file among them. Those that were made first go first. */
  const kept = new Map<TournamentId, Made>();
  onSwitched(() => kept.clear());

  /** @throws DomainError `unavailable` where a fact cannot be read */
  const payloadOf = (tournamentId: TournamentId): Made | undefined => {
    const model = reader();
    // Both of one moment: a stream that can be read again meanwhile is not in what was read before.
    return model.snapshot(() => {
      const known = kept.get(tournamentId);
      if (known?.position === model.position()) return known;
      kept.delete(tournamentId);
      const [payload, parked] = [seasonPayloadOf(model, tournamentId), parkedOfSeason(model, tournamentId)];
      if (payload === undefined) return undefined;
      if (parked !== undefined)
        throw new DomainError('unavailable', `A fact in ${parked} cannot be read: results that may rest on it are not signed.`, { retryAfter: 60 });
      const made: Made = { position: BigInt(payload.position), name: payload.tournament.name, payload: Buffer.from(JSON.stringify(payload)) };
      kept.set(tournamentId, made);
      if (kept.size > mostKept)
        for (const oldest of kept.keys()) {
          kept.delete(oldest);
          break;
        }
      return made;
    });
  };
  const signed = (payload: Buffer): Buffer => {
    const signature: SeasonSignature = { algorithm: 'Ed25519', publicKey: seasonKey.publicKey, signature: seasonKey.sign(payload) };
    return Buffer.concat([payload, Buffer.from(`\n${JSON.stringify(signature)}\n`)]);
  };

  return [
    bindRead(getSeasonFile, async ({ params }) => {
      const made = payloadOf(params.id);
      if (made === undefined) return { missing: noSuchTournament };
      await expectWhole(made.position);
      made.file ??= signed(made.payload);
      return {
        bytes: made.file,
        contentType: 'application/octet-stream',
        headers: { 'Content-Disposition': attachment(downloadName(made.name, 'season.jsonl')), 'X-Content-Type-Options': 'nosniff' },
      };
    }),
    bindRead(getSeasonKey, () => ({ json: JSON.stringify({ algorithm: 'Ed25519', publicKey: seasonKey.publicKey }) })),
    bindRead(getStandingsHistory, ({ params }) => {
      const history = standingsHistory(reader(), params.id);
      return found(history === undefined ? undefined : JSON.stringify(history), noSuchTournament);
    }),
  ];
};
