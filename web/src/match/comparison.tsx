import type { MatchAnswer, MatchTeam } from '@courtledger/contracts/match/match.answers';
import type { ReactElement } from 'react';
import { Traced, type Why } from '../admin/why.tsx';
import { formatNumber } from '../lib/format.rules.ts';
import { ScriptText } from '../ui/script-text.tsx';
import { rowsOf, sharesOf, totalsOf, type Statistic } from './match.rules.ts';

const bars = [
  { statistic: 'points', title: 'Points' },
  { statistic: 'rebounds', title: 'Rebounds' },
  { statistic: 'assists', title: 'Assists' },
] as const;

/** 'Match Statistics Comparison': how the two teams share each statistic. */
export const Comparison = ({
  match,
  why,
}: {
  readonly match: MatchAnswer;
  /** Opens the entries behind a number, for those who may see them. */
  readonly why?: Why | undefined;
}): ReactElement => {
  const first = totalsOf(rowsOf(match, match.team_1._id));
  const second = totalsOf(rowsOf(match, match.team_2._id));
  const total = (stat: Statistic, title: string, team: MatchTeam, value: number): ReactElement => (
    <b>
      <Traced
        onWhy={why}
        asked={{ of: 'match-team', stat, match: match._id, team: team._id }}
        label={`Why ${formatNumber(value)}? ${stat === 'points' ? 'Score' : title} of ${team.team_details.name}`}
      >
        {formatNumber(value)}
      </Traced>
    </b>
  );
  return (
    <section className="sec" aria-labelledby="comparison">
      <div className="sec__head">
        <h2 className="d h2" id="comparison">
          Match Statistics Comparison
        </h2>
      </div>
      <div className="card cmp">
        <div className="key">
          {[match.team_1, match.team_2].map((team) => (
            <span key={team._id}>
              <i />
              <ScriptText text={team.team_details.name} />
            </span>
          ))}
        </div>
        {bars.map(({ statistic, title }) => {
          const [a, b] = sharesOf(first[statistic], second[statistic]);
          return (
            <div key={statistic}>
              <div className="cmp__h">
                {total(statistic, title, match.team_1, first[statistic])}
                <span>{title}</span>
                {total(statistic, title, match.team_2, second[statistic])}
              </div>
              {/* Nothing on either side is an empty track: two halves would be a real draw. Nothing on one is no part of the bar. */}
              <div className="barx">
                {a.percent + b.percent > 0 && (
                  <>
                    <i hidden={first[statistic] <= 0} style={{ width: `${String(a.percent)}%` }}>
                      {a.label}
                    </i>
                    <i hidden={second[statistic] <= 0} style={{ width: `${String(b.percent)}%` }}>
                      {b.label}
                    </i>
                  </>
                )}
              </div>
            </div>
          );
        })}
      </div>
    </section>
  );
};
