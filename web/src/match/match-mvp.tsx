import { IconTrophy } from '@tabler/icons-react';
import type { MatchAnswer } from '@courtledger/contracts/match/match.answers';
import type { ReactElement } from 'react';
import { Link } from 'react-router-dom';
import { Traced, type Why } from '../admin/why.tsx';
import { paths } from '../app/paths.ts';
import { formatNumber } from '../lib/format.rules.ts';
import { PersonPhoto } from '../ui/picture.tsx';
import { LiveNumber } from '../ui/live-number.tsx';
import { ScriptText } from '../ui/script-text.tsx';
import { mvpOf, performances } from './match.rules.ts';

/** 'MVP of the match': the recorded one, else the best average on the winning team; nothing for a level match. */
export const MatchMvp = ({
  match,
  why,
}: {
  readonly match: MatchAnswer;
  /** Opens the entries behind a number, for those who may see them. */
  readonly why?: Why | undefined;
}): ReactElement | null => {
  const mvp = mvpOf(match);
  if (!mvp) return null;
  const { row, recorded } = mvp;
  const team = row.team_id === match.team_1._id ? match.team_1 : match.team_2;
  return (
    <section className="card mvp" aria-labelledby="mvp">
      <div className="mvp__p">
        <PersonPhoto image={row.image} name={row.name} eager />
      </div>
      <div className="mvp__b">
        <h2 id="mvp">
          <IconTrophy className="i" stroke={1.75} aria-hidden="true" />
          MVP of the match
        </h2>
        <div className="mvp__n">
          <Link to={paths.player.to(row.player_id)}>
            <ScriptText text={row.name} />
          </Link>
        </div>
        <div className="mute">
          {row.jerseyNumber !== '' && `#${row.jerseyNumber}, `}
          <ScriptText text={team.team_details.name} />
        </div>
        {!recorded && <small>Best average of points, assists and rebounds on the winning team</small>}
      </div>
      <div className="tri">
        {performances.map(({ statistic, name }) => (
          <div key={statistic}>
            <b>
              <Traced
                onWhy={why}
                asked={{ of: 'match-player', stat: statistic, match: match._id, player: row.player_id }}
                label={`Why ${formatNumber(row[statistic])}? ${row.name}, ${statistic}`}
              >
                <LiveNumber value={row[statistic]} />
              </Traced>
            </b>
            <span>{name}</span>
          </div>
        ))}
      </div>
    </section>
  );
};
