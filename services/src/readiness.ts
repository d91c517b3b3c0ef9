import type { ReadyAnswer } from '@courtledger/contracts/kernel/health.api';
import { damagePlace } from './operations/log-verification.ts';
import type { Operations } from './operations/operations.ts';
import type { Config } from './platform/config.ts';
import type { StartReason } from './platform/store-start.ts';
import type { Store } from './platform/store.ts';

export type ReadinessSources = {
  readonly kind: Config['store']['kind'];
  /** Undefined while the server starts. */
  readonly opened:
    | {
        readonly store: Pick<Store, 'refusal' | 'projected'>;
        readonly operations: Pick<Operations, 'keysRefusal'> & {
          readonly jobs: Pick<Operations['jobs'], 'doubt'>;
          readonly verifications: Pick<Operations['verifications'], 'damage'>;
        };
      }
    | undefined;
  /** What the start waits for. */
  readonly waitsFor: StartReason;
};

/** Results are recorded all the same: what needs a key of a person is refused. */
const keysText = 'Keys of persons are missing';

/** What is said of a log that takes no writes: nothing about the machine. */
const refusalOf = (refusal: string, kind: ReadinessSources['kind'], damage: Operations['verifications']['damage']): string => {
  if (damage !== undefined) return damagePlace(damage);
  return kind === 'eventstoredb' || refusal === keysText ? refusal : 'The log takes no writes at the moment';
};

/** What `/readyz` answers; why it is so: docs/decisions/readiness.md. */
export const readinessOf = ({ kind, opened, waitsFor }: ReadinessSources): ReadyAnswer => {
  if (opened === undefined)
    return {
      status: 'not-ready',
      checks: { log: 'failing', readModel: 'failing', projections: 'failing' },
      writes: false,
      reason: `The server is starting: ${waitsFor}`,
    };
  const { store, operations } = opened;
  const [refusal, projected] = [store.refusal() ?? (operations.keysRefusal() === undefined ? undefined : keysText), store.projected()];
  const doubt = operations.jobs.doubt ?? (projected.error === undefined ? undefined : 'The read model does not move');
  const reason = refusal === undefined ? (doubt ?? null) : refusalOf(refusal, kind, operations.verifications.damage);
  return {
    status: reason === null ? 'ready' : 'not-ready',
    checks: {
      log: refusal === undefined ? 'ok' : 'failing',
      readModel: doubt === undefined ? 'ok' : 'failing',
      projections: projected.parked === 0 ? 'ok' : 'failing',
    },
    writes: refusal === undefined,
    reason,
  };
};
