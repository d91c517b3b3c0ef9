import type { MatchResult } from '@courtledger/contracts/match/match.answers';
import type { ReactElement } from 'react';
import { Link } from 'react-router-dom';
import { paths } from '../app/paths.ts';
import { formatNumber, formatStart } from '../lib/format.rules.ts';
import { useIsLive } from '../lib/live.ts';
import { useNow } from '../lib/use-now.ts';
import { Crest } from '../ui/crest.tsx';
import { LiveNumber } from '../ui/live-number.tsx';
import { ScriptText } from '../ui/script-text.tsx';
import { SpokenChange } from '../ui/spoken-change.tsx';
import { Bone } from '../ui/states.tsx';
import './match-card.css';
import { winnerOf } from './match.rules.ts';

type MatchCardProps = {
  readonly match: MatchResult;
  /** The hall; a line of its own at the top. */
  readonly place: string;
  /** Level of the card's heading on its page. */
  readonly level?: 2 | 3;
};

type SideProps = { readonly match: MatchResult; readonly side: 1 | 2; readonly winner: 1 | 2 | undefined };

const Side = ({ match, side, winner }: SideProps): ReactElement => {
  const team = side === 1 ? match.team_1 : match.team_2;
  const { name, logo } = team.team_details;
  const state = !match.hasStats ? 'side--next' : winner === undefined ? 'side--level' : winner === side ? 'side--win' : 'side--lost';
  return (
    <div className={`side ${side === 2 ? 'side--b' : ''} ${state}`}>
      <div className="side__id">
        <Crest id={team._id} name={name} logo={logo} />
        <span className="side__name" title={name}>
          <ScriptText text={name} />
        </span>
        {match.hasStats && winner === side && <span className="badge badge--win">WIN</span>}
      </div>
      {match.hasStats && (
        <div className="score">
          <LiveNumber value={side === 1 ? match.score_1 : match.score_2} />
        </div>
      )}
    </div>
  );
};

/** Says a new score out loud, once there is one; a match without statistics has none. */
const ScoreAnnouncement = ({ match }: { readonly match: MatchResult }): ReactElement => {
  const text = match.hasStats
    ? `${match.team_1.team_details.name} ${formatNumber(match.score_1)}, ${match.team_2.team_details.name} ${formatNumber(match.score_2)}`
    : '';
  return <SpokenChange text={text} />;
};

const Centre = ({ match }: { readonly match: MatchResult }): ReactElement => {
  const live = useIsLive(match);
  if (!match.hasStats) return match.time === '' ? <div className="tip tip--ring">Time TBD</div> : <div className="tip tip--time">{match.time}</div>;
  if (live) {
    return (
      <div className="tip tip--live">
        <span className="livedot" />
        Live
      </div>
    );
  }
  return <div className="tip">Final Score</div>;
};

/** One match as a court from above: light falls on the winner's half. */
export const MatchCard = ({ match, place, level = 2 }: MatchCardProps): ReactElement => {
  const now = useNow();
  const winner = match.hasStats ? winnerOf(match.score_1, match.score_2) : undefined;
  const Heading = level === 2 ? 'h2' : 'h3';
  const teams = `${match.team_1.team_details.name} and ${match.team_2.team_details.name}`;
  return (
    <article className="card game">
      <div className="game__top">
        <Heading>Basketball Match</Heading>
        <span title={place}>
          <ScriptText text={place} />
        </span>
      </div>
      <div className="floor">
        <Side match={match} side={1} winner={winner} />
        <Side match={match} side={2} winner={winner} />
        <Centre match={match} />
      </div>
      <div className="game__bot">
        {match.hasStats ? (
          <>
            <span>
              Point Difference <b>{Math.abs(match.score_1 - match.score_2)}</b>
            </span>
            <Link className="btn btn--s btn--sm" to={paths.matchDetails.to(match._id)}>
              View Details <span className="sr">of {teams}</span>
            </Link>
          </>
        ) : (
          <>
            <span>{formatStart(match.date, match.time, now)}</span>
            <Link className="btn btn--s btn--sm" to={paths.matchPlayers.to(match._id)}>
              View Players <span className="sr">of {teams}</span>
            </Link>
          </>
        )}
      </div>
      <ScoreAnnouncement match={match} />
    </article>
  );
};

const BoneSide = ({ second = false }: { readonly second?: boolean }): ReactElement => (
  <div className={second ? 'side side--b' : 'side'}>
    <div className="side__id">
      <Bone width={56} height={56} round />
      <Bone width={96} height={16} />
    </div>
    <Bone width={64} height={76} />
  </div>
);

/** The card while its match is on the way: the court is already there. */
export const MatchCardSkeleton = (): ReactElement => (
  <div className="card game" aria-busy="true">
    <div className="game__top">
      <Bone width={120} height={14} />
      <span>Loading...</span>
    </div>
    <div className="floor">
      <BoneSide />
      <BoneSide second />
      <div className="tip" />
    </div>
    <div className="game__bot">
      <Bone width={140} height={14} />
      <Bone width={112} height={40} />
    </div>
  </div>
);
