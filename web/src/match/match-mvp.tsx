import { IconTrophy } from '@tabler/icons-react';
import type { MatchAnswer } from '@courtledger/contracts/match/match.answers';
import type { ReactElement } from 'react';
import { Link } from 'react-router-dom';
import { paths } from '../app/paths.ts';
import { PersonPhoto } from '../ui/picture.tsx';
import { LiveNumber } from '../ui/live-number.tsx';
import { ScriptText } from '../ui/script-text.tsx';
import { mvpOf } from './match.rules.ts';

/** 'MVP of the match': the recorded one, else the best average on the winning team; nothing for a level match. */
export const MatchMvp = ({ match }: { readonly match: MatchAnswer }): ReactElement | null => {
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
        <div>
          <b>
            <LiveNumber value={row.points} />
          </b>
          <span>Points</span>
        </div>
        <div>
          <b>
            <LiveNumber value={row.assists} />
          </b>
          <span>Assists</span>
        </div>
        <div>
          <b>
            <LiveNumber value={row.rebounds} />
          </b>
          <span>Rebounds</span>
        </div>
      </div>
    </section>
  );
};
