import type { MatchAnswer } from '@courtledger/contracts/match/match.answers';
import type { ReactElement } from 'react';
import { Link } from 'react-router-dom';
import { Traced, type Why } from '../admin/why.tsx';
import { paths } from '../app/paths.ts';
import { formatNumber } from '../lib/format.rules.ts';
import { PersonPhoto } from '../ui/picture.tsx';
import { ScriptText } from '../ui/script-text.tsx';
import { performances, rowsOf, topOf } from './match.rules.ts';

/** Who was best at what, one per team; the better of the two stands in chalk. */
export const TopPerformers = ({
  match,
  why,
}: {
  readonly match: MatchAnswer;
  /** Opens the entries behind a number, for those who may see them. */
  readonly why?: Why | undefined;
}): ReactElement => (
  <section className="sec" aria-labelledby="top-performers">
    <div className="sec__head">
      <h2 className="d h2" id="top-performers">
        Top Performers
      </h2>
    </div>
    <div className="tops">
      {performances.map(({ statistic, title }) => {
        const leads = [match.team_1, match.team_2].flatMap((team) => {
          const row = topOf(rowsOf(match, team._id), statistic);
          return row ? [{ team, row }] : [];
        });
        const best = Math.max(...leads.map(({ row }) => row[statistic]));
        return (
          <section className="card top" key={statistic}>
            <h3>{title}</h3>
            {leads.length === 0 && <p className="dim">Nobody yet</p>}
            {leads.map(({ team, row }) => (
              <div key={team._id} className={row[statistic] === best ? 'lead' : 'lead lead--lo'}>
                <PersonPhoto image={row.image} name={row.name} decorative />
                <span>
                  <b>
                    <Link className="link" to={paths.player.to(row.player_id)}>
                      <ScriptText text={row.name} />
                    </Link>
                  </b>
                  <small>
                    <ScriptText text={team.team_details.name} />
                  </small>
                </span>
                <span className="d">
                  <Traced
                    onWhy={why}
                    asked={{ of: 'match-player', stat: statistic, match: match._id, player: row.player_id }}
                    label={`Why ${formatNumber(row[statistic])}? ${row.name}, ${statistic}`}
                  >
                    {formatNumber(row[statistic])}
                  </Traced>
                </span>
              </div>
            ))}
          </section>
        );
      })}
    </div>
  </section>
);
