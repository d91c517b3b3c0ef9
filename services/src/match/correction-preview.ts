import { DomainError, notFound, type ErrorCode } from '@courtledger/contracts/kernel/errors';
import { matchStream } from '@courtledger/contracts/match/match.events';
import type { PreviewAnswer } from '@courtledger/contracts/operations/audit.answers';
import { previewFacts } from '@courtledger/projections/operations/preview.queries';
import { createHash } from 'node:crypto';
import type { MatchId } from '@courtledger/contracts/kernel/ids';
import type { FeatureDeps } from '../platform/feature-deps.ts';
import { matchDecider, type MatchCommand } from './match.decider.ts';
import type { Previewed } from './stat-correction.ts';

export type CorrectionPreviews = {
  /** What a correction would change. Refused as the correction itself would be; nothing is recorded. */
  preview(matchId: MatchId, command: MatchCommand): Promise<PreviewAnswer>;
  /**
   * Runs a correction with whether the preview that it was decided on says what would be said now; undefined when it names none (''). Corrections that name one
   * go one after another, each readable before the next is compared: one of another match may change the standings of this preview.
   */
  decideOn<T>(matchId: MatchId, command: MatchCommand, said: string, run: (previewed: Previewed | undefined) => Promise<T>): Promise<T>;
};

/** What a decider refuses with. */
const refusals: ReadonlySet<ErrorCode> = new Set(['invalid', 'not-found', 'conflict']);
export const noSuchMatch = 'There is no such match';

/**
 * Previews of corrections. One is named by the revision of the match that it was computed at, which the decider compares in the turn of the command, and by a
 * digest of everything that it says: standings that another match changed, names, places. So nothing that the preview does not show makes it outdated, but for
 * facts of the match itself.
 */
export const createCorrectionPreviews = ({ commands, reader }: Pick<FeatureDeps, 'commands' | 'reader'>): CorrectionPreviews => {
  const preview = async (matchId: MatchId, command: MatchCommand): Promise<PreviewAnswer> => {
    const facts = await commands.read(matchDecider, matchStream(matchId), (match) => matchDecider.decide(match, command));
    const found = facts === undefined ? undefined : previewFacts(reader(), matchId, facts);
    if (found === undefined) throw notFound(noSuchMatch);
    const digest = createHash('sha256').update(JSON.stringify(found.told)).digest('base64url').slice(0, 22);
    return { previewed: `${String(found.revision)}-${digest}`, ...found.told };
  };
  const previewed = async (matchId: MatchId, command: MatchCommand, said: string): Promise<Previewed> => {
    const revision = Number(/^\d{1,15}(?=-)/.exec(said)?.[0] ?? -1);
    try {
      return { revision, stands: (await preview(matchId, command)).previewed === said };
    } catch (error) {
      // What cannot be done, or was done already under the same key, the command itself says in its turn.
      if (error instanceof DomainError && refusals.has(error.code)) return { revision, stands: true };
      throw error;
    }
  };
  return {
    preview,
    async decideOn(matchId, command, said, run) {
      return said === '' ? run(undefined) : commands.inTurn('previewed corrections', async () => run(await previewed(matchId, command, said)));
    },
  };
};
