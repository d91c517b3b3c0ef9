import { playerHead } from '@courtledger/contracts/kernel/page-head';
import type { PlayerAnswer } from '@courtledger/contracts/player/player.answers';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { Link, useParams } from 'react-router-dom';
import { Traced, useWhy, type Why } from '../admin/why.tsx';
import { paths } from '../app/paths.ts';
import { DocumentHead } from '../lib/document-head.tsx';
import { formatAverage, formatNumber } from '../lib/format.rules.ts';
import { getTeam } from '../team/team.data.ts';
import { Crest } from '../ui/crest.tsx';
import { LoadState } from '../ui/load-state.tsx';
import { PersonPhoto } from '../ui/picture.tsx';
import { ScriptText } from '../ui/script-text.tsx';
import '../ui/stage.css';
import { GameLog, TournamentAverages } from './player-tables.tsx';
import './player-page.css';
import { getPlayer } from './player.data.ts';
import { byTournament, gameLog, measure, recentBars, type GameRow } from './player.rules.ts';

const Head = ({ player, logo }: { readonly player: PlayerAnswer; readonly logo: string | undefined }): ReactElement => {
  const { currentTeam: team } = player;
  const known = team._id !== '' && team.name !== '';
  return (
    <section className="stage">
      <div className="wrap pl">
        <div className="pl__no" aria-hidden="true">
          {player.jerseyNumber}
        </div>
        <div className="pl__photo">
          <PersonPhoto image={player.image} name={player.name} eager />
        </div>
        <div className="pl__b">
          {known ? (
            <span className="who pl__team">
              <Crest id={team._id} name={team.name} logo={logo} size={36} />
              <span>
                <ScriptText text={team.name} />
              </span>
            </span>
          ) : (
            <span className="mute">Not Available</span>
          )}
          <h1>
            <ScriptText text={player.name} />
          </h1>
          <dl className="pl__f">
            <div>
              <dt>Age</dt>
              <dd>{measure(player.age, '')}</dd>
            </div>
            <div>
              <dt>Height</dt>
              <dd>{measure(player.height, 'cm')}</dd>
            </div>
            <div>
              <dt>Weight</dt>
              <dd>{measure(player.weight, 'kg')}</dd>
            </div>
            <div>
              <dt>Jersey Number</dt>
              <dd>{player.jerseyNumber === '' ? '-' : player.jerseyNumber}</dd>
            </div>
          </dl>
        </div>
      </div>
    </section>
  );
};

const averages = [
  { stat: 'points', title: 'Average Points' },
  { stat: 'assists', title: 'Average Assists' },
  { stat: 'rebounds', title: 'Average Rebounds' },
] as const;

const Averages = ({ player, log, why }: { readonly player: PlayerAnswer; readonly log: readonly GameRow[]; readonly why: Why | undefined }): ReactElement => {
  const bars = recentBars(log);
  return (
    <div className="card avg">
      {averages.map(({ stat, title }) => {
        const shown = formatAverage(player.averages[stat]);
        return (
          <div key={stat}>
            <b>
              <Traced onWhy={why} asked={{ of: 'player-average', stat, player: player._id }} label={`Why ${shown}? ${player.name}, ${title.toLowerCase()}`}>
                {shown}
              </Traced>
            </b>
            <span>{title}</span>
          </div>
        );
      })}
      <div>
        <span>
          {bars.length === 0 ? 'No matches played yet' : bars.length === 1 ? 'Points, last match played' : `Points, last ${String(bars.length)} matches played`}
        </span>
        {bars.length > 0 && (
          <ul className="spark">
            {bars.map((bar) => (
              <li key={bar.matchId}>
                {formatNumber(bar.points)}
                <i style={{ height: `${String(bar.height)}px` }} />
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  );
};

const Profile = ({ player }: { readonly player: PlayerAnswer }): ReactElement => {
  const { currentTeam } = player;
  // The team's results hold the score of each match: one call, not one a match.
  const { data: team } = useQuery({ ...getTeam(currentTeam._id), enabled: currentTeam._id !== '' });
  const log = gameLog(player, team?.results ?? []);
  const { why, panel } = useWhy();
  const tournaments = byTournament(player.match_history);
  return (
    <>
      <DocumentHead {...playerHead(player)} />
      <Head player={player} logo={team?.team_details.logo} />
      <div className="wrap">
        <Averages player={player} log={log} why={why} />
        {panel}
        <GameLog player={player} log={log} why={why} />
        {tournaments.length > 0 && <TournamentAverages player={player} rows={tournaments} why={why} />}
      </div>
    </>
  );
};

/** A player: who it is, the averages, the matches, the tournaments. */
export const PlayerPage = (): ReactElement => {
  const { id = '' } = useParams();
  const player = useQuery(getPlayer(id));
  if (player.data) return <Profile player={player.data} />;
  return (
    <LoadState query={player} noun="player" absent={{ title: 'Player not found', text: 'There is no such player.' }}>
      <Link className="btn btn--s btn--sm" to={paths.results.to()}>
        Back to Events
      </Link>
    </LoadState>
  );
};
