import type { PersonId, TeamId } from '@courtledger/contracts/kernel/ids';
import { compareNamed } from '../kernel/text-order.ts';

export type Performance = {
  readonly playerId: PersonId;
  readonly teamId: TeamId;
  readonly points: number;
  readonly assists: number;
  readonly rebounds: number;
};
/** Asked only where everything else is level. */
export type NameOf = (playerId: PersonId) => string;
export type BestPlayer = { readonly player_id: string; readonly recorded: boolean };

const better = (a: Performance, b: Performance, nameOf: NameOf): number =>
  b.points + b.assists + b.rebounds - (a.points + a.assists + a.rebounds) ||
  b.points - a.points ||
  b.rebounds - a.rebounds ||
  b.assists - a.assists ||
  compareNamed({ id: a.playerId, name: nameOf(a.playerId) }, { id: b.playerId, name: nameOf(b.playerId) });

/**
 * The MVP to show: the recorded one if that player has a stat entry, else the best average of points, assists and rebounds on the winning team
 * (specification section 9; ties as in api-contract, getMatch). A level match has none. `performances` are the rows that are shown.
 */
export const bestPlayer = (
  recorded: string | null,
  performances: readonly Performance[],
  winnerTeamId: string | undefined,
  nameOf: NameOf,
): BestPlayer | undefined => {
  if (recorded !== null && performances.some(({ playerId }) => playerId === recorded)) return { player_id: recorded, recorded: true };
  let best: Performance | undefined;
  for (const candidate of performances) if (candidate.teamId === winnerTeamId && (best === undefined || better(candidate, best, nameOf) < 0)) best = candidate;
  return best === undefined ? undefined : { player_id: best.playerId, recorded: false };
};
