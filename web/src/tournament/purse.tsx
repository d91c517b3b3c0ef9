import type { TournamentListItem } from '@courtledger/contracts/tournament/tournament.answers';
import type { CSSProperties, ReactElement } from 'react';
import { formatAmount, formatPrize, prizeTotal } from '../lib/format.rules.ts';
import { Amount } from '../ui/amount.tsx';
import './purse.css';

/** The prize pool as a ledger: the total, then five lines ('TBD' where undecided). */
export const Purse = ({ prizePool }: { readonly prizePool: TournamentListItem['prizePool'] }): ReactElement => {
  const total = prizeTotal(prizePool);
  const shown = total === undefined ? 'TBD' : formatAmount(total);
  const lines = [
    { title: '1st Position', prize: prizePool.firstPrize, pip: 'var(--gold)' },
    { title: '2nd Position', prize: prizePool.secondPrize, pip: 'var(--silver)' },
    { title: '3rd Position', prize: prizePool.thirdPrize, pip: 'var(--bronze)' },
    { title: 'Tournament MVP', prize: prizePool.mvp, pip: 'var(--ball)' },
    { title: 'Entry Fee', prize: prizePool.entryFee, pip: undefined },
  ];
  return (
    <section className="card purse" aria-label="Prizes">
      <div className="mute">Total Prize Pool</div>
      <div className="purse__total" style={{ '--letters': shown.length } as CSSProperties}>
        {total !== undefined && (
          <>
            <small>NPR</small>{' '}
          </>
        )}
        {shown}
      </div>
      <dl>
        {lines.map((line) => (
          <div key={line.title}>
            <dt>
              {line.pip !== undefined && <span className="pip" style={{ background: line.pip }} />}
              {line.title}
            </dt>
            <dd>
              <Amount text={formatPrize(line.prize)} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
};
